package listings

import (
	"plaza/data"
	"plaza/data/content/posts"
)

// Index saves_listed in its order, then primary keys.
const savedPosts = `SELECT ` + posts.Columns + posts.ViewerColumns + `, k.created_at
FROM saves k CROSS JOIN posts p ON p.id = k.target_id` + posts.JoinViewerVote + `
WHERE k.user_id = :viewer AND k.target_id & 1 = 0 AND (k.created_at, k.target_id) < (:value, :id)
  ORDER BY k.created_at DESC, k.target_id DESC LIMIT :limit`

// FindSaved adds to r the query of a page of a member's saved posts, the last saved first.
func (s *Store) FindSaved(r *data.Read, member data.ID, after data.Cursor, limit int) *data.Page[*posts.Post] {
	return s.findKept(r, savedPosts, member, data.OrderSaved, after, limit)
}

// findKept reads a page of a member's own list, such as saved posts. The cursor fills :value and :id of the statement.
func (s *Store) findKept(r *data.Read, sql string, member data.ID, order data.Order, after data.Cursor, limit int) *data.Page[*posts.Post] {
	l := data.NewPage[*posts.Post](order, limit)
	value, id := data.KeysetFrom(after)
	l.FindAll(r, sql, data.Args{"viewer": member, "value": value, "id": id}, func(row *data.Row) (*posts.Post, float64, data.ID) {
		p := &posts.Post{}
		p.Scan(row)
		return p, row.Float(), p.ID
	})
	return l
}
