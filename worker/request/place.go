package request

import (
	"net/http"
	"strings"

	"plaza/data"
	"plaza/locale"
)

// A site can be closed to countries and regions (site.Settings.Closed). The edge says where a request comes from. It sends every request
// from a closed place to Go, also for pages that it has copies of, and Go refuses. Go adds the list of closed places to each response that
// the edge keeps for all visitors. So the edge knows which copies it must not serve to everybody (worker/edge/shim/place.mjs).
const (
	// placeHeader has the place, such as US-MS, or FR if no region is known. The edge removes this header from requests of clients.
	placeHeader = "X-Plaza-Place"
	// closedHeader has the list in each response, once the settings are known. The edge does not pass it on.
	closedHeader = "X-Plaza-Closed"
)

// codeClosed is the code of the error for a place to which the site is closed: status 451.
const codeClosed data.Code = "closed_there"

// openEverywhere are the routes that work in a closed place: what the law requires, how to reach the site, and how members get their data.
var openEverywhere = map[string]bool{
	"/about[.json]": true, "/rules[.json]": true, "/privacy[.json]": true, "/terms[.json]": true, "/contact": true,
	"/notice?url": true, "/notice": true, "/notice/{notice}": true,
	SuspensionURL: true, "/decisions/{decision}": true, "/unsubscribe": true, "/display": true,
	"/login": true, "/login/passkey": true, "/login/code": true, "/login/link": true, "/login/continue": true, "/login/done": true,
	"/passkeys/challenge": true, "/reset": true, "/link": true, "/logout": true, "/auth/{provider}": true, "/auth/{provider}/callback": true,
	"/prove": true, "/prove/passkey": true, "/prove/code": true, "/prove/link": true,
	"/settings/account": true, "/settings/account/delete": true, "/settings/export": true, "/settings/export/{kind}": true,
	"/healthz": true, "/robots.txt": true, SecurityURL: true, "/manifest.webmanifest": true, "/img/logo/{sum}": true,
}

// Location returns the place that the request comes from, according to the edge: a country such as FR, or a region such as US-MS; "" if it
// is not known.
func (c *Call) Location() string { return c.R.Header.Get(placeHeader) }

// open returns an error if the site is closed to the place of the caller. Before the settings are known, it returns none.
func (c *Call) open() error {
	set := c.Server.Settings.Now()
	if len(set.Closed) == 0 || !set.IsClosedTo(c.Location()) || c.Route != nil && openEverywhere[c.Route.Pattern] {
		return nil
	}
	if set.Reason == "" {
		return &data.Error{Code: codeClosed, Message: "This site is not available in your country or region."}
	}
	return &data.Error{Code: codeClosed, Message: locale.With("This site is not available in your country or region. {}", set.Reason)}
}

// setClosedHeader adds the header that lists, for the edge, the places to which the site is closed.
func (c *Call) setClosedHeader(h http.Header) {
	if set := c.Server.Settings; set.Known() {
		list := "-"
		if closed := set.Now().Closed; len(closed) > 0 {
			list = strings.Join(closed, " ")
		}
		h.Set(closedHeader, list)
	}
}
