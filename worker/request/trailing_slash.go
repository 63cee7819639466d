package request

import (
	"net/http"
	"strings"
)

// withoutSlash redirects an address that ends in a slash to the page without it. ok is false if there is no such
// page, or no slash.
func (s *Server) withoutSlash(c *Call) (ok bool) {
	path := strings.TrimRight(c.R.URL.EscapedPath(), "/")
	if path == c.R.URL.EscapedPath() || path == "" || Back(path) != path {
		return false
	}
	target := *c.R.URL
	target.Path, target.RawPath = strings.TrimRight(target.Path, "/"), ""
	if _, pattern := s.mux.Handler(&http.Request{Method: http.MethodGet, URL: &target, Host: c.R.Host}); pattern == "/" {
		return false
	}
	if c.R.URL.RawQuery != "" {
		path += "?" + c.R.URL.RawQuery
	}
	h := c.W.Header()
	if c.Actor == nil && !c.forged {
		h.Set("Cache-Control", CacheHour.cacheControl())
	}
	h.Set("Location", c.Address(path))
	c.W.WriteHeader(http.StatusPermanentRedirect)
	return true
}
