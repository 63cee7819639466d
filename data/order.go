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
)

// HasWindows tells the orders that list what a window holds; others list all there is.
func (o Order) HasWindows() bool {
	return o == OrderTop || o == OrderControversial || o == OrderComments
}

// The orders of a member's own lists: when they put something there.
const (
	OrderSaved  Order = 's'
	OrderHidden Order = 'x'
	OrderDrafts Order = 'd' // when they were saved last
)
