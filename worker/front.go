package worker

import (
	"net/http"
	"slices"

	"plaza/data"
	"plaza/data/listings"
	"plaza/data/people"
	"plaza/data/posts"
	"plaza/render"
)

// frontCommunities is how many communities the front page's sidebar names.
const frontCommunities = 12

// showFront is the front page. A member sees the posts of their communities. A visitor, and a member of no community,
// sees the site's hot listing.
func (a *App) showFront(c *call) error {
	if c.actor == nil {
		return a.showSiteListing(c)
	}
	after, err := listings.ParseFrontCursor(c.r.URL.Query().Get("after"))
	if err != nil {
		return err
	}
	ctx := c.r.Context()
	r := c.read(a)
	front, err := a.listings.FindFront(ctx, r, c.actor.UserID, after, listingPage)
	if err != nil {
		return err
	}
	var site *listings.Page
	if after.IsZero() { // it may turn out that they take part nowhere
		if site, err = a.listings.Find(ctx, r, listings.Query{
			Order: data.OrderHot, Limit: listingPage, Viewer: c.viewerID(), FromDatabase: true}); err != nil {
			return err
		}
	}
	a.communities.FollowColours(r)
	communities := a.communities.FindLargest(r, c.viewerID(), frontCommunities)
	if err := c.run(r); err != nil {
		return err
	}
	v := render.Listing{
		Tabs:      frontTabs(yoursTab),
		FirstPage: after.IsZero(), ShowCommunity: true,
		Empty: "Nothing has been posted in your communities yet.",
	}
	yours := front.Items()
	if c.choices().NSFW == people.HideNSFW {
		yours = slices.DeleteFunc(yours, func(p *posts.Post) bool { return p.NSFW })
	}
	v.Items = c.postItems(yours)
	if next := front.Next(); !next.IsZero() {
		v.NextURL = "/?after=" + next.String()
	}
	if site != nil && len(front.Items()) == 0 {
		if err := a.passHidden(c, &site); err != nil {
			return err
		}
		v.Items = c.postItems(site.Items())
		if next := site.Next(); !next.IsZero() {
			v.NextURL = "/hot?after=" + next.String()
		}
	}
	p := render.FrontPage{
		NoneYet: site != nil && len(front.Items()) == 0,
		Frame:   c.frame(a, "", "Communities and what they talk about.", "/"),
		Listing: v, Communities: communityItems(*communities),
	}
	return show(c, http.StatusOK, render.Front, p)
}

// Tabs of frontTabs that are no order.
const (
	yoursTab     = -1 - iota // posts of the member's communities
	followingTab             // posts of those whom the member follows
)

// frontTabs are the tabs that a member sees on the front page, the timeline and the site's listings. active is the
// index of an order of the whole site in listingOrders, or one of the tabs above.
func frontTabs(active int) []render.Tab {
	tabs := []render.Tab{{Label: "Yours", URL: "/", Active: active == yoursTab}, {Label: "Following", URL: "/home", Active: active == followingTab}}
	for i, o := range listingOrders {
		tabs = append(tabs, render.Tab{Label: o.label, URL: "/" + o.name, Active: i == active})
	}
	return tabs
}
