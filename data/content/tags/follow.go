package tags

import (
	"context"

	"plaza/data"
)

// FollowMax is how many tags a member can follow.
const FollowMax = 50

// All by the primary key.
const (
	follow = `INSERT INTO tag_follows (user_id, name, created_at) SELECT :actor, :tag, :at
WHERE (SELECT count(*) FROM tag_follows WHERE user_id = :actor) < :most AND ` + data.LiveSession + ` ON CONFLICT DO NOTHING`
	unfollow    = `DELETE FROM tag_follows WHERE user_id = :actor AND name = :tag AND ` + data.LiveSession
	followedNow = `SELECT EXISTS (SELECT 1 FROM tag_follows WHERE user_id = :actor AND name = :tag), ` + data.LiveSession
	followsIt   = `SELECT EXISTS (SELECT 1 FROM tag_follows WHERE user_id = :viewer AND name = :tag)`
	followed    = `SELECT name FROM tag_follows WHERE user_id = :viewer ORDER BY name`
)

// Follow makes the actor follow a tag, or unfollow it if on is false. name is the result of Spell. Timelines have the posts of followed
// tags. NotFound (invalid as a tag), Invalid (too many) and Unauthenticated.
func (s *Store) Follow(ctx context.Context, a data.Actor, name string, on bool) error {
	if !IsName(name) {
		return errNoTag
	}
	w := s.DB.Write()
	if on {
		w.Do(follow, a.Args(data.Args{"tag": name, "at": s.Source.Now(), "most": FollowMax}))
	} else {
		w.Do(unfollow, a.Args(data.Args{"tag": name}))
	}
	var follows, live bool
	w.Find(followedNow, a.Args(data.Args{"tag": name}), func(r *data.Row) { follows, live = r.Bool(), r.Bool() })
	if err := w.Run(ctx); err != nil {
		return err
	}
	switch {
	case !live:
		return data.ErrSessionEnded
	case on && !follows:
		return data.Mistake("tag", "You can follow 50 tags at most.")
	}
	return nil
}

// FindFollows adds to r the query whether a member follows a tag.
func (s *Store) FindFollows(r *data.Read, viewer data.ID, name string) *bool {
	follows := new(bool)
	if viewer != 0 {
		r.FindCached(name, followsIt, data.Args{"viewer": viewer, "tag": name}, func(row *data.Row) { *follows = row.Bool() })
	}
	return follows
}

// FindFollowed reads along with a page the tags that a member follows.
func (s *Store) FindFollowed(r *data.Read, viewer data.ID) *[]string {
	names := new([]string)
	if viewer != 0 {
		r.FindCached("", followed, data.Args{"viewer": viewer}, func(row *data.Row) { *names = append(*names, row.Text()) })
	}
	return names
}
