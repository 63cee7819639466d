package listing

import (
	"net/http"

	"plaza/render"
	"plaza/worker/request"
	"plaza/worker/view"
)

// ShowSiteListing is the listing of the whole site in one of the orders.
func (a *Handlers) ShowSiteListing(c *request.Call) error {
	r := c.Read()
	listing, err := a.FindListing(c, r, "/", "")
	if err != nil {
		return err
	}
	a.Communities.FollowColours(r)
	communities := a.Communities.FindLargest(r, c.ViewerID(), frontCommunities)
	owned := a.FindOwned(c, r)
	if err := c.Run(r); err != nil {
		return err
	}
	if err := a.PassHidden(c, &listing.Page); err != nil {
		return err
	}
	p := render.FrontPage{
		Frame:   c.Frame(listing.Title(), a.About(), listing.Canonical("")),
		Listing: a.ListingView(c, listing, true), Communities: view.CommunityItems(*communities), Own: view.OwnView(c, owned),
	}
	p.FeedURL = request.SiteFeed
	return request.Show(c, http.StatusOK, render.Front, p)
}
