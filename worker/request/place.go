package request

import (
	"net/http"
	"strings"

	"plaza/data"
	"plaza/locale"
)

// A site can be closed to countries and regions (site.Settings.Closed). The edge says where a request comes from. It asks Go about
// everything from such a place, also about pages of which it has copies, and Go refuses. To what it keeps for all visitors, Go adds the
// list, so the edge can tell which copies are not for everybody (worker/edge/shim/place.mjs).
const (
	// placeHeader has the place, such as US-MS, or FR where no region is known. The edge deletes it from what clients send.
	placeHeader = "X-Plaza-Place"
	// closedHeader has the list with each answer, once the settings are known. The edge keeps it to itself.
	closedHeader = "X-Plaza-Closed"
)

// codeClosed is of a site that is closed where somebody is: status 451.
const codeClosed data.Code = "closed_there"

// openEverywhere are the routes that work where a site is closed: what the law asks for, how the site can be reached, and what lets members
// take their data with them.
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

// Location is where the request comes from, as the edge says: a country such as FR, or a region such as US-MS; "" if nobody knows.
func (c *Call) Location() string { return c.R.Header.Get(placeHeader) }

// open returns an error if the site is closed where the caller is, as far as the settings are known.
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

// sayClosed tells the edge to where the site is closed.
func (c *Call) sayClosed(h http.Header) {
	if set := c.Server.Settings; set.Known() {
		list := "-"
		if closed := set.Now().Closed; len(closed) > 0 {
			list = strings.Join(closed, " ")
		}
		h.Set(closedHeader, list)
	}
}
