package worker

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	g "maragu.dev/gomponents"

	"plaza/data"
	"plaza/data/people"
	"plaza/ranking"
	"plaza/render"
)

// call is one request on its way through the middleware and a handler. The answer is
// made in memory and leaves in one piece, so that a late error is an error page and
// not half a page.
type call struct {
	w      http.ResponseWriter
	r      *http.Request
	route  route
	id     string      // of the request, for the log and the error page
	actor  *data.Actor // nil for a visitor
	forged bool        // the session cookie was none of ours, or has run out
	viewer *people.Viewer
	mods   *bool                         // the caller moderates the address's community; nil where it is not asked
	colour func(community string) string // of the icon
	form   url.Values
	object bool           // the form came as a JSON object
	fuzz   ranking.Fuzzer // of the counts this caller sees
	jar    []*http.Cookie // of the request; nil before the first is asked for
	notice string         // one sentence of good news above the page
}

// bodyLimit bounds what anyone may send, in bytes.
const bodyLimit = 1 << 20

var errTooLarge = &data.Error{Code: codeTooLarge, Message: "That is more than can be sent at once: at most one megabyte."}

// parse reads the fields of a form or of a JSON object once. The small forms of which a
// page has many say in their address what they are about, which is shorter than a field.
func (c *call) parse() error {
	if c.form != nil {
		return nil
	}
	c.form = url.Values{}
	if safeMethod(c.r.Method) {
		c.form = c.r.URL.Query()
		return nil
	}
	body, err := io.ReadAll(http.MaxBytesReader(c.w, c.r.Body, bodyLimit))
	if err != nil {
		if tooLong := (*http.MaxBytesError)(nil); errors.As(err, &tooLong) {
			return errTooLarge
		}
		return &data.Error{Code: data.Invalid, Message: "The request did not arrive whole. Please send it again.", Err: err}
	}
	kind, _, _ := mime.ParseMediaType(c.r.Header.Get("Content-Type"))
	switch kind {
	case "application/x-www-form-urlencoded", "":
		if c.form, err = url.ParseQuery(string(body)); err != nil {
			c.form = url.Values{}
			return &data.Error{Code: data.Invalid, Message: "The form did not arrive as it was sent. Please send it again.", Err: err}
		}
	case "application/json":
		c.object = true
		var fields map[string]any
		d := json.NewDecoder(bytes.NewReader(body))
		d.UseNumber()
		if err := d.Decode(&fields); err != nil {
			return &data.Error{Code: data.Invalid, Message: "The body is not a JSON object."}
		}
		for name, v := range fields {
			switch v := v.(type) {
			case string:
				c.form.Set(name, v)
			case json.Number, bool:
				c.form.Set(name, fmt.Sprint(v))
			case nil:
			default:
				return &data.Error{Code: data.Invalid, Field: name, Message: "A field is a text, a number or a truth value."}
			}
		}
	default:
		return &data.Error{Code: codeMediaType, Message: "Please send a form or a JSON object."}
	}
	if target := c.r.URL.Query().Get("target"); target != "" && !c.form.Has("target") {
		c.form.Set("target", target)
	}
	return nil
}

// cookie is the value of a cookie of the request, of the first by that name.
func (c *call) cookie(name string) (value string, ok bool) {
	if c.jar == nil {
		c.jar = c.r.Cookies()
	}
	for _, cookie := range c.jar {
		if cookie.Name == name {
			return cookie.Value, true
		}
	}
	return "", false
}

// value is a field of the form, with the line endings of a text area made plain and
// what no text contains (control characters, broken UTF-8) taken out.
func (c *call) value(name string) string {
	s := strings.ToValidUTF8(c.form.Get(name), "\uFFFD")
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, lineEndings.Replace(s))
}

var lineEndings = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// typed is the form as it was filled in, to be shown again. Passwords don't come back.
func (c *call) typed(names ...string) render.Form {
	f := render.Form{Values: map[string]string{}, Errors: map[string]string{}}
	for _, name := range names {
		f.Values[name] = c.value(name)
	}
	return f
}

// wrong adds an error to a form, or several: each to its field, if the form has that
// field. A field tells its first.
func wrong(f render.Form, err error) render.Form {
	mistakes := data.Mistakes(err)
	if len(mistakes) == 0 {
		f.Errors[""] = messageOf(err)
	}
	for _, e := range mistakes {
		field := e.Field
		if _, has := f.Values[field]; !has && field != "password" {
			field = ""
		}
		f.Errors[field] = cmp.Or(f.Errors[field], e.Message)
	}
	alreadySent(&f, err)
	return f
}

// wantsJSON tells that the answer is for a program.
func (c *call) wantsJSON() bool {
	return strings.HasPrefix(c.r.Header.Get("Accept"), "application/json")
}

// fragment tells that the page's script asked for a part of a page.
func (c *call) fragment() bool { return c.r.Header.Get("HX-Request") == "true" }

// viewerID is the signed-in member, 0 for a visitor.
func (c *call) viewerID() data.ID {
	if c.actor == nil {
		return 0
	}
	return c.actor.UserID
}

// show answers with what a view model looks like.
func show[T any](c *call, status int, draw func(T) g.Node, view T) error {
	if watch != nil {
		watch(view)
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

func (c *call) send(status int, contentType string, body []byte) error {
	h := c.w.Header()
	h.Set("Content-Type", contentType)
	if status == http.StatusOK && c.actor == nil && !c.forged && safeMethod(c.r.Method) {
		h.Set("Cache-Control", c.route.cache.cacheControl())
	}
	c.w.WriteHeader(status)
	_, err := c.w.Write(body)
	return err
}

// done answers an action that worked: 303 to a form, so that reloading does not send
// it again, or JSON to a program.
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
	c.w.Header().Set("Location", to)
	c.w.WriteHeader(http.StatusSeeOther)
	return nil
}

// back is where an action's form wants to return to: a path of this site, else /.
func back(path string) string {
	if len(path) < 1 || len(path) > 2048 || path[0] != '/' || strings.HasPrefix(path, "//") || strings.ContainsAny(path, "\\\r\n\t\x00") {
		return "/"
	}
	return path
}

// frame is the shell of a page; call it after the page's Read ran.
func (c *call) frame(a *App, title, description, canonical string) render.Frame {
	f := render.Frame{
		Title: title, Description: description, Path: c.place(), SiteName: a.SiteName, Notice: c.notice, Now: a.Source.Now(),
	}
	if canonical != "" {
		f.Canonical = a.SiteURL + canonical
	}
	if c.actor != nil {
		f.Viewer = &render.Viewer{Name: c.actor.Name, Admin: c.viewer != nil && c.viewer.Admin}
	}
	return f
}

// place is where somebody returns to who signs in or presses a button on this page: the
// page itself, of the sign-in pages where they lead, and of the answer to a form where it
// was sent from.
func (c *call) place() string {
	place := c.r.URL.RequestURI()
	if !safeMethod(c.r.Method) {
		place = c.cameFromPage(0, "/")
	}
	from, _, _ := strings.Cut(place, "?")
	for _, path := range []string{c.r.URL.Path, from} {
		if path == "/login" || path == "/signup" {
			return back(c.form.Get("next"))
		}
	}
	return place
}

// errSessionOver makes a page start again as a visitor's.
var errSessionOver = errors.New("the session was ended")

// read begins a page's reading; a member's comes with the state of their account.
func (c *call) read(a *App) *data.Read {
	r := a.DB.Read()
	if c.actor != nil {
		if safeMethod(c.r.Method) && c.route.access != moderator && c.route.access != admin {
			marker, changed := c.marker()
			r.For(c.actor.UserID, marker, changed, a.Source.Now())
		}
		c.viewer = a.sessions.FindViewer(r, *c.actor)
		if c.route.access == moderator {
			c.mods = a.communities.FindModerates(r, *c.actor, c.r.PathValue("community"))
		}
	}
	return r
}

// run sends what the page reads.
func (c *call) run(r *data.Read) error {
	if err := r.Run(c.r.Context()); err != nil {
		return err
	}
	if c.actor != nil && c.viewer != nil && !c.viewer.Live {
		return errSessionOver
	}
	return c.permitted()
}

// permitted tells whether the caller may have what the route shows.
func (c *call) permitted() error {
	switch c.route.access {
	case moderator:
		if c.mods == nil || !*c.mods {
			return errModerators
		}
	case admin:
		if c.viewer == nil || !c.viewer.Admin {
			return errAdmins
		}
	}
	return nil
}
