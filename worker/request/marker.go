package request

import (
	"net/http"
	"strconv"
	"time"

	"plaza/data"
)

// markerCookie tells every instance that the member has just changed something on this device, and when. What an
// instance remembers of the member from before is then not shown any more (data.OwnLife). A forged one does no harm.
const markerCookie = "__Host-changed"

// markerLife is how long the cookie lives. By then no instance remembers anything from before the change, even if its
// clock differs by some seconds.
const markerLife = data.OwnLife + 5*time.Second

// Mark gives the device a new marker. It is called before a change is made.
func (s *Server) Mark(c *Call) {
	http.SetCookie(c.W, &http.Cookie{
		Name: markerCookie, Value: strconv.FormatInt(s.Source.Now().UnixMilli(), 36), Path: "/", MaxAge: int(markerLife / time.Second),
		Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

// marker returns the marker that the device has, and the time it says; "" for none.
func (c *Call) marker() (value string, changed time.Time) {
	value, _ = c.Cookie(markerCookie)
	ms, err := strconv.ParseInt(value, 36, 64)
	if err != nil || len(value) > 16 {
		return "", changed
	}
	return value, time.UnixMilli(ms)
}
