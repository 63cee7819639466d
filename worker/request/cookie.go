package request

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"plaza/data"
	"plaza/worker/request/session"
)

// Cookie returns the value of the request's first cookie of a name.
func (c *Call) Cookie(name string) (value string, ok bool) {
	if c.jar == nil {
		c.jar = c.R.Cookies()
	}
	for _, cookie := range c.jar {
		if cookie.Name == name {
			return cookie.Value, true
		}
	}
	return "", false
}

// SetCookie sends a cookie for the whole site that scripts can't read.
func (c *Call) SetCookie(name, value string, life time.Duration) {
	http.SetCookie(c.W, &http.Cookie{Name: name, Value: value, Path: "/", MaxAge: int(life / time.Second), Secure: true, HttpOnly: true,
		SameSite: http.SameSiteLaxMode})
}

// DropCookie deletes a cookie in the browser.
func (c *Call) DropCookie(name string) { c.SetCookie(name, "", -time.Second) }

// SetSignedCookie stores a value in a signed cookie (session.EncodeValue). The cookie's name is its purpose.
func SetSignedCookie[T any](c *Call, name string, value T, life time.Duration) {
	text := session.EncodeValue(c.Server.Key, name, value, c.Server.Source.Now().Add(life))
	c.SetCookie(name, text, life)
}

// SignedCookie returns the value of a signed cookie. ok is false if there is none, it has expired, or its signature is wrong.
func SignedCookie[T any](c *Call, name string) (value T, expires time.Time, ok bool) {
	text, _ := c.Cookie(name)
	value, expires, ok = session.DecodeValue[T](c.Server.Key, name, text)
	return value, expires, ok && c.Server.Source.Now().Before(expires)
}

// freshCookie has one or two times, with a dash between them. The first is the device's last change. The second is its last change that
// others see in lists and threads; it is left out if there was none lately. Instances use no data about the member from before the first
// time, and no data for all members from before the second. So after a vote, lists stay cached. If a vote and a post are sent at the same
// moment, the vote's response may overwrite the cookie without the second time. Then another instance shows the post up to two seconds
// late. A forged cookie does no harm.
const freshCookie = "__Host-changed"

// freshCookieLife is how long the cookie lives. By then no instance remembers anything from before the change, even if its
// clock differs by some seconds.
const freshCookieLife = data.MemberCacheTTL + 5*time.Second

// SetFreshCookie sets the cookie to the current time. Call it before a change is made. A page (GET or HEAD) never changes what others
// see, so it keeps the second time.
func (s *Server) SetFreshCookie(c *Call) {
	now := s.Source.Now()
	value := strconv.FormatInt(now.UnixMilli(), 36)
	public := now
	if c.Route.ownStateOnly || SafeMethod(c.R.Method) {
		public = c.freshCookie().Public
	}
	if !public.IsZero() {
		value += "-" + strconv.FormatInt(public.UnixMilli(), 36)
	}
	c.SetCookie(freshCookie, value, freshCookieLife)
}

// freshCookie returns the changes that the cookie has; none without one.
func (c *Call) freshCookie() (changes data.Changes) {
	value, _ := c.Cookie(freshCookie)
	if len(value) > 32 {
		return data.Changes{}
	}
	last, public, _ := strings.Cut(value, "-")
	parse := func(text string) time.Time {
		ms, err := strconv.ParseInt(text, 36, 64)
		if err != nil {
			return time.Time{}
		}
		return time.UnixMilli(ms)
	}
	if changes.Last = parse(last); !changes.Last.IsZero() {
		changes.Marker, changes.Public = value, parse(public)
	}
	return changes
}
