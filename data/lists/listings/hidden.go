package listings

import (
	"plaza/data"
	"plaza/data/content/posts"
)

// Index hides_listed in its order, then primary keys.
const hiddenPosts = `SELECT ` + posts.Columns + posts.ViewerColumns + `, x.created_at
FROM hides x CROSS JOIN posts p ON p.id = x.post_id` + posts.JoinViewerVote + `
WHERE x.user_id = :viewer AND (x.created_at, x.post_id) < (:value, :id)
ORDER BY x.created_at DESC, x.post_id DESC LIMIT :limit`

// FindHidden reads a page of a member's hidden posts along with a page of the site, the last hidden first.
func (s *Store) FindHidden(r *data.Read, member data.ID, after data.Cursor, limit int) *data.Page[*posts.Post] {
	return s.findKept(r, hiddenPosts, member, data.OrderHidden, after, limit)
}

// notHidden is added to the condition of a listing: the viewer has not hidden the post.
const notHidden = ` AND NOT EXISTS (SELECT 1 FROM hides x WHERE x.user_id = :viewer AND x.post_id = p.id)`

// safeForWork is added to the condition of a listing for viewers who hide NSFW posts.
const safeForWork = ` AND p.nsfw = 0`

// excludes reports whether the listing leaves out what the viewer has hidden. Listings of one author or one link do not.
func (q *Query) excludes() bool {
	return q.Viewer != 0 && q.Author == "" && q.About == ""
}

// Rest returns the query for the following visible posts if this page shows none, because the viewer hides them or they are NSFW
// (ExcludeNSFW). more reports whether that is so and the listing goes on. Such a page costs a second request.
func (l *Page) Rest() (q Query, more bool) {
	next := l.Next()
	if next.IsZero() || len(l.Items()) > 0 {
		return q, false
	}
	q = l.query
	q.After, q.visible, q.safe = next, true, l.safe
	return q, true
}
