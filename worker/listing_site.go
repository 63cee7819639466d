package worker

import (
	"net/http"

	"plaza/render"
)

// showSiteListing is the listing of the whole site in one of the orders.
func (a *App) showSiteListing(c *call) error {
	r := c.read()
	listing, err := a.findListing(c, r, "/", "")
	if err != nil {
		return err
	}
	a.communities.FollowColours(r)
	communities := a.communities.FindLargest(r, c.viewerID(), frontCommunities)
	owned := a.findOwned(c, r)
	if err := c.run(r); err != nil {
		return err
	}
	if err := a.passHidden(c, &listing.Page); err != nil {
		return err
	}
	p := render.FrontPage{
		Frame:   c.frame(listing.title(), a.about(), listing.canonical("")),
		Listing: a.listingView(c, listing, true), Communities: communityItems(*communities), Own: c.ownView(owned),
	}
	p.FeedURL = siteFeed
	return show(c, http.StatusOK, render.Front, p)
}
