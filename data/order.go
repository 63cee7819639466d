package data

import (
	"slices"

	"plaza/locale"
)

// Order is the order of a list, and the first letter of its cursors. No two lists have the same letter, unless they have the same
// cursors.
type Order byte

// The orders of listings and threads.
const (
	OrderHot           Order = 'h'
	OrderNew           Order = 'n'
	OrderActive        Order = 'A' // ranking.Active
	OrderTop           Order = 't'
	OrderRising        Order = 'r'
	OrderControversial Order = 'c'
	OrderComments      Order = 'm' // most commented
	OrderViews         Order = 'v' // most viewed
	OrderBest          Order = 'b' // ranking.Wilson
	OrderOld           Order = 'o'
	OrderQA            Order = 'q' // ranking.QARank
)

// NamedOrder is an order that users can choose.
type NamedOrder struct {
	Order Order
	Name  string      // in addresses and settings: never changes
	Label locale.Text // of its tab

	Windows bool // it lists only the posts of a time window
	Flair   bool // the posts of one flair can be listed in it
}

// ListingOrders are the orders of listings, as tabs show them. An address without an order shows the first. A new one also needs
//
//   - a column of posts and its indexes, for communities and for the site, and code that fills the column, as package views does for
//     views;
//   - its column in package listings (sortValue);
//   - if Flair is set, an index posts_flair_…; if ProfilePostOrders has it, an index posts_author_…;
//   - if deletions of accounts or moves of communities also add or remove the rows that are counted: a trigger, not Go code;
//   - a check in ops/verify;
//   - its addresses in worker/api/apidoc/read.go, and its name among the reserved ones (data/names/reserved.go). No page may have that
//     address: /saved is a member's list;
//   - a value in the lists of rows_test.go and tags_test.go in package listings, and of listing_test.go in package tags.
//
// Then make what is generated: PLAZA_UPDATE=1 go test ./worker -run 'TestTheEdgeKnowsTheTable|TestOpenAPI'.
//
// A member's front page has only hot, new and active (worker/listing/front.go). The time of a feed's entry, <updated>, is when a post was
// published or edited, in any order.
var ListingOrders = []NamedOrder{
	{Order: OrderHot, Name: "hot", Label: "Hot", Flair: true},
	{Order: OrderNew, Name: "new", Label: "New", Flair: true},
	{Order: OrderActive, Name: "active", Label: "Active¦order"},
	{Order: OrderTop, Name: "top", Label: "Top", Flair: true, Windows: true},
	{Order: OrderRising, Name: "rising", Label: "Rising"},
	{Order: OrderControversial, Name: "controversial", Label: "Controversial", Windows: true},
	{Order: OrderComments, Name: "comments", Label: "Most commented", Windows: true},
	{Order: OrderViews, Name: "views", Label: "Most viewed", Windows: true},
}

// ThreadOrders are the orders of a thread, as ?sort= and the tabs name them. An address without an order shows the first.
var ThreadOrders = []NamedOrder{
	{Order: OrderBest, Name: "best", Label: "Best"},
	{Order: OrderTop, Name: "top", Label: "Top"},
	{Order: OrderNew, Name: "new", Label: "New"},
	{Order: OrderOld, Name: "old", Label: "Old"},
	{Order: OrderControversial, Name: "controversial", Label: "Controversial"},
	{Order: OrderQA, Name: "qa", Label: "Q&A"},
}

// ProfilePostOrders are the orders of a profile's posts, as ?sort= and the tabs name them. An address without an order shows the first.
var ProfilePostOrders = []NamedOrder{
	{Order: OrderNew, Name: "new", Label: "New"},
	{Order: OrderTop, Name: "top", Label: "Top"},
	{Order: OrderViews, Name: "views", Label: "Most viewed"},
}

// ProfileCommentOrders are the same for a profile's comments.
var ProfileCommentOrders = []NamedOrder{
	{Order: OrderNew, Name: "new", Label: "New"},
	{Order: OrderTop, Name: "top", Label: "Top"},
	{Order: OrderControversial, Name: "controversial", Label: "Controversial"},
}

// OrderNamed returns the index of the order with a name; -1 if there is none.
func OrderNamed(orders []NamedOrder, name string) int {
	return slices.IndexFunc(orders, func(n NamedOrder) bool { return n.Name == name })
}

// OrderNames returns the names of orders.
func OrderNames(orders []NamedOrder) []string {
	names := make([]string, len(orders))
	for i, o := range orders {
		names[i] = o.Name
	}
	return names
}

// HasWindows reports whether a listing in this order has only the posts of a time window. Other orders list all posts.
func (o Order) HasWindows() bool {
	return slices.ContainsFunc(ListingOrders, func(n NamedOrder) bool { return n.Order == o && n.Windows })
}

// ChosenOrder normalizes a member's choice of an order: "" is the first. It returns false if there is no such order.
func ChosenOrder(orders []NamedOrder, name string) (chosen string, ok bool) {
	if name == orders[0].Name {
		name = ""
	}
	return name, name == "" || OrderNamed(orders, name) >= 0
}

// The orders of a member's own lists: by when the member added an item.
const (
	OrderSaved  Order = 's'
	OrderHidden Order = 'x'
	OrderDrafts Order = 'd' // by when a draft was last saved
)

// Orders of a member's front page by time.
const (
	OrderFrontNew    Order = 'f'
	OrderFrontActive Order = 'F'
)

// OrderHome is the order of a timeline: by when a post was published.
const OrderHome Order = 'e'
