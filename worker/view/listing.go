package view

import (
	"net/url"
	"path"
	"strings"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/content/tags"
	"plaza/data/lists/listings"
	"plaza/locale"
	"plaza/ranking"
	"plaza/render/ui"
	"plaza/worker/request"
)

// ListingPage is how many posts a page of a listing shows.
const ListingPage = 25

// UnknownWindow is Call.Unknown for a window that does not exist.
func UnknownWindow(c *request.Call) error {
	return c.Unknown("t", "The time of a listing (t) is hour, day, week, month, year or all.")
}

// Listing is the page of a listing that an address names.
type Listing struct {
	*listings.Page
	base      string  // address without order and without a slash at the end
	community string  // "" is site-wide
	order     int     // in data.ListingOrders
	usual     int     // the order of an address that names none
	window    int     // in ListingWindows; -1 if the order has none
	tags      string  // of which it has the posts; "" for all
	Flair     data.ID // of which it has the posts; 0 for all
	after     data.Cursor
}

// usualOrder returns the index in data.ListingOrders of the order of an address that names none: the caller's choice, else the first.
func usualOrder(c *request.Call) int {
	return max(0, data.OrderNamed(data.ListingOrders, c.DefaultOrders().Posts))
}

// DefaultOrder returns the order of a listing whose address names none.
func DefaultOrder(c *request.Call) data.NamedOrder { return data.ListingOrders[usualOrder(c)] }

// FindListing adds the listing of an address to what a page reads. After base, the address has the order, ?t= for
// the window and ?after= for the page. Invalid.
func (v *Views) FindListing(c *request.Call, r *data.Read, base, community string) (*Listing, error) {
	var err error
	l := &Listing{base: strings.TrimSuffix(base, "/"), community: community, window: -1}
	if l.tags, err = TagsOfAddress(c); err != nil {
		return nil, err
	}
	query := c.R.URL.Query()
	if community != "" {
		l.usual = usualOrder(c)
	}
	l.order = l.usual
	pins := true // only without an order in the address
	if i := data.OrderNamed(data.ListingOrders, path.Base(c.Route.Path())); i >= 0 {
		l.order, pins = i, false
	}
	if l.Flair, err = request.OptionalID(query.Get("flair")); err != nil {
		return nil, err
	}
	if l.Flair != 0 && !data.ListingOrders[l.order].Flair {
		l.order = 0 // the member's usual order has no list of a flair
	}
	q := listings.Query{Community: community, Flair: l.Flair, Tags: l.tags, Pins: pins && community != "" && l.Flair == 0,
		Order: data.ListingOrders[l.order].Order, Limit: ListingPage, Viewer: c.ViewerID(), Unseen: c.HidesSeen()}
	if q.Order.HasWindows() {
		q.Window = DefaultWindow
		if t := query.Get("t"); t != "" {
			if w, ok := ranking.ParseWindow(t); ok {
				q.Window = w
			} else if err := UnknownWindow(c); err != nil {
				return nil, err
			}
		}
		for i, w := range ListingWindows {
			if w.Window == q.Window {
				l.window = i
			}
		}
	}
	if q.After, err = data.ParseCursor(byte(q.Order), query.Get("after")); err != nil {
		return nil, err
	}
	l.after = q.After
	page := v.Listings.Find(r, q)
	l.Page = page
	r.After(func() { v.confirmHot(c, page, community) })
	return l, nil
}

// address returns the address of a listing's first page below a base, in an order and window; window is -1 for none.
func (l *Listing) address(base string, order, window int) string {
	if order == l.usual && (window < 0 || ListingWindows[window].Window == DefaultWindow) {
		if base == "" {
			return "/"
		}
		return base + l.query(-1, "")
	}
	return l.named(base, order, window, "")
}

// named is address with the order in it, and with the cursor of a later page; "" for the first.
func (l *Listing) named(base string, order, window int, after string) string {
	return base + "/" + data.ListingOrders[order].Name + l.query(window, after)
}

// query returns the query of an address, with its question mark.
func (l *Listing) query(window int, after string) string {
	var b strings.Builder
	add := func(name, value string) {
		if b.Len() == 0 {
			b.WriteByte('?')
		} else {
			b.WriteByte('&')
		}
		b.WriteString(name + "=" + value)
	}
	if window >= 0 {
		add("t", string(ListingWindows[window].Window))
	}
	if l.Flair != 0 {
		add("flair", l.Flair.Text())
	}
	if after != "" {
		add("after", after)
	}
	return b.String()
}

// Canonical returns the address of the listing's first page. base is the listing's, in the canonical spelling of its name.
func (l *Listing) Canonical(base string) string { return l.address(base, l.order, l.window) }

// Title returns the part of a page's title about the order; "" for hot.
func (l *Listing) Title() locale.Text {
	if l.order == 0 {
		return ""
	}
	title := data.ListingOrders[l.order].Label
	if l.window >= 0 {
		return locale.With(ListingWindows[l.window].title, title)
	}
	return title
}

// NothingLeft is the text of a page that is empty although another one follows: its reader has hidden or seen all of it.
const NothingLeft locale.Text = "Nothing left on this page. There is more on the next one."

// ListingView makes the view of a listing. Call it after Call.Run.
func (v *Views) ListingView(c *request.Call, l *Listing) ui.Listing {
	shown := ui.Listing{
		Orders:    l.orders(c),
		FirstPage: l.after.IsZero(), ShowCommunity: l.community == "", HidesSeen: c.HidesSeen(),
		ShowViews: data.ListingOrders[l.order].Order == data.OrderViews, ShowLast: data.ListingOrders[l.order].Order == data.OrderActive,
	}
	Fill(c, &shown, l.Items(), l.community, l.tags)
	if l.base == "" && c.Actor != nil {
		shown.Scopes = Scopes(ScopeAll)
	}
	shown.Empty = ui.Nothing("No posts yet. Be the first:", "Post¦verb", "/submit")
	switch {
	case l.community != "" && !data.IsProfile(l.community):
		shown.Empty.Next.URL = "/c/" + l.community + "/submit"
	case l.tags != "":
		shown.Empty.Next.URL += "?tags=" + url.QueryEscape(strings.Join(tags.Split(l.tags), " "))
	}
	switch {
	case !l.after.IsZero():
		shown.Empty = ui.Nothing("No more posts.", "First page", l.address(l.base, l.order, l.window))
	case shown.HidesSeen:
		shown.Empty = ui.Nothing("No posts that you have not seen.", "Settings", "/settings")
	}
	if l.window >= 0 {
		if ListingWindows[l.window].Window != ranking.WindowAll {
			all := len(ListingWindows) - 1
			shown.Empty = ui.Nothing("No posts in this time. A longer one may have some.", ListingWindows[all].Label,
				l.address(l.base, l.order, all))
		}
		for i, w := range ListingWindows {
			shown.Windows = append(shown.Windows, ui.Tab{Label: w.Label, URL: l.address(l.base, l.order, i), Active: i == l.window})
		}
	}
	shown.Empty = c.Empty(shown.Empty)
	if next := l.Next(); !next.IsZero() {
		shown.NextURL = l.named(l.base, l.order, l.window, next.String()) // "/" is a member's own front page
		shown.Empty = ui.Empty{Says: NothingLeft}
	}
	return shown
}

func (l *Listing) orders(c *request.Call) []ui.Tab {
	var tabs []ui.Tab
	for i, o := range data.ListingOrders {
		if l.Flair != 0 && !o.Flair {
			continue
		}
		tab := ui.Tab{Label: o.Label, URL: l.address(l.base, i, -1), Active: i == l.order}
		if o.Order.HasWindows() && i == l.order {
			tab.URL = l.address(l.base, i, l.window)
		}
		if l.base == "" && c.Actor != nil {
			tab.URL = "/" + o.Name // "/" is a member's own front page
		}
		tabs = append(tabs, tab)
	}
	return tabs
}

// SkipHidden removes from a page what its member does not want to see. If nothing is left, it replaces the page by the next
// one, which costs a second request.
func (v *Views) SkipHidden(c *request.Call, l **listings.Page) error {
	if c.Choices().NSFW == accounts.HideNSFW {
		(*l).ExcludeNSFW()
	}
	q, more := (*l).Rest()
	if !more {
		return nil
	}
	r := c.ReadMore()
	rest := v.Listings.Find(r, q)
	if c.Choices().NSFW == accounts.HideNSFW {
		rest.ExcludeNSFW()
	}
	*l = rest
	return c.RunMore(r)
}

// Scopes of the lists that a member has of the whole site.
const (
	ScopeYours     = iota // posts of the member's communities
	ScopeAll              // posts of all communities
	ScopeFollowing        // posts of those whom the member follows
)

// Scopes returns the lists that a member has of the whole site, each in its usual order.
func Scopes(active int) []ui.Tab {
	return []ui.Tab{
		{Label: "Yours¦posts", URL: "/", Active: active == ScopeYours},
		{Label: "All¦posts", URL: "/" + data.ListingOrders[0].Name, Active: active == ScopeAll},
		{Label: "Following¦posts", URL: "/home", Active: active == ScopeFollowing},
	}
}
