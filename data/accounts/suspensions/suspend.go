// Package suspensions suspends, bans and restores members: one member, or all whom a member invited, directly or through others. The
// directory is written first, and from then on the member can't log in. The same transaction enqueues outbox.JobRevokeSessions, which
// copies the row of revocations to the other databases.
//
// Begin with Store.Decide (decide.go) and invite_tree.go. docs/inside/accounts.md says why the end of a suspension writes no other
// database.
package suspensions

import (
	"context"
	"strings"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/accounts/sessions"
	"plaza/data/events/modlog"
)

// forever is a time after the start of any session. While revocations has it, a member has no valid session, even one that began after
// the suspension because a login was in progress or a clock was ahead.
const forever = int64(1) << 62

// suspensionLife is how long the rows of a suspension are stored. While the directory says "suspended", the member can't log in, so by
// then all cookies and API tokens have expired.
const suspensionLife = sessions.MemberRevocationLife

const (
	memberByName = `SELECT id, status FROM users WHERE id = ` + data.MemberNamed
	// The conditions of an entry in the log: the member can log in, now or after a suspension; the member can't log in.
	canLogIn    = `EXISTS (SELECT 1 FROM users o WHERE o.id = :user AND (o.status = 'active' OR o.suspended_until IS NOT NULL))`
	cannotLogIn = `EXISTS (SELECT 1 FROM users o WHERE o.id = :user AND o.status <> 'active' AND o.username <> '')`
	restoreUser = `UPDATE users SET status = 'active', suspended_until = NULL WHERE id = :id AND username <> ''`
	// Sessions from before the restore stay void.
	restoreHere = `INSERT INTO revocations (subject, before, expires_at) SELECT u.id, :before, :expires FROM users u WHERE u.id = :subject
  AND u.status = 'active'
ON CONFLICT (subject) DO UPDATE SET before = excluded.before, expires_at = excluded.expires_at`
)

// Store suspends and restores members.
type Store struct{ data.Base }

// Suspend suspends a member without an end, and makes every database refuse writes of the member's sessions. It may be repeated. The log
// entry names no administrator. NotFound, Unavailable; with ErrLater, the retry job updates some databases later (CopyRevocations).
//
// The directory is written first: from then on the member can't log in, and then every other database ends the existing sessions.
func (s *Store) Suspend(ctx context.Context, name string) error {
	id, _, err := s.member(ctx, name)
	if err != nil {
		return err
	}
	w := s.DB.Write()
	entry := modlog.NewEntry{ID: s.Source.NewID(0, data.KindOther), Action: modlog.Suspend, Target: id, Author: id}
	modlog.Add(w, data.Actor{}, entry, canLogIn, data.Args{"user": id})
	w.Do(sanction, data.Args{"user": id, "status": "suspended", "until": nil, "entry": entry.ID})
	w.Do(sessions.Revoke, data.Args{"subject": id, "before": forever, "expires": s.Source.Now().Add(suspensionLife)})
	revoked := sessions.EnqueueRevocations(w, s.DB, s.Source, id)
	if err := w.Run(ctx); err != nil {
		return err
	}
	return revoked.Copy(ctx)
}

// Restore ends a suspension or a ban. The member has to log in again, because earlier sessions stay revoked. For other members it does
// nothing. It may be repeated like Suspend. NotFound, Unavailable, ErrLater.
//
// The directory is written first here, too. A database that is down refuses the member's writes until it is updated.
func (s *Store) Restore(ctx context.Context, name string) error {
	id, status, err := s.member(ctx, name)
	if err != nil || status == "active" {
		return err
	}
	w := s.DB.Write()
	modlog.Add(w, data.Actor{}, modlog.NewEntry{ID: s.Source.NewID(0, data.KindOther), Action: modlog.Restore, Target: id, Author: id},
		cannotLogIn, data.Args{"user": id})
	w.Do(restoreUser, data.Args{"id": id})
	w.Do(restoreHere, s.restoreArgs(id))
	revoked := sessions.EnqueueRevocations(w, s.DB, s.Source, id)
	if err := w.Run(ctx); err != nil {
		return err
	}
	return revoked.Copy(ctx)
}

// restoreArgs returns the arguments of restoreHere.
func (s *Store) restoreArgs(id data.ID) data.Args {
	now := s.Source.Now()
	return data.Args{"subject": id, "before": now, "expires": now.Add(suspensionLife)}
}

// member finds a member by name. NotFound.
func (s *Store) member(ctx context.Context, name string) (id data.ID, status string, err error) {
	r := s.DB.Read()
	r.Find(memberByName, data.Args{"name": strings.ToLower(name)}, func(row *data.Row) { id, status = row.ID(), row.Text() })
	if err = r.Run(ctx); err == nil && id == 0 {
		err = accounts.ErrNoMember
	}
	return id, status, err
}
