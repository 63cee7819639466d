// Package roles says who may act for a community: owners, moderators, approvers and administrators. The statements that write have the
// conditions ByModerator, ByApprover and ByOwner. Begin with Authorize.
package roles

import (
	"slices"
	"strings"

	"plaza/data"
)

// Role is a member's role in a community.
type Role string

// The roles. The owner, of whom a community has one at most, appoints and dismisses the others. Approvers decide about items in the
// queue, and remove and approve. The zero role is none.
const (
	Owner     Role = "owner"
	Moderator Role = "moderator"
	Approver  Role = "approver"
)

// Moderates reports whether a role has more rights than an approver.
func (r Role) Moderates() bool { return r == Owner || r == Moderator }

// Validate returns Invalid if r is not one of the roles.
func (r Role) Validate() error {
	return data.MistakeIf(!slices.Contains([]Role{Owner, Moderator, Approver}, r), "role", "A role is owner, moderator or approver.")
}

const (
	// ByModerator is the SQL condition that the actor moderates the community with the key :community, or is an administrator. The directory
	// has the moderators and administrators. On a shard that is another database, :allowed says that the directory was read before.
	// Authority.Args fills the arguments. Unique index on name_key, primary keys.
	ByModerator = inRole + `AND m.role <> 'approver') OR ` + data.ByAdmin + `)`
	// ByApprover is the same including approvers.
	ByApprover = inRole + `) OR ` + data.ByAdmin + `)`
	// ByOwner is the same for the owner alone. Only the directory knows owners.
	ByOwner = inRole + `AND m.role = 'owner') OR ` + data.ByAdmin + `)`

	inRole = `(:allowed OR EXISTS (SELECT 1 FROM communities k JOIN moderators m ON m.community_id = k.id
  WHERE k.name_key = :community AND m.user_id = :actor `

	isModerator = `SELECT ` + ByModerator + `, ` + data.LiveSession
	isApprover  = `SELECT ` + ByApprover + `, ` + data.LiveSession
)

var errNotModerator = &data.Error{Code: data.Forbidden, Message: "Only moderators of this community can do that."}

// FindModerates reads along with a page whether a member moderates a community.
func FindModerates(r *data.Read, a data.Actor, community string) *bool {
	return find(r, isModerator, a, community)
}

// FindApproves reads along with a page whether a member has any role in a community.
func FindApproves(r *data.Read, a data.Actor, community string) *bool {
	return find(r, isApprover, a, community)
}

func find(r *data.Read, sql string, a data.Actor, community string) *bool {
	p := &data.Permission{}
	r.Find(sql, a.Args(data.Args{"community": strings.ToLower(community), "allowed": false}), p.Scan)
	return &p.May
}
