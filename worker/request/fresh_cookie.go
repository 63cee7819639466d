package request

import (
	"net/http"
	"strconv"
	"time"

	"plaza/data"
)

// freshCookie notifies every instance that the member has just changed something on this device, and when. What an
// instance remembers of the member from before is then not shown any more (data.MemberCacheTTL). A forged one does no harm.
const freshCookie = "__Host-changed"

// freshCookieLife is how long the cookie lives. By then no instance remembers anything from before the change, even if its
// clock differs by some seconds.
const freshCookieLife = data.MemberCacheTTL + 5*time.Second

// SetFreshCookie gives the device a new fresh cookie. Call it before a change is made.
func (s *Server) SetFreshCookie(c *Call) {
	http.SetCookie(c.W, &http.Cookie{
		Name: freshCookie, Value: strconv.FormatInt(s.Source.Now().UnixMilli(), 36), Path: "/", MaxAge: int(freshCookieLife / time.Second),
		Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

// freshCookie returns the marker that the device has, and the time it says; "" for none.
func (c *Call) freshCookie() (value string, changed time.Time) {
	value, _ = c.Cookie(freshCookie)
	ms, err := strconv.ParseInt(value, 36, 64)
	if err != nil || len(value) > 16 {
		return "", changed
	}
	return value, time.UnixMilli(ms)
}
