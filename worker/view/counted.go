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

// Views are counted in two ways. A member's page is made for that member alone, so it is counted when it is made. Visitors read copies
// from the edge, and browsers may prefetch any page: such pages have a mark, which their script sends to /view once a reader looks
// at them.

// ViewMark returns what a page sends to /view when a reader looks at it; "" if this call counts already, or the view is not to be counted.
// The signature prevents counts of things that don't exist.
func (v *Views) ViewMark(c *request.Call, subject views.Subject) string {
	if !v.ViewCounts.Enabled() || c.ByToken || c.Actor != nil && NotPrefetched(c) {
		return ""
	}
	return v.SignedView(subject.String())
}

// SignedView returns the mark of a subject, which only this site can make.
func (v *Views) SignedView(subject string) string {
	return subject + "." + v.Key.Hash("view", subject)[:16]
}

// NoteView counts a member who looks at a subject, after the response.
func (v *Views) NoteView(c *request.Call, subject views.Subject) {
	if !v.ViewCounts.Enabled() || c.ByToken || c.Actor == nil || !NotPrefetched(c) {
		return
	}
	v.Background(c.R.Context(), func(ctx context.Context) { v.AddView(ctx, c.ID, subject, v.ViewerOf(c)) })
}

const (
	// viewersOfAddress bounds how many visitors an address can be counted as: browsers are distinguished by their User-Agent, which anybody
	// can change. IPv6 addresses count as their /64, which is the least that a subscriber has.
	viewersOfAddress = 4
	// viewersOfNetwork is the same bound for all addresses of an IPv4 /24 or an IPv6 /48, because one subscriber may have all of them.
	viewersOfNetwork = 64
)

// ViewerOf returns the key of a viewer: the id of a member, or a keyed hash of a visitor's network, address and browser, which changes each
// week.
func (v *Views) ViewerOf(c *request.Call) string {
	if c.Actor != nil {
		return c.Actor.UserID.Text()
	}
	address, network := viewNetworks(c.R.RemoteAddr)
	week := strconv.FormatInt(views.Week(c.At), 10)
	browser := v.bucket("browser\x00"+c.R.UserAgent(), viewersOfAddress)
	place := v.bucket(week+"\x00"+address+"\x00"+browser, viewersOfNetwork)
	return v.Key.Hash("viewer", week+"\x00"+network+"\x00"+place)
}

// bucket assigns a text to one of n buckets, by a keyed hash that outsiders can't compute.
func (v *Views) bucket(text string, n uint32) string {
	return strconv.FormatUint(uint64(binary.BigEndian.Uint32(v.Key.Sign("bucket\x00"+text))%n), 10)
}

// viewNetworks returns the address of a visitor and the network around it, as ViewerOf uses them; "" if the address is unknown.
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
func (v *Views) AddView(ctx context.Context, request string, subject views.Subject, viewer string) {
	if err := v.ViewCounts.Count(ctx, subject, viewer); err != nil {
		v.Log.WarnContext(ctx, "view not counted", "request", request, "error", err)
	}
}
