package credentials

import (
	"context"
	"time"

	"plaza/data"
	"plaza/data/accounts/sessions"
	"plaza/data/events/mails"
	"plaza/data/events/outbox"
)

const (
	resetPassword = `UPDATE users SET password_hash = :hash, credentials = credentials + 1, unclaimed = 0 WHERE id = :user AND changes() > 0`
	// The session of :session continues under another id.
	changePassword = `UPDATE users SET password_hash = :hash, credentials = credentials + 1 WHERE id = :actor AND ` + data.LiveSession
	// Each hash has another salt, so only the request that made :hash stores it.
	hasPassword = `SELECT password_hash = :hash, credentials FROM users WHERE id = :user`
	// A member needs another sign-in method to remove the password.
	dropPassword = `UPDATE users SET password_hash = '', credentials = credentials + 1
WHERE id = :actor AND ` + sessions.AnotherMethod + ` AND ` + data.LiveSession
	// Revokes all sessions of the member that began before, if the previous statement wrote a row.
	revokeIfChanged = `INSERT INTO revocations (subject, before, expires_at) SELECT :subject, ` + sessions.AfterAllIssued + `, :expires
  WHERE changes() > 0
ON CONFLICT (subject) DO UPDATE SET before = max(before, excluded.before), expires_at = max(expires_at, excluded.expires_at)`
)

// ResetPassword sets a new password for the member of a link of MailReset. It ends all sessions of the member and begins another. A mail
// notifies the member. Invalid for the password, ErrLinkInvalid, Unavailable.
func (s *Store) ResetPassword(ctx context.Context, l *MailLink, password, network string) (data.Actor, error) {
	if err := ValidatePassword(password, l.Username, l.Email); err != nil {
		return data.Actor{}, err
	}
	created, err := s.NewHash(ctx, password)
	if err != nil {
		return data.Actor{}, err
	}
	w := s.DB.Write()
	s.use(w, l, MailReset, s.Source.NewID(0, data.KindOther))
	w.Do(resetPassword, data.Args{"user": l.User, "hash": created})
	end := s.passwordChanged(w, l.User)
	done := findPassword(w, l.User, created)
	if network != "" { // the previous statement that writes is the mail
		w.Do(sessions.SawNetworkIfChanged, data.Args{"user": l.User, "network": network, "at": s.Source.Now()})
	}
	if err := w.Run(ctx); err != nil {
		return data.Actor{}, err
	}
	if !done.same {
		return data.Actor{}, ErrLinkInvalid
	}
	ended, err := end(ctx)
	next := s.Sessions.BeginAt(l.User, l.Username, ended)
	next.Credentials = &done.credentials
	return next, err
}

// ChangePassword sets a new password. It ends all sessions of the member and returns one that replaces the caller's. A mail notifies the
// member. Invalid for the password, Unauthenticated, Unavailable.
func (s *Store) ChangePassword(ctx context.Context, a data.Actor, password string) (data.Actor, error) {
	r := s.DB.Read()
	account := s.FindAccount(r, a)
	if err := r.Run(ctx); err != nil {
		return data.Actor{}, err
	}
	if err := ValidatePassword(password, a.Name, account.Email); err != nil {
		return data.Actor{}, err
	}
	created, err := s.NewHash(ctx, password)
	if err != nil {
		return data.Actor{}, err
	}
	nextID := s.Source.NewID(0, data.KindOther)
	w := s.DB.Write()
	w.Do(sessions.MoveDevices, a.Args(data.Args{"next": nextID}))
	w.Do(changePassword, a.Args(data.Args{"hash": created}))
	end := s.passwordChanged(w, a.UserID)
	done := findPassword(w, a.UserID, created)
	if err := w.Run(ctx); err != nil {
		return data.Actor{}, err
	}
	if !done.same {
		return data.Actor{}, data.ErrSessionEnded
	}
	ended, err := end(ctx)
	next := s.Sessions.BeginAt(a.UserID, a.Name, ended)
	next.SessionID, next.Credentials = nextID, &done.credentials
	return next, err
}

// DropPassword removes a member's password. The member needs another way to log in: a confirmed address, a passkey or an account at
// another site. Sessions continue, and a mail notifies the member. Conflict when there is no other way, Unauthenticated.
func (s *Store) DropPassword(ctx context.Context, a data.Actor) error {
	w := s.DB.Write()
	dropped := w.Do(dropPassword, a.Args(sessions.RemovedMethod{Password: true}.Args(data.Args{})))
	s.enqueuePasswordChanged(w, a.UserID)
	live := false
	w.Find(data.CheckSession, a.Args(nil), func(row *data.Row) { live = row.Bool() })
	if err := w.Run(ctx); err != nil {
		return err
	}
	if !live {
		return data.ErrSessionEnded
	}
	if dropped.Rows == 0 {
		return &data.Error{Code: data.Conflict, Message: "Without a password you need another way to log in. Please confirm an email address " +
			"or add a passkey first."}
	}
	return nil
}

// findPassword adds a read of whether hash is stored for the member. It is also right if the transaction is sent again, because its
// response was lost, and then changes nothing: the first one has ended the session, or used the link.
func findPassword(w *data.Write, user data.ID, hash string) *foundPassword {
	found := &foundPassword{}
	w.Find(hasPassword, data.Args{"user": user, "hash": hash}, func(row *data.Row) { found.same, found.credentials = row.Bool(), row.Int() })
	return found
}

type foundPassword struct {
	same        bool
	credentials int64 // users.credentials
}

// passwordChanged adds what follows from a new password, if the previous statement wrote it: the mail that notifies the member, and the
// end of all sessions. Call end after the commit, and before another session begins: it ends the sessions in all databases, also
// those that began with the old password before the commit. It returns the time before which sessions ended.
func (s *Store) passwordChanged(w *data.Write, user data.ID) (end func(context.Context) (time.Time, error)) {
	revocation := func() data.Args {
		now := s.Source.Now()
		return data.Args{"subject": user, "before": now, "expires": now.Add(sessions.MemberRevocationLife)}
	}
	w.Do(revokeIfChanged, revocation())
	if s.DB.HasShards() { // in case end is not called
		outbox.EnqueueRevokeSessionsIfChanged(w, s.Source, user)
	}
	s.enqueuePasswordChanged(w, user)
	return func(ctx context.Context) (ended time.Time, err error) {
		w := s.DB.Write()
		w.Do(sessions.RevokeAll, revocation())
		w.Find(sessions.RevokedBefore, data.Args{"subject": user}, func(row *data.Row) { ended = row.Time() })
		others := sessions.EnqueueRevocations(w, s.DB, s.Source, user)
		if err := w.Run(ctx); err != nil {
			return time.Time{}, err
		}
		others.CopyNow(ctx)
		return ended, nil
	}
}

// enqueuePasswordChanged enqueues the mail that notifies a member of a new password, if the previous statement wrote a row.
func (s *Store) enqueuePasswordChanged(w *data.Write, user data.ID) {
	mails.EnqueueIfChanged(w, s.Source, mails.Mail{Key: string(MailPasswordChanged) + " " + s.Source.NewID(0, data.KindOther).Text(),
		Kind: MailPasswordChanged, User: user})
}

const passwordOf = `SELECT password_hash FROM users WHERE id = :actor AND ` + data.LiveSession

// CheckOwnPassword returns nil if the password is the member's own. Invalid names the field. Unauthenticated, Unavailable.
func (s *Store) CheckOwnPassword(ctx context.Context, a data.Actor, password string) error {
	var hash string
	live := false
	r := s.DB.Read()
	r.Find(passwordOf, a.Args(nil), func(row *data.Row) { hash, live = row.Text(), true })
	if err := r.Run(ctx); err != nil {
		return err
	}
	if !live {
		return data.ErrSessionEnded
	}
	if len(password) > passwordBytes {
		password = ""
	}
	right, err := s.CheckPassword(ctx, hash, password)
	if err != nil {
		return err
	}
	return data.MistakeIf(!right, "password", "That is not your password.")
}
