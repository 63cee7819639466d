package data

// Order is how a listing sorts, and the letter its cursors begin with.
type Order byte

// The orders of a listing.
const (
	OrderHot           Order = 'h'
	OrderNew           Order = 'n'
	OrderTop           Order = 't'
	OrderRising        Order = 'r'
	OrderControversial Order = 'c'
	OrderComments      Order = 'm' // most commented
	OrderViews         Order = 'v' // most viewed
)

// HasWindows tells whether the order lists only the posts of a window of time. Other orders list all posts.
func (o Order) HasWindows() bool {
	return o == OrderTop || o == OrderControversial || o == OrderComments || o == OrderViews
}

// The orders of a member's own lists: by the time at which the member put something there.
const (
	OrderSaved  Order = 's'
	OrderHidden Order = 'x'
	OrderDrafts Order = 'd' // by the time at which a draft was last saved
)

// OrderFrontNew is that of a member's front page by time.
const OrderFrontNew Order = 'f'

// OrderHome is that of a timeline: by the time at which a post was published.
const OrderHome Order = 'e'
