package reports

import (
	"context"
	"slices"
	"strings"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/events/modlog"
	"plaza/data/events/outbox"
	"plaza/data/moderation"
	"plaza/data/moderation/transparency"
	"plaza/data/rights/roles"
	"plaza/locale"
)

// Decisions about waiting items.
const (
	Remove                = modlog.Remove
	Approve               = modlog.Approve // they stay; new reports add them to the queue again
	Ignore  modlog.Action = "ignore"       // they stay, and further reports don't add them again; for held items, the same as Approve
)

// TargetsMax is the maximum number of items of one decision.
const TargetsMax = 100

// Decision is a decision about waiting items.
type Decision struct {
	Targets    []data.ID
	modlog.Act // Remove, Approve or Ignore; a removal cites a rule that the moderator chooses, because a report's reason is no decision
}

// Result is the result of a Decision.
type Result struct {
	Done        []data.ID // by the actor, now or before
	Late        []data.ID // decided before, in another way or by another moderator
	By          string    // who has decided one of Late; "" for a deleted account
	Open        []data.ID // not removed, because their community does not have this rule any more
	Communities []string  // whose queue has changed
}

// Err returns why not every decision was made: the rule is gone, or another moderator was first. nil if every decision was made.
func (r *Result) Err() error {
	if len(r.Open) > 0 {
		return data.Mistake("rule", "There is no such rule any more. Please choose another one.")
	}
	if len(r.Late) == 0 {
		return nil
	}
	who := locale.Text("Somebody else")
	if r.By != "" {
		who = locale.Verbatim(r.By)
	}
	says := locale.With("{} was faster: one of these was decided already.|{} was faster: {} of these were decided already.", who, len(r.Late))
	if len(r.Done) > 0 {
		says = locale.With("{} The others are decided as you said.", says)
	}
	return &data.Error{Code: data.Conflict, Message: says}
}

var errNotModerator = &data.Error{Code: data.Forbidden, Message: "Only moderators of the community can do that."}

var (
	waitingItems = `SELECT q.target_id, coalesce(k.name, ''), q.status = 'open', q.held
FROM json_each(:targets) j CROSS JOIN queue_items q ON q.target_id = j.value LEFT JOIN communities k ON k.id = q.community_id`
	rightsOf = `SELECT u.admin, ` + accounts.Moderated + `, ` + data.LiveSession + ` FROM users u WHERE u.id = :actor AND u.status = 'active'`

	decideItems = `UPDATE queue_items SET status = 'decided', decision = :decision, decided_by = :actor, decided_at = ` + data.DatabaseNow + `
WHERE `
	decideItemsOfCommunity = decideItems + ofOneCommunity
	decideItemsOfMembers   = decideItems + aboutMembers
	countOfCommunity       = transparency.CountingItems(":decision", ofOneCommunity)
	countMembers           = transparency.CountingItems(":decision", aboutMembers)
	// Only open items, so that the first decision stays. Primary keys, unique index on name_key. Items about members have no community.
	waiting        = `target_id IN (SELECT value FROM json_each(:targets)) AND status = 'open' AND ` + data.LiveSession + ` AND `
	ofOneCommunity = waiting + `community_id = (SELECT k.id FROM communities k WHERE k.name_key = :community) AND ` + roles.ByApprover
	aboutMembers   = waiting + `community_id = 0 AND ` + data.ByAdmin

	outcomes = `SELECT q.target_id, q.status = 'open', q.status = 'decided' AND q.decision = :decision AND q.decided_by = :actor, q.decided_by
FROM json_each(:targets) j CROSS JOIN queue_items q ON q.target_id = j.value`
	nameOfMember = `SELECT u.username FROM users u WHERE u.id = :id`
)

// group are items that the same statements decide.
type group struct {
	where     data.Where
	community string
	held      bool
	targets   []data.ID
}

// Decide decides about open items of the queue. They belong to one community or, if community is "", to any that the actor moderates; for
// administrators they may be members. There is one transaction on each shard. The first decision about an item stays. Result has the
// decisions that came too late.
//
// Invalid (no such decision, too many items, no rule), Unauthenticated, Forbidden, NotFound (none of the items waits or has waited),
// Unavailable.
func (s *Store) Decide(ctx context.Context, a data.Actor, community string, r Decision) (*Result, error) {
	mistake := r.Check(modlog.Terms{Actions: []modlog.Action{Remove, Approve, Ignore}, ActionError: "A decision is remove, approve or ignore.",
		TooLong: "A message to the authors has at most 1,000 characters."})
	groups, refused, err := s.waiting(ctx, a, community, r)
	if err != nil {
		return nil, err
	}
	switch { // the right is checked first
	case mistake != nil:
		return nil, mistake
	case len(r.Targets) == 0:
		return nil, data.Mistake("target", "Please select at least one case.")
	case len(r.Targets) > TargetsMax:
		return nil, data.Mistake("target", "Please select at most 100 at once.")
	}
	if refused != nil {
		return nil, refused
	}
	result := &Result{}
	var by data.ID
	var places []data.Where
	for _, g := range groups {
		if !slices.Contains(places, g.where) {
			places = append(places, g.where)
		}
	}
	n := 0
	err = s.DB.WriteEach(ctx, places, func(w *data.Write) {
		where := places[n]
		n++
		allowed := roles.NeedsDirectory(s.DB, where) // waiting has checked it
		for _, g := range groups {
			if g.where != where {
				continue
			}
			decision := r.Action
			if g.held && decision == Ignore {
				decision = Approve
			}
			args := a.Args(data.Args{"targets": g.targets, "decision": string(decision), "now": s.Source.DatabaseNow()})
			switch {
			case g.community == "":
				w.Do(countMembers, args)
				w.Do(decideItemsOfMembers, args)
				outbox.RegisterMessages(w, outbox.JobReported, g.targets...) // trigger queue_items_notified
			case r.Action == Remove:
				moderation.Gather(w, s.Source, a, moderation.Decision{Community: g.community, Act: modlog.Act{Action: modlog.Remove, Rule: r.Rule,
					Note: r.Note}, Waiting: true}, allowed, g.targets...)
			case g.held:
				moderation.Gather(w, s.Source, a, moderation.Decision{Community: g.community, Act: modlog.Act{Action: modlog.Approve, Note: r.Note},
					Waiting: true}, allowed, g.targets...)
			default:
				args["community"], args["allowed"] = strings.ToLower(g.community), allowed
				w.Do(countOfCommunity, args)
				w.Do(decideItemsOfCommunity, args)
				outbox.RegisterMessages(w, outbox.JobReported, g.targets...)
			}
			if g.community != "" && !slices.Contains(result.Communities, g.community) {
				result.Communities = append(result.Communities, g.community)
			}
			w.Find(outcomes, data.Args{"targets": g.targets, "decision": string(decision), "actor": a.UserID}, func(row *data.Row) {
				id, open, mine, who := row.ID(), row.Bool(), row.Bool(), row.ID()
				switch {
				case open:
					result.Open = append(result.Open, id)
				case mine:
					result.Done = append(result.Done, id)
				default:
					result.Late, by = append(result.Late, id), who
				}
			})
		}
	})
	if err != nil {
		return nil, err
	}
	if by != 0 {
		find := s.DB.Read()
		find.Find(nameOfMember, data.Args{"id": by}, func(row *data.Row) { result.By = row.Text() })
		if err := find.Run(ctx); err != nil {
			return nil, err
		}
	}
	return result, nil
}

// waiting reads the items that the actor may decide about. refused is why the decision is not possible, if it is not.
func (s *Store) waiting(ctx context.Context, a data.Actor, community string, r Decision) (groups []*group, refused, err error) {
	rights, live, allowed := &accounts.Viewer{}, false, true
	find := s.DB.Read()
	find.Find(rightsOf, a.Args(nil), func(row *data.Row) {
		rights.ScanRights(row)
		live = row.Bool()
	})
	ruleless, member := false, false
	var found []data.ID
	places, err := s.placesOf(ctx, r.Targets)
	if err != nil {
		return nil, nil, err
	}
	for _, where := range places {
		find.FindAt(where, waitingItems, data.Args{"targets": r.Targets}, func(row *data.Row) {
			id, name := row.ID(), row.Text()
			found = append(found, id)
			open, held := row.Bool(), row.Bool()
			if community != "" && !strings.EqualFold(name, community) {
				return
			}
			member = member || r.Action == Remove && open && name == ""
			ruleless = ruleless || r.Action == Remove && open && r.Rule == ""
			allowed = allowed && (rights.Admin || name != "" && rights.Approves(name))
			i := slices.IndexFunc(groups, func(g *group) bool { return g.where == where && g.community == name && g.held == held })
			if i < 0 {
				i, groups = len(groups), append(groups, &group{where: where, community: name, held: held})
			}
			groups[i].targets = append(groups[i].targets, id)
		})
	}
	if err := s.runFor(ctx, find, r.Targets, &found); err != nil {
		return nil, nil, err
	}
	switch {
	case !live:
		return nil, nil, data.ErrSessionEnded
	case !allowed, community != "" && !rights.ApprovesNamed(community):
		return nil, nil, errNotModerator
	case len(groups) == 0:
		refused = &data.Error{Code: data.NotFound, Message: "None of this is in the queue."}
	case member:
		refused = data.Mistake("target", "Members can't be removed here. Please decide about them separately.")
	case ruleless:
		refused = data.Mistake("rule", "Please choose the rule that it breaks.")
	}
	return groups, refused, nil
}
