package sessions

import (
	"context"
	"time"

	"plaza/data"
)

// Session is a session in a member's list.
type Session struct {
	ID        data.ID
	StartedAt time.Time // when the member logged in
	SeenAt    time.Time // the start of its last day of use, UTC
	SignIn
}

// sessionsShown is how many sessions a member sees. EndOthers also ends the ones that are not shown.
const sessionsShown = 50

// Index sessions_user, then the primary key of revocations. Sessions that a new password or a suspension has ended are not listed.
const sessionsOf = `SELECT s.id, s.started_at, s.seen_at, s.device, s.network, s.way FROM sessions s
WHERE s.user_id = :actor AND s.seen_at > :since AND s.id > :oldest
  AND NOT EXISTS (SELECT 1 FROM revocations r WHERE r.subject IN (s.user_id, s.id) AND r.before > s.issued_at)
ORDER BY s.seen_at DESC, s.id DESC LIMIT :limit`

// FindList reads a member's sessions along with a page, the last used first, sessionsShown at most.
func (s *Store) FindList(r *data.Read, user data.ID) *[]Session {
	list := &[]Session{}
	now := s.Source.Now()
	r.Find(sessionsOf, data.Args{"actor": user, "since": DayOf(now).Add(-SessionLife),
		"oldest": data.NewID(now.Add(-SessionMax), 0, data.KindOther, 0), "limit": sessionsShown}, func(row *data.Row) {
		*list = append(*list, Session{row.ID(), row.Time(), row.Time(), SignIn{Device: row.Text(), Network: row.Text(), Method: row.Text()}})
	})
	return list
}

const ownSession = `SELECT EXISTS (SELECT 1 FROM sessions s WHERE s.id = :ended AND s.user_id = :actor), ` + data.LiveSession

// EndOne ends one of the actor's sessions, on any device. A session that has ended is no error. It may be repeated after an error.
// ErrSessionEnded, Unavailable.
func (s *Store) EndOne(ctx context.Context, a data.Actor, session data.ID) error {
	own, live := false, false
	r := s.DB.Read()
	r.Find(ownSession, a.Args(data.Args{"ended": session}), func(row *data.Row) { own, live = row.Bool(), row.Bool() })
	switch err := r.Run(ctx); {
	case err != nil:
		return err
	case !live:
		return data.ErrSessionEnded
	case !own:
		return nil
	}
	return s.end(ctx, session)
}

const (
	// The cookie of the current session is reissued when all others have ended.
	reissueSession = `UPDATE sessions SET issued_at = (SELECT before FROM revocations WHERE subject = :actor) WHERE id = :session`
	// Index sessions_user.
	unlistOthers = `DELETE FROM sessions WHERE user_id = :actor AND id <> :session`
	isLive       = `SELECT ` + data.LiveSession + ` FROM users u WHERE u.id = :actor AND u.status = 'active'`
)

// EndOthers ends all of the actor's other sessions and API tokens. This session continues with a new cookie, for the actor that EndOthers
// returns. The old cookie is invalid. If it returns Unavailable and an actor, it may have worked. It may be repeated. ErrSessionEnded,
// Unavailable.
func (s *Store) EndOthers(ctx context.Context, a data.Actor) (data.Actor, error) {
	live := false
	r := s.DB.Read()
	r.Find(isLive, a.Args(nil), func(row *data.Row) { live = row.Bool() })
	if err := r.Run(ctx); err != nil {
		return data.Actor{}, err
	}
	if !live {
		return data.Actor{}, data.ErrSessionEnded
	}
	next := a
	next.IssuedAt = s.Source.Now()
	if !next.IssuedAt.After(a.IssuedAt) { // another instance's clock is ahead
		next.IssuedAt = a.IssuedAt.Add(time.Millisecond)
	}
	w := s.DB.Write()
	revoked := s.revokeAll(w, a.UserID, next.IssuedAt)
	w.Do(reissueSession, data.Args{"session": a.SessionID, "actor": a.UserID})
	w.Do(unlistOthers, data.Args{"actor": a.UserID, "session": a.SessionID})
	w.Find(RevokedBefore, data.Args{"subject": a.UserID}, func(row *data.Row) { next.IssuedAt = row.Time() })
	err := runAndCopy(ctx, w, revoked)
	return next, err
}

const (
	copySession = `INSERT INTO sessions (id, user_id, started_at, issued_at, seen_at, device, network, way)
SELECT :next, :actor, coalesce(s.started_at, :started), :issued, :seen, coalesce(s.device, :device), coalesce(s.network, :network),
  coalesce(s.way, '')
FROM users u LEFT JOIN sessions s ON s.id = :session WHERE u.id = :actor AND u.status = 'active' AND ` + data.LiveSession + `
ON CONFLICT (id) DO NOTHING`
	isListed = `SELECT 1 FROM sessions WHERE id = :next`
	// Index devices_session. Devices belong to sessions (data/events/pushes).
	MoveDevices = `UPDATE devices SET session_id = :next WHERE session_id = :session AND user_id = :actor AND ` + data.LiveSession
)

// Renew gives a session a new id after reauthentication. Copies of the earlier cookie are void. ErrSessionEnded, Unavailable.
func (s *Store) Renew(ctx context.Context, a data.Actor, in SignIn) (data.Actor, error) {
	next := a
	next.SessionID = s.Source.NewID(0, data.KindOther)
	listed := false
	args := s.listed(a, in)
	args["next"] = next.SessionID
	w := s.DB.Write()
	delete(args, "way")
	delete(args, "credentials") // checked when the session began
	delete(args, "link")
	w.Do(copySession, args)
	w.Do(MoveDevices, a.Args(data.Args{"next": next.SessionID}))
	w.Do(unlistSession, data.Args{"session": a.SessionID})
	w.Find(isListed, data.Args{"next": next.SessionID}, func(*data.Row) { listed = true })
	if err := s.runAndRevoke(ctx, w, a.SessionID, s.Source.Now().Add(revocationLife), revocationLife); err != nil {
		return data.Actor{}, err
	}
	if !listed {
		return data.Actor{}, data.ErrSessionEnded
	}
	return next, nil
}

// Index sessions_seen.
const purgeSessions = `DELETE FROM sessions WHERE seen_at < :before`

// PurgeList deletes expired sessions from the list. Unavailable.
func (s *Store) PurgeList(ctx context.Context) error {
	w := s.DB.Write()
	w.Do(purgeSessions, data.Args{"before": s.Source.Now().Add(-SessionLife - 48*time.Hour)})
	return w.Run(ctx)
}
