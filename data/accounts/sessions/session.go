// Package sessions keeps sessions, API tokens, the networks from which members log in, and revocations. A session is valid because of its
// signed cookie, until a row of revocations ends it. The directory has all of it. Every other database has a copy of the revocations, so it
// refuses requests of an ended session by itself.
//
// docs/inside/requests.md says what is in a cookie and in a token, and when they end.
package sessions

import (
	"context"
	"time"

	"plaza/data"
)

const (
	// SessionLife is how long a session lasts while it is not used.
	SessionLife = 30 * 24 * time.Hour
	// SessionMax is how long a session lasts at most after its member has authenticated.
	SessionMax = 365 * 24 * time.Hour
	// revocationLife is how long a revocation is stored. A revoked session is not renewed, so by then its cookie has expired, even if clocks
	// differ.
	revocationLife = SessionLife + 24*time.Hour
	// MemberRevocationLife is the same for a revocation of all sessions and API tokens of a member.
	MemberRevocationLife = TokenMax + 48*time.Hour
)

// Store lists and ends sessions, and reads the state of their members. A session is valid by its signed cookie, until a row of
// revocations ends it. The table sessions is only for the list that members see.
type Store struct{ data.Base }

// A SignIn says how and where a member logs in.
type SignIn struct {
	Method  string // password, passkey, mail, or the name of a site where the member has an account
	Device  string // in plain words
	Network string // as ranking.NetworkOf; "" when unknown
	Link    *Link  // nil for another method
}

// Link is a mailed link by which a member logs in. The transaction that begins the session uses it up.
type Link struct {
	Hash string            // of its token
	Use  func(*data.Write) // adds the statement that uses it up, for the session
	Void error             // the error if it is no longer valid
}

const (
	// It adds the session to the list, or updates its last day of use.
	listSession = `INSERT INTO sessions (id, user_id, started_at, issued_at, seen_at, device, network, way)
SELECT :session, u.id, :started, :issued, :seen, :device, :network, :way FROM users u WHERE u.id = :actor AND u.status = 'active' AND ` +
		data.LiveSession + ` AND ` + loginValid + `
ON CONFLICT (id) DO UPDATE SET seen_at = max(seen_at, excluded.seen_at)`
	// A login cancels the deletion of the account (data/accounts/deletion).
	cancelDeletion = `DELETE FROM account_deletions WHERE user_id = :actor AND left_at IS NULL AND ` + data.LiveSession + `
  AND EXISTS (SELECT 1 FROM users u WHERE u.id = :actor AND u.status = 'active' AND ` + loginValid + `)`
	statusOf = `SELECT u.status, ` + data.LiveSession + ` AND ` + loginValid + `, u.waiting IS NOT NULL, u.terms,
  coalesce(u.birth_year, 0)
FROM users u WHERE u.id = :actor`
	// The password and address have not changed since the login was checked. data.LiveSession is not enough, because the clock of the
	// instance that checked the login may be ahead.
	sameCredentials = `(:credentials IS NULL OR u.credentials = :credentials)`
	// loginValid also has the condition that the session has used its mailed link, if it has one. Primary key.
	loginValid = sameCredentials + ` AND (:link IS NULL OR EXISTS (SELECT 1 FROM mail_links m WHERE m.hash = :link AND m.used_by = :session))`
)

// errEnded is returned for a login that began before all sessions of the member ended.
var errEnded = &data.Error{Code: data.Unauthenticated, Message: "While you were logging in, this account was logged out everywhere, " +
	"perhaps by a new password. Please log in again."}

// Started describes the account after Start.
type Started struct {
	Kept       bool // this login has cancelled the deletion of the account
	Unapproved bool // the account waits for approval by an administrator

	Agreed data.Consent
}

// Begin begins a session after a login.
func (s *Store) Begin(id data.ID, name string) data.Actor {
	return data.Actor{UserID: id, Name: name, SessionID: s.Source.NewID(0, data.KindOther), IssuedAt: s.Source.Now()}
}

// BeginAt is Begin for a session that begins at a time or later, although this instance's clock may be behind.
func (s *Store) BeginAt(id data.ID, name string, earliest time.Time) data.Actor {
	a := s.Begin(id, name)
	if a.IssuedAt.Before(earliest) {
		a.IssuedAt = earliest
	}
	return a
}

// Start adds a session that begins to the list, and cancels the deletion of the account. Forbidden for a suspended member, Unauthenticated
// if a new password has ended the session already, Link.Void, Unavailable.
func (s *Store) Start(ctx context.Context, a data.Actor, in SignIn) (found Started, err error) {
	status, live := "", false
	w := s.DB.Write()
	if in.Link != nil {
		in.Link.Use(w)
	}
	w.Do(listSession, s.listed(a, in))
	cancelled := w.Do(cancelDeletion, checked(a, in))
	w.Find(statusOf, checked(a, in), func(row *data.Row) {
		status, live, found.Unapproved, found.Agreed = row.Text(), row.Bool(), row.Bool(), data.Consent{Terms: row.Int(), Born: row.Int()}
	})
	if err := w.Run(ctx); err != nil {
		return found, err
	}
	switch {
	case status != "active":
		return found, errSuspended(ctx, s.DB, a.UserID)
	case !live && in.Link != nil:
		return found, in.Link.Void
	case !live:
		return found, errEnded
	}
	found.Kept = cancelled.Rows > 0
	return found, nil
}

// EndAll logs a member out everywhere and ends the member's API tokens. It may be repeated. Unavailable.
func (s *Store) EndAll(ctx context.Context, user data.ID) error {
	w := s.DB.Write()
	revoked := s.revokeAll(w, user, s.Source.Now())
	return runAndCopy(ctx, w, revoked)
}

// revokeAll revokes all sessions and tokens of a member in a transaction.
func (s *Store) revokeAll(w *data.Write, user data.ID, before time.Time) *RevocationCopies {
	w.Do(RevokeAll, data.Args{"subject": user, "before": before, "expires": s.Source.Now().Add(MemberRevocationLife)})
	return EnqueueRevocations(w, s.DB, s.Source, user)
}

// Seen records that a session was used today. Unavailable.
func (s *Store) Seen(ctx context.Context, a data.Actor, in SignIn) error {
	w := s.DB.Write()
	w.Do(listSession, s.listed(a, in))
	return w.Run(ctx)
}

func (s *Store) listed(a data.Actor, in SignIn) data.Args {
	args := checked(a, in)
	args["started"], args["seen"] = a.SessionID.Time(), DayOf(s.Source.Now())
	args["device"], args["network"], args["way"] = in.Device, in.Network, in.Method
	return args
}

// checked returns the parameters of data.LiveSession and of loginValid.
func checked(a data.Actor, in SignIn) data.Args {
	args := a.Args(data.Args{"credentials": nil, "link": nil})
	if a.Credentials != nil {
		args["credentials"] = *a.Credentials
	}
	if in.Link != nil {
		args["link"] = in.Link.Hash
	}
	return args
}

// DayOf returns the start of a day, UTC.
func DayOf(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

const (
	// AfterAllIssued is :before, or a time after all sessions and API tokens of the member :subject were issued, if that is later: an instance
	// whose clock is ahead may have issued them. Indexes sessions_user and tokens_user.
	AfterAllIssued = `max(:before, (SELECT coalesce(max(issued_at), 0) + 1 FROM sessions WHERE user_id = :subject),
  (SELECT coalesce(max(created_at), 0) + 1 FROM tokens WHERE user_id = :subject))`
	// RevokeAll is Revoke for all sessions of a member.
	RevokeAll = `INSERT INTO revocations (subject, before, expires_at) VALUES (:subject, ` + AfterAllIssued + `, :expires)` + orLonger
	Revoke    = `INSERT INTO revocations (subject, before, expires_at) VALUES (:subject, :before, :expires)` + orLonger
	// RevokedBefore is the time before which the sessions and tokens of a member ended.
	RevokedBefore = `SELECT before FROM revocations WHERE subject = :subject`
	orLonger      = `
ON CONFLICT (subject) DO UPDATE SET before = max(before, excluded.before), expires_at = max(expires_at, excluded.expires_at)`
	unlistSession = `DELETE FROM sessions WHERE id = :session`
)

// End logs a session out: from then on every database refuses its cookie. It may be repeated. Unavailable.
func (s *Store) End(ctx context.Context, a data.Actor) error { return s.end(ctx, a.SessionID) }

func (s *Store) end(ctx context.Context, session data.ID) error {
	w := s.DB.Write()
	w.Do(unlistSession, data.Args{"session": session})
	return s.runAndRevoke(ctx, w, session, s.Source.Now().Add(revocationLife), revocationLife)
}

// runAndRevoke runs a transaction in the directory that also revokes a session or an API token, if it was issued before a time. life is the
// time within which it expires by itself.
func (s *Store) runAndRevoke(ctx context.Context, w *data.Write, subject data.ID, before time.Time, life time.Duration) error {
	w.Do(Revoke, data.Args{"subject": subject, "before": before, "expires": s.Source.Now().Add(life)})
	return runAndCopy(ctx, w, EnqueueRevocations(w, s.DB, s.Source, subject))
}

// runAndCopy runs a transaction that revokes, and copies the revocation to the other databases. The retry job updates those that are down
// (CopyRevocations).
func runAndCopy(ctx context.Context, w *data.Write, revoked *RevocationCopies) error {
	if err := w.Run(ctx); err != nil {
		return err
	}
	revoked.CopyNow(ctx)
	return nil
}

// Index revocations_expiry.
const purgeRevocations = `DELETE FROM revocations WHERE expires_at < ` + data.DatabaseNow

// Purge deletes revocations of sessions and tokens that have expired by themselves.
func (s *Store) Purge(ctx context.Context) error {
	return s.DB.WriteEverywhere(ctx, func(w *data.Write) {
		w.Do(purgeRevocations, data.Args{"now": s.Source.DatabaseNow()})
	})
}
