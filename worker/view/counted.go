package view

import (
	"context"
	"encoding/binary"
	"net"
	"net/netip"
	"strconv"

	"plaza/data/lists/views"
	"plaza/worker/request"
)

// Views are counted in two ways. A member's page is made for them, so what it shows is counted when it was made. Visitors read copies
// from the edge, and any page may be asked for in advance: such pages carry a mark, which their script sends to /view once a reader looks
// at them.

// ViewMark is what a page sends to /view when a reader looks at it; "" if this call counts already, or the view is not to be counted.
// The signature keeps anybody from having counts made of things that are not there.
func (v *Views) ViewMark(c *request.Call, subject views.Subject) string {
	if !v.ViewCounts.Counts() || c.ByToken || c.Actor != nil && Seen(c) {
		return ""
	}
	return v.SignedView(subject.String())
}

// SignedView is the mark of a subject, which only this site can make.
func (v *Views) SignedView(subject string) string {
	return subject + "." + v.SecretKey("view", subject)[:16]
}

// NoteView counts a member who looks at something, after the answer.
func (v *Views) NoteView(c *request.Call, subject views.Subject) {
	if !v.ViewCounts.Counts() || c.ByToken || c.Actor == nil || !Seen(c) {
		return
	}
	v.Background(c.R.Context(), func(ctx context.Context) { v.AddView(ctx, c.ID, subject, v.ViewerOf(c)) })
}

const (
	// viewersOfAddress bounds how many visitors an address can be counted as: browsers are distinguished by what they say of themselves, which
	// anybody can change. An IPv6 address is a /64, which is the least that a subscriber has.
	viewersOfAddress = 4
	// viewersOfNetwork is the same bound for all addresses of an IPv4 /24 or an IPv6 /48, because one subscriber may have all of them.
	viewersOfNetwork = 64
)

// ViewerOf returns what views count: members by their id, and visitors by their network, address and browser. Redis gets a keyed hash of
// these, which is another one each week.
func (v *Views) ViewerOf(c *request.Call) string {
	if c.Actor != nil {
		return c.Actor.UserID.Text()
	}
	address, network := viewNetworks(c.R.RemoteAddr)
	week := strconv.FormatInt(views.Week(c.At), 10)
	browser := v.bucket("browser\x00"+c.R.UserAgent(), viewersOfAddress)
	place := v.bucket(week+"\x00"+address+"\x00"+browser, viewersOfNetwork)
	return v.SecretKey("viewer", week+"\x00"+network+"\x00"+place)
}

// bucket assigns a text to one of n buckets, by a keyed hash that outsiders can't compute.
func (v *Views) bucket(text string, n uint32) string {
	return strconv.FormatUint(uint64(binary.BigEndian.Uint32(v.Sign("bucket\x00"+text))%n), 10)
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

// AddView counts a view of a subject.
func (v *Views) AddView(ctx context.Context, request string, subject views.Subject, who string) {
	if err := v.ViewCounts.Count(ctx, subject, who); err != nil {
		v.Log.WarnContext(ctx, "view not counted", "request", request, "error", err)
	}
}
