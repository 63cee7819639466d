package ranking

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
