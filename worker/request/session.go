package request

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/accounts/sessions"
)

// sessionCookie carries the session. The prefix __Host- makes browsers take it from this host alone, for the whole
// site, over a secure connection (RFC 6265bis).
const sessionCookie = "__Host-session"

// Session is the content of the cookie. Its parts have times of their own: the id has the time of the last login or
// reauthentication; revocations are compared with IssuedAt; UsedAt is the last day of use.
type Session struct {
	data.Actor
	UsedAt time.Time
}

// valid reports whether a session has not expired.
func (s Session) valid(now time.Time) bool {
	return now.Sub(s.UsedAt) < sessions.SessionLife && now.Sub(s.SessionID.Time()) < sessions.SessionMax
}

// waits precedes the name of a member who waits for an administrator's approval, in the cookie. No name begins with it.
const waits = "~"

// agrees precedes the accepted version of the terms, and the year of birth, in the cookie.
const agrees = "!"

// EncodeSession returns user.session.issued.name, from the second day on .used, then what the member has agreed to, and the HMAC-SHA256
// over all of it. The cookie is enough to act as the member until it expires or is revoked. No look-up is needed.
func (s *Server) EncodeSession(session Session) string {
	name := session.Name
	if session.Unapproved {
		name = waits + name
	}
	body := session.UserID.Text() + "." + session.SessionID.Text() + "." + strconv.FormatInt(session.IssuedAt.UnixMilli(), 36) + "." + name
	if !session.UsedAt.Equal(session.IssuedAt) {
		body += "." + strconv.FormatInt(session.UsedAt.UnixMilli(), 36)
	}
	if a := session.Agreed; a != (data.Consent{}) {
		body += "." + agrees + strconv.FormatInt(a.Terms, 36) + agrees + strconv.FormatInt(a.Born, 36)
	}
	return body + "." + s.Signature(body)
}

// Signature is Sign, in characters that a cookie may have.
func (s *Server) Signature(body string) string {
	return base64.RawURLEncoding.EncodeToString(s.Sign(body))
}

// Sign returns the HMAC-SHA256 of a text under the site's secret.
func (s *Server) Sign(body string) []byte {
	m := hmac.New(sha256.New, s.Secret)
	_, _ = m.Write([]byte("session\x00" + body))
	return m.Sum(nil)
}

// decodeSession parses what EncodeSession made. ok is false if the signature is wrong, or the session has expired.
// Signatures are compared as text, because base64 has several ways to write the same bytes.
func (s *Server) decodeSession(cookie string) (session Session, ok bool) {
	i := strings.LastIndexByte(cookie, '.')
	if i < 0 || len(cookie) > 512 {
		return Session{}, false
	}
	if !hmac.Equal([]byte(cookie[i+1:]), []byte(s.Signature(cookie[:i]))) {
		return Session{}, false
	}
	parts := strings.Split(cookie[:i], ".")
	var agreed data.Consent
	if last := len(parts) - 1; strings.HasPrefix(parts[last], agrees) {
		terms, born, _ := strings.Cut(parts[last][len(agrees):], agrees)
		agreed.Terms, _ = strconv.ParseInt(terms, 36, 64)
		agreed.Born, _ = strconv.ParseInt(born, 36, 64)
		parts = parts[:last]
	}
	if len(parts) == 4 {
		parts = append(parts, parts[2])
	}
	if len(parts) != 5 {
		return Session{}, false
	}
	user, errU := data.ParseID(parts[0])
	id, errS := data.ParseID(parts[1])
	issued, errI := strconv.ParseInt(parts[2], 36, 64)
	used, errA := strconv.ParseInt(parts[4], 36, 64)
	if errU != nil || errS != nil || errI != nil || errA != nil {
		return Session{}, false
	}
	name, waiting := strings.CutPrefix(parts[3], waits)
	session = Session{data.Actor{UserID: user, SessionID: id, IssuedAt: time.UnixMilli(issued), Name: name, Unapproved: waiting,
		Agreed: agreed},
		time.UnixMilli(used)}
	return session, session.valid(s.Source.Now())
}

// readSession sets the caller from the cookie. A cookie that is not signed by this site, or has expired, is deleted in the browser.
func (s *Server) readSession(c *Call) {
	value, ok := c.Cookie(sessionCookie)
	if !ok {
		return
	}
	session, ok := s.knownSession(value)
	if !ok {
		c.forged = true
		http.SetCookie(c.W, EndedCookie())
		return
	}
	c.Actor, c.UsedAt = &session.Actor, session.UsedAt
}

// sessionsKnown bounds the cookies whose signature an instance remembers.
const sessionsKnown = 1000

// knownSession is decodeSession with a memory: an instance checks the signature of a cookie once. Its age is checked
// each time.
func (s *Server) knownSession(cookie string) (Session, bool) {
	s.mu.Lock()
	session, ok := s.known[cookie]
	s.mu.Unlock()
	if ok {
		return session, session.valid(s.Source.Now())
	}
	if session, ok = s.decodeSession(cookie); !ok {
		return session, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.known) >= sessionsKnown {
		clear(s.known)
	}
	s.known[cookie] = session
	return session, true
}

// signInHere returns a login on the caller's device.
func signInHere(c *Call, method string) sessions.SignIn {
	return sessions.SignIn{Method: method, Device: DeviceOf(c.R.UserAgent()), Network: NetworkOf(c.R)}
}

// StartSession begins a new session: it adds it to the member's list, and sends its cookie. method and link are those of
// sessions.SignIn.
func (s *Server) StartSession(c *Call, actor data.Actor, method string, link *sessions.Link) error {
	in := signInHere(c, method)
	in.Link = link
	found, err := s.Sessions.Start(c.R.Context(), actor, in)
	if err != nil {
		return err
	}
	c.DeletionCancelled, actor.Unapproved, actor.Agreed = found.Kept, found.Unapproved, found.Agreed
	s.SendSession(c, Session{actor, actor.IssuedAt})
	return nil
}

// SendSession sends the cookie of a session, and makes it the caller's.
func (s *Server) SendSession(c *Call, session Session) {
	remaining := min(sessions.SessionLife, session.SessionID.Time().Add(sessions.SessionMax).Sub(session.UsedAt))
	http.SetCookie(c.W, &http.Cookie{
		Name: sessionCookie, Value: s.EncodeSession(session), Path: "/", MaxAge: int(remaining / time.Second),
		Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
	c.Actor, c.UsedAt = &session.Actor, session.UsedAt
}

// useSession renews the cookie of a session once a day, on a page that has read that the session is live. The list of
// sessions is updated in the background. So an idle session expires, a used one lives on, and no page waits for that.
func (s *Server) useSession(c *Call) {
	now := s.Source.Now()
	today := !sessions.DayOf(c.UsedAt).Before(sessions.DayOf(now))
	if today && c.Viewer.Name == c.Actor.Name && c.Viewer.Unapproved == c.Actor.Unapproved && c.Viewer.Agreed == c.Actor.Agreed {
		return
	}
	session := Session{*c.Actor, now}
	session.Name, session.Unapproved, session.Agreed = c.Viewer.Name, c.Viewer.Unapproved, c.Viewer.Agreed // these may have changed since
	if today {
		session.UsedAt = c.UsedAt
	}
	s.SendSession(c, session)
	if today {
		return
	}
	seen := signInHere(c, "")
	s.Background(c.R.Context(), func(ctx context.Context) {
		if err := s.Sessions.Seen(ctx, session.Actor, seen); err != nil { // the use of the next day is recorded anyway
			s.Log.WarnContext(ctx, "use of a session not noted", "error", err)
		}
	})
}

// RenewSession gives the caller's session a new id, because the caller has just reauthenticated.
func (s *Server) RenewSession(c *Call) error {
	actor, err := s.Sessions.Renew(c.R.Context(), *c.Actor, signInHere(c, ""))
	if actor.UserID != 0 { // also if a database does not refuse the old one yet
		s.SendSession(c, Session{actor, s.Source.Now()})
	}
	return err
}

// EndedCookie returns the cookie that deletes the session's cookie in the browser.
func EndedCookie() *http.Cookie {
	return &http.Cookie{Name: sessionCookie, Path: "/", MaxAge: -1, Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode}
}
