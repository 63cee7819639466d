package listing

import (
	"net/http"
	"slices"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/content/posts"
	"plaza/data/lists/listings"
	pages "plaza/render/listing"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

// frontCommunities is how many communities the front page's sidebar names.
const frontCommunities = 12

// yours is a page of posts in the member's communities.
type yours struct {
	address string // YoursHot, YoursNew or YoursActive
	first   bool   // it is the first page
	posts   func() []*posts.Post
	next    func() string // the cursor of the following page; "" on the last
	shards  bool          // it is read from shards, so it may lack posts
}

// yoursByTime are the orders by time of a member's front page, by address.
var yoursByTime = map[string]data.Order{request.YoursNew: data.OrderFrontNew, request.YoursActive: data.OrderFrontActive}

// findYours reads a page of the posts of the member's communities along with the page.
func (h *Handlers) findYours(c *request.Call, r *data.Read) (*yours, error) {
	after := c.R.URL.Query().Get("after")
	y := &yours{address: c.R.URL.Path, first: after == ""}
	if y.address == "/" {
		y.address = request.YoursHot
		switch preferred := view.DefaultOrder(c).Order; {
		case y.first && preferred == data.OrderNew:
			y.address = request.YoursNew
		case y.first && preferred == data.OrderActive:
			y.address = request.YoursActive
		}
	}
	ctx := c.R.Context()
	if order, ok := yoursByTime[y.address]; ok {
		cursor, err := data.ParseCursor(byte(order), after)
		if err != nil {
			return nil, err
		}
		front, err := h.Listings.FindFrontByTime(ctx, r, c.Actor.UserID, order, c.HidesSeen(), cursor, view.ListingPage)
		if err != nil {
			return nil, err
		}
		y.posts, y.next, y.shards = front.Items, func() string { return front.Next().String() }, front.OnShards()
		return y, nil
	}
	cursor, err := listings.ParseFrontCursor(after)
	if err != nil {
		return nil, err
	}
	front, err := h.Listings.FindFront(ctx, r, c.Actor.UserID, c.HidesSeen(), cursor, view.ListingPage)
	if err != nil {
		return nil, err
	}
	y.posts, y.shards = front.Items, front.OnShards()
	y.next = func() string {
		if next := front.Next(); !next.IsZero() {
			return next.String()
		}
		return ""
	}
	return y, nil
}

// ShowFront is the front page. A member sees the posts of their communities. A visitor, and a member of no community,
// sees the site's listing, a member in the order that they have chosen. Members who have chosen it
// see the last edition. So do visitors if they, or the site for them, have. Without an edition they see the list.
func (h *Handlers) ShowFront(c *request.Call) error {
	if h.beginsWithEdition(c) {
		if shown, err := h.showEdition(c, 0); shown || err != nil {
			return err
		}
	}
	if c.Actor == nil {
		return h.ShowSiteListing(c)
	}
	r := c.ReadMerged()
	own, err := h.findYours(c, r)
	if err != nil {
		return err
	}
	var site *listings.Page
	preferred := view.DefaultOrder(c)
	if own.first { // for a member without communities
		q := listings.Query{Order: preferred.Order, Limit: view.ListingPage, Viewer: c.ViewerID(), Unseen: c.HidesSeen()}
		if q.Order.HasWindows() {
			q.Window = view.DefaultWindow
		}
		site = h.Listings.Find(r, q)
	}
	h.Communities.FindColourChanges(r)
	communities := h.Communities.FindLargest(r, c.ViewerID(), frontCommunities)
	joined := h.FindJoined(c, r)
	if err := c.Run(r); err != nil {
		return err
	}
	items := own.posts()
	v := ui.Listing{
		Scopes:    view.Scopes(view.ScopeYours),
		FirstPage: own.first, ShowCommunity: true, HidesSeen: c.HidesSeen(),
		Empty: "Nothing has been posted in your communities yet.",
	}
	p := pages.FrontPage{Communities: view.CommunityItems(*communities), Own: view.OwnView(c, joined)}
	if site != nil && len(items) == 0 && own.next() == "" && !(c.Partial() && own.shards) {
		p.NoneYet = true
		if err := h.SkipHidden(c, &site); err != nil {
			return err
		}
		view.Fill(c, &v, site.Items(), "", "")
		if next := site.Next(); !next.IsZero() {
			v.NextURL = "/" + preferred.Name + "?after=" + next.String()
		}
	} else {
		v.Orders = []ui.Tab{{Label: "Hot", URL: request.YoursHot, Active: own.address == request.YoursHot},
			{Label: "New", URL: request.YoursNew, Active: own.address == request.YoursNew},
			{Label: "Active¦order", URL: request.YoursActive, Active: own.address == request.YoursActive}}
		v.ShowLast = own.address == request.YoursActive
		if c.Choices().NSFW == accounts.HideNSFW {
			items = slices.DeleteFunc(items, func(p *posts.Post) bool { return p.NSFW })
		}
		view.Fill(c, &v, items, "", "")
		v.Empty = c.EmptyText(v.Empty)
		if next := own.next(); next != "" {
			v.NextURL = own.address + "?after=" + next
			v.Empty = view.NothingLeft
		}
	}
	p.Frame, p.Listing = c.PublicFrame("", h.About(), "/"), v
	p.FeedURL, p.Places = request.SiteFeed, p.Own.Items
	return request.Show(c, http.StatusOK, pages.Front, p)
}
