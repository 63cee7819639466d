package request

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"plaza/data"
	"plaza/data/accounts/sessions"
	"plaza/data/moderation/modmail"
	"plaza/locale"
	"plaza/worker/request/session"
)

// bearer returns the token that a request carries. /healthz has a token of its own.
func (c *Call) bearer() (token string, ok bool) {
	scheme, token, _ := strings.Cut(c.R.Header.Get("Authorization"), " ")
	return strings.TrimSpace(token), strings.EqualFold(scheme, "Bearer") && c.Route.Pattern != "/healthz"
}

var (
	errToken = &data.Error{Code: data.Unauthenticated, Message: "This token doesn't work: this site did not make it, or it was ended. " +
		"Its member can make another at /settings/tokens."}
	errTokenOver = &data.Error{Code: data.Unauthenticated, Message: "This token has expired. Its member can make another at /settings/tokens."}
	errNotByAPI  = &data.Error{Code: data.Forbidden, Message: "No token can do this. It takes a member who is logged in."}
)

// SenderOf returns the id of the member whose session or token a request with these headers has; "" if this site has not signed it. It
// reads no database, so the session may have been ended.
func (s *Server) SenderOf(cookies, authorization string) string {
	c := &Call{Server: s, Route: &Route{}, R: &http.Request{Header: http.Header{"Cookie": {cookies}, "Authorization": {authorization}}}}
	if token, is := c.bearer(); is {
		if t, ok := s.Key.DecodeToken(token); ok && s.Source.Now().Before(t.Expires) {
			return t.UserID.Text()
		}
		return ""
	}
	cookie, _ := c.Cookie(session.CookieName)
	if known, ok := s.knownSession(cookie); ok {
		return known.UserID.Text()
	}
	return ""
}

// readToken sets the caller from a token. The session cookie of a request with a token is ignored.
func (s *Server) readToken(c *Call, text string) error {
	t, ok := s.Key.DecodeToken(text)
	switch {
	case !ok:
		c.forged = true
		return errToken
	case !s.Source.Now().Before(t.Expires):
		c.forged = true
		return errTokenOver
	case c.Route.Scope == NoToken:
		return errNotByAPI
	case t.Scopes&c.Route.Scope == 0:
		return c.errScope(c.Route.Scope)
	}
	c.Actor = &t.Actor
	return nil
}

// errScope returns the error for a token that lacks a scope, and names the scope in a header (RFC 6750).
func (c *Call) errScope(scope sessions.Scope) error {
	c.W.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="`+scope.String()+`"`)
	return &data.Error{Code: data.Forbidden, Message: locale.With("This token may not do that. It takes one that may {}.", scope.String())}
}

// ErrRoles turns the error of a program that acts as a moderator into that of the scope that its token lacks; no token may act as an
// administrator. It returns other errors unchanged.
func (c *Call) ErrRoles(err error) error {
	switch {
	case errors.Is(err, modmail.ErrRoles):
		return c.errScope(Moderates)
	case errors.Is(err, modmail.ErrAdministrators):
		return errNotByAPI
	}
	return err
}

// challenge sets the header that tells a program that its token was refused (RFC 6750).
func (c *Call) challenge(err error) error {
	if !errors.Is(err, ErrSessionOver) && data.ErrorCode(err) != data.Unauthenticated {
		return err
	}
	c.W.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
	if errors.Is(err, errTokenOver) {
		return err
	}
	return errToken
}

// tokensKnown bounds the tokens whose use an instance remembers.
const tokensKnown = 1000

// noteToken records, after a response, the day of a token's last use. An instance writes that once a day.
func (s *Server) noteToken(c *Call) {
	token, today := c.Actor.SessionID, sessions.DayOf(s.Source.Now())
	s.mu.Lock()
	noted := s.usedTokens[token].Equal(today)
	if !noted && len(s.usedTokens) >= tokensKnown {
		clear(s.usedTokens)
	}
	s.usedTokens[token] = today
	s.mu.Unlock()
	if noted {
		return
	}
	s.Background(c.R.Context(), func(ctx context.Context) {
		if err := s.Sessions.TokenUsed(ctx, token); err != nil { // the use of the next day is recorded anyway
			s.Log.WarnContext(ctx, "use of a token not noted", "error", err)
		}
	})
}

// isCrossSite reports whether a page of another site has made the browser send the request. A browser adds cookies to that by
// itself, but no token, and the page has none to add. So requests with a token and no cookie are not checked.
func (s *Server) isCrossSite(c *Call) bool {
	_, withCookie := c.Cookie(session.CookieName)
	return (!c.ByToken || withCookie) && s.origin.Check(c.R) != nil
}
