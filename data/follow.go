package data

import (
	"context"
	"strings"

	"plaza/data/hrana"
)

const (
	// Unique index on username_key; the triggers on follows keep the counts.
	follow = `INSERT INTO follows (follower_id, followee_id, created_at)
SELECT ?1, u.id, ?5 FROM users u WHERE u.username_key = ?4 AND u.id <> ?1 AND ` + liveSession + ` ON CONFLICT DO NOTHING`
	unfollow = `DELETE FROM follows WHERE follower_id = ?1
AND followee_id = (SELECT id FROM users WHERE username_key = ?4) AND ` + liveSession
	followee = `SELECT (SELECT id FROM users WHERE username_key = ?4), ` + liveSession
	// Unique index and primary key.
	followsThem = `SELECT EXISTS (SELECT 1 FROM follows WHERE follower_id = ?1 AND followee_id = (SELECT id FROM users WHERE username_key = ?2))`
)

// Follow begins or ends following somebody. NotFound, Unauthenticated, and Invalid for
// following oneself.
func (s *UserStore) Follow(ctx context.Context, a Actor, name string, on bool) error {
	key := strings.ToLower(name)
	change := stmt(unfollow, a.args(key)...)
	if on {
		change = stmt(follow, a.args(key, s.Source.Now().UnixMilli())...)
	}
	results, err := tx(ctx, s.DB.directory, change, stmt(followee, a.args(key)...))
	if err != nil {
		return err
	}
	var id ID
	var live bool
	if err := each(results[1], func(r *row) { id, live = r.id(), r.bool() }); err != nil {
		return err
	}
	switch {
	case !live:
		return errSessionEnded
	case id == 0:
		return &Error{Code: NotFound, Field: "user", Message: "There is nobody of that name here."}
	case id == a.UserID && on:
		return invalid("user", "That is you. You see what you post anyway.")
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
	r.addOwn(s.DB.directory, 0, key, stmt(followsThem, viewer, key), func(res hrana.Result) error {
		return each(res, func(row *row) { *follows = row.bool() })
	})
	return follows
}
