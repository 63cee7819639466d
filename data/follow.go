package data

import (
	"context"
	"strings"
)

const (
	// Unique index on username_key; the triggers on follows keep the counts.
	follow = `INSERT INTO follows (follower_id, followee_id, created_at)
SELECT :actor, u.id, :at FROM users u WHERE u.username_key = :name AND u.id <> :actor AND ` + LiveSession + ` ON CONFLICT DO NOTHING`
	unfollow = `DELETE FROM follows WHERE follower_id = :actor
AND followee_id = (SELECT id FROM users WHERE username_key = :name) AND ` + LiveSession
	followee = `SELECT (SELECT id FROM users WHERE username_key = :name), ` + LiveSession
	// Unique index and primary key.
	followsThem = `SELECT EXISTS (SELECT 1 FROM follows WHERE follower_id = :viewer AND followee_id = (SELECT id FROM users WHERE username_key = :name))`
)

// Follow begins or ends following somebody. NotFound, Unauthenticated, and Invalid for following oneself.
func (s *UserStore) Follow(ctx context.Context, a Actor, name string, on bool) error {
	key := strings.ToLower(name)
	w := s.DB.Write(Directory)
	if on {
		w.Do(follow, a.Args(Args{"name": key, "at": s.Source.Now()}))
	} else {
		w.Do(unfollow, a.Args(Args{"name": key}))
	}
	var id ID
	var live bool
	w.Find(followee, a.Args(Args{"name": key}), func(r *Row) { id, live = r.ID(), r.Bool() })
	if err := w.Run(ctx); err != nil {
		return err
	}
	switch {
	case !live:
		return ErrSessionEnded
	case id == 0:
		return &Error{Code: NotFound, Field: "user", Message: "There is nobody of that name here."}
	case id == a.UserID && on:
		return Mistake("user", "That is you. You see what you post anyway.")
	}
	return nil
}

// FindFollows reads along with a page whether the member follows somebody.
func (s *UserStore) FindFollows(r *Read, viewer ID, name string) *bool {
	follows := new(bool)
	if viewer == 0 {
		return follows
	}
	key := strings.ToLower(name)
	r.FindOwn(Directory, key, followsThem, Args{"viewer": viewer, "name": key}, func(row *Row) { *follows = row.Bool() })
	return follows
}
