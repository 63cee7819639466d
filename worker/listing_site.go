package worker

import (
	"net/http"

	"plaza/render"
)

// frontCommunities is how many communities the front page's sidebar names.
const frontCommunities = 12

func (a *App) showFront(c *call) error {
	r := c.read(a)
	listing, err := a.findListing(c, r, "/", "")
	if err != nil {
		return err
	}
	a.communities.FollowColours(r)
	communities := a.communities.FindLargest(r, c.viewerID(), frontCommunities)
	if err := c.run(r); err != nil {
		return err
	}
	if err := a.passHidden(c, &listing.Page); err != nil {
		return err
	}
	p := render.FrontPage{
		Frame:   c.frame(a, listing.title(), "Communities and what they talk about.", listing.canonical("")),
		Listing: a.listingView(c, listing, true), Communities: communityItems(*communities),
	}
	return show(c, http.StatusOK, render.Front, p)
}

func (a *App) robots(c *call) error {
	return c.send(http.StatusOK, "text/plain; charset=utf-8",
		[]byte("User-agent: *\nDisallow: /login\nDisallow: /signup\nDisallow: /submit\nDisallow: /reply\nDisallow: /edit\nDisallow: /delete\nDisallow: /draft\nDisallow: /discussions\nDisallow: /c/*/submit\n"))
}
