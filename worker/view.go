package worker

import (
	"context"
	"encoding/binary"
	"net"
	"net/netip"
	"strconv"

	"plaza/data/views"
)

// Views are counted in two ways. A member's page is made for them, so what it shows is counted when it was made. Visitors read copies
// from the edge, and any page may be asked for in advance: such pages carry a mark, which their script sends to /view once somebody looks
// at them.

// viewMark is what a page has to send to /view when somebody looks at it; "" when this call counts already, or nobody is to be counted.
// The signature keeps anybody from having counts made of things that are not there.
func (a *App) viewMark(c *call, subject views.Subject) string {
	if c.byToken || c.actor != nil && c.seen() {
		return ""
	}
	return a.signedView(subject.String())
}

func (a *App) signedView(subject string) string {
	return subject + "." + a.secretKey("view", subject)[:16]
}

// noteView counts a member who looks at something, after the answer.
func (a *App) noteView(c *call, subject views.Subject) {
	if c.byToken || c.actor == nil || !c.seen() {
		return
	}
	a.Background(c.r.Context(), func(ctx context.Context) { a.tellViews(ctx, c.id, subject, a.viewerOf(c)) })
}

const (
	// viewersOfAddress bounds how many visitors an address can be counted as: browsers are told apart by what they say of themselves, which
	// anybody can change. An IPv6 address is a /64, which is the least that a subscriber has.
	viewersOfAddress = 4
	// viewersOfNetwork is the same bound for all addresses of an IPv4 /24 or an IPv6 /48, because one subscriber may have all of them.
	viewersOfNetwork = 64
)

// viewerOf returns what views count: members by their id, and visitors by their network, address and browser. Redis gets a keyed hash of
// these, which is another one each week.
func (a *App) viewerOf(c *call) string {
	if c.actor != nil {
		return c.actor.UserID.Text()
	}
	address, network := viewNetworks(c.r.RemoteAddr)
	week := strconv.FormatInt(views.Week(c.at), 10)
	browser := a.bucket("browser\x00"+c.r.UserAgent(), viewersOfAddress)
	place := a.bucket(week+"\x00"+address+"\x00"+browser, viewersOfNetwork)
	return a.secretKey("viewer", week+"\x00"+network+"\x00"+place)
}

// bucket assigns a text to one of n buckets, by a keyed hash that outsiders can't compute.
func (a *App) bucket(text string, n uint32) string {
	return strconv.FormatUint(uint64(binary.BigEndian.Uint32(a.sign("bucket\x00"+text))%n), 10)
}

// viewNetworks are the address that a visitor has and the network around it, as views count them. "" is an address that is unknown.
func viewNetworks(remote string) (address, network string) {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		host = remote
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return "", ""
	}
	near, far := 32, 24
	if addr = addr.Unmap().WithZone(""); addr.Is6() {
		near, far = 64, 48
	}
	own, _ := addr.Prefix(near)
	around, _ := addr.Prefix(far)
	return own.String(), around.String()
}

func (a *App) tellViews(ctx context.Context, request string, subject views.Subject, who string) {
	if err := a.views.Count(ctx, subject, who); err != nil {
		a.Log.WarnContext(ctx, "view not counted", "request", request, "error", err)
	}
}
