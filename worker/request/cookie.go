package request

import (
	"net/http"
	"strconv"
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

// freshCookie has the time of the member's last change on this device. Instances then use nothing that they have cached
// about the member before that time (data.MemberCacheTTL). A forged one does no harm.
const freshCookie = "__Host-changed"

// freshCookieLife is how long the cookie lives. By then no instance remembers anything from before the change, even if its
// clock differs by some seconds.
const freshCookieLife = data.MemberCacheTTL + 5*time.Second

// SetFreshCookie sets the cookie to the current time. Call it before a change is made.
func (s *Server) SetFreshCookie(c *Call) {
	c.SetCookie(freshCookie, strconv.FormatInt(s.Source.Now().UnixMilli(), 36), freshCookieLife)
}

// freshCookie returns the value of the cookie and its time; "" for none.
func (c *Call) freshCookie() (value string, changed time.Time) {
	value, _ = c.Cookie(freshCookie)
	ms, err := strconv.ParseInt(value, 36, 64)
	if err != nil || len(value) > 16 {
		return "", changed
	}
	return value, time.UnixMilli(ms)
}
