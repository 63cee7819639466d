package view

import (
	"plaza/data"
	"plaza/data/content/communities"
	"plaza/render/ui"
	"plaza/worker/request"
)

// joinedShown is how many of a member's communities a sidebar names.
const joinedShown = 30

// FindJoined reads the caller's communities along with a page.
func (v *Views) FindJoined(c *request.Call, r *data.Read) *communities.Joined {
	return v.Communities.FindJoined(r, c.ViewerID(), joinedShown)
}

// OwnView makes the view of what FindJoined has found. Call it after Call.Run.
func OwnView(c *request.Call, joined *communities.Joined) (v ui.OwnCommunities) {
	if c.Viewer == nil {
		return v
	}
	list, more := joined.List(c.Viewer.Moderated())
	for _, own := range list {
		v.Items = append(v.Items, ui.OwnCommunity(own))
	}
	v.More = more
	return v
}
