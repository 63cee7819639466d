package reports

import (
	"context"
	"slices"
	"strings"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/events/modlog"
	"plaza/data/moderation"
	"plaza/data/rights/roles"
)

// Undo selects decisions of the actor about items of the queue to undo: the items wait again.
const Undo modlog.Action = "undo"

const (
	decidedItems = `SELECT q.target_id, coalesce(k.name, ''), q.decision, q.held FROM json_each(:targets) j
  CROSS JOIN queue_items q ON q.target_id = j.value LEFT JOIN communities k ON k.id = q.community_id
WHERE q.status = 'decided' AND q.decided_by = :actor AND q.decision IN ('remove', 'approve', 'ignore')`

	// The item waits as before: with its place in the queue and its reports. Primary key.
	reopen = `UPDATE queue_items SET status = 'open', decision = '', decided_by = NULL, decided_at = NULL
WHERE target_id IN (SELECT value FROM json_each(:targets)) AND status = 'decided' AND decided_by = :actor AND decision = :decision AND ` +
		data.LiveSession + ` AND `
	reopenOfCommunity = reopen + `community_id = (SELECT k.id FROM communities k WHERE k.name_key = :community) AND ` + roles.ByApprover
	reopenLogged      = reopenOfCommunity + ` AND target_id IN (SELECT l.target_id FROM json_each(:entries) j
  CROSS JOIN moderation_log l ON l.id = j.value)`
	// An item that was removed or deleted since does not wait again. Primary keys.
	reopenShown = reopenOfCommunity + ` AND (EXISTS (SELECT 1 FROM posts p WHERE p.id = target_id AND p.status IN ('published', 'archived'))
  OR EXISTS (SELECT 1 FROM comments c WHERE c.id = target_id AND c.status = 'published'))`
	reopenMembers = reopen + `community_id = 0 AND ` + data.ByAdmin

	// The decision deleted the reasons. Primary keys.
	recountReasons = `INSERT INTO report_reasons (target_id, reason, reports)
SELECT q.target_id, r.reason, count(*) FROM json_each(:targets) j CROSS JOIN queue_items q ON q.target_id = j.value
  CROSS JOIN reports r ON r.target_id = q.target_id
WHERE q.status = 'open' AND r.created_at >= q.came_at GROUP BY q.target_id, r.reason
ON CONFLICT (target_id, reason) DO UPDATE SET reports = excluded.reports`
	// Reporters who were not notified yet are notified only of the next decision. Reporters of an earlier decision are notified of that.
	// Primary keys.
	forgetOutcome = `DELETE FROM report_outcomes WHERE (target_id, decided_at) IN (SELECT o.target_id, o.decided_at FROM json_each(:targets) j
  CROSS JOIN queue_items q ON q.target_id = j.value CROSS JOIN report_outcomes o ON o.target_id = q.target_id AND o.came_at = q.came_at
WHERE q.status = 'open')`
	waitAgain = `SELECT q.target_id FROM json_each(:targets) j CROSS JOIN queue_items q ON q.target_id = j.value WHERE q.status = 'open'`
)

// undone are items with the same decision.
type undone struct {
	group
	decision modlog.Action
}

// Undo undoes decisions of the actor about items of the queue, in one transaction on each shard. Removed items are shown again, held
// items are held again, and all of them wait as before. It reads only the targets of a Decision.
//
// Invalid (too many items), Unauthenticated, Forbidden, Conflict (none of these was decided by the actor, or another moderator has
// decided since), Unavailable. If it fails on some shards only, such as while a community moves, it returns both the error and the result
// with what was undone.
func (s *Store) Undo(ctx context.Context, a data.Actor, community string, r Decision) (*Result, error) {
	undone := &Result{}
	err := s.undo(ctx, a, community, r, undone)
	switch {
	case err != nil && len(undone.Done) > 0:
		return undone, err
	case err != nil:
		return nil, err
	case len(undone.Done) == 0:
		return nil, &data.Error{Code: data.Conflict, Message: "That can't be undone any more: somebody has decided about it since."}
	}
	return undone, nil
}

// undo undoes what can be undone now, and adds it to the result.
func (s *Store) undo(ctx context.Context, a data.Actor, community string, r Decision, result *Result) error {
	groups, err := s.decided(ctx, a, community, r.Targets)
	if err != nil {
		return err
	}
	if len(r.Targets) > TargetsMax {
		return data.Mistake("target", "Please select at most 100 at once.")
	}
	var places []data.Where
	for _, g := range groups {
		if !slices.Contains(places, g.where) {
			places = append(places, g.where)
		}
	}
	n := 0
	return s.DB.WriteEach(ctx, places, func(w *data.Write) {
		where := places[n]
		n++
		allowed := roles.NeedsDirectory(s.DB, where) // decided has checked it
		for _, g := range groups {
			if g.where != where {
				continue
			}
			args := a.Args(data.Args{"targets": g.targets, "decision": string(g.decision)})
			args["community"], args["allowed"] = strings.ToLower(g.community), allowed
			reversal := moderation.Decision{Community: g.community, Act: modlog.Act{Action: modlog.Approve}, Undoes: true}
			if g.held {
				reversal.Action = modlog.Hold
			}
			switch {
			case g.community == "":
				w.Do(reopenMembers, args)
			case g.held || g.decision == Remove:
				args["entries"] = moderation.Gather(w, s.Source, a, reversal, allowed, g.targets...)
				w.Do(reopenLogged, args)
			default: // the decision did not change it
				w.Do(reopenShown, args)
			}
			w.Do(recountReasons, data.Args{"targets": g.targets})
			w.Do(forgetOutcome, data.Args{"targets": g.targets})
			w.Find(waitAgain, data.Args{"targets": g.targets}, func(row *data.Row) { result.Done = append(result.Done, row.ID()) })
		}
	})
}

// decided reads which of some items the actor has decided about.
func (s *Store) decided(ctx context.Context, a data.Actor, community string, targets []data.ID) (groups []*undone, err error) {
	rights, live, allowed := &accounts.Viewer{}, false, true
	find := s.DB.Read()
	find.Find(rightsOf, a.Args(nil), func(row *data.Row) {
		rights.ScanRights(row)
		live = row.Bool()
	})
	var found []data.ID
	places, err := s.placesOf(ctx, targets)
	if err != nil {
		return nil, err
	}
	for _, where := range places {
		find.FindAt(where, decidedItems, data.Args{"targets": targets, "actor": a.UserID}, func(row *data.Row) {
			id, name, decision, held := row.ID(), row.Text(), modlog.Action(row.Text()), row.Bool()
			found = append(found, id)
			if community != "" && !strings.EqualFold(name, community) {
				return
			}
			allowed = allowed && (rights.Admin || name != "" && rights.Approves(name))
			i := slices.IndexFunc(groups, func(g *undone) bool {
				return g.where == where && g.community == name && g.held == held && g.decision == decision
			})
			if i < 0 {
				i, groups = len(groups), append(groups, &undone{group{where: where, community: name, held: held}, decision})
			}
			groups[i].targets = append(groups[i].targets, id)
		})
	}
	if err := s.runFor(ctx, find, targets, &found); err != nil {
		return nil, err
	}
	switch {
	case !live:
		return nil, data.ErrSessionEnded
	case !allowed, community != "" && !rights.ApprovesNamed(community):
		return nil, errNotModerator
	}
	return groups, nil
}
