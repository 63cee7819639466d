package listings

import (
	"plaza/data"
	"plaza/data/content/posts"
)

// Index saves_listed in its order, then primary keys.
const savedPosts = `SELECT ` + posts.Columns + posts.Own + `, k.created_at FROM saves k CROSS JOIN posts p ON p.id = k.target_id` +
	posts.OwnVote + `
WHERE k.user_id = :viewer AND k.target_id & 1 = 0 AND (k.created_at, k.target_id) < (:value, :id)
  ORDER BY k.created_at DESC, k.target_id DESC LIMIT :limit`

// FindSaved reads a page of the posts that a member saves along with a page of the site, the last saved first.
func (s *Store) FindSaved(r *data.Read, member data.ID, after data.Cursor, limit int) *Page {
	return s.findKept(r, savedPosts, Query{Order: data.OrderSaved, Viewer: member, After: after, Limit: limit})
}

// findKept reads a page of a list that the viewer keeps, such as what they saved. The cursor fills :value and :id of
// the statement.
func (s *Store) findKept(r *data.Read, sql string, q Query) *Page {
	l := &Page{query: q, at: s.Source.Now()}
	value, id := data.KeysetFrom(q.After)
	for _, shard := range s.DB.Shards() {
		r.Find(shard, sql, data.Args{"viewer": q.Viewer, "limit": q.Limit + 1, "value": value, "id": id}, l.scanSorted)
	}
	return l
}
