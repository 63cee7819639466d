package votes

import (
	"context"
	"strings"

	"plaza/data"
	"plaza/data/events/outbox"
	"plaza/data/rights/roles"
	"plaza/locale"
)

// A Decision is a decision about the votes of a case.
type Decision string

const (
	Release Decision = "release" // they count again, as if they had never been quarantined
	Drop    Decision = "drop"    // they never count
	Undo    Decision = "undo"    // they are quarantined again, as if they had never been decided
)

// outcome returns the status of the case and of its votes after a decision; ok is false for an unknown decision.
func (d Decision) outcome() (ofCase string, ofVotes int, ok bool) {
	switch d {
	case Release:
		return "released", data.VoteCounted, true
	case Drop:
		return "dropped", data.VoteDropped, true
	case Undo:
		return "open", data.VoteQuarantined, true
	}
	return "", 0, false
}

// Primary keys, and the index quarantines_open for another case of the same votes. Only open cases are decided, and only decided ones
// undone, so a repetition changes nothing.
var (
	thisCase = ` q.id = :case AND q.community_id = (SELECT id FROM communities WHERE name_key = :community)`
	mayWrite = data.LiveSession + ` AND ` + roles.ByApprover

	decideVotes = `UPDATE votes SET status = :status
WHERE status = ` + data.VoteQuarantinedSQL + ` AND (target_id, user_id) IN (
  SELECT q.target_id, m.user_id FROM quarantines q CROSS JOIN quarantined_votes m ON m.quarantine_id = q.id
  WHERE` + thisCase + ` AND q.status = 'open') AND ` + mayWrite
	decideCase = `UPDATE quarantines AS q SET status = :status, decided_at = ` + data.DatabaseNow + `, decided_by = :actor, decided_name = ` +
		data.NameNow(":name") + `, notified_to = 0
WHERE` + thisCase + ` AND q.status = 'open' AND ` + mayWrite

	// A released vote is not quarantined again if its voter has changed it since.
	undoVotes = `UPDATE votes SET status = ` + data.VoteQuarantinedSQL + `
WHERE (target_id, user_id, status) IN (
  SELECT q.target_id, m.user_id, iif(q.status = 'released', ` + data.VoteCountedSQL + `, ` + data.VoteDroppedSQL + `)
  FROM quarantines q CROSS JOIN quarantined_votes m ON m.quarantine_id = q.id
  WHERE` + thisCase + ` AND q.status <> 'open'` + noOtherCase + `)
  AND (status = ` + data.VoteDroppedSQL + ` OR value = (SELECT q.direction FROM quarantines q WHERE` + thisCase + `)) AND ` + mayWrite
	undoCase = `UPDATE quarantines AS q SET status = 'open', decided_at = NULL, decided_by = NULL, decided_name = '', notified_to = 0
WHERE` + thisCase + ` AND q.status <> 'open'` + noOtherCase + ` AND ` + mayWrite
	noOtherCase = ` AND NOT EXISTS (SELECT 1 FROM quarantines o WHERE o.target_id = q.target_id AND o.direction = q.direction
  AND o.status = 'open')`

	decidedCase = `SELECT q.target_id, q.status, q.decided_by, q.decided_name FROM quarantines q WHERE` + thisCase
)

// Decide releases or drops the votes of a case of a community, or undoes that, and returns the target. The trigger votes_changed writes
// the changes to vote_deltas. The trigger quarantines_settled updates the count of the community's open cases.
//
// The first decision stays; a repetition changes nothing. Invalid, Unauthenticated, Forbidden (neither a moderator or approver of the
// community nor an administrator), NotFound and Conflict (decided otherwise already; or a decision can't be undone because a newer case
// about the same votes is open).
func (s *Store) Decide(ctx context.Context, a data.Actor, community string, id data.ID, d Decision) (target data.ID, err error) {
	ofCase, ofVotes, ok := d.outcome()
	if !ok {
		return 0, data.Mistake("decision", "A decision is to release, to drop or to undo.")
	}
	authority, err := roles.Authorize(ctx, s.DB, a, community, roles.Approver, nil)
	if err != nil {
		return 0, err
	}
	args := func(more data.Args) data.Args {
		more["case"] = id
		return authority.Args(more)
	}
	w := s.DB.WriteAt(authority.Home)
	if d == Undo {
		w.Do(undoVotes, args(data.Args{}))
		w.Do(undoCase, args(data.Args{}))
	} else {
		w.Do(decideVotes, args(data.Args{"status": ofVotes}))
		w.Do(decideCase, args(data.Args{"status": ofCase, "name": a.Name, "now": s.Source.DatabaseNow()}))
	}
	outbox.EnqueueCaseDecided(w, s.Source, id)
	approver := authority.Check(w)
	var status, name string
	var decidedBy data.ID
	w.Find(decidedCase, data.Args{"case": id, "community": strings.ToLower(community)}, func(r *data.Row) {
		target, status, decidedBy, name = r.ID(), r.Text(), r.ID(), r.Text()
		if status == ofCase {
			w.EnqueueVoteDeltas(target)
		}
	})
	if err := w.Run(ctx); err != nil {
		return 0, err
	}
	if err := approver.Err(); err != nil {
		return 0, err
	}
	switch {
	case target == 0:
		return 0, &data.Error{Code: data.NotFound, Message: "There is no such case in this community."}
	case status == ofCase:
		return target, nil
	case d == Undo:
		return 0, &data.Error{Code: data.Conflict, Message: "There is a newer open case about these votes. Decide that case first."}
	}
	return 0, &data.Error{Code: data.Conflict, Message: decidedText(status, name, decidedBy == a.UserID)}
}

// decidedText is the error for a moderator when a case was decided already, by themselves or by another.
func decidedText(status, name string, own bool) locale.Text {
	switch {
	case own && status == "released":
		return "You have decided this already: these votes were released. To decide otherwise, undo that first."
	case own:
		return "You have decided this already: these votes were dropped. To decide otherwise, undo that first."
	case status == "released":
		return locale.With("{} was faster: these votes were released already.", name)
	}
	return locale.With("{} was faster: these votes were dropped already.", name)
}
