package saves

import (
	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/posts"
)

// Index saves_listed in its order, then primary keys.
var savedComments = `SELECT ` + comments.Columns + comments.ViewerColumns + `, p.community_name, p.slug, p.title, p.status, p.locked,
  k.created_at
FROM saves k CROSS JOIN comments c ON c.id = k.target_id CROSS JOIN posts p ON p.id = c.post_id` + comments.JoinViewerVote + `
WHERE k.user_id = :viewer AND k.target_id & 1 = 1 AND (k.created_at, k.target_id) < (:saved, :id)
  ORDER BY k.created_at DESC, k.target_id DESC LIMIT :limit`

// FindComments reads a page of a member's saved comments along with a page of the site, the last saved first.
func (s *Store) FindComments(r *data.Read, member data.ID, after data.Cursor, limit int) *data.Page[comments.AuthorComment] {
	p := data.NewPage[comments.AuthorComment](data.OrderSaved, limit)
	saved, id := data.KeysetFrom(after)
	p.FindAll(r, savedComments, data.Args{"viewer": member, "saved": saved, "id": id},
		func(row *data.Row) (c comments.AuthorComment, savedAt float64, id data.ID) {
			c.Scan(row)
			c.Post = posts.Post{ID: c.PostID, Community: row.Text(), Slug: row.Text(), Title: row.Text(), Status: row.Text(), Locked: row.Bool()}
			return c, row.Float(), c.ID
		})
	return p
}
