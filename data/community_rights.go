package data

import (
	"plaza/data/hrana"
	"strings"
)

// ?4 is a community's key and ?5 holds when the directory, being another database,
// has been asked already.
const moderates = `(?5 OR EXISTS (SELECT 1 FROM communities k JOIN moderators m ON m.community_id = k.id WHERE k.name_key = ?4 AND m.user_id = ?1)
  OR EXISTS (SELECT 1 FROM users u WHERE u.id = ?1 AND u.admin = 1 AND u.status = 'active'))`

const mayModerate = `SELECT ` + moderates + `, ` + liveSession

var errNotModerator = &Error{Code: Forbidden, Message: "That is for the moderators of this community."}

// allowed reads a row of mayModerate.
func allowed(res hrana.Result) error { return admitted(res, errNotModerator) }

// FindModerates reads along with a page whether a member moderates a community.
func (s *CommunityStore) FindModerates(r *Read, a Actor, community string) *bool {
	may := new(bool)
	r.add(s.DB.directory, stmt(mayModerate, a.args(strings.ToLower(community), false)...), func(res hrana.Result) error {
		return each(res, func(row *Row) { *may = row.Bool() })
	})
	return may
}
