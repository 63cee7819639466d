package listings

import (
	"plaza/data"
	"plaza/data/posts"
)

// Index saves_listed in its order, then primary keys.
const savedPosts = `SELECT ` + posts.PostColumns + posts.PostMine + `, k.created_at FROM saves k CROSS JOIN posts p ON p.id = k.target_id` + posts.PostVote + `
WHERE k.user_id = ?1 AND k.target_id & 1 = 0 AND (k.created_at, k.target_id) < (?3, ?4) ORDER BY k.created_at DESC, k.target_id DESC LIMIT ?2`

// FindSaved reads a page of the posts that a member saves along with a page, the last
// saved first.
func (s *Store) FindSaved(r *data.Read, member data.ID, after data.Cursor, limit int) *Page {
	return s.findKept(r, savedPosts, Query{Order: data.OrderSaved, Viewer: member, After: after, Limit: limit})
}

func (s *Store) findKept(r *data.Read, query string, q Query) *Page {
	l := &Page{query: q, at: s.Source.Now()}
	value, id := data.KeysetFrom(q.After)
	for _, shard := range s.DB.OldShards() {
		r.OldAdd(shard, data.OldStmt(query, q.Viewer, q.Limit+1, value, id), l.scan)
	}
	return l
}
