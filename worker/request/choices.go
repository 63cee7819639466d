package request

import (
	"errors"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/accounts"
)

// Choices returns the caller's settings for reading: the defaults for a visitor, and until the account was read.
func (c *Call) Choices() accounts.Choices {
	if c.Viewer == nil {
		return accounts.Choices{}
	}
	return c.Viewer.Choices
}

// Now returns the current time in the time zone that the caller has chosen.
func (s *Server) Now(c *Call) time.Time {
	return s.Source.Now().In(accounts.LoadZone(c.Choices().Zone))
}

// ordersCookie has the orders in which the member wants to read. They decide what a page reads from the databases,
// so they have to be known before the account is read. A forged one does no harm.
const ordersCookie = "__Host-orders"

// Orders are the orders of pages whose address names none, and whether posts are hidden that the member has seen; "" is the default.
// Front is accounts.EditionFirst if the front page is the edition; else "".
type Orders struct {
	Posts, Comments, Seen, Front string
}

// OrdersOf returns the orders that a member has chosen.
func OrdersOf(c accounts.Choices) Orders {
	o := Orders{Posts: c.Posts, Comments: c.Comments, Seen: c.Seen}
	if c.Density == accounts.EditionFirst {
		o.Front = accounts.EditionFirst
	}
	return o
}

// errOtherOrders is what Call.Run returns when the member has chosen other orders than the page has used. The page is then
// made again (Server.handle). That happens once on a device, after a choice was made on another.
var errOtherOrders = errors.New("the member has chosen other orders")

// DefaultOrders returns the caller's orders from the cookie. Call.Run compares them with the account. A program with a token keeps no
// cookies: each of its pages would be made twice, so it gets the orders of the site.
func (c *Call) DefaultOrders() Orders {
	if c.Actor == nil || c.ByToken {
		return Orders{}
	}
	if c.orders == nil {
		value, _ := c.Cookie(ordersCookie)
		parts := append(strings.SplitN(value, ".", 4), "", "", "", "")
		c.orders = &Orders{parts[0], parts[1], parts[2], parts[3]}
	}
	return *c.orders
}

// HidesSeen reports whether lists leave out posts that the caller has seen.
func (c *Call) HidesSeen() bool { return c.DefaultOrders().Seen == accounts.HideSeen }

// handle calls the route's handler. It calls it again if the page has used other orders than the member's, or if a replica may be behind.
func (s *Server) handle(c *Call) error {
	err := c.Route.handle(c)
	if errors.Is(err, errOtherOrders) {
		chosen := OrdersOf(c.Choices())
		c.orders = &chosen
		RememberOrders(c, chosen)
		err = c.Route.handle(c)
	}
	if c.lagged && (errors.Is(err, ErrSessionOver) || data.ErrorCode(err) == data.NotFound) {
		c.browser, c.lagged = nil, false // the replica may not have it yet: read from the databases themselves
		if c.Actor != nil {
			s.DB.InvalidateMember(c.Actor.UserID)
		}
		err = c.Route.handle(c)
	}
	return err
}

// RememberOrders sets the cookie with the member's orders.
func RememberOrders(c *Call, o Orders) {
	if c.ByToken {
		return
	}
	c.SetCookie(ordersCookie, strings.TrimRight(o.Posts+"."+o.Comments+"."+o.Seen+"."+o.Front, "."), choiceLife)
}
