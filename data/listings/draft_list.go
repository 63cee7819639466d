package listings

import (
	"plaza/data"
	"plaza/data/hrana"
	"plaza/data/posts"
)

// Index posts_unpublished in its order, from the cursor's time on: what a member saved in
// the same millisecond is read and left out.
const unpublishedPosts = `SELECT ` + posts.PostColumns + posts.PostNobody + `, coalesce(p.edited_at, p.created_at), p.publish_at FROM posts p
WHERE p.author_id = ?1 AND p.status IN ('draft', 'scheduled') AND coalesce(p.edited_at, p.created_at) <= ?3
  AND (coalesce(p.edited_at, p.created_at) < ?3 OR p.id < ?4)
ORDER BY coalesce(p.edited_at, p.created_at) DESC, p.id DESC LIMIT ?2`

// FindUnpublished reads a page of a member's own drafts and scheduled posts along with a
// page, from every shard, the last saved first.
func (s *Store) FindUnpublished(r *data.Read, member data.ID, after data.Cursor, limit int) *Page {
	l := &Page{query: Query{Order: data.OrderDrafts, Viewer: member, After: after, Limit: limit}, at: s.Source.Now()}
	value, id := data.KeysetFrom(after)
	for _, shard := range s.DB.OldShards() {
		r.OldAdd(shard, data.OldStmt(unpublishedPosts, member, limit+1, value, id), l.scanUnpublished)
	}
	return l
}

func (l *Page) scanUnpublished(res hrana.Result) error {
	return data.Each(res, func(row *data.Row) {
		p := &posts.Post{}
		posts.ScanPost(row, p)
		l.posts = append(l.posts, listed{p, row.Float()})
		if ms := row.Int(); ms != 0 {
			p.PublishAt = data.Millis(ms)
		}
	})
}
