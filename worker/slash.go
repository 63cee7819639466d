package worker

import (
	"net/http"
	"strings"
)

// withoutSlash redirects an address that ends in a slash to the page without it. ok is false where there is no such
// page, or no slash.
func (a *App) withoutSlash(c *call) (ok bool) {
	path := strings.TrimRight(c.r.URL.EscapedPath(), "/")
	if path == c.r.URL.EscapedPath() || path == "" || back(path) != path {
		return false
	}
	target := *c.r.URL
	target.Path, target.RawPath = strings.TrimRight(target.Path, "/"), ""
	if _, pattern := a.mux.Handler(&http.Request{Method: http.MethodGet, URL: &target, Host: c.r.Host}); pattern == "/" {
		return false
	}
	if c.r.URL.RawQuery != "" {
		path += "?" + c.r.URL.RawQuery
	}
	h := c.w.Header()
	if c.actor == nil && !c.forged {
		h.Set("Cache-Control", cacheHour.cacheControl())
	}
	h.Set("Location", c.address(path))
	c.w.WriteHeader(http.StatusPermanentRedirect)
	return true
}
