package data

import (
	"plaza/data/hrana"
)

// Index posts_unpublished in its order, from the cursor's time on: what a member saved in
// the same millisecond is read and left out.
const unpublishedPosts = `SELECT ` + postColumns + postNobody + `, coalesce(p.edited_at, p.created_at), p.publish_at FROM posts p
WHERE p.author_id = ?1 AND p.status IN ('draft', 'scheduled') AND coalesce(p.edited_at, p.created_at) <= ?3
  AND (coalesce(p.edited_at, p.created_at) < ?3 OR p.id < ?4)
ORDER BY coalesce(p.edited_at, p.created_at) DESC, p.id DESC LIMIT ?2`

// FindUnpublished reads a page of a member's own drafts and scheduled posts along with a
// page, from every shard, the last saved first.
func (s *ListingStore) FindUnpublished(r *Read, member ID, after Cursor, limit int) *Listing {
	l := &Listing{query: ListingQuery{Order: OrderDrafts, Viewer: member, After: after, Limit: limit}, at: s.Source.Now()}
	value, id := keysetFrom(after)
	for _, shard := range s.DB.shards {
		r.add(shard, stmt(unpublishedPosts, member, limit+1, value, id), l.scanUnpublished)
	}
	return l
}

func (l *Listing) scanUnpublished(res hrana.Result) error {
	return each(res, func(row *Row) {
		p := &Post{}
		scanPost(row, p)
		l.posts = append(l.posts, listed{p, row.Float()})
		if ms := row.Int(); ms != 0 {
			p.PublishAt = millis(ms)
		}
	})
}
