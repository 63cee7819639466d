package saves

import (
	"context"
	"plaza/data"
)

const (
	hidePost = `INSERT INTO hides (user_id, post_id, created_at) SELECT ?1, p.id, ?5 FROM posts p
WHERE p.id = ?4 AND p.status IN ('published', 'archived', 'removed') AND ` + data.OldLiveSession + ` ON CONFLICT DO NOTHING`
	unhidePost = `DELETE FROM hides WHERE user_id = ?1 AND post_id = ?4 AND ` + data.OldLiveSession
)

// Hide takes a post out of a member's listings, or puts it back. Saying it twice
// changes nothing. Invalid (a comment), NotFound, Forbidden (deleted), Unauthenticated.
func (s *Store) Hide(ctx context.Context, a data.Actor, post data.ID, on bool) (Kept, error) {
	if post.IsComment() {
		return Kept{}, data.Mistake("target", "Only posts can be hidden. A comment can be folded.")
	}
	return s.keep(ctx, a, post, hidePost, unhidePost, keptPost, on, func(k Kept) bool { return k.Hidden })
}

// Pages are made alike for all members, so what one of them has hidden is left out when
// the page is there: it may show fewer posts, and its cursor is the same for everybody.
