package data

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"plaza/data/hrana"
)

// forever is later than any session: whoever is suspended has none, whatever the clocks
// of the instances say and however late a sign-in that was under way ends.
const forever = int64(1) << 62

// suspensionLife is how long the rows of a suspension are worth keeping. Nobody signs in
// while the directory says "suspended", so all cookies have run out by then.
const suspensionLife = SessionLife + 24*time.Hour

const (
	// Unique index and primary keys.
	memberByName = `SELECT id, status FROM users WHERE username_key = ?1`
	suspendUser  = `UPDATE users SET status = 'suspended' WHERE id = ?1 AND status = 'active'`
	restoreUser  = `UPDATE users SET status = 'active' WHERE id = ?1 AND status = 'suspended'`
	// What was issued up to now stays void.
	restoreSessions = `INSERT INTO revocations (subject, before, expires_at) VALUES (?1, ?2, ?3)
ON CONFLICT (subject) DO UPDATE SET before = excluded.before, expires_at = excluded.expires_at`
	setAdmin = `UPDATE users SET admin = ?2 WHERE username_key = ?1`
)

// Suspend keeps a member from signing in, and every database from writing for sessions
// that the member has. It may be repeated, and must be when it returns an error: what a
// database that was down has missed is written then.
//
// The directory comes first. From then on nobody signs in, so that there is no session
// that a database passed before would let in. NotFound, Unavailable.
func (s *UserStore) Suspend(ctx context.Context, name string) error {
	id, _, err := s.member(ctx, name)
	if err != nil {
		return err
	}
	void := stmt(revoke, id, forever, s.Source.Now().Add(suspensionLife).UnixMilli())
	if _, err := tx(ctx, s.DB.directory, stmt(suspendUser, id), void); err != nil {
		return err
	}
	return s.onShards(ctx, void)
}

// Restore ends a suspension. The member signs in again: sessions from before stay void.
// A member who is not suspended stays as they are. It may be repeated like Suspend.
//
// The directory comes last, so that nobody signs in who some database would refuse.
// NotFound, Unavailable.
func (s *UserStore) Restore(ctx context.Context, name string) error {
	id, status, err := s.member(ctx, name)
	if err != nil || status != "suspended" {
		return err
	}
	now := s.Source.Now()
	end := stmt(restoreSessions, id, now.UnixMilli(), now.Add(suspensionLife).UnixMilli())
	if err := s.onShards(ctx, end); err != nil {
		return err
	}
	_, err = tx(ctx, s.DB.directory, stmt(restoreUser, id), end)
	return err
}

// onShards writes into every database but the directory, also when some can't be reached.
func (s *UserStore) onShards(ctx context.Context, write hrana.Stmt) (err error) {
	for i, c := range s.DB.databases()[1:] {
		if _, failed := tx(ctx, c, write); failed != nil {
			err = errors.Join(err, fmt.Errorf("thread shard %d: %w", i, failed))
		}
	}
	return err
}

// SetAdmin makes a member an administrator of the site, or ends that. NotFound.
func (s *UserStore) SetAdmin(ctx context.Context, name string, on bool) error {
	results, err := tx(ctx, s.DB.directory, stmt(setAdmin, strings.ToLower(name), on))
	if err == nil && results[0].RowsAffected == 0 {
		err = errNoMember
	}
	return err
}

func (s *UserStore) member(ctx context.Context, name string) (id ID, status string, err error) {
	r := s.DB.Read()
	r.add(s.DB.directory, stmt(memberByName, strings.ToLower(name)), func(res hrana.Result) error {
		return each(res, func(row *row) { id, status = row.id(), row.text() })
	})
	if err = r.Run(ctx); err == nil && id == 0 {
		err = errNoMember
	}
	return id, status, err
}

var errNoMember = &Error{Code: NotFound, Message: "There is nobody of that name here."}
