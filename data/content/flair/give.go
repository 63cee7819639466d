package flair

import (
	"context"
	"strings"

	"plaza/data"
	"plaza/data/events/modlog"
	"plaza/data/rights/roles"
)

var (
	// logGiven adds an entry if the flair changes and the actor may change it. The next statement writes only then. Primary keys, unique
	// index on name_key.
	logGiven = modlog.Insert(modlog.Values{ID: ":entry", Community: "p.community_id", Action: "'" + string(modlog.Flair) + "'",
		Target: "p.id", Author: "p.author_id", Rule: `coalesce((SELECT f.text FROM flairs f WHERE f.id = :flair), '')`},
		`FROM posts p WHERE p.id = :target AND p.community_id = `+here+` AND p.status IN ('published', 'archived', 'removed')
  AND p.flair_id IS NOT nullif(:flair, 0)
  AND (:flair = 0 OR `+Chosen("p.community_id")+` IS NOT NULL) AND `+roles.ByApprover+` AND `+data.LiveSession)
	// changes() is 1 if logGiven added the entry. In a retry of the transaction it is 0.
	give = `UPDATE posts SET flair_id = nullif(:flair, 0) WHERE changes() > 0 AND id = :target`
	// The post's address, and whether it has the flair now.
	given = `SELECT p.community_name, p.slug, p.flair_id IS nullif(:flair, 0) FROM posts p
WHERE p.id = :target AND p.community_id = ` + here + ` AND p.status IN ('published', 'archived', 'removed')`
)

var errNoPost = &data.Error{Code: data.NotFound, Message: "There is no such post in this community. It may have been deleted."}

// Give lets a moderator or an approver give a post one of its community's flairs, or with 0 remove its flair. It adds a modlog entry and
// returns the post's address. A repetition changes nothing. Invalid (no such flair), NotFound, Forbidden and Unauthenticated.
func (s *Store) Give(ctx context.Context, a data.Actor, community string, target, flair data.ID) (address string, err error) {
	authority, err := s.authorize(ctx, a, community, roles.Approver, nil)
	if err != nil {
		return "", err
	}
	if !s.DB.Holds(authority.Shard, target) || target.IsComment() {
		return "", errNoPost
	}
	w := s.DB.WriteAt(authority.Home)
	w.ChangeListings()
	w.Do(logGiven, authority.Args(data.Args{"entry": s.Source.NewID(authority.Slot, data.KindOther), "target": target, "flair": flair,
		"name": a.Name}))
	w.Do(give, data.Args{"target": target, "flair": flair})
	var hasFlair bool
	w.Find(given, data.Args{"target": target, "flair": flair, "community": strings.ToLower(community)}, func(row *data.Row) {
		address = "/c/" + row.Text() + "/p/" + row.Text()
		hasFlair = row.Bool()
	})
	approver := authority.Check(w)
	if err := w.Run(ctx); err != nil {
		return "", err
	}
	switch {
	case approver.Err() != nil:
		return "", approver.Err()
	case address == "":
		return "", errNoPost
	case !hasFlair:
		return "", data.Mistake("flair", "This community has no such flair any more. Please choose another one.")
	}
	return address, nil
}
