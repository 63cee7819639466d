package communities

import (
	"plaza/data"
	"plaza/data/hrana"
	"strings"
)

// ?4 is a community's key and ?5 holds when the directory, being another database,
// has been asked already.
const Moderates = `(?5 OR EXISTS (SELECT 1 FROM communities k JOIN moderators m ON m.community_id = k.id WHERE k.name_key = ?4 AND m.user_id = ?1)
  OR EXISTS (SELECT 1 FROM users u WHERE u.id = ?1 AND u.admin = 1 AND u.status = 'active'))`

const MayModerate = `SELECT ` + Moderates + `, ` + data.OldLiveSession

var errNotModerator = &data.Error{Code: data.Forbidden, Message: "That is for the moderators of this community."}

// allowed reads a row of mayModerate.
func Allowed(res hrana.Result) error { return data.Admitted(res, errNotModerator) }

// FindModerates reads along with a page whether a member moderates a community.
func (s *Store) FindModerates(r *data.Read, a data.Actor, community string) *bool {
	may := new(bool)
	r.OldAdd(s.DB.OldDirectory(), data.OldStmt(MayModerate, a.OldArgs(strings.ToLower(community), false)...), func(res hrana.Result) error {
		return data.Each(res, func(row *data.Row) { *may = row.Bool() })
	})
	return may
}
