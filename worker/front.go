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

// yours is a page of what was posted in the member's communities.
type yours struct {
	address string // yoursHot or yoursNew
	first   bool   // it is the first page
	posts   func() []*posts.Post
	next    func() string // the cursor of the following page; "" on the last
}

// findYours reads a page of the posts of the member's communities along with the page.
func (a *App) findYours(c *call, r *data.Read) (*yours, error) {
	after := c.r.URL.Query().Get("after")
	y := &yours{address: c.r.URL.Path, first: after == ""}
	if y.address == "/" {
		y.address = yoursHot
		if c.usualOrders().posts == "new" && y.first {
			y.address = yoursNew
		}
	}
	ctx := c.r.Context()
	if y.address == yoursNew {
		cursor, err := data.ParseCursor(byte(data.OrderFrontNew), after)
		if err != nil {
			return nil, err
		}
		front, err := a.listings.FindFrontNew(ctx, r, c.actor.UserID, c.hidesSeen(), cursor, listingPage)
		if err != nil {
			return nil, err
		}
		y.posts, y.next = front.Items, func() string { return front.Next().String() }
		return y, nil
	}
	cursor, err := listings.ParseFrontCursor(after)
	if err != nil {
		return nil, err
	}
	front, err := a.listings.FindFront(ctx, r, c.actor.UserID, c.hidesSeen(), cursor, listingPage)
	if err != nil {
		return nil, err
	}
	y.posts = front.Items
	y.next = func() string {
		if next := front.Next(); !next.IsZero() {
			return next.String()
		}
		return ""
	}
	return y, nil
}

// showFront is the front page. A member sees the posts of their communities. A visitor, and a member of no community,
// sees the site's listing, a member in the order that they have chosen.
func (a *App) showFront(c *call) error {
	if c.actor == nil {
		return a.showSiteListing(c)
	}
	r := c.read()
	own, err := a.findYours(c, r)
	if err != nil {
		return err
	}
	var site *listings.Page
	usual := listingOrders[0]
	if own.first { // it may turn out that they take part nowhere
		for _, o := range listingOrders {
			if o.name == c.usualOrders().posts {
				usual = o
			}
		}
		q := listings.Query{Order: usual.order, Limit: listingPage, Viewer: c.viewerID(), FromDatabase: true, Unseen: c.hidesSeen()}
		if q.Order.HasWindows() {
			q.Window = defaultWindow
		}
		if site, err = a.listings.Find(c.r.Context(), r, q); err != nil {
			return err
		}
	}
	a.communities.FollowColours(r)
	communities := a.communities.FindLargest(r, c.viewerID(), frontCommunities)
	owned := a.findOwned(c, r)
	if err := c.run(r); err != nil {
		return err
	}
	items := own.posts()
	v := render.Listing{
		Tabs:      frontTabs(yoursTab),
		FirstPage: own.first, ShowCommunity: true, HidesSeen: c.hidesSeen(),
		Empty: "Nothing has been posted in your communities yet.",
	}
	p := render.FrontPage{Communities: communityItems(*communities), Own: c.ownView(owned)}
	if site != nil && len(items) == 0 && own.next() == "" {
		p.NoneYet = true
		if err := a.passHidden(c, &site); err != nil {
			return err
		}
		v.Items = c.postItems(site.Items())
		if next := site.Next(); !next.IsZero() {
			v.NextURL = "/" + usual.name + "?after=" + next.String()
		}
	} else {
		p.Orders = []render.Tab{{Label: "Hot", URL: yoursHot, Active: own.address == yoursHot}, {Label: "New", URL: yoursNew, Active: own.address == yoursNew}}
		if c.choices().NSFW == people.HideNSFW {
			items = slices.DeleteFunc(items, func(p *posts.Post) bool { return p.NSFW })
		}
		v.Items = c.postItems(items)
		if next := own.next(); next != "" {
			v.NextURL = own.address + "?after=" + next
			v.Empty = nothingLeft
		}
	}
	p.Frame, p.Listing = c.frame("", a.about(), "/"), v
	p.FeedURL = siteFeed
	return show(c, http.StatusOK, render.Front, p)
}
