package worker

import (
	"net/http"
	"time"

	"plaza/data/people"
)

// access is who may use a route.
type access int

const (
	public access = iota
	member
	proven // a member who gave a proof a moment ago (proof.go)
	// For pages of the next three, call.read and call.run check the right together with what the page reads. An action
	// checks it in the statement that writes.
	moderator // of the {community} in the address; administrators too
	approver  // of the same, or a moderator
	administrator
)

// What an API token has to be allowed for a route. noToken is for logging in, for what keeps an account safe, and for the
// site's administration: no token may do that.
const (
	noToken   people.Scope = 0
	reads                  = people.Read
	writes                 = people.Write
	moderates              = people.Moderate
)

// cacheClass is how long visitors' copies of an answer live at the edge. A member's answer is never stored, whatever
// the class.
type cacheClass int

const (
	cacheNever   cacheClass = iota
	cacheListing            // 10 s
	cacheThread             // 30 s
	cacheHour
)

// limit is how often one member (or one network, where no one is logged in) may use a route. The zero limit is none,
// for reading.
type limit struct {
	name    string
	max     int
	per     time.Duration
	network bool // counts networks, even if a member calls, and counts in the database while Redis is away
}

// route is one line of the table. A page's pattern is followed by the other formats that it is answered in, as in
// /new[.json] (format.go). The pattern of a cached page ends in the parameters that the page knows (query.go). The edge's
// own table is made from these lines.
type route struct {
	Method, Pattern string
	handle          func(*call) error
	access          access
	scope           people.Scope // that an API token needs (token.go)
	cache           cacheClass
	limit           limit
	// refused shows the form again when access or the limit refuses it, so that what was typed is not lost; nil shows
	// the error's page.
	refused func(*call, error) error
}

// page is a route that only reads. Some pages have a limit.
func page(pattern string, show func(*call) error, who access, scope people.Scope, cache cacheClass) route {
	return route{Method: http.MethodGet, Pattern: pattern, handle: show, access: who, scope: scope, cache: cache}
}

// action is a route that changes something. Nobody keeps its answer.
func action(pattern string, do func(*call) error, who access, scope people.Scope, most limit) route {
	return route{Method: http.MethodPost, Pattern: pattern, handle: do, access: who, scope: scope, cache: cacheNever, limit: most}
}

// limited is a page with a limit.
func (r route) limited(most limit) route {
	r.limit = most
	return r
}

// refusing has refused show the form again.
func (r route) refusing(refused func(*call, error) error) route {
	r.refused = refused
	return r
}

// cacheControl is the Cache-Control of an answer of status 200 to a visitor.
func (c cacheClass) cacheControl() string {
	switch c {
	case cacheListing:
		return "public, max-age=0, s-maxage=10, stale-while-revalidate=60"
	case cacheThread:
		return "public, max-age=0, s-maxage=30, stale-while-revalidate=300"
	case cacheHour:
		return "public, max-age=3600, s-maxage=3600"
	}
	return privateAnswer
}

const (
	privateAnswer = "private, no-store"
	// missingAnswer is for a visitor's 404 or 400 at an address of a cached page. Asking again and again is answered
	// at the edge.
	missingAnswer = "public, max-age=0, s-maxage=10"
)

func safeMethod(method string) bool {
	return method == http.MethodGet || method == http.MethodHead
}
