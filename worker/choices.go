package worker

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"plaza/data/people"
)

// choices are how the caller wants to read: the usual for a visitor, and until the account was read.
func (c *call) choices() people.Choices {
	if c.viewer == nil {
		return people.Choices{}
	}
	return c.viewer.Choices
}

// now is the time that a page goes by, in the time zone that the caller has chosen.
func (a *App) now(c *call) time.Time {
	return a.Source.Now().In(people.LoadZone(c.choices().Zone))
}

// ordersCookie remembers on the device in which orders its member wants to read. They decide what a page asks the
// databases for, and so they have to be known before the account is read. A forged one does no harm.
const ordersCookie = "__Host-orders"

// ordersLife is how long a device remembers.
const ordersLife = 365 * 24 * time.Hour

// orders are the orders of pages whose address names none, and what becomes of posts that the member has seen; "" is the usual.
type orders struct {
	posts, comments, seen string
}

func ordersOf(c people.Choices) orders { return orders{c.Posts, c.Comments, c.Seen} }

// errOtherOrders is what run returns when the member has chosen other orders than the page went by. The page is then
// made anew (App.handle). That happens once on a device, after a choice was made on another.
var errOtherOrders = errors.New("the member has chosen other orders")

// usualOrders returns what the device remembers of the caller's orders. run compares it with the account. A program with a token is no
// device: it would be asked twice each time, so it gets the orders of the site.
func (c *call) usualOrders() orders {
	if c.actor == nil || c.byToken {
		return orders{}
	}
	if c.orders == nil {
		value, _ := c.cookie(ordersCookie)
		parts := append(strings.SplitN(value, ".", 3), "", "", "")
		c.orders = &orders{parts[0], parts[1], parts[2]}
	}
	return *c.orders
}

// hidesSeen tells whether lists leave out what the caller has seen.
func (c *call) hidesSeen() bool { return c.usualOrders().seen == people.HideSeen }

// handle calls the route's handler, and once more where it went by other orders than the member has chosen.
func (a *App) handle(c *call) error {
	err := c.route.handle(c)
	if errors.Is(err, errOtherOrders) {
		chosen := ordersOf(c.choices())
		c.orders = &chosen
		rememberOrders(c, chosen)
		err = c.route.handle(c)
	}
	return err
}

// rememberOrders has the device remember the member's orders.
func rememberOrders(c *call, o orders) {
	if c.byToken {
		return
	}
	http.SetCookie(c.w, &http.Cookie{
		Name: ordersCookie, Value: strings.TrimSuffix(o.posts+"."+o.comments+"."+o.seen, "."), Path: "/", MaxAge: int(ordersLife / time.Second),
		Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}
