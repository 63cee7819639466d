package worker

// showOwnCommunities lists all communities that the member has subscribed to.
func (a *App) showOwnCommunities(c *call) error {
	return a.communitiesIn(c, ownCommunities)
}
