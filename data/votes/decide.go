package votes

import (
	"context"
	"plaza/data"
	"plaza/data/communities"
	"strings"
)

// A Decision is what becomes of the votes of a quarantine.
type Decision string

// The decisions: votes count again, as if nothing had been, or never; or they wait again,
// as if nothing had been decided.
const (
	Release Decision = "release"
	Drop    Decision = "drop"
	Undo    Decision = "undo"
)

const (

	// Primary keys; the case only while it is open, so that the second time does nothing.
	thisCase    = ` q.id = ?6 AND q.community_id = (SELECT id FROM communities WHERE name_key = ?4)`
	decideVotes = `UPDATE votes SET status = ?7 WHERE status = 1 AND (target_id, user_id) IN (
  SELECT q.target_id, m.user_id FROM quarantines q CROSS JOIN quarantined_votes m ON m.quarantine_id = q.id
  WHERE` + thisCase + ` AND q.status = 'open') AND ` + data.OldLiveSession + ` AND ` + communities.Moderates
	decideCase = `UPDATE quarantines AS q SET status = ?7, decided_at = coalesce(?8, ` + data.OldDatabaseNow + `), decided_by = ?1, decided_name = ?9
WHERE` + thisCase + ` AND q.status = 'open' AND ` + data.OldLiveSession + ` AND ` + communities.Moderates
	decidedCase = `SELECT q.target_id, q.status, q.decided_by, q.decided_name FROM quarantines q WHERE` + thisCase

	// A released vote that was changed since is not what was decided about. Index
	// quarantines_open for another case of the same votes.
	noOther   = ` AND NOT EXISTS (SELECT 1 FROM quarantines o WHERE o.target_id = q.target_id AND o.direction = q.direction AND o.status = 'open')`
	undoVotes = `UPDATE votes SET status = 1 WHERE (target_id, user_id, status) IN (
  SELECT q.target_id, m.user_id, iif(q.status = 'released', 0, 2) FROM quarantines q CROSS JOIN quarantined_votes m ON m.quarantine_id = q.id
  WHERE` + thisCase + ` AND q.status <> 'open'` + noOther + `)
  AND (status = 2 OR value = (SELECT q.direction FROM quarantines q WHERE` + thisCase + `)) AND ` + data.OldLiveSession + ` AND ` + communities.Moderates
	undoCase = `UPDATE quarantines AS q SET status = 'open', decided_at = NULL, decided_by = NULL, decided_name = ''
WHERE` + thisCase + ` AND q.status <> 'open'` + noOther + ` AND ` + data.OldLiveSession + ` AND ` + communities.Moderates
)

// DecideQuarantine releases or drops the votes of a case of a community, or undoes that,
// and returns the target, which is to be folded then. Who was first has decided; the
// same again changes nothing. Invalid, Unauthenticated, Forbidden (who neither moderates
// the community nor administrates the site), NotFound and Conflict (decided otherwise; or
// to be undone while a newer case of the same votes is open).
func (s *Store) DecideQuarantine(ctx context.Context, a data.Actor, community string, id data.ID, d Decision) (data.ID, error) {
	status, vote := "released", 0
	switch d {
	case Release:
	case Drop:
		status, vote = "dropped", 2
	case Undo:
		status = "open"
	default:
		return 0, data.Mistake("decision", "A decision is to release, to drop or to undo.")
	}
	shard, err := s.DB.ShardOf(ctx, community)
	if err != nil {
		return 0, err
	}
	key := strings.ToLower(community)
	asked := shard != s.DB.OldDirectory()
	if asked {
		results, err := data.Tx(ctx, s.DB.OldDirectory(), data.OldStmt(communities.MayModerate, a.OldArgs(key, false)...))
		if err != nil {
			return 0, err
		}
		if err := communities.Allowed(results[0]); err != nil {
			return 0, err
		}
	}
	votes := data.OldStmt(decideVotes, a.OldArgs(key, asked, id, vote)...)
	decided := data.OldStmt(decideCase, a.OldArgs(key, asked, id, status, s.Source.OldDatabase(), a.Name)...)
	if d == Undo {
		votes, decided = data.OldStmt(undoVotes, a.OldArgs(key, asked, id)...), data.OldStmt(undoCase, a.OldArgs(key, asked, id)...)
	}
	results, err := data.Tx(ctx, shard, votes, decided,
		data.OldStmt(communities.MayModerate, a.OldArgs(key, asked)...), data.OldStmt(decidedCase, a.OldArgs(key, asked, id)...))
	if err != nil {
		return 0, err
	}
	if err := communities.Allowed(results[2]); err != nil {
		return 0, err
	}
	if len(results[3].Rows) == 0 {
		return 0, &data.Error{Code: data.NotFound, Message: "There is no such case in this community."}
	}
	var target, by data.ID
	var is, name string
	if err := data.Each(results[3], func(r *data.Row) { target, is, by, name = r.ID(), r.Text(), r.ID(), r.Text() }); err != nil {
		return 0, err
	}
	switch {
	case is == status:
		return target, nil
	case d == Undo:
		return 0, &data.Error{Code: data.Conflict, Message: "There is a newer open case about these votes. Decide that case first."}
	case by == a.UserID:
		return 0, &data.Error{Code: data.Conflict, Message: "You have decided this already: these votes were " + is + ". To decide otherwise, undo that first."}
	}
	return 0, &data.Error{Code: data.Conflict, Message: name + " was faster: these votes were " + is + " already."}
}
