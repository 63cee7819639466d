package community

import "plaza/worker/request"

// ShowOwnCommunities lists all communities that the member has subscribed to.
func (a *Handlers) ShowOwnCommunities(c *request.Call) error {
	return a.communitiesIn(c, ownCommunities)
}
