package credentials

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/accounts/sessions"
	"plaza/data/events/mails"
)

// Kinds of mails with a link, and of those links.
const (
	MailConfirm   mails.Kind = "confirm" // confirms an address
	MailReset     mails.Kind = "reset"   // sets a new password
	MailLogIn     mails.Kind = "log-in"  // begins a session
	MailForReauth mails.Kind = "prove"   // reauthenticates a session
)

// Kinds of mails that notify a member of a change.
const (
	MailPasswordChanged mails.Kind = "password-changed"
	MailAddressChanging mails.Kind = "address-changing" // to the previous address
)

const (
	// LinkLife is how long a mailed link works.
	LinkLife = 30 * time.Minute
	// ConfirmLife is how long a link that confirms an address works.
	ConfirmLife = 24 * time.Hour
)

// MailLink is a mailed link.
type MailLink struct {
	Hash     string // of its token
	Kind     mails.Kind
	User     data.ID // the member
	Username string
	Language string            // the tag of the member's language; "" for none
	Email    string            // the member's; "" for none
	About    map[string]string // mails.Mail.About

	credentials int64 // the value of users.credentials for which it works
}

const (
	// A suspended member also gets a link to log in, and then reads why they can't.
	linkForName = `INSERT INTO mail_links (hash, kind, user_id, about, credentials, expires_at)
SELECT :hash, :kind, id, :about, credentials, ` + data.DatabaseNow + ` + :life FROM users
WHERE id = ` + data.MemberNamed + ` AND (status = 'active' OR :kind = 'log-in') AND email_confirmed_at IS NOT NULL
ON CONFLICT (hash) DO UPDATE SET expires_at = excluded.expires_at`
	// Unique index users_confirmed_email.
	linkForEmail = `INSERT INTO mail_links (hash, kind, user_id, about, credentials, expires_at)
SELECT :hash, :kind, id, :about, credentials, ` + data.DatabaseNow + ` + :life FROM users
WHERE email_key = :name AND email_confirmed_at IS NOT NULL AND (status = 'active' OR :kind = 'log-in')
ON CONFLICT (hash) DO UPDATE SET expires_at = excluded.expires_at`
	// :credentials is '' for a mail that does not depend on users.credentials.
	linkForUser = `INSERT INTO mail_links (hash, kind, user_id, about, credentials, expires_at)
SELECT :hash, :kind, id, :about, credentials, ` + data.DatabaseNow + ` + :life FROM users
WHERE id = :user AND status = 'active' AND (:credentials = '' OR credentials = CAST(:credentials AS INTEGER))
ON CONFLICT (hash) DO UPDATE SET expires_at = excluded.expires_at`
	// A valid link: not used, not expired, and made for the member's current password and address.
	findLink = `SELECT l.kind, l.user_id, u.username, u.email, coalesce(nullif(u.choices, '') ->> '$.language', ''), l.about, l.credentials
FROM mail_links l
JOIN users u ON u.id = l.user_id AND u.credentials = l.credentials AND (u.status = 'active' OR l.kind = 'log-in')
WHERE l.hash = :hash AND l.used_by = 0 AND l.expires_at > ` + data.DatabaseNow
)

// MakeLink stores the link of a mail and returns it; nil if no account gets one. The account is the one with the name or confirmed address
// in About["login"] or, without that, User. If About["credentials"] is set, it must be the account's users.credentials. hash is the hash of
// the link's token. Making the same link again extends its life. Unavailable.
func (s *Store) MakeLink(ctx context.Context, m *mails.Waiting, hash string, life time.Duration) (*MailLink, error) {
	about, _ := json.Marshal(m.About) // encoding texts can't fail
	args := data.Args{"hash": hash, "kind": string(m.Kind), "about": string(about), "life": life, "now": s.Source.DatabaseNow()}
	sql := linkForUser
	if login := m.About["login"]; login == "" {
		args["user"], args["credentials"] = m.User, m.About["credentials"]
	} else if args["name"], sql = LoginKey(login), linkForName; strings.Contains(login, "@") {
		sql = linkForEmail
	}
	l := MailLink{Hash: hash}
	w := s.DB.Write()
	w.Do(sql, args)
	w.Find(findLink, data.Args{"hash": hash, "now": s.Source.DatabaseNow()}, l.scan)
	if err := w.Run(ctx); err != nil || l.User == 0 {
		return nil, err
	}
	return &l, nil
}

// FindMailLink reads a mailed link along with a page. User stays 0 for an invalid link.
func (s *Store) FindMailLink(r *data.Read, hash string) *MailLink {
	l := &MailLink{Hash: hash}
	r.Find(findLink, data.Args{"hash": hash, "now": s.Source.DatabaseNow()}, l.scan)
	return l
}

func (l *MailLink) scan(row *data.Row) {
	l.Kind, l.User, l.Username, l.Email = mails.Kind(row.Text()), row.ID(), row.Text(), row.Text()
	l.Language = row.Text()
	row.Fail(json.Unmarshal([]byte(row.Text()), &l.About))
	l.credentials = row.Int()
}

// MailLink returns a mailed link. ErrLinkInvalid, Unavailable.
func (s *Store) MailLink(ctx context.Context, hash string) (*MailLink, error) {
	r := s.DB.Read()
	l := s.FindMailLink(r, hash)
	if err := r.Run(ctx); err != nil {
		return nil, err
	}
	if l.User == 0 {
		return nil, ErrLinkInvalid
	}
	return l, nil
}

// ErrLinkInvalid is returned for a mailed link that is unknown, used, or expired.
var ErrLinkInvalid = &data.Error{Code: data.NotFound, Message: "This link doesn't work any more. It was used before, it is too old, or " +
	"your password or address was changed since. Please ask for a new one."}

// :by is an id of the request: a transaction that is sent twice uses the link once.
const useLink = `UPDATE mail_links SET used_by = :by WHERE hash = :hash AND kind = :kind AND (used_by = :by OR used_by = 0
  AND expires_at > ` + data.DatabaseNow + `
  AND EXISTS (SELECT 1 FROM users u WHERE u.id = mail_links.user_id AND u.credentials = mail_links.credentials AND (u.status = 'active'
  OR mail_links.kind = 'log-in')))`

// use adds the statement that uses up a link. It has written a row if the link was valid.
func (s *Store) use(w *data.Write, l *MailLink, kind mails.Kind, by data.ID) *data.Change {
	return w.Do(useLink, data.Args{"hash": l.Hash, "kind": string(kind), "by": by, "now": s.Source.DatabaseNow()})
}

// BeginByLink returns the session that a link of MailLogIn begins, and the link for sessions.SignIn. network is as in signup.Form.
func (s *Store) BeginByLink(l *MailLink, network string) (data.Actor, *sessions.Link) {
	actor := s.Sessions.Begin(l.User, l.Username)
	actor.Credentials = &l.credentials
	return actor, &sessions.Link{Hash: l.Hash, Void: ErrLinkInvalid, Use: func(w *data.Write) { s.useToLogIn(w, l, actor, network) }}
}

func (s *Store) useToLogIn(w *data.Write, l *MailLink, actor data.Actor, network string) *data.Change {
	used := s.use(w, l, MailLogIn, actor.SessionID)
	if network != "" {
		w.Do(sessions.SawNetworkIfChanged, data.Args{"user": l.User, "network": network, "at": s.Source.Now()})
	}
	return used
}

// LogInByLink uses up a link of MailLogIn before the second step of logging in, and returns the session that begins after that. network
// is as in signup.Form. ErrLinkInvalid, Unavailable.
func (s *Store) LogInByLink(ctx context.Context, l *MailLink, network string) (data.Actor, error) {
	actor, _ := s.BeginByLink(l, network)
	w := s.DB.Write()
	used := s.useToLogIn(w, l, actor, network)
	if err := w.Run(ctx); err != nil {
		return data.Actor{}, err
	}
	if used.Rows == 0 {
		return data.Actor{}, ErrLinkInvalid
	}
	return actor, nil
}

// It changes nothing, and only checks the condition.
const activeMember = `UPDATE users SET credentials = credentials WHERE id = :actor AND ` + data.LiveSession

// MailReauth enqueues a mail with a link that reauthenticates the session of a, and then leads to next. token is the form's.
// Unauthenticated, Unavailable.
func (s *Store) MailReauth(ctx context.Context, a data.Actor, token, next string) error {
	w := s.DB.Write()
	touched := w.Do(activeMember, a.Args(nil))
	mails.EnqueueIfChanged(w, s.Source, mails.Mail{Key: string(MailForReauth) + " " + token + " " + a.SessionID.Text(), Kind: MailForReauth,
		User:  a.UserID,
		About: map[string]string{"session": a.SessionID.Text(), "next": next}})
	if err := w.Run(ctx); err != nil {
		return err
	}
	if touched.Rows == 0 {
		return data.ErrSessionEnded
	}
	return nil
}

// ReauthByLink uses up a link of MailForReauth that the session of a requested. Forbidden for another session's link, ErrLinkInvalid,
// Unavailable.
func (s *Store) ReauthByLink(ctx context.Context, a data.Actor, l *MailLink) error {
	if l.About["session"] != a.SessionID.Text() {
		return ErrOtherSession
	}
	w := s.DB.Write()
	used := s.use(w, l, MailForReauth, s.Source.NewID(0, data.KindOther))
	if err := w.Run(ctx); err != nil {
		return err
	}
	if used.Rows == 0 {
		return ErrLinkInvalid
	}
	return nil
}

// ErrOtherSession is returned for a link that another browser or an earlier session requested.
var ErrOtherSession = &data.Error{Code: data.Forbidden, Message: "Please open this link in the browser in which you asked for it, where " +
	"you are logged in."}

// Index mail_links_expiry.
const purgeLinks = `DELETE FROM mail_links WHERE expires_at < ` + data.DatabaseNow

// PurgeLinks deletes old mailed links. Unavailable.
func (s *Store) PurgeLinks(ctx context.Context) error {
	w := s.DB.Write()
	w.Do(purgeLinks, data.Args{"now": s.Source.DatabaseNow()})
	return w.Run(ctx)
}
