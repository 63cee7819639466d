package request

import (
	"strconv"
	"time"

	"plaza/data"
)

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
