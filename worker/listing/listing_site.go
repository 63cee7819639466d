package listing

import (
	"net/http"

	pages "plaza/render/listing"
	"plaza/worker/request"
	"plaza/worker/view"
)

// ShowSiteListing is the listing of the whole site in one of the orders.
func (h *Handlers) ShowSiteListing(c *request.Call) error {
	known := h.Settings.Known()
	r := c.ReadMerged()
	listing, err := h.FindListing(c, r, "/", "")
	if err != nil {
		return err
	}
	h.Communities.FindColourChanges(r)
	communities := h.Communities.FindLargest(r, c.ViewerID(), frontCommunities)
	joined := h.FindJoined(c, r)
	if err := c.Run(r); err != nil {
		return err
	}
	if !known && h.beginsWithEdition(c) { // ShowFront could not know it
		if shown, err := h.showEdition(c, 0); shown || err != nil {
			return err
		}
	}
	if err := h.SkipHidden(c, &listing.Page); err != nil {
		return err
	}
	p := pages.FrontPage{
		Frame:   c.PublicFrame(listing.Title(), h.About(), listing.Canonical("")),
		Listing: h.ListingView(c, listing), Communities: view.CommunityItems(*communities), Own: view.OwnView(c, joined),
	}
	p.FeedURL, p.Places = request.SiteFeed, p.Own.Items
	return request.Show(c, http.StatusOK, pages.Front, p)
}
