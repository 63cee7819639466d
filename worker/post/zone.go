package post

import (
	"time"

	"plaza/data/accounts"
	"plaza/render/ui"
	"plaza/worker/request"
)

// inZone shows the time of a form for a scheduled post in the member's time zone. The form names the zone, so that a
// time means what its label says when the member chooses another zone meanwhile.
func inZone(c *request.Call, f *ui.Form) {
	chosen := c.Choices().Zone
	zone := accounts.LoadZone(chosen)
	if f.Values["zone"] != "" || chosen == "" {
		return
	}
	if at, err := time.Parse(scheduleLayout, f.Values["publish_at"]); err == nil {
		f.Values["publish_at"] = at.In(zone).Format(scheduleLayout)
	} else if f.Values["publish_at"] != "" {
		return // an invalid time stays as it was typed
	}
	f.Values["zone"] = zone.String()
}
