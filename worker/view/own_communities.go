package view

import (
	"plaza/data"
	"plaza/data/content/communities"
	"plaza/render/ui"
	"plaza/worker/request"
)

// ownShown is how many of a member's communities a sidebar names.
const ownShown = 30

// FindOwned reads the caller's communities along with a page.
func (v *Views) FindOwned(c *request.Call, r *data.Read) *communities.Owned {
	return v.Communities.FindOwned(r, c.ViewerID(), ownShown)
}

// OwnView makes the view of what FindOwned has found. Call it after Call.Run.
func OwnView(c *request.Call, owned *communities.Owned) (v ui.OwnCommunities) {
	if c.Viewer == nil {
		return v
	}
	list, more := owned.List(c.Viewer.Moderated())
	for _, own := range list {
		v.Items = append(v.Items, ui.OwnCommunity(own))
	}
	v.More = more
	return v
}
