package saves

import (
	"context"

	"plaza/data"
)

const (
	hidePost = `INSERT INTO hides (user_id, post_id, created_at) SELECT :actor, p.id, :at FROM posts p
WHERE p.id = :target AND p.status IN ('published', 'archived', 'removed') AND p.held = 0 AND ` + data.LiveSession +
		` ON CONFLICT DO NOTHING`
	unhidePost = `DELETE FROM hides WHERE user_id = :actor AND post_id = :target AND ` + data.LiveSession
)

// Hide hides a post from a member's listings, or with on false shows it again. A repetition changes nothing. Invalid (a comment),
// NotFound, Forbidden (deleted), Unauthenticated.
func (s *Store) Hide(ctx context.Context, a data.Actor, post data.ID, on bool) (State, error) {
	if post.IsComment() {
		return State{}, data.Mistake("target", "Only posts can be hidden. A comment can be folded.")
	}
	return s.change(ctx, a, post, on, hidePost, unhidePost, func(k State) bool { return k.Hidden })
}
