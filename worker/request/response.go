package request

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	g "maragu.dev/gomponents"

	"plaza/data"
	"plaza/render/ui"
)

// WantsJSON reports whether the request is from a program and gets JSON.
func (c *Call) WantsJSON() bool {
	return c.ByToken || c.Format != nil && c.Format.name == "json" || strings.HasPrefix(c.R.Header.Get("Accept"), "application/json")
}

// Fragment reports whether the request is from the page's script and gets a part of a page.
func (c *Call) Fragment() bool { return c.Format == nil && c.R.Header.Get("HX-Request") == "true" }

// Show responds with the page or fragment that render makes of a view model, or with the view model in the format of the address.
func Show[T any](c *Call, status int, render func(T) g.Node, view T) error {
	if Watch != nil {
		Watch(view)
	}
	if c.Format != nil && !c.failed {
		b, err := c.Format.encode(view)
		if err != nil {
			return err
		}
		return c.Send(status, c.Format.ContentType, b)
	}
	return c.Page(status, render(view))
}

// Watch is called with every view model that is shown. Tests set it.
var Watch func(view any)

// Page writes a page or fragment.
func (c *Call) Page(status int, node g.Node) error {
	p, err := ui.Render(c.Language(), node)
	if err != nil {
		return err
	}
	return c.send(status, "text/html; charset=utf-8", p.Bytes(), p.Release)
}

// JSON writes a JSON response.
func (c *Call) JSON(status int, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return c.Send(status, "application/json", append(b, '\n'))
}

// isVisitor reports whether the caller is a visitor, so that others may get the same response.
func (c *Call) isVisitor() bool { return c.Actor == nil && !c.forged && !c.ByToken }

// keeper is a ResponseWriter that keeps a body without copying it. It calls release when it does not need the body any more; until then the
// body must not change.
type keeper interface {
	Keep(body []byte, release func())
}

// Send writes the response. body must not change afterwards. The edge caches a visitor's 200 as the route says, a 404 for seconds.
func (c *Call) Send(status int, contentType string, body []byte) error {
	return c.send(status, contentType, body, func() {})
}

func (c *Call) send(status int, contentType string, body []byte, release func()) error {
	h := c.W.Header()
	h.Set("Content-Type", contentType)
	if c.isVisitor() && SafeMethod(c.R.Method) {
		switch {
		case status == http.StatusOK && c.Partial() && c.Route.Cache != CacheNever:
			h.Set("Cache-Control", partialResponse)
		case status == http.StatusOK:
			h.Set("Cache-Control", c.Route.Cache.cacheControl())
		case status == http.StatusNotFound && c.Route.Cache != CacheNever:
			h.Set("Cache-Control", missingResponse)
		}
	}
	if status == http.StatusServiceUnavailable && h.Get("Retry-After") == "" {
		h.Set("Retry-After", "5")
	}
	c.setClosedHeader(h)
	c.setServerTiming(h)
	c.status = status
	c.W.WriteHeader(status)
	if w, ok := c.W.(keeper); ok {
		w.Keep(body, release)
		return nil
	}
	defer release()
	_, err := c.W.Write(body)
	return err
}

// Done responds to an action that worked. A program gets v as JSON. A browser is redirected to an address of this site, by 303, so that
// reloading that page does not send the form again.
func (c *Call) Done(to string, v any) error {
	if c.WantsJSON() {
		return c.JSON(http.StatusOK, v)
	}
	if c.Fragment() {
		c.W.Header().Set("HX-Redirect", to)
		c.W.WriteHeader(http.StatusNoContent)
		return nil
	}
	return c.Redirect(to)
}

// Redirect redirects to an address of this site, by 303.
func (c *Call) Redirect(to string) error {
	c.W.Header().Set("Location", c.Address(to))
	c.setServerTiming(c.W.Header())
	c.W.WriteHeader(http.StatusSeeOther)
	return nil
}

// Back returns path if it is a path of this site, else /. It prevents open redirects by a form's fields.
func Back(path string) string {
	if len(path) < 1 || len(path) > 2048 || path[0] != '/' || strings.HasPrefix(path, "//") || strings.ContainsAny(path, "\\\r\n\t\x00") {
		return "/"
	}
	return path
}

// CameFromPage returns the page of this site from which a form was sent: its field return, or the Referer at the form's target (0 for
// none). So small forms, which a page has many times, need no such field. Without a usable Referer it returns fallback.
func (c *Call) CameFromPage(target data.ID, fallback string) string {
	if to := c.Value("return"); to != "" {
		return Back(to)
	}
	u, err := url.Parse(c.R.Header.Get("Referer"))
	if err != nil || u.Host == "" || u.Host != c.R.Host {
		return fallback
	}
	to := Back(u.RequestURI())
	switch {
	case to == "/" && u.Path != "/":
		return fallback
	case target == 0:
		return to
	case target.IsComment():
		return to + "#c-" + target.Text()
	}
	return to + "#p-" + target.Text()
}
