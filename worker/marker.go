package worker

import (
	"net/http"
	"strconv"
	"time"

	"plaza/data"
)

// markerCookie tells all instances that the member has just changed something on this
// device: what they keep of the member from before (data.OwnLife) is not shown again.
// It says when, which is nobody's secret, and nothing is decided by it.
const markerCookie = "__Host-changed"

// markerLife is how long the marker is worth sending: everything kept from before the
// change has run out by then, on clocks that differ by some seconds too.
const markerLife = data.OwnLife + 5*time.Second

// mark gives the device a new marker, ahead of a change.
func (a *App) mark(c *call) {
	http.SetCookie(c.w, &http.Cookie{
		Name: markerCookie, Value: strconv.FormatInt(a.Source.Now().UnixMilli(), 36), Path: "/", MaxAge: int(markerLife / time.Second),
		Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

// marker is what the device was given last, and when; "" when that is longer ago.
func (c *call) marker() (value string, changed time.Time) {
	value, _ = c.cookie(markerCookie)
	ms, err := strconv.ParseInt(value, 36, 64)
	if err != nil || len(value) > 16 {
		return "", changed
	}
	return value, time.UnixMilli(ms)
}
