package request

import (
	"net/http"
	"path"
	"slices"
	"strings"

	"plaza/worker/api"
)

// Format is a format of pages other than HTML. Its name is the end of the address, such as json in /new.json. A
// route names its formats after its pattern (worker/routes.go). The page's handler makes the view model, whatever the format, so
// access, cache and cost are the same as the page's.
type Format struct {
	name        string
	ContentType string
	encode      func(view any) ([]byte, error)
}

// formatList are all formats.
var formatList = []*Format{
	{"json", "application/json", api.Encode},
	{"atom", AtomType, encodeFeed},
}

// Endings returns the ends of the addresses of a page in its formats, such as .json.
func (rt *Route) Endings() []string {
	_, names, _ := strings.Cut(rt.Pattern, "[")
	names, _, _ = strings.Cut(names, "]")
	return strings.Fields(names)
}

// formats returns the route's formats.
func (rt *Route) formats() (list []*Format) {
	for _, f := range formatList {
		if slices.Contains(rt.Endings(), "."+f.name) {
			list = append(list, f)
		}
	}
	return list
}

// formatOf returns the format that an address ends in, and the request for the page itself; nil for no format.
func formatOf(r *http.Request) (*Format, *http.Request) {
	for _, f := range formatList {
		page, ok := strings.CutSuffix(r.URL.Path, "."+f.name)
		if !ok || path.Clean(page) != page && path.Clean(page)+"/" != page { // one slash too many at the end is allowed
			continue
		}
		u, clean := *r.URL, *r
		u.Path, u.RawPath = page, strings.TrimSuffix(r.URL.RawPath, "."+f.name)
		clean.URL = &u
		return f, &clean
	}
	return nil, nil
}

// serveFormat serves a page in a format. Scripts in pages of other sites may read it, as visitors or with a token, but
// not with cookies.
func (s *Server) serveFormat(w http.ResponseWriter, r *http.Request, f *Format) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	CrossOrigin(h)
	if r.Method == http.MethodOptions {
		h.Set("Access-Control-Allow-Methods", "GET, HEAD")
		h.Set("Access-Control-Allow-Headers", "Authorization, Accept")
		h.Set("Access-Control-Max-Age", "86400")
		w.WriteHeader(http.StatusNoContent)
		return
	}
	h.Set("Access-Control-Expose-Headers", "RateLimit, RateLimit-Policy, Retry-After, X-Request-Id")
	h.Set("X-Robots-Tag", "noindex") // the page is what search engines should show
	s.inFormat[f].ServeHTTP(w, r)
}

// Address returns the address of a page of this site in the format of this call.
func (c *Call) Address(to string) string {
	if c.Format == nil || !strings.HasPrefix(to, "/") {
		return to
	}
	return api.Address(to, "."+c.Format.name)
}
