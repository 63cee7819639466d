package request

import (
	"net/http"

	"plaza/data/accounts/sessions"
	"plaza/worker/request/limit"
)

// Access is who may use a route.
type Access int

const (
	Public Access = iota
	Member
	Reauthenticated // a member who reauthenticated a moment ago (guard.go)
	// For pages of the next three, Call.Read and Call.Run check the right together with what the page reads. An action
	// checks it in the statement that writes.
	Moderator // of the {community} in the address; administrators too
	Approver  // of the same, or a moderator
	Administrator
)

// The scope that an API token needs for a route. NoToken is for logging in, for the security of an account, and for the
// site's administration: no token may do that.
const (
	NoToken   sessions.Scope = 0
	Reads                    = sessions.Read
	Writes                   = sessions.Write
	Moderates                = sessions.Moderate
)

// CacheClass is how long visitors' copies of a response live at the edge. A member's response is never stored, whatever
// the class.
type CacheClass int

const (
	CacheNever   CacheClass = iota
	CacheListing            // 10 s
	CacheThread             // 30 s
	CacheHour
	CacheForever // for addresses that name all that their response depends on
)

// Route is one line of the table. A page's pattern is followed by the formats that it has beside HTML, as in
// /new[.json] (format.go). The pattern of a cached page ends in the parameters that the page knows (query.go). The edge's
// own table is made from these lines.
type Route struct {
	Method, Pattern string
	handle          func(*Call) error
	Access          Access
	Scope           sessions.Scope // that an API token needs (token.go)
	Cache           CacheClass
	WhenCachedOnly  Uncached // what is made for visitors who get cached pages only (cached_only.go)
	Limit           limit.Limit
	// refused shows the form again when access or the limit refuses it, so that what was typed is not lost; nil shows
	// the error's page.
	refused func(*Call, error) error
	// Pictures says that the form may have pictures (package pictures). Elsewhere the edge refuses multipart/form-data.
	Pictures bool

	// ownStateOnly says that others see nothing of the action at once, so lists and threads stay cached. A vote reaches them later.
	ownStateOnly bool
	afterSignIn  bool // if a visitor presses the button, the action is carried out after logging in (resume_form.go)
}

// Table is all routes of a site.
type Table []*Route

func (t *Table) add(r *Route) *Route {
	*t = append(*t, r)
	return r
}

// Page adds a route that only reads. Some pages have a limit.
func (t *Table) Page(pattern string, show func(*Call) error, who Access, scope sessions.Scope, cache CacheClass) *Route {
	return t.add(&Route{Method: http.MethodGet, Pattern: pattern, handle: show, Access: who, Scope: scope, Cache: cache})
}

// Action adds a route that changes data. Its responses are never cached.
func (t *Table) Action(pattern string, do func(*Call) error, who Access, scope sessions.Scope, l limit.Limit) *Route {
	return t.add(&Route{Method: http.MethodPost, Pattern: pattern, handle: do, Access: who, Scope: scope, Cache: CacheNever, Limit: l})
}

// Limited gives a page a limit.
func (rt *Route) Limited(l limit.Limit) *Route {
	rt.Limit = l
	return rt
}

// ForVisitors says what is made for visitors who get cached pages only.
func (rt *Route) ForVisitors(which Uncached) *Route {
	rt.WhenCachedOnly = which
	return rt
}

// Refusing sets the function that shows the form again after a refusal.
func (rt *Route) Refusing(refused func(*Call, error) error) *Route {
	rt.refused = refused
	return rt
}

// OwnStateOnly says that others see nothing of the action at once.
func (rt *Route) OwnStateOnly() *Route {
	rt.ownStateOnly = true
	return rt
}

// TakingPictures lets the route's form have pictures.
func (rt *Route) TakingPictures() *Route {
	rt.Pictures = true
	return rt
}

// cacheControl returns the Cache-Control of a response to a visitor with status 200.
func (c CacheClass) cacheControl() string {
	switch c {
	case CacheListing:
		return "public, max-age=0, s-maxage=10, stale-while-revalidate=60"
	case CacheThread:
		return "public, max-age=0, s-maxage=30, stale-while-revalidate=300"
	case CacheHour:
		return "public, max-age=3600, s-maxage=3600"
	case CacheForever:
		return "public, max-age=31536000, s-maxage=31536000, immutable"
	}
	return privateResponse
}

const (
	privateResponse = "private, no-store"
	// missingResponse is for a visitor's 404 or 400 at an address of a cached page. The edge responds to repeated requests
	// by itself.
	missingResponse = "public, max-age=0, s-maxage=10"
	// partialResponse is for a visitor's page that lacks the part of a shard. The edge keeps it for two seconds, so that a busy page
	// does not read from the other shards for every visitor, and never shows it later than that.
	partialResponse = "public, max-age=0, s-maxage=2, stale-if-error=0"
)

// SafeMethod reports whether a method changes nothing.
func SafeMethod(method string) bool {
	return method == http.MethodGet || method == http.MethodHead
}
