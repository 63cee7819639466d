package worker

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/wait"
)

// serve is the middleware of one route, in a format or as a page (nil): request id, recovery from panics, cross-origin check, session or token, access, budget
// and rate limit, in this order. ServeHTTP has set the security headers before.
func (a *App) serve(rt route, f *format) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if ctx := wait.ForRequest(r.Context()); ctx != r.Context() { // at the edge, the event's context has the deadline already
			r = r.WithContext(ctx)
		}
		text := isText(r.URL)
		r = rt.knownQuery(r)
		c := &call{app: a, w: w, r: r, route: rt, format: f, id: requestID(r), colour: a.communities.Colour, site: a.settings.Now}
		_, c.byToken = c.bearer()
		w.Header().Set("X-Request-Id", c.id)
		defer func() {
			if p := recover(); p != nil {
				a.fail(c, fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
			}
		}()
		if !text {
			a.fail(c, errNoPage)
			return
		}
		if err := a.admit(c); err != nil {
			if errors.Is(err, errSignIn) && a.signInFirst(c) || errors.Is(err, errProof) && a.proveFirst(c) {
				return
			}
			if rt.refused != nil && !c.byToken && c.parse() == nil && !errors.Is(err, errOrigin) {
				if err = rt.refused(c, err); err == nil {
					return
				}
			}
			a.fail(c, err)
			return
		}
		if safeMethod(r.Method) && rt.limit != limitExport {
			ctx, end := a.metered(c)
			c.r = c.r.WithContext(ctx)
			defer end()
		}
		if c.actor != nil && !safeMethod(r.Method) {
			a.mark(c)
			defer a.DB.ForgetOwn(c.actor.UserID)
		}
		if err := a.handle(c); err != nil {
			a.fail(c, err)
		} else if c.byToken {
			a.noteToken(c)
		}
		if safeMethod(r.Method) {
			a.noteSeen(c)
		}
	})
}

// admit decides whether a call may go on.
func (a *App) admit(c *call) error {
	if a.isCrossSite(c) {
		return errOrigin
	}
	if c.byToken {
		token, _ := c.bearer()
		if err := a.readToken(c, token); err != nil {
			return err
		}
	} else {
		a.readSession(c)
	}
	if a.SSOOnly && ownSignIn[c.route.Method+" "+c.route.Pattern] {
		return errSSOOnly
	}
	c.fuzz, c.at = a.fuzzer(c), a.Source.Now()
	if c.route.access != public && c.actor == nil {
		return errSignIn
	}
	if c.actor != nil && c.actor.Waits && !safeMethod(c.r.Method) && c.route.access != public && !whileWaiting[c.route.Pattern] {
		return errWaits
	}
	if c.route.access == proven && !a.proved(c) {
		return errProof
	}
	if safeMethod(c.r.Method) {
		if err := a.mayRead(c); err != nil {
			return err
		}
	}
	if c.route.limit.max > 0 {
		if err := a.checkLimit(c); err != nil {
			return err
		}
	}
	if !safeMethod(c.r.Method) {
		return c.parse()
	}
	return nil
}

// isText tells whether an address is valid UTF-8 without zero bytes. Databases don't take anything else as text.
func isText(u *url.URL) bool {
	good := func(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }
	if !good(u.Path) {
		return false
	}
	if !strings.Contains(u.RawQuery, "%") && good(u.RawQuery) {
		return true
	}
	for name, values := range u.Query() {
		if !good(name) || !good(strings.Join(values, "")) {
			return false
		}
	}
	return true
}

// requestID is the platform's own id of the request, or a random one.
func requestID(r *http.Request) string {
	if ray := r.Header.Get("Cf-Ray"); ray != "" && len(ray) <= 32 {
		return ray
	}
	var b [8]byte
	_, _ = rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// signInFirst sends a visitor who tried something that is for members to the login page, which leads back to where
// they were. It returns false where the answer is a 401 instead: for programs, for cookies that this site did not
// sign, and for forms in which something was typed (they are carried through logging in, account_carry.go).
func (a *App) signInFirst(c *call) bool {
	if c.forged || c.wantsJSON() || c.route.refused != nil && !safeMethod(c.r.Method) {
		return false
	}
	next := c.r.URL.RequestURI()
	if !safeMethod(c.r.Method) {
		if c.parse() != nil {
			return false
		}
		target, _ := data.ParseID(c.value("target"))
		next = c.cameFromPage(target, "/")
	}
	to := "/login?next=" + url.QueryEscape(next)
	if c.fragment() {
		c.w.Header().Set("HX-Redirect", to)
		c.w.WriteHeader(http.StatusNoContent)
		return true
	}
	_ = c.redirect(to)
	return true
}
