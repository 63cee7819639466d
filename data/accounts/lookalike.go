package accounts

import (
	"strings"

	"plaza/data"
	"plaza/data/names"
)

const (
	// largeCommunity is the size, in members, from which a community's moderators have protected names.
	largeCommunity = 100
	// lookalikesMax is how many members may have names that look alike. It limits the rows that a sign-up reads.
	lookalikesMax = 50
)

// Index users_look, at most :most rows of it; index moderators_user and primary keys. It counts names with the same look, except the name
// itself and the member's own.
const lookalikes = `SELECT count(*), coalesce(max(l.trusted), 0) FROM (
  SELECT u.admin = 1 OR EXISTS (SELECT 1 FROM moderators m JOIN communities c ON c.id = m.community_id
    WHERE m.user_id = u.id AND c.members >= :large) AS trusted
  FROM users u WHERE ` + names.SkeletonOfUser + ` = :look AND u.username_key <> :key AND u.id <> :member LIMIT :most) l`

// lookalike describes the existing names that look like a wanted one.
type lookalike struct {
	count   int64
	trusted bool // one of them belongs to an administrator, or to a moderator of a large community
}

// FindLookalikes reads, along with r, which names look like the one that a member wants. member is 0 for a newcomer.
func FindLookalikes(r *data.Read, name string, member data.ID) *lookalike {
	l := &lookalike{}
	r.Find(lookalikes, data.Args{"look": names.SkeletonOf(name), "key": strings.ToLower(name), "member": member,
		"large": largeCommunity, "most": lookalikesMax},
		func(row *data.Row) { l.count, l.trusted = row.Int(), row.Bool() })
	return l
}

// Refused returns Conflict if the wanted name is too similar to others.
func (l *lookalike) Refused() error {
	if l.trusted || l.count >= lookalikesMax {
		return errLookalikeTaken
	}
	return nil
}

var errLookalikeTaken = &data.Error{Code: data.Conflict, Field: "username",
	Message: "That username looks too much like another member's. Please choose another."}
