package communities

import (
	"strings"

	"plaza/data"
	"plaza/data/people"
)

const (
	// ByModerator is a condition: the actor moderates the community whose key is :community, or is an administrator.
	// The directory has the moderators and administrators. On a shard that is another database, :allowed says that
	// the directory was asked before, with CheckModerator. Actor.Args fills :actor. Unique index on name_key, primary
	// keys.
	ByModerator = `(:allowed OR EXISTS (SELECT 1 FROM communities k JOIN moderators m ON m.community_id = k.id
  WHERE k.name_key = :community AND m.user_id = :actor) OR ` + people.ByAdmin + `)`

	isModerator = `SELECT ` + ByModerator + `, ` + data.LiveSession
)

var errNotModerator = &data.Error{Code: data.Forbidden, Message: "That is for the moderators of this community."}

// CheckModerator adds to a transaction the question whether the actor moderates a community. If not, Permission.Err
// is Forbidden or Unauthenticated. allowed says that the directory has answered already, as in ByModerator. That
// alone does not keep the other statements from writing: they need the conditions ByModerator and LiveSession.
func CheckModerator(w *data.Write, a data.Actor, community string, allowed bool) *data.Permission {
	p := &data.Permission{Refused: errNotModerator}
	w.Find(isModerator, a.Args(data.Args{"community": strings.ToLower(community), "allowed": allowed}), p.Scan)
	return p
}

// FindModerates reads along with a page whether a member moderates a community.
func (s *Store) FindModerates(r *data.Read, a data.Actor, community string) *bool {
	p := &data.Permission{}
	r.Find(data.Directory, isModerator, a.Args(data.Args{"community": strings.ToLower(community), "allowed": false}), p.Scan)
	return &p.May
}
