package request

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"net/http"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/accounts/sessions"
	"plaza/data/moderation/modmail"
	"plaza/locale"
)

// Programs act for a member by an API token in the header Authorization. A token is signed by the site, so its
// member and its scopes are known without a look-up. Pages read its row along with the rest, and statements that write check its
// revocation, as they do for a session.

// tokenPrefix is at the beginning of every token. Programs that look for leaked secrets know them by it.
const tokenPrefix = "plaza_"

// tokenLetters encodes the rest, in letters and digits, which a double click selects as one word.
var tokenLetters = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// The bytes of a token before its member's name, and those of the signature after it.
const (
	tokenHead      = 8 + 8 + 1 + 2 // ids of member and token, scopes, the day since 1970 on which it expires
	tokenSignature = 20
)

// apiToken is the content of a token.
type apiToken struct {
	data.Actor
	Scopes  sessions.Scope
	Expires time.Time
}

// EncodeToken returns the text of a token that was made for a member.
func (s *Server) EncodeToken(member data.Actor, t sessions.Token) string {
	b := binary.BigEndian.AppendUint64(nil, uint64(member.UserID))
	b = binary.BigEndian.AppendUint64(b, uint64(t.ID))
	b = append(b, byte(t.Scopes))
	b = binary.BigEndian.AppendUint16(b, uint16(t.ExpiresAt.Unix()/86400))
	b = append(b, member.Name...)
	return tokenPrefix + tokenLetters.EncodeToString(append(b, s.signToken(b)...))
}

func (s *Server) signToken(b []byte) []byte { return s.Sign("token\x00" + string(b))[:tokenSignature] }

// DecodeToken parses what EncodeToken has returned. ok is false if this site did not sign it, and for any other encoding of
// the same bytes.
func (s *Server) DecodeToken(text string) (t apiToken, ok bool) {
	letters, ok := strings.CutPrefix(text, tokenPrefix)
	if !ok || len(letters) > 200 {
		return t, false
	}
	b, err := tokenLetters.DecodeString(letters)
	if err != nil || len(b) <= tokenHead+tokenSignature || tokenLetters.EncodeToString(b) != letters {
		return t, false
	}
	b, signature := b[:len(b)-tokenSignature], b[len(b)-tokenSignature:]
	if !hmac.Equal(signature, s.signToken(b)) {
		return t, false
	}
	t.UserID, t.SessionID = data.ID(binary.BigEndian.Uint64(b)), data.ID(binary.BigEndian.Uint64(b[8:]))
	t.Scopes, t.Expires = sessions.Scope(b[16]), time.Unix(int64(binary.BigEndian.Uint16(b[17:]))*86400, 0)
	t.IssuedAt, t.Name, t.Token = t.SessionID.Time(), string(b[tokenHead:]), HashToken(text)
	if t.Roles = data.NoRoles; t.Scopes&sessions.Moderate != 0 {
		t.Roles = data.RolesInCommunities
	}
	return t, true
}

// HashToken returns the hash of a token, which the database stores instead of the token.
func HashToken(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.RawStdEncoding.EncodeToString(sum[:])
}

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
		if t, ok := s.DecodeToken(token); ok && s.Source.Now().Before(t.Expires) {
			return t.UserID.Text()
		}
		return ""
	}
	cookie, _ := c.Cookie(sessionCookie)
	if session, ok := s.knownSession(cookie); ok {
		return session.UserID.Text()
	}
	return ""
}

// readToken sets the caller from a token. The session cookie of a request with a token is ignored.
func (s *Server) readToken(c *Call, text string) error {
	t, ok := s.DecodeToken(text)
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
	_, withCookie := c.Cookie(sessionCookie)
	return (!c.ByToken || withCookie) && s.origin.Check(c.R) != nil
}
