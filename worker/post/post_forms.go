package post

import (
	"net/http"
	"time"

	"plaza/data/accounts"
	"plaza/render/ui"
	"plaza/worker/request"
)

// Forms returns the forms of posts and comments, by name.
func (h *Handlers) Forms() map[string]request.Form {
	return map[string]request.Form{
		"post":  {Show: h.submitAgain, Refuse: h.RefusePost},
		"short": {Show: h.shortAgain, Refuse: h.RefuseProfilePost},
		"draft": {Show: h.draftAgain, Refuse: h.RefuseDraft},
		"reply": {Show: h.replyAgain, Refuse: h.RefuseComment},
		"edit":  {Show: h.editAgain, Refuse: h.RefuseEdit},
	}
}

func previewed(c *request.Call, p *ui.Preview, fields ...string) ui.Form {
	f := c.Typed(fields...)
	f.Preview = p
	return f
}

func (h *Handlers) submitAgain(c *request.Call, p *ui.Preview) error {
	return h.submitPage(c, http.StatusOK, previewed(c, p, submitFields...), c.Value("kind"))
}

func (h *Handlers) shortAgain(c *request.Call, p *ui.Preview) error {
	return h.profilePostPage(c, http.StatusOK, previewed(c, p, "text"))
}

func (h *Handlers) draftAgain(c *request.Call, p *ui.Preview) error {
	target, err := request.TargetOf(c)
	if err != nil {
		return err
	}
	if !hasDraftFields(c) { // the request was to publish the stored draft without changes
		return h.draftPage(c, http.StatusOK, target, nil, nil)
	}
	f := previewed(c, p, submitFields...)
	return h.draftPage(c, http.StatusOK, target, &f, nil)
}

func (h *Handlers) replyAgain(c *request.Call, p *ui.Preview) error {
	to, err := repliedTo(c)
	if err != nil {
		return err
	}
	return h.replyPage(c, http.StatusOK, to, previewed(c, p, editFields...))
}

func (h *Handlers) editAgain(c *request.Call, p *ui.Preview) error {
	target, err := request.TargetOf(c)
	if err != nil {
		return err
	}
	f := previewed(c, p, editFields...)
	return h.editPage(c, http.StatusOK, target, &f, nil)
}

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
