package request

import (
	"net/http"
	"time"

	"plaza/data"
)

// Pages for browsers are read from replicas if databases have some (data.Read.AllowReplicas). Moderators' pages, programs with a token
// and everything that writes use the databases themselves. Programs keep no cookies, so they could miss what they have just written.

// wroteCookie says what the browser has written lately (data.Reader.Text). A forged one does no harm: it chooses how old its own pages are.
//
// If two responses arrive at the same time, the browser keeps the cookie of the later one, which may lack a write of the other. A cookie
// for each database would not help if both wrote to the same one. No page is wrong because of it: both responses also set __Host-changed to
// the time of their change, and a replica is used only if it has everything until shortly after that time (data.Read). That the two
// cookies differ by a second does not matter, because clocks may differ by one, too.
const wroteCookie = "__Host-wrote"

// wroteCookieLife is how long the cookie lives. By then no page lacks what was written before, even if the clocks differ by some seconds.
const wroteCookieLife = data.ReplicaLag + 5*time.Second

// readReplicas lets the call read from replicas, and stores in the browser's cookie what the call writes.
func (c *Call) readReplicas() {
	kept, _ := c.Cookie(wroteCookie)
	c.browser = c.Server.DB.NewReader(kept)
	c.R = c.R.WithContext(c.browser.With(c.R.Context()))
	c.W = &wroteWriter{ResponseWriter: c.W, call: c, reader: c.browser}
}

// read begins a Read of the page.
func (c *Call) read() *data.Read {
	r := c.Server.DB.Read()
	if c.browser != nil && c.mayBeOld() {
		r.AllowReplicas()
	}
	return r
}

// wroteWriter adds the cookie to a response, at the last moment: by then the call has written.
type wroteWriter struct {
	http.ResponseWriter
	call   *Call
	reader *data.Reader
	sent   bool
}

// WriteHeader adds the cookie. A visitor's page gets it only if it sets another cookie anyway: the edge serves no copies to browsers with
// such a cookie.
func (w *wroteWriter) WriteHeader(status int) {
	cacheable := w.call.isVisitor() && SafeMethod(w.call.R.Method) && len(w.Header()["Set-Cookie"]) == 0
	if text, changed := w.reader.Text(); changed && !cacheable && !w.sent {
		w.call.SetCookie(wroteCookie, text, wroteCookieLife)
		if !SafeMethod(w.call.R.Method) { // it was set before the change, which may have waited for seconds
			w.call.Server.SetFreshCookie(w.call)
		}
	}
	w.sent = true
	w.ResponseWriter.WriteHeader(status)
}

// Write sends the headers first, as any ResponseWriter does.
func (w *wroteWriter) Write(b []byte) (int, error) {
	if !w.sent {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(b)
}

// Keep is Write for a body that does not change until release is called (keeper).
func (w *wroteWriter) Keep(body []byte, release func()) {
	if !w.sent {
		w.WriteHeader(http.StatusOK)
	}
	if inner, ok := w.ResponseWriter.(keeper); ok {
		inner.Keep(body, release)
		return
	}
	defer release()
	_, _ = w.ResponseWriter.Write(body)
}
