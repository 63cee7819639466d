package deletion

import (
	"context"
	"strings"

	"plaza/data"
	"plaza/data/events/modlog"
)

const (
	// The member whom the trigger moderators_owner_gone makes the owner. Index moderators_user, primary keys; a community has 50 moderators
	// at most.
	heirsOf = `SELECT k.name, (SELECT m.user_id FROM moderators m WHERE m.community_id = o.community_id AND m.role = 'moderator'
  ORDER BY m.created_at, m.user_id LIMIT 1)
FROM moderators o CROSS JOIN communities k ON k.id = o.community_id WHERE o.user_id = :user AND o.role = 'owner' LIMIT :limit`
	// Unique index on name_key, primary key.
	owns = `EXISTS (SELECT 1 FROM moderators m WHERE m.community_id = (SELECT k.id FROM communities k WHERE k.name_key = :community)
  AND m.user_id = :heir AND m.role = 'owner')`
)

// heir is the next owner of a community whose owner deletes their account.
type heir struct {
	community string
	user      data.ID
}

// nextOwners returns the next owners of the communities that a member owns.
func (s *Store) nextOwners(ctx context.Context, d accountDeletion) (list []heir, err error) {
	r := s.DB.Read()
	r.Find(heirsOf, d.args(data.Args{"limit": stepRows}), func(row *data.Row) {
		if h := (heir{row.Text(), row.ID()}); h.user != 0 {
			list = append(list, h)
		}
	})
	return list, r.Run(ctx)
}

// logHeirs adds entries to the log about the owners whom the previous statements have changed. The entries name no moderator.
func (s *Store) logHeirs(w *data.Write, heirs []heir) {
	for _, h := range heirs {
		e := modlog.NewEntry{ID: s.Source.NewID(0, data.KindOther), Community: h.community, Action: modlog.Owner, Target: h.user, Author: h.user}
		modlog.Add(w, data.Actor{}, e, owns, data.Args{"community": strings.ToLower(h.community), "heir": h.user})
	}
}
