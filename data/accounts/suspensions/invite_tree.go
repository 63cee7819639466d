package suspensions

import (
	"context"
	"errors"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/accounts/invitations"
	"plaza/data/accounts/sessions"
	"plaza/data/events/modlog"
	"plaza/data/events/outbox"
)

const (
	// InviteTreeMax is how many members one decision on an invite tree includes at most.
	InviteTreeMax = 5000
	// inviteTreeStep is how many members one transaction decides about, and inviteTreeSteps how many transactions one delivery makes.
	inviteTreeStep  = 50
	inviteTreeSteps = 4
)

// InviteTree is the number of members whom a member invited, directly or through others: InviteTreeMax at most.
type InviteTree struct {
	Active, Suspended, Banned int64
	Administrators            int64 // among them, whom the decision excludes
}

// Indexes as for invitations.Below.
const inviteTreeSize = invitations.Below + `SELECT coalesce(sum(u.status = 'active'), 0), coalesce(sum(u.status = 'suspended'), 0),
  coalesce(sum(u.status = 'banned'), 0), coalesce(sum(u.admin), 0)
FROM below b CROSS JOIN users u ON u.id = b.id WHERE b.depth > 0 AND u.username <> ''`

// FindInviteTreeSize reads along with a page how many members are below a member.
func (s *Store) FindInviteTreeSize(r *data.Read, name string) *InviteTree {
	size := &InviteTree{}
	r.Find(inviteTreeSize, data.Args{"name": strings.ToLower(name), "limit": InviteTreeMax + 1}, func(row *data.Row) {
		*size = InviteTree{row.Int(), row.Int(), row.Int(), row.Int()}
	})
	return size
}

const (
	// Primary keys, unique index on username_key.
	decideInviteTree = `INSERT INTO branch_decisions (id, user_id, actor_id, action, rule, note, until)
SELECT :id, u.id, :actor, :action, :rule, :note, :until FROM users u WHERE u.id = ` + data.MemberNamed + ` AND ` + data.ByAdmin +
		` AND ` + data.LiveSession + ` ON CONFLICT DO NOTHING`
	// It comes right after decideInviteTree: changes() is how many rows that statement wrote. Indexes as for invitations.Below.
	decideMembers = invitations.Below + `INSERT INTO branch_members (decision_id, user_id) SELECT :id, u.id FROM below b
  CROSS JOIN users u ON u.id = b.id
WHERE changes() > 0 AND b.depth > 0 AND u.admin = 0 AND u.username <> '' AND u.status IN (SELECT value FROM json_each(:statuses))`
	decidedAbout   = `SELECT count(*) FROM branch_members b WHERE b.decision_id = :id`
	inviteTreeToDo = `SELECT d.actor_id, coalesce(a.username, ''), d.action, d.rule, d.note, d.until FROM branch_decisions d
  LEFT JOIN users a ON a.id = d.actor_id WHERE d.id = :id`
	membersToDo = `SELECT b.user_id, u.status, coalesce(u.suspension, 0) FROM branch_members b CROSS JOIN users u ON u.id = b.user_id
WHERE b.decision_id = :id ORDER BY b.user_id LIMIT :limit`
	membersDone = `DELETE FROM branch_members WHERE decision_id = :id AND user_id IN (SELECT value FROM json_each(:members))`
	// A decision is done when no members are left, and dropped when its administrator is no administrator any more.
	dropMembers = `DELETE FROM branch_members WHERE decision_id = :id AND NOT EXISTS (SELECT 1 FROM users u WHERE u.id = :actor AND u.admin = 1
  AND u.status = 'active')`
	inviteTreeDone = `DELETE FROM branch_decisions WHERE id = :id AND NOT EXISTS (SELECT 1 FROM branch_members b WHERE b.decision_id = :id)`
)

// statusesFor are, by action, the statuses of the members that a decision on an invite tree includes. It does not suspend a banned member.
var statusesFor = map[modlog.Action]string{
	modlog.Suspend: `["active"]`, modlog.BanSite: `["active","suspended"]`, modlog.Restore: `["suspended","banned"]`,
}

// DecideInviteTree decides about all members of an invite tree except administrators. It makes the same decision as Decide, and enqueues
// the job outbox.JobInviteTree. It returns the decision and the number of members. decision is 0 if there are none. Invalid, NotFound,
// Unauthenticated, Forbidden (not an administrator).
func (s *Store) DecideInviteTree(ctx context.Context, a data.Actor, j Sanction, rules []string) (decision data.ID, about int, err error) {
	mistake := j.Validate(rules)
	v, id, found := s.verdict(j), s.Source.NewID(0, data.KindOther), false
	w := s.DB.Write()
	may := data.CheckAdmin(w, a)
	name := data.Args{"name": strings.ToLower(j.Name)}
	w.Find(memberToSanction, name, func(row *data.Row) { found = row.ID() != 0 && row.Text() != "" })
	if mistake == nil {
		w.Do(decideInviteTree, a.Args(data.Args{"id": id, "name": name["name"], "action": string(v.action), "rule": v.rule, "note": v.note,
			"until": v.until}))
		w.Do(decideMembers, data.Args{"id": id, "name": name["name"], "limit": InviteTreeMax + 1, "statuses": statusesFor[v.action]})
		w.Find(decidedAbout, data.Args{"id": id}, func(row *data.Row) { about = int(row.Int()) })
		w.Do(inviteTreeDone, data.Args{"id": id})
		outbox.EnqueueInviteTree(w, s.Source, id)
	}
	if err := w.Run(ctx); err != nil {
		return 0, 0, err
	}
	switch {
	case may.Err() != nil:
		return 0, 0, may.Err()
	case mistake != nil:
		return 0, 0, mistake
	case !found:
		return 0, 0, &data.Error{Code: data.NotFound, Field: "user", Message: accounts.ErrNoMember.Message}
	case about == 0:
		return 0, 0, nil
	}
	return id, about, nil
}

// CarryOut does the job outbox.JobInviteTree: it decides about some of the members of an invite tree, in the name of the administrator
// who decided. It may be stopped at any point and repeated, because decided members are no longer in the list. rest are the decisions with
// members left: the caller sends their messages again. Unavailable.
func (s *Store) CarryOut(ctx context.Context, decisions []data.ID) (rest []data.ID, err error) {
	for n, id := range decisions {
		if n > 0 { // one decision in a delivery
			rest = append(rest, id)
			continue
		}
		more, failed := s.carryOut(ctx, id)
		if err = errors.Join(err, failed); more {
			rest = append(rest, id)
		}
	}
	return rest, err
}

func (s *Store) carryOut(ctx context.Context, id data.ID) (more bool, err error) {
	queued := int64(0)
	a, v := data.Actor{IssuedAt: s.Source.Now()}, verdict{}
	w := s.DB.Write()
	outbox.Claim(w, s.Source, outbox.JobInviteTree, []data.ID{id}, func(c outbox.Claimed) { queued = c.QueuedAt })
	w.Find(inviteTreeToDo, data.Args{"id": id}, func(row *data.Row) {
		a.UserID, a.Name = row.ID(), row.Text()
		v.action, v.rule, v.note, v.until = modlog.Action(row.Text()), row.Text(), row.Text(), row.Time()
	})
	if err := w.Run(ctx); err != nil || queued == 0 {
		return false, err
	}
	v.status = s.verdict(Sanction{Act: modlog.Act{Action: v.action}}).status
	for range inviteTreeSteps {
		if more, err = s.decideSome(ctx, id, a, v); err != nil || !more {
			break
		}
	}
	if err != nil { // it is due again later
		return false, err
	}
	w = s.DB.Write()
	w.Do(inviteTreeDone, data.Args{"id": id})
	if more {
		outbox.Requeue(w, s.Source, id, outbox.JobInviteTree)
	} else {
		outbox.Done(w, id, outbox.JobInviteTree, queued)
	}
	return more, w.Run(ctx)
}

// decideSome decides about the next members of the list. more is false if there were fewer than inviteTreeStep.
func (s *Store) decideSome(ctx context.Context, id data.ID, a data.Actor, v verdict) (more bool, err error) {
	type remaining struct {
		user, suspension data.ID
		end              data.Args
	}
	var members []data.ID
	var list []remaining
	r := s.DB.Read()
	r.Find(membersToDo, data.Args{"id": id, "limit": inviteTreeStep}, func(row *data.Row) {
		user, status, suspension := row.ID(), row.Text(), row.ID()
		members = append(members, user)
		if strings.Contains(statusesFor[v.action], `"`+status+`"`) { // no other administrator has decided meanwhile
			list = append(list, remaining{user, suspension, s.restoreArgs(user)})
		}
	})
	if err := r.Run(ctx); err != nil || len(members) == 0 {
		return false, err
	}
	w := s.DB.Write()
	for _, l := range list {
		entry := s.Source.NewID(0, data.KindOther)
		if v.action == modlog.Restore {
			s.gatherRestore(w, a, l.user, entry, l.suspension, l.end)
		} else {
			s.gather(w, a, v, l.user, entry)
		}
	}
	w.Do(membersDone, data.Args{"id": id, "members": members})
	w.Do(dropMembers, data.Args{"id": id, "actor": a.UserID})
	revoked := sessions.EnqueueRevocations(w, s.DB, s.Source, members...)
	if err := w.Run(ctx); err != nil {
		return false, err
	}
	revoked.CopyNow(ctx)
	return len(members) == inviteTreeStep, nil
}

// UnderWay is a decision on an invite tree that is not done yet.
type UnderWay struct {
	Name      string // the root of the tree; "" for a deleted account
	Action    modlog.Action
	By        string
	Remaining int // how many members are not decided yet
	At        time.Time
}

// From the start of the table, and primary keys.
const inviteTreesUnderWay = `SELECT d.id, u.username, d.action, coalesce(a.username, ''), (SELECT count(*) FROM branch_members b
  WHERE b.decision_id = d.id)
FROM branch_decisions d CROSS JOIN users u ON u.id = d.user_id LEFT JOIN users a ON a.id = d.actor_id ORDER BY d.id LIMIT 10`

// FindUnderWay reads along with a page the decisions on invite trees that are not done yet.
func (s *Store) FindUnderWay(r *data.Read) *[]UnderWay {
	list := &[]UnderWay{}
	r.Find(inviteTreesUnderWay, nil, func(row *data.Row) {
		*list = append(*list, UnderWay{At: row.ID().Time(), Name: row.Text(), Action: modlog.Action(row.Text()), By: row.Text(),
			Remaining: int(row.Int())})
	})
	return list
}
