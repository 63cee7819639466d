package listings

import (
	"time"

	"plaza/data"
	"plaza/data/content/posts"
)

// OwnList is one list of an author's own posts: the posts of one status.
type OwnList string

// The lists of an author. Posts older than the site's archive age are in Archived and not in Published. Removed includes posts that wait
// for a moderator.
const (
	Drafts    OwnList = "draft"
	Scheduled OwnList = "scheduled"
	Published OwnList = "published"
	Archived  OwnList = "archived"
	Removed   OwnList = "removed"
)

const (
	savedAt = `coalesce(p.edited_at, p.created_at)`
	// Index posts_own in its order, from the cursor's time on. Posts of the page before that were saved in the cursor's millisecond are read
	// and skipped. :status is one of the three.
	unpublishedOfAuthor = `SELECT ` + posts.Columns + posts.NoViewerColumns + `, ` + savedAt + `, p.publish_at FROM posts p
WHERE p.author_id = :author AND p.status = :status AND p.status IN ('draft', 'scheduled', 'removed') AND ` + savedAt + ` <= :value
  AND (` + savedAt + ` < :value OR p.id < :id)
ORDER BY ` + savedAt + ` DESC, p.id DESC LIMIT :limit`
	// Index posts_by in its order, down to the posts that were published at :from.
	publishedOfAuthor = `SELECT ` + posts.Columns + posts.ViewerColumns + `, p.created_at, p.publish_at FROM posts p` +
		posts.JoinViewerVote + `
WHERE p.author_id = :viewer AND p.status = 'published' AND p.created_at >= :from
  AND (p.created_at, p.id) < (:value, :id COLLATE BINARY)
ORDER BY p.created_at DESC, p.id DESC LIMIT :limit`
)

// FindByAuthor reads a page of a list of a member's own posts along with a page of the site, from every shard: the last saved or, for
// published posts, the last published first. archive is the age at which posts are archived.
func (s *Store) FindByAuthor(r *data.Read, member data.ID, list OwnList, after data.Cursor, limit int, archive time.Duration) *Page {
	l := &Page{query: Query{Order: list.Order(), Viewer: member, After: after, Limit: limit}, read: r, at: s.Source.Now(),
		merge: data.NewMerge(compareListed)}
	value, id := data.KeysetFrom(after)
	args, sql := data.Args{"limit": limit + 1}, unpublishedOfAuthor
	switch begin := l.at.Add(-archive); list {
	case Published:
		sql, args["viewer"], args["from"] = publishedOfAuthor, member, begin
	case Archived:
		sql, args["viewer"], args["from"] = publishedOfAuthor, member, 0
		if after.IsZero() {
			value, id = float64(begin.UnixMilli()), 0
		}
	default:
		args["author"], args["status"] = member, string(list)
	}
	args["value"], args["id"] = value, id
	r.FindAll(sql, args, func(row *data.Row) {
		p := listed{Post: &posts.Post{}}
		p.Scan(row)
		p.value, p.PublishAt = row.Float(), row.Time()
		if row.InOwnShard(p.ID) {
			l.posts = append(l.posts, p)
		}
	})
	return l
}

// Order returns the order of the cursors of a list.
func (o OwnList) Order() data.Order {
	if o == Published || o == Archived {
		return data.OrderNew
	}
	return data.OrderDrafts
}
