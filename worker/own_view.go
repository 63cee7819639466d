package worker

import (
	"plaza/data"
	"plaza/data/communities"
	"plaza/render"
)

// ownShown is how many of a member's communities a sidebar names.
const ownShown = 30

// findOwned reads the caller's communities along with a page.
func (a *App) findOwned(c *call, r *data.Read) *communities.Owned {
	return a.communities.FindOwned(r, c.viewerID(), ownShown)
}

// ownView makes the view of what findOwned has found. Call it after run.
func (c *call) ownView(owned *communities.Owned) (v render.OwnCommunities) {
	if c.viewer == nil {
		return v
	}
	list, more := owned.List(c.viewer.Moderated())
	for _, own := range list {
		v.Items = append(v.Items, render.OwnCommunity(own))
	}
	v.More = more
	return v
}
