package community

import (
	"net/http"

	"plaza/data/content/communities"
	pages "plaza/render/community"
	"plaza/worker/request"
	"plaza/worker/view"
)

// welcomeCommunities is how many communities the page after sign-up offers.
const welcomeCommunities = 6

// ShowWelcome is the page after sign-up: the communities that grow fastest, to join.
func (h *Handlers) ShowWelcome(c *request.Call) error {
	r := c.Read()
	list := h.Communities.FindList(r, communities.ListQuery{Order: communities.OrderGrowth, Limit: welcomeCommunities, Viewer: c.ViewerID()})
	if err := c.Run(r); err != nil {
		return err
	}
	p := pages.WelcomePage{Frame: c.Frame("Welcome"), Communities: view.CommunityItems(list.Items()), Unapproved: c.Actor.Unapproved}
	return request.Show(c, http.StatusOK, pages.Welcome, p)
}

// SubscribeAll has the member join all communities that the page after sign-up offers.
func (h *Handlers) SubscribeAll(c *request.Call) error {
	names := c.Form["community"]
	if len(names) > welcomeCommunities {
		names = names[:welcomeCommunities]
	}
	joined, err := h.Communities.SubscribeAll(c.R.Context(), *c.Actor, names)
	if err != nil {
		return err
	}
	return c.Done("/", map[string]any{"communities": joined})
}
