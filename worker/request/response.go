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

// Show responds with the page or fragment that draw makes of a view model, or with the view model in the format of the address.
func Show[T any](c *Call, status int, draw func(T) g.Node, view T) error {
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
	return c.Page(status, draw(view))
}

// Watch is given every view model that is shown. Tests set it.
var Watch func(view any)

// Page writes a page or fragment.
func (c *Call) Page(status int, node g.Node) error {
	b, err := ui.Bytes(c.Language(), node)
	if err != nil {
		return err
	}
	return c.Send(status, "text/html; charset=utf-8", b)
}

// JSON writes a JSON answer.
func (c *Call) JSON(status int, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return c.Send(status, "application/json", append(b, '\n'))
}

// isVisitor reports whether the caller is a visitor, so that others may get the same answer.
func (c *Call) isVisitor() bool { return c.Actor == nil && !c.forged && !c.ByToken }

// keeper is a ResponseWriter that takes a body without a copy. Nobody changes it afterwards.
type keeper interface{ Keep(body []byte) }

// Send writes the answer, and body is not changed afterwards. The edge keeps a visitor's answer of status 200 as long as the route says.
func (c *Call) Send(status int, contentType string, body []byte) error {
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
	c.sayClosed(h)
	c.sayTiming(h)
	c.status = status
	c.W.WriteHeader(status)
	if w, ok := c.W.(keeper); ok {
		w.Keep(body)
		return nil
	}
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

// Redirect leads to an address of this site, by 303.
func (c *Call) Redirect(to string) error {
	c.W.Header().Set("Location", c.Address(to))
	c.sayTiming(c.W.Header())
	c.W.WriteHeader(http.StatusSeeOther)
	return nil
}

// Back returns path if it is a path of this site, else /. It checks where a form asks to return to.
func Back(path string) string {
	if len(path) < 1 || len(path) > 2048 || path[0] != '/' || strings.HasPrefix(path, "//") || strings.ContainsAny(path, "\\\r\n\t\x00") {
		return "/"
	}
	return path
}

// CameFromPage returns the page of this site from which a form was sent, at the place of its target (0 for none). It uses the Referer, so
// that small forms, which a page has many times, need no field for it. Without a usable Referer it returns otherwise.
func (c *Call) CameFromPage(target data.ID, otherwise string) string {
	if to := c.Value("return"); to != "" {
		return Back(to)
	}
	u, err := url.Parse(c.R.Header.Get("Referer"))
	if err != nil || u.Host == "" || u.Host != c.R.Host {
		return otherwise
	}
	to := Back(u.RequestURI())
	switch {
	case to == "/" && u.Path != "/":
		return otherwise
	case target == 0:
		return to
	case target.IsComment():
		return to + "#c-" + target.Text()
	}
	return to + "#p-" + target.Text()
}
