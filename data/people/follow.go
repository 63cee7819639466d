package people

import (
	"context"
	"strings"

	"plaza/data"
	"plaza/data/outbox"
)

const (
	// Primary keys; the triggers on follows keep the counts. The posts of a loud author are not written
	// into timelines (package timelines).
	follow = `INSERT INTO follows (follower_id, followee_id, created_at, loud, unfilled)
SELECT :actor, u.id, :at, u.loud_to IS NOT NULL, u.loud_to IS NULL FROM users u WHERE u.id = ` + data.MemberNamed + ` AND u.id <> :actor AND ` + data.LiveSession + ` ON CONFLICT DO NOTHING`
	unfollow = `DELETE FROM follows WHERE follower_id = :actor
AND followee_id = ` + data.MemberNamed + ` AND ` + data.LiveSession
	// Primary key of timeline, the range of the member.
	leaveTimeline = `DELETE FROM timeline WHERE user_id = :actor AND author_id = ` + data.MemberNamed + ` AND ` + data.LiveSession
	followee      = `SELECT ` + data.MemberNamed + `, ` + data.LiveSession
	// Unique index and primary key.
	followsThem = `SELECT EXISTS (SELECT 1 FROM follows WHERE follower_id = :viewer AND followee_id = (SELECT id FROM users WHERE username_key = :name))`
)

// Follow has the actor follow somebody (on), or unfollow them. Unfollowing takes their posts out of the actor's timeline. Following
// leaves outbox.WorkFill for the actor; once Follow returns, the caller sends its message. NotFound, Unauthenticated, and Invalid for
// following oneself.
func (s *Store) Follow(ctx context.Context, a data.Actor, name string, on bool) error {
	key := strings.ToLower(name)
	w := s.DB.Write(data.Directory)
	if on {
		w.Do(follow, a.Args(data.Args{"name": key, "at": s.Source.Now()}))
		outbox.LeaveFill(w, s.Source, a.UserID)
	} else {
		w.Do(unfollow, a.Args(data.Args{"name": key}))
		w.Do(leaveTimeline, a.Args(data.Args{"name": key}))
	}
	var id data.ID
	var live bool
	w.Find(followee, a.Args(data.Args{"name": key}), func(r *data.Row) { id, live = r.ID(), r.Bool() })
	if err := w.Run(ctx); err != nil {
		return err
	}
	switch {
	case !live:
		return data.ErrSessionEnded
	case id == 0:
		return &data.Error{Code: data.NotFound, Field: "user", Message: "There is nobody of that name here."}
	case id == a.UserID && on:
		return data.Mistake("user", "You can't follow yourself.")
	}
	return nil
}

// FindFollows reads along with a page whether the member follows somebody.
func (s *Store) FindFollows(r *data.Read, viewer data.ID, name string) *bool {
	follows := new(bool)
	if viewer == 0 {
		return follows
	}
	key := strings.ToLower(name)
	r.FindOwn(data.Directory, key, followsThem, data.Args{"viewer": viewer, "name": key}, func(row *data.Row) { *follows = row.Bool() })
	return follows
}
