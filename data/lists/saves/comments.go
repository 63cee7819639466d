package saves

import (
	"cmp"
	"slices"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/posts"
)

// CommentPage is a page of the comments that a member saves. Read it after Run.
type CommentPage struct {
	limit int
	list  []savedComment
}

type savedComment struct {
	comments.AuthorComment
	at float64 // when it was saved, in milliseconds
}

// Index saves_listed in its order, then primary keys.
var savedComments = `SELECT ` + comments.Columns + comments.Own + `, p.community_name, p.slug, p.title, p.status, p.locked, k.created_at
FROM saves k CROSS JOIN comments c ON c.id = k.target_id CROSS JOIN posts p ON p.id = c.post_id` + comments.OwnVote + `
WHERE k.user_id = :viewer AND k.target_id & 1 = 1 AND (k.created_at, k.target_id) < (:saved, :id)
  ORDER BY k.created_at DESC, k.target_id DESC LIMIT :limit`

// FindComments reads a page of the comments that a member saves along with a page of the site, the last saved first.
func (s *Store) FindComments(r *data.Read, member data.ID, after data.Cursor, limit int) *CommentPage {
	l := &CommentPage{limit: limit}
	saved, id := data.KeysetFrom(after)
	for _, shard := range s.DB.Shards() {
		r.Find(shard, savedComments, data.Args{"viewer": member, "saved": saved, "id": id, "limit": limit + 1}, func(row *data.Row) {
			var c savedComment
			c.Scan(row)
			c.Post = posts.Post{ID: c.PostID, Community: row.Text(), Slug: row.Text(), Title: row.Text(), Status: row.Text(), Locked: row.Bool()}
			c.at = row.Float()
			l.list = append(l.list, c)
		})
	}
	return l
}

// Items is the page in its order.
func (l *CommentPage) Items() (page []comments.AuthorComment) {
	for _, c := range l.page() {
		page = append(page, c.AuthorComment)
	}
	return page
}

func (l *CommentPage) page() []savedComment {
	slices.SortFunc(l.list, func(a, b savedComment) int {
		return cmp.Or(cmp.Compare(b.at, a.at), cmp.Compare(b.ID, a.ID))
	})
	return l.list[:min(len(l.list), l.limit)]
}

// Next is the cursor of the following page; zero on the last.
func (l *CommentPage) Next() data.Cursor {
	page := l.page()
	if len(l.list) <= l.limit {
		return data.Cursor{}
	}
	last := page[len(page)-1]
	return data.Cursor{Order: byte(data.OrderSaved), Value: last.at, ID: last.ID}
}
