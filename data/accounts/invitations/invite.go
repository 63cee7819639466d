// Package invitations keeps the invitations of sites where users sign up by invitation. An invitation is a code that a limited number of
// new users can use until it expires. Members form a tree by who invited whom. Administrators can see it.
//
// Invitations are rows of invites, in the directory. users.invite_id is the invitation that a member used.
package invitations

import (
	"context"
	"time"

	"plaza/data"
)

// Who may sign up, a setting of the site. The statement that makes an account checks it, for each sign-in method.
const (
	SignUpOpen         = "open"
	SignUpByInvitation = "invitation"
	SignUpWithApproval = "approval"
)

// Who may invite where users sign up by invitation.
const (
	InvitersMembers        = "members"
	InvitersAdministrators = "administrators"
)

// Limits of invitations.
const (
	InviteUsesMax = 25 // new users of one invitation
	InviteDaysMax = 30 // how long it is valid
	invitesMax    = 20 // valid invitations of one member
	// CodeMax is the length of the longest code of an invitation.
	CodeMax = 40
)

// Store keeps the invitations, and which one each member used.
type Store struct{ data.Base }

// Invite is an invitation. A user who has its code may sign up.
type Invite struct {
	ID        data.ID
	Code      string
	Uses      int // how many users may sign up by it
	Used      int // how many have signed up
	ExpiresAt time.Time
}

// Open reports whether a user can still sign up by it.
func (i *Invite) Open(now time.Time) bool { return i.Used < i.Uses && i.ExpiresAt.After(now) }

const (
	WhoSignsUp = `coalesce((SELECT json_extract(x.body, '$.sign_up') FROM site_settings x WHERE x.id = 1), 'open')`
	whoInvites = `coalesce((SELECT json_extract(x.body, '$.inviters') FROM site_settings x WHERE x.id = 1), 'administrators')`
	// used counts the users who signed up by invitation i. Index users_invited; an invitation has InviteUsesMax of them at most.
	used = `(SELECT count(*) FROM users n WHERE n.invite_id = i.id)`
	// Invitation is the id of the invitation with the code :invite, NULL if it is not valid. An invitation is void if its member was
	// suspended, or may not invite any more. Unique index on code, primary keys.
	Invitation = `(SELECT i.id FROM invites i CROSS JOIN users h ON h.id = i.user_id WHERE i.code = :invite AND i.expires_at > ` +
		data.DatabaseNow + `
  AND h.status = 'active' AND (h.admin = 1 OR ` + whoInvites + ` = 'members') AND ` + used + ` < i.uses)`

	// inviter is the condition that the actor may invite.
	inviter = WhoSignsUp + ` = 'invitation' AND EXISTS (SELECT 1 FROM users u WHERE u.id = :actor AND u.status = 'active' AND (u.admin = 1
  OR ` + whoInvites + ` = 'members'))`
	// Index invites_user.
	mayInviteMore = `(SELECT count(*) FROM invites o WHERE o.user_id = :actor AND o.expires_at > ` + data.DatabaseNow + `) < :most`
	makeInvite    = `INSERT INTO invites (id, code, user_id, uses, expires_at) SELECT :id, :code, :actor, :uses, :expires
WHERE ` + inviter + ` AND ` + mayInviteMore + ` AND ` + data.LiveSession + ` AND ` + data.KeyUnused
	// Expired invitations that were not used are deleted. Indexes invites_user and users_invited.
	forgetInvites = `DELETE FROM invites AS i WHERE i.user_id = :actor AND i.expires_at <= ` + data.DatabaseNow + ` AND ` + used +
		` = 0 AND ` + data.LiveSession
	whyNoInvite = `SELECT ` + inviter + `, ` + data.LiveSession

	// Index invites_user, in its order, and users_invited.
	ownInvites = `SELECT i.id, i.code, i.uses, ` + used + `, i.expires_at FROM invites i WHERE i.user_id = :actor ORDER BY i.expires_at DESC
  LIMIT :limit`
	endInvite = `UPDATE invites SET expires_at = min(expires_at, :at) WHERE id = :id AND user_id = :actor AND ` + data.LiveSession
)

var (
	ErrInvite = &data.Error{Code: data.Invalid, Field: "invite", Message: "This invitation doesn't work: it has expired, was used up, " +
		"or was mistyped. Please ask for another one."}
	ErrNoInvite = &data.Error{Code: data.Invalid, Field: "invite",
		Message: "People sign up here by invitation. Please type the code of yours."}
	errInviter = &data.Error{Code: data.Forbidden, Message: "You can't invite people here."}
)

// Invite makes an invitation for uses users that is valid for some days. The same form, sent again, makes no second one. Invalid,
// Forbidden (who may invite is a setting of the site), Conflict (too many), Unauthenticated.
func (s *Store) Invite(ctx context.Context, a data.Actor, code string, uses, days int, token string) error {
	err := data.AllMistakes(
		data.MistakeIf(uses < 1 || uses > InviteUsesMax, "uses", "An invitation is for 1 to 25 people."),
		data.MistakeIf(days < 1 || days > InviteDaysMax, "days", "An invitation lasts between 1 and 30 days."))
	if err != nil {
		return err
	}
	now := s.Source.Now()
	id := s.Source.NewID(0, data.KindOther)
	may := &data.Permission{Refused: errInviter}
	w := s.DB.Write()
	w.Do(forgetInvites, a.Args(data.Args{"now": s.Source.DatabaseNow()}))
	created := w.Once(data.IdempotencyKey{Author: a.UserID, Form: "invite", Token: token, ID: id}, now, makeInvite,
		a.Args(data.Args{"id": id, "code": code, "uses": uses, "expires": now.Add(time.Duration(days) * 24 * time.Hour), "most": invitesMax,
			"now": s.Source.DatabaseNow()}))
	w.Find(whyNoInvite, a.Args(nil), may.Scan)
	if err := w.Run(ctx); err != nil {
		return err
	}
	switch {
	case may.Err() != nil:
		return may.Err()
	case created.ID == 0:
		return &data.Error{Code: data.Conflict, Message: "You have 20 invitations that can be used. Please end one first, or wait until one " +
			"expires."}
	}
	return nil
}

// FindInvites reads a member's invitations along with a page, the last to expire first.
func (s *Store) FindInvites(r *data.Read, member data.ID) *[]Invite {
	list := &[]Invite{}
	r.Find(ownInvites, data.Args{"actor": member, "limit": 100}, func(row *data.Row) {
		*list = append(*list, Invite{row.ID(), row.Text(), int(row.Int()), int(row.Int()), row.Time()})
	})
	return list
}

// EndInvite revokes one of the actor's invitations. Unauthenticated.
func (s *Store) EndInvite(ctx context.Context, a data.Actor, id data.ID) error {
	w := s.DB.Write()
	w.Do(endInvite, a.Args(data.Args{"id": id, "at": s.Source.Now()}))
	return w.RunAs(ctx, a)
}
