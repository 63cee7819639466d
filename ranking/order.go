package ranking

import "slices"

// An Order is an order of a listing of posts. Its text, used in addresses, never changes.
type Order string

// The orders of listings.
const (
	OrderHot           Order = "hot"
	OrderNew           Order = "new"
	OrderTop           Order = "top"
	OrderRising        Order = "rising"
	OrderControversial Order = "controversial"
	OrderComments      Order = "comments" // most commented
)

// Orders lists every order of listings, in the order tabs show them.
func Orders() []Order {
	return []Order{OrderHot, OrderNew, OrderTop, OrderRising, OrderControversial, OrderComments}
}

// ParseOrder finds an order by its text, in exactly this spelling.
func ParseOrder(s string) (Order, bool) {
	return parse(s, Orders())
}

// A CommentOrder is an order of siblings in a thread. Its text, used in addresses, never changes.
type CommentOrder string

// The orders of comments.
const (
	CommentsBest          CommentOrder = "best" // Wilson
	CommentsTop           CommentOrder = "top"
	CommentsNew           CommentOrder = "new"
	CommentsOld           CommentOrder = "old"
	CommentsControversial CommentOrder = "controversial"
	CommentsQA            CommentOrder = "qa"
)

// CommentOrders lists every order of comments, in the order a menu shows them.
func CommentOrders() []CommentOrder {
	return []CommentOrder{CommentsBest, CommentsTop, CommentsNew, CommentsOld, CommentsControversial, CommentsQA}
}

// ParseCommentOrder finds an order of comments by its text, in exactly this spelling.
func ParseCommentOrder(s string) (CommentOrder, bool) {
	return parse(s, CommentOrders())
}

func parse[T ~string](s string, known []T) (T, bool) {
	if i := slices.Index(known, T(s)); i >= 0 {
		return known[i], true
	}
	return "", false
}
