package community

import "plaza/worker/request"

// ShowOwnCommunities lists all communities that the member has joined.
func (h *Handlers) ShowOwnCommunities(c *request.Call) error {
	return h.communityListPage(c, ownCommunities)
}
