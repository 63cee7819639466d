package communities

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/events/modlog"
	"plaza/data/rights/roles"
)

// TeamMax is how many moderators and invitations a community has at most.
const TeamMax = 50

// Teammate is a member with a role in a community, or with an invitation to one.
type Teammate struct {
	Name   string // "" for a deleted account
	Avatar accounts.Avatar
	Role   roles.Role
	Since  time.Time
}

// Team are the members with a role in a community.
type Team struct {
	Members []Teammate // the owner first, then moderators and approvers in the order in which they joined
	Invited []Teammate
	Own     roles.Role // the role that the viewer is invited to; "" for none
}

const (
	teamMembers = `SELECT m.username, u.avatar, m.role, m.created_at FROM communities c JOIN moderators m ON m.community_id = c.id
  LEFT JOIN users u ON u.id = m.user_id
WHERE c.name_key = :key LIMIT 100`
	// Index moderator_invitations_community, primary keys.
	teamInvited = `SELECT u.username, u.avatar, i.role, i.created_at FROM communities c JOIN moderator_invitations i ON i.community_id = c.id
  LEFT JOIN users u ON u.id = i.user_id
WHERE c.name_key = :key ORDER BY i.user_id LIMIT 100`
	invitationOf = `SELECT i.role FROM communities c JOIN moderator_invitations i ON i.user_id = :viewer AND i.community_id = c.id
  WHERE c.name_key = :key`
)

// FindTeam reads along with a page who has a role in a community. viewer is 0 for a visitor, who sees no invitations.
func (s *Store) FindTeam(r *data.Read, name string, viewer data.ID) *Team {
	t, key := &Team{}, strings.ToLower(name)
	into := func(list *[]Teammate) func(*data.Row) {
		return func(row *data.Row) {
			*list = append(*list, Teammate{row.Text(), accounts.ParseAvatar(row.Text()), roles.Role(row.Text()), row.Time()})
		}
	}
	r.Find(teamMembers, data.Args{"key": key}, into(&t.Members))
	if viewer != 0 {
		r.Find(teamInvited, data.Args{"key": key}, into(&t.Invited))
		r.Find(invitationOf, data.Args{"key": key, "viewer": viewer}, func(row *data.Row) { t.Own = roles.Role(row.Text()) })
	}
	r.After(func() {
		order := []roles.Role{roles.Owner, roles.Moderator, roles.Approver}
		slices.SortStableFunc(t.Members, func(a, b Teammate) int {
			return cmp.Or(cmp.Compare(slices.Index(order, a.Role), slices.Index(order, b.Role)), a.Since.Compare(b.Since))
		})
	})
	return t
}

// Invitation is an invitation to moderate a community, for the invited member.
type Invitation struct {
	Community string
	Role      roles.Role
	By        string // "" for a deleted account
}

// Primary key of moderator_invitations by prefix, primary keys.
const invitationsOf = `SELECT c.name, i.role, u.username FROM moderator_invitations i CROSS JOIN communities c ON c.id = i.community_id
  LEFT JOIN users u ON u.id = i.inviter_id
WHERE i.user_id = :viewer ORDER BY i.community_id LIMIT 20`

// FindInvitations reads along with a page the communities that a member is invited to moderate, at most 20.
func (s *Store) FindInvitations(r *data.Read, member data.ID) *[]Invitation {
	list := &[]Invitation{}
	r.Find(invitationsOf, data.Args{"viewer": member}, func(row *data.Row) {
		*list = append(*list, Invitation{row.Text(), roles.Role(row.Text()), row.Text()})
	})
	return list
}

const (
	// The community of :community. Unique index on name_key.
	here = `(SELECT k.id FROM communities k WHERE k.name_key = :community)`

	// A member who blocks the actor can't be invited, nor one with invitations of the actor to three other communities. Primary keys, unique
	// indexes on names, index moderator_invitations_community.
	invite = `INSERT INTO moderator_invitations (user_id, community_id, role, inviter_id, created_at)
SELECT u.id, c.id, :role, :actor, ` + data.DatabaseNow + ` FROM communities c JOIN users u ON u.id = ` + data.MemberNamed + `
WHERE c.name_key = :community AND c.kind = 'community' AND ` + canBeInvited + ` AND ` + roles.ByOwner + ` AND (:role <> 'owner' OR ` +
		data.ByAdmin +
		`) AND ` + data.LiveSession + `
ON CONFLICT (user_id, community_id) DO UPDATE SET role = excluded.role, inviter_id = excluded.inviter_id, created_at = excluded.created_at`
	canBeInvited = `u.status = 'active' AND NOT EXISTS (SELECT 1 FROM moderators m WHERE m.community_id = c.id AND m.user_id = u.id)
  AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.blocker_id = u.id AND b.blocked_id = :actor) AND ` + teamSize + ` < :most
  AND (SELECT count(*) FROM moderator_invitations o WHERE o.user_id = u.id AND o.inviter_id = :actor AND o.community_id <> c.id) < 3`
	teamSize = `(SELECT count(*) FROM moderators m WHERE m.community_id = c.id) + (SELECT count(*) FROM moderator_invitations i
  WHERE i.community_id = c.id)`
	// The result.
	invited = `SELECT EXISTS (SELECT 1 FROM moderators m WHERE m.community_id = c.id AND m.user_id = u.id), ` + teamSize + ` >= :most,
  EXISTS (SELECT 1 FROM moderator_invitations i WHERE i.user_id = u.id AND i.community_id = c.id AND i.role = :role), :role <> 'owner'
  OR ` + data.ByAdmin + `
FROM communities c LEFT JOIN users u ON u.id = ` + data.MemberNamed + ` AND u.status = 'active' WHERE c.name_key = :community
  AND c.kind = 'community'`
	isOwner = `SELECT ` + roles.ByOwner + `, ` + data.LiveSession

	withdraw = `DELETE FROM moderator_invitations WHERE user_id = ` + data.MemberNamed + ` AND community_id = ` + here + ` AND ` +
		roles.ByOwner +
		` AND ` + data.LiveSession
)

var (
	errNotOwner   = &data.Error{Code: data.Forbidden, Message: "Only the owner of this community can do that."}
	errNoTeammate = &data.Error{Code: data.NotFound, Message: "Nobody of that name moderates this community."}
	errNoInvite   = &data.Error{Code: data.NotFound, Message: "There is no such invitation any more. It may have been withdrawn."}
)

// owner adds to a transaction the check that the actor owns a community.
func owner(w *data.Write, a data.Actor, args data.Args) *data.Permission {
	p := &data.Permission{Refused: errNotOwner}
	w.Find(isOwner, a.Args(data.Args{"community": args["community"], "allowed": false}), p.Scan)
	return p
}

// Invite invites a member to a role in a community. A second invitation changes the role. Only administrators can invite an owner; an
// owner transfers the community to a moderator by SetRole. Invalid (the role; the name, in the field user), NotFound (the community),
// Forbidden, Unauthenticated and Conflict (the limit is reached; or already a moderator).
func (s *Store) Invite(ctx context.Context, a data.Actor, community, name string, role roles.Role) error {
	mistake := role.Validate()
	args := data.Args{"community": strings.ToLower(community), "name": strings.ToLower(name), "role": string(role), "most": TeamMax,
		"allowed": false}
	var found, known, moderates, full, done, mayOwner bool
	w := s.DB.Write()
	if mistake == nil {
		w.Do(invite, a.Args(with(args, "now", s.Source.DatabaseNow())))
	}
	may := owner(w, a, args)
	w.Find(invited, data.Args{"actor": a.UserID, "community": args["community"], "name": args["name"], "role": args["role"], "most": TeamMax},
		func(row *data.Row) {
			found = true
			moderates, full, done, mayOwner = row.Bool(), row.Bool(), row.Bool(), row.Bool()
		})
	w.Find(nameKnown, data.Args{"name": args["name"]}, func(row *data.Row) { known = row.Bool() })
	if err := w.Run(ctx); err != nil {
		return err
	}
	switch err := may.Err(); {
	case err != nil:
		return err
	case !found:
		return data.ErrNoCommunity
	case mistake != nil:
		return mistake
	case done:
		return nil
	case !known:
		return data.Mistake("user", "There is no member of that name.")
	case moderates:
		return data.Mistake("user", "They moderate this community already.")
	case !mayOwner:
		return data.Mistake("role", "Invite them as a moderator first. You can make them the owner afterwards.")
	case full:
		return &data.Error{Code: data.Conflict, Message: "A community has at most 50 moderators and invitations."}
	}
	return data.Mistake("user", "This member can't be invited by you.")
}

// Unique indexes on names, primary keys.
const nameKnown = `SELECT EXISTS (SELECT 1 FROM users u WHERE u.id = ` + data.MemberNamed + ` AND u.status = 'active')`

func with(args data.Args, name string, value any) data.Args {
	all := data.Args{name: value}
	for name, value := range args {
		all[name] = value
	}
	return all
}

// Withdraw deletes an invitation if it exists. Forbidden and Unauthenticated.
func (s *Store) Withdraw(ctx context.Context, a data.Actor, community, name string) error {
	args := data.Args{"community": strings.ToLower(community), "name": strings.ToLower(name), "allowed": false}
	w := s.DB.Write()
	w.Do(withdraw, a.Args(with(args, "allowed", false)))
	may := owner(w, a, args)
	if err := w.Run(ctx); err != nil {
		return err
	}
	return may.Err()
}

var (
	// Primary keys, unique index on name_key.
	isInvited = `EXISTS (SELECT 1 FROM moderator_invitations i WHERE i.user_id = :actor AND i.community_id = ` + here + ` AND i.role = :role)`
	// The previous owner becomes a moderator.
	giveUp = `UPDATE moderators SET role = 'moderator' WHERE :role = 'owner' AND role = 'owner' AND community_id = ` + here + ` AND ` +
		isInvited + ` AND ` + data.LiveSession
	accept = `INSERT INTO moderators (community_id, user_id, username, created_at, role)
SELECT i.community_id, :actor, ` + data.NameNow(":username") + `, ` + data.DatabaseNow + `, i.role FROM moderator_invitations i
WHERE i.user_id = :actor AND i.community_id = ` + here + ` AND i.role = :role AND ` + data.LiveSession + `
ON CONFLICT (community_id, user_id) DO UPDATE SET role = excluded.role`
	deleteInvitation = `DELETE FROM moderator_invitations WHERE user_id = :actor AND community_id = ` + here +
		` AND (:role IS NULL OR role = :role) AND ` + data.LiveSession
	roleOfActor = `SELECT (SELECT m.role FROM moderators m WHERE m.community_id = ` + here + ` AND m.user_id = :actor)`
)

// Accept gives the actor the role of their invitation, if it is the one that they have seen. It adds a modlog entry. NotFound (no such
// invitation) and Unauthenticated.
func (s *Store) Accept(ctx context.Context, a data.Actor, community string, role roles.Role) error {
	defer s.cache.Clear()
	key := strings.ToLower(community)
	args := func() data.Args { return a.Args(data.Args{"community": key, "role": string(role)}) }
	w := s.DB.Write()
	modlog.Add(w, a, modlog.NewEntry{ID: s.Source.NewID(0, data.KindOther), Community: community, Action: modlog.Action(role),
		Target: a.UserID,
		Author: a.UserID}, isInvited, args())
	w.Do(giveUp, args())
	w.Do(accept, with(with(args(), "username", a.Name), "now", s.Source.DatabaseNow()))
	w.Do(deleteInvitation, args())
	current := s.findRole(w, a, key)
	err := w.RunAs(ctx, a)
	switch {
	case err != nil:
		return err
	case *current != role:
		return errNoInvite
	}
	return nil
}

// Decline deletes the actor's invitation if it exists. Unauthenticated.
func (s *Store) Decline(ctx context.Context, a data.Actor, community string) error {
	key := strings.ToLower(community)
	w := s.DB.Write()
	w.Do(deleteInvitation, a.Args(data.Args{"community": key, "role": nil}))
	return w.RunAs(ctx, a)
}

func (s *Store) findRole(w *data.Write, a data.Actor, key string) *roles.Role {
	role := new(roles.Role)
	w.Find(roleOfActor, data.Args{"actor": a.UserID, "community": key}, func(row *data.Row) { *role = roles.Role(row.Text()) })
	return role
}

const (
	// Unique indexes on names, primary keys.
	teammate = `SELECT m.user_id, m.role FROM communities c JOIN moderators m ON m.community_id = c.id AND m.user_id = ` + data.MemberNamed +
		` WHERE c.name_key = :community`

	// An owner's role changes only when another member becomes the owner.
	changesRole = `EXISTS (SELECT 1 FROM moderators t WHERE t.community_id = ` + here +
		` AND t.user_id = :member AND t.role <> 'owner' AND t.role <> :role) AND ` + roles.ByOwner
	setRole = `UPDATE moderators SET role = iif(user_id = :member, :role, 'moderator')
WHERE community_id = ` + here + ` AND (user_id = :member OR :role = 'owner' AND role = 'owner') AND ` + changesRole + ` AND ` +
		data.LiveSession

	canBeDismissed = `EXISTS (SELECT 1 FROM moderators t WHERE t.community_id = ` + here +
		` AND t.user_id = :member AND t.role <> 'owner') AND ` + roles.ByOwner
	dismiss = `DELETE FROM moderators WHERE community_id = ` + here + ` AND user_id = :member AND ` + canBeDismissed + ` AND ` +
		data.LiveSession

	// An owner can leave only if the community has no moderators; approvers don't count.
	canResign = `EXISTS (SELECT 1 FROM moderators t WHERE t.community_id = ` + here + ` AND t.user_id = :actor
  AND (t.role <> 'owner' OR NOT EXISTS (SELECT 1 FROM moderators o WHERE o.community_id = t.community_id AND o.role = 'moderator')))`
	resign = `DELETE FROM moderators WHERE community_id = ` + here + ` AND user_id = :actor AND ` + canResign + ` AND ` + data.LiveSession
)

// SetRole gives a moderator or approver another role. An owner who makes another member the owner becomes a moderator. It adds a
// modlog entry. Invalid, NotFound, Forbidden, Unauthenticated and Conflict (the owner's role).
func (s *Store) SetRole(ctx context.Context, a data.Actor, community, name string, role roles.Role) error {
	if err := role.Validate(); err != nil {
		role = "" // change checks the actor's right first, and then returns err
	}
	return s.change(ctx, a, community, name, role, modlog.Action(role), changesRole, setRole)
}

// Dismiss removes a moderator or approver. It adds a modlog entry. NotFound, Forbidden, Unauthenticated and Conflict (the owner).
func (s *Store) Dismiss(ctx context.Context, a data.Actor, community, name string) error {
	return s.change(ctx, a, community, name, "", modlog.Dismiss, canBeDismissed, dismiss)
}

// change gives a teammate a role, or removes it, by the statement sql. guard is its condition.
func (s *Store) change(ctx context.Context, a data.Actor, community, name string, role roles.Role, action modlog.Action, guard,
	sql string) error {
	defer s.cache.Clear()
	names := data.Args{"community": strings.ToLower(community), "name": strings.ToLower(name)}
	var member data.ID
	var before roles.Role
	r := s.DB.Read()
	r.Find(teammate, names, func(row *data.Row) { member, before = row.ID(), roles.Role(row.Text()) })
	if err := r.Run(ctx); err != nil {
		return err
	}
	args := func() data.Args {
		args := a.Args(data.Args{"community": names["community"], "member": member, "allowed": false})
		if action != modlog.Dismiss {
			args["role"] = string(role)
		}
		return args
	}
	w := s.DB.Write()
	may := owner(w, a, names)
	if member != 0 && action != "" {
		modlog.Add(w, a, modlog.NewEntry{ID: s.Source.NewID(0, data.KindOther), Community: community, Action: action, Target: member,
			Author: member}, guard, args())
		w.Do(sql, args())
	}
	var after roles.Role
	w.Find(teammate, names, func(row *data.Row) { row.ID(); after = roles.Role(row.Text()) })
	current := s.findRole(w, a, strings.ToLower(community))
	if err := w.Run(ctx); err != nil {
		return err
	}
	switch err := may.Err(); {
	case data.ErrorCode(err) == data.Forbidden && role == roles.Owner && after == roles.Owner &&
		*current == roles.Moderator: // by an earlier attempt whose response was lost
		return nil
	case err != nil:
		return err
	case action == "":
		return role.Validate()
	case member == 0 && action == modlog.Dismiss: // perhaps by an earlier attempt
		return nil
	case member == 0:
		return errNoTeammate
	case after == role:
		return nil
	case before == roles.Owner:
		return &data.Error{Code: data.Conflict, Message: "Make somebody else the owner first."}
	}
	return &data.Error{Code: data.Conflict, Message: "That has changed in the meantime. Please look at it again."}
}

// Resign removes the actor's own role. An owner can resign only if no other moderator could become the owner. It adds a modlog
// entry. Unauthenticated and Conflict.
func (s *Store) Resign(ctx context.Context, a data.Actor, community string) error {
	defer s.cache.Clear()
	key := strings.ToLower(community)
	w := s.DB.Write()
	modlog.Add(w, a, modlog.NewEntry{ID: s.Source.NewID(0, data.KindOther), Community: community, Action: modlog.Resign, Target: a.UserID,
		Author: a.UserID},
		canResign, data.Args{"community": key})
	w.Do(resign, a.Args(data.Args{"community": key}))
	current := s.findRole(w, a, key)
	err := w.RunAs(ctx, a)
	switch {
	case err != nil:
		return err
	case *current != "":
		return &data.Error{Code: data.Conflict, Message: "You own this community. Make somebody else the owner first."}
	}
	return nil
}
