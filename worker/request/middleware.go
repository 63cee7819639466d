package request

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"
	"time"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/pace/deadline"
	"plaza/worker/request/limit"
)

// handler is the middleware of one route, in a format or as a page (nil): request id, recovery from panics, cross-origin check, session or
// token, access, budget and rate limit, in this order. Server.ServeHTTP has set the security headers before.
func (s *Server) handler(rt *Route, f *Format) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if ctx := deadline.ForRequest(r.Context()); ctx != r.Context() { // at the edge, the event's context has the deadline already
			r = r.WithContext(ctx)
		}
		text := IsText(r.URL)
		r = rt.knownQuery(r)
		c := &Call{Server: s, W: w, R: r, Route: rt, Format: f, ID: requestID(r),
			Colour: s.Communities.Colour, Icon: s.Communities.Icon, Site: s.Settings.Now}
		_, c.ByToken = c.bearer()
		defer s.measured(c)()
		if s.DB.Replicated() && !c.ByToken {
			c.readReplicas()
		}
		w.Header().Set("X-Request-Id", c.ID)
		defer func() {
			if p := recover(); p != nil {
				s.fail(c, fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
			}
		}()
		if !text {
			s.fail(c, ErrNoPage)
			return
		}
		if err := s.admit(c); err != nil {
			if errors.Is(err, ErrSignIn) && s.signInFirst(c) || errors.Is(err, ErrReauth) && s.reauthFirst(c) ||
				isRequirement(err) && s.agreeFirst(c) {
				return
			}
			if rt.refused != nil && !c.ByToken && c.Parse() == nil && !errors.Is(err, errOrigin) {
				if err = rt.refused(c, err); err == nil {
					return
				}
			}
			s.fail(c, err)
			return
		}
		release, err := s.visit(c)
		if err != nil {
			s.fail(c, err)
			return
		}
		defer release()
		if SafeMethod(r.Method) && rt.Limit != limit.Export {
			defer s.spendRead(c, c.rows.RowsRead())
		}
		if c.Actor != nil && !SafeMethod(r.Method) {
			s.SetFreshCookie(c)
			defer s.DB.InvalidateMember(c.Actor.UserID)
		}
		if err := s.handle(c); err != nil {
			s.fail(c, err)
		} else if c.ByToken {
			s.noteToken(c)
		}
		if SafeMethod(r.Method) {
			s.noteSeen(c)
		}
	})
}

// settingsWait is how long an action waits for the settings.
const settingsWait = 2 * time.Second

// admit decides whether a call may go on.
func (s *Server) admit(c *Call) error {
	if s.isCrossSite(c) {
		return errOrigin
	}
	if c.ByToken {
		token, _ := c.bearer()
		if err := s.readToken(c, token); err != nil {
			return err
		}
	} else {
		s.readSession(c)
	}
	if !SafeMethod(c.R.Method) { // pages read the settings in their own read
		_ = s.Settings.Refresh(deadline.ForPart(c.R.Context(), settingsWait)) // an error leaves them as they are
	}
	// Calls try this until one has succeeded. After an error, the statements try it themselves.
	_ = s.Settings.DB.KnowSlots(deadline.ForPart(c.R.Context(), settingsWait))
	if err := c.open(); err != nil {
		return err
	}
	if s.SSOOnly && ownSignIn[c.Route.Method+" "+c.Route.Pattern] {
		return ErrSSOOnly
	}
	c.fuzz, c.At = s.fuzzer(c), s.Source.Now()
	if c.Route.Access != Public && c.Actor == nil {
		return ErrSignIn
	}
	if c.Actor != nil && c.Actor.Unapproved && !SafeMethod(c.R.Method) && c.Route.Access != Public && !whileUnapproved[c.Route.Pattern] {
		return errUnapproved
	}
	if err := c.agreed(); err != nil {
		return err
	}
	if err := s.admitCachedOnly(c); err != nil {
		return err
	}
	if c.Route.Access == Reauthenticated && !s.Reauthenticated(c) {
		return ErrReauth
	}
	if SafeMethod(c.R.Method) {
		if err := s.MayRead(c); err != nil {
			return err
		}
	}
	if c.Route.Limit.Max > 0 {
		if err := s.checkLimit(c); err != nil {
			return err
		}
	}
	if !SafeMethod(c.R.Method) {
		return c.Parse()
	}
	return nil
}

// IsText reports whether an address is valid UTF-8 without zero bytes. Databases accept nothing else as text.
func IsText(u *url.URL) bool {
	valid := func(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }
	if !valid(u.Path) {
		return false
	}
	if !strings.Contains(u.RawQuery, "%") && valid(u.RawQuery) {
		return true
	}
	for name, values := range u.Query() {
		if !valid(name) || !valid(strings.Join(values, "")) {
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

// signInFirst redirects a visitor who tried something that is for members to the login page, which leads back to where
// they were. It returns false if the response is a 401 instead: for programs, for cookies that this site did not
// sign, and for forms in which something was typed (they are carried through logging in, resume_form.go).
func (s *Server) signInFirst(c *Call) bool {
	if c.forged || c.WantsJSON() || c.Route.refused != nil && !SafeMethod(c.R.Method) {
		return false
	}
	next := c.R.URL.RequestURI()
	if !SafeMethod(c.R.Method) {
		if c.Parse() != nil {
			return false
		}
		target, _ := data.ParseID(c.Value("target"))
		next = c.CameFromPage(target, "/")
		s.keepWanted(c, next)
	}
	_ = c.Done("/login?next="+url.QueryEscape(next), nil)
	return true
}
