package listings

import (
	"plaza/data"
	"plaza/data/posts"
)

// Index posts_unpublished in its order, from the cursor's time on. Posts that were saved in the cursor's millisecond
// and are on the page before are read and left out.
const unpublishedPosts = `SELECT ` + posts.Columns + posts.NothingOwn + `, coalesce(p.edited_at, p.created_at), p.publish_at FROM posts p
WHERE p.author_id = :author AND p.status IN ('draft', 'scheduled') AND coalesce(p.edited_at, p.created_at) <= :saved
  AND (coalesce(p.edited_at, p.created_at) < :saved OR p.id < :id)
ORDER BY coalesce(p.edited_at, p.created_at) DESC, p.id DESC LIMIT :limit`

// FindUnpublished reads a page of a member's own drafts and scheduled posts along with a page of the site, from every
// shard, the last saved first.
func (s *Store) FindUnpublished(r *data.Read, member data.ID, after data.Cursor, limit int) *Page {
	l := &Page{query: Query{Order: data.OrderDrafts, Viewer: member, After: after, Limit: limit}, at: s.Source.Now()}
	saved, id := data.KeysetFrom(after)
	for _, shard := range s.DB.Shards() {
		r.Find(shard, unpublishedPosts, data.Args{"author": member, "limit": limit + 1, "saved": saved, "id": id}, func(row *data.Row) {
			l.scanSorted(row)
			l.posts[len(l.posts)-1].PublishAt = row.Time()
		})
	}
	return l
}
