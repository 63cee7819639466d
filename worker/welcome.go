package worker

import (
	"net/http"

	"plaza/data/communities"
	"plaza/render"
)

// welcomeCommunities is how many communities the page after sign-up offers.
const welcomeCommunities = 6

// showWelcome is the page after sign-up: the communities that grow fastest, to subscribe to.
func (a *App) showWelcome(c *call) error {
	r := c.read()
	list := a.communities.FindList(r, communities.ListQuery{Order: communities.OrderGrowth, Limit: welcomeCommunities, Viewer: c.viewerID()})
	if err := c.run(r); err != nil {
		return err
	}
	p := render.WelcomePage{Frame: c.frame("Welcome", "", ""), Communities: communityItems(list.Items()), Waits: c.actor.Waits}
	p.NoIndex = true
	return show(c, http.StatusOK, render.Welcome, p)
}

// subscribeAll subscribes the member to all communities that the page after sign-up offers.
func (a *App) subscribeAll(c *call) error {
	names := c.form["community"]
	if len(names) > welcomeCommunities {
		names = names[:welcomeCommunities]
	}
	there, err := a.communities.SubscribeAll(c.r.Context(), *c.actor, names)
	if err != nil {
		return err
	}
	return c.done("/", map[string]any{"communities": there})
}
