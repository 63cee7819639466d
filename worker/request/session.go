package request

import (
	"context"

	"plaza/data"
	"plaza/data/accounts/sessions"
	"plaza/worker/request/session"
)

// readSession sets the caller from the cookie. A cookie that is not signed by this site, or has expired, is deleted in the browser.
func (s *Server) readSession(c *Call) {
	value, ok := c.Cookie(session.CookieName)
	if !ok {
		return
	}
	known, ok := s.knownSession(value)
	if !ok {
		c.forged = true
		c.DropCookie(session.CookieName)
		return
	}
	c.Actor, c.UsedAt = &known.Actor, known.UsedAt
}

// sessionsKnown bounds the cookies whose signature an instance remembers.
const sessionsKnown = 1000

// knownSession is Key.DecodeSession with a memory: an instance checks the signature of a cookie once. Its age is checked
// each time.
func (s *Server) knownSession(cookie string) (session.Session, bool) {
	s.mu.Lock()
	known, ok := s.known[cookie]
	s.mu.Unlock()
	if ok {
		return known, known.Valid(s.Source.Now())
	}
	if known, ok = s.Key.DecodeSession(cookie); !ok || !known.Valid(s.Source.Now()) {
		return known, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.known) >= sessionsKnown {
		clear(s.known)
	}
	s.known[cookie] = known
	return known, true
}

// signInHere returns a login on the caller's device.
func signInHere(c *Call, method string) sessions.SignIn {
	return sessions.SignIn{Method: method, Device: session.DeviceOf(c.R.UserAgent()), Network: NetworkOf(c.R)}
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
	s.SendSession(c, session.Session{Actor: actor, UsedAt: actor.IssuedAt})
	return nil
}

// SendSession sends the cookie of a session, and makes it the caller's.
func (s *Server) SendSession(c *Call, sent session.Session) {
	c.SetCookie(session.CookieName, s.Key.EncodeSession(sent), sent.Remaining())
	c.Actor, c.UsedAt = &sent.Actor, sent.UsedAt
}

// useSession renews the cookie of a session once a day, on a page that has read that the session is live. The list of
// sessions is updated in the background. So an idle session expires, a used one lives on, and no page waits for that.
func (s *Server) useSession(c *Call) {
	now := s.Source.Now()
	today := !sessions.DayOf(c.UsedAt).Before(sessions.DayOf(now))
	if today && c.Viewer.Name == c.Actor.Name && c.Viewer.Unapproved == c.Actor.Unapproved && c.Viewer.Agreed == c.Actor.Agreed {
		return
	}
	renewed := session.Session{Actor: *c.Actor, UsedAt: now}
	renewed.Name, renewed.Unapproved, renewed.Agreed = c.Viewer.Name, c.Viewer.Unapproved, c.Viewer.Agreed // these may have changed since
	if today {
		renewed.UsedAt = c.UsedAt
	}
	s.SendSession(c, renewed)
	if today {
		return
	}
	seen := signInHere(c, "")
	s.Background(c.R.Context(), func(ctx context.Context) {
		if err := s.Sessions.Seen(ctx, renewed.Actor, seen); err != nil { // the use of the next day is recorded anyway
			s.Log.WarnContext(ctx, "use of a session not noted", "error", err)
		}
	})
}

// RenewSession gives the caller's session a new id, because the caller has just reauthenticated.
func (s *Server) RenewSession(c *Call) error {
	actor, err := s.Sessions.Renew(c.R.Context(), *c.Actor, signInHere(c, ""))
	if actor.UserID != 0 { // also if a database does not refuse the old one yet
		s.SendSession(c, session.Session{Actor: actor, UsedAt: s.Source.Now()})
	}
	return err
}
