package worker

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	g "maragu.dev/gomponents"

	"plaza/data"
	"plaza/render"
)

// wantsJSON tells whether a program asks, which is answered in JSON.
func (c *call) wantsJSON() bool {
	return c.byToken || c.format != nil && c.format.name == "json" || strings.HasPrefix(c.r.Header.Get("Accept"), "application/json")
}

// fragment tells whether the page's script asks, which is answered with a part of a page.
func (c *call) fragment() bool { return c.format == nil && c.r.Header.Get("HX-Request") == "true" }

// show answers with the page or fragment that draw makes of a view model, or with the view model in the format of the address.
func show[T any](c *call, status int, draw func(T) g.Node, view T) error {
	if watch != nil {
		watch(view)
	}
	if c.format != nil && !c.failed {
		b, err := c.format.encode(view)
		if err != nil {
			return err
		}
		return c.send(status, c.format.contentType, b)
	}
	return c.page(status, draw(view))
}

// watch is given every view model that is shown. Tests set it.
var watch func(view any)

// page writes a page or fragment.
func (c *call) page(status int, node g.Node) error {
	b, err := render.Bytes(node)
	if err != nil {
		return err
	}
	return c.send(status, "text/html; charset=utf-8", b)
}

// json writes a JSON answer.
func (c *call) json(status int, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return c.send(status, "application/json", append(b, '\n'))
}

// isVisitor tells whether nobody calls, so that others may get the same answer.
func (c *call) isVisitor() bool { return c.actor == nil && !c.forged && !c.byToken }

// send writes the answer. The edge keeps a visitor's answer of status 200 as long as the route says.
func (c *call) send(status int, contentType string, body []byte) error {
	h := c.w.Header()
	h.Set("Content-Type", contentType)
	if status == http.StatusOK && c.isVisitor() && safeMethod(c.r.Method) {
		h.Set("Cache-Control", c.route.cache.cacheControl())
	}
	c.w.WriteHeader(status)
	_, err := c.w.Write(body)
	return err
}

// done answers an action that worked. A program gets v as JSON. A browser is led to an address of this site: by 303,
// so that reloading the page there does not send the form again.
func (c *call) done(to string, v any) error {
	if c.wantsJSON() {
		return c.json(http.StatusOK, v)
	}
	if c.fragment() {
		c.w.Header().Set("HX-Redirect", to)
		c.w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return c.redirect(to)
}

func (c *call) redirect(to string) error {
	c.w.Header().Set("Location", c.address(to))
	c.w.WriteHeader(http.StatusSeeOther)
	return nil
}

// back returns path if it is a path of this site, else /. It checks where a form asks to return to.
func back(path string) string {
	if len(path) < 1 || len(path) > 2048 || path[0] != '/' || strings.HasPrefix(path, "//") || strings.ContainsAny(path, "\\\r\n\t\x00") {
		return "/"
	}
	return path
}

// cameFromPage returns the page of this site from which a form was sent, at the place of its target (0 for none). The
// browser tells by Referer, so that small forms, which stand on a page many times, need no field for it. It returns
// otherwise where nothing tells.
func (c *call) cameFromPage(target data.ID, otherwise string) string {
	if to := c.value("return"); to != "" {
		return back(to)
	}
	u, err := url.Parse(c.r.Header.Get("Referer"))
	if err != nil || u.Host == "" || u.Host != c.r.Host {
		return otherwise
	}
	to := back(u.RequestURI())
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
