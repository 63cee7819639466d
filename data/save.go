package data

import (
	"cmp"
	"context"
	"slices"

	"plaza/data/hrana"
)

// Kept is whether a member saves or hides a target, and where the target is.
type Kept struct {
	Saved  bool
	Hidden bool // of a post
	URL    string
}

const (
	savePost = `INSERT INTO saves (user_id, target_id, created_at) SELECT ?1, p.id, ?5 FROM posts p
WHERE p.id = ?4 AND p.status IN ('published', 'archived', 'removed') AND ` + liveSession + ` ON CONFLICT DO NOTHING`
	saveComment = `INSERT INTO saves (user_id, target_id, created_at) SELECT ?1, c.id, ?5 FROM comments c
WHERE c.id = ?4 AND c.status <> 'deleted' AND ` + liveSession + ` ON CONFLICT DO NOTHING`
	unsave = `DELETE FROM saves WHERE user_id = ?1 AND target_id = ?4 AND ` + liveSession

	// Primary keys.
	keptPost = `SELECT p.community_name, p.slug, p.status, EXISTS (SELECT 1 FROM saves k WHERE k.user_id = ?1 AND k.target_id = p.id),
  EXISTS (SELECT 1 FROM hides x WHERE x.user_id = ?1 AND x.post_id = p.id), ` + liveSession + ` FROM posts p WHERE p.id = ?4 AND p.status NOT IN ('draft', 'scheduled')`
	keptComment = `SELECT p.community_name, p.slug, c.status, EXISTS (SELECT 1 FROM saves k WHERE k.user_id = ?1 AND k.target_id = c.id), 0, ` + liveSession + `
FROM comments c JOIN posts p ON p.id = c.post_id WHERE c.id = ?4`
)

// Save keeps a post for a member, or no longer. Saying it twice changes nothing.
// NotFound, Forbidden (deleted) and Unauthenticated.
func (s *PostStore) Save(ctx context.Context, a Actor, post ID, on bool) (Kept, error) {
	return keep(ctx, s.DB, s.Source, a, post, savePost, unsave, keptPost, on, func(k Kept) bool { return k.Saved })
}

// Save keeps a comment for a member, or no longer. Errors are those of posts.
func (s *CommentStore) Save(ctx context.Context, a Actor, comment ID, on bool) (Kept, error) {
	return keep(ctx, s.DB, s.Source, a, comment, saveComment, unsave, keptComment, on, func(k Kept) bool { return k.Saved })
}

// keep runs one of the two statements, and asks what holds then.
func keep(ctx context.Context, db *DB, source Source, a Actor, target ID, add, remove, look string, on bool, holds func(Kept) bool) (Kept, error) {
	shard, err := db.ShardOfID(target)
	if err != nil {
		return Kept{}, err
	}
	change := stmt(remove, a.args(target)...)
	if on {
		change = stmt(add, a.args(target, source.Now().UnixMilli())...)
	}
	results, err := tx(ctx, shard, change, stmt(look, a.args(target)...))
	if err != nil {
		return Kept{}, err
	}
	if len(results[1].Rows) == 0 {
		return Kept{}, &Error{Code: NotFound, Field: "target", Message: "There is nothing here by that id. It may have been deleted."}
	}
	var k Kept
	var p Post
	var status string
	var live bool
	if err := each(results[1], func(r *row) {
		p.Community, p.Slug, status, k.Saved, k.Hidden, live = r.text(), r.text(), r.text(), r.bool(), r.bool(), r.bool()
	}); err != nil {
		return Kept{}, err
	}
	switch {
	case !live:
		return Kept{}, errSessionEnded
	case holds(k) != on:
		return Kept{}, &Error{Code: Forbidden, Field: "target", Message: "This is " + status + ": it can't be kept any more."}
	}
	if k.URL = p.URL(); target.IsComment() {
		k.URL += "/" + target.Text()
	}
	return k, nil
}

// The orders of a member's own lists: when they put something there.
const (
	OrderSaved  Order = 's'
	OrderHidden Order = 'x'
	OrderDrafts Order = 'd' // when they were saved last
)

const (
	// Index saves_listed in its order, then primary keys.
	savedPosts = `SELECT ` + postColumns + postMine + `, k.created_at FROM saves k CROSS JOIN posts p ON p.id = k.target_id
WHERE k.user_id = ?1 AND k.target_id & 1 = 0 AND (k.created_at, k.target_id) < (?3, ?4) ORDER BY k.created_at DESC, k.target_id DESC LIMIT ?2`
	savedComments = `SELECT ` + commentColumns + commentMine + `, p.community_name, p.slug, p.title, p.status, p.locked, k.created_at
FROM saves k CROSS JOIN comments c ON c.id = k.target_id CROSS JOIN posts p ON p.id = c.post_id
WHERE k.user_id = ?1 AND k.target_id & 1 = 1 AND (k.created_at, k.target_id) < (?3, ?4) ORDER BY k.created_at DESC, k.target_id DESC LIMIT ?2`
)

// FindSaved reads a page of the posts that a member saves along with a page, the last
// saved first.
func (s *PostStore) FindSaved(r *Read, member ID, after Cursor, limit int) *Listing {
	return s.findKept(r, savedPosts, ListingQuery{Order: OrderSaved, Viewer: member, After: after, Limit: limit})
}

func (s *PostStore) findKept(r *Read, query string, q ListingQuery) *Listing {
	l := &Listing{query: q, at: s.Source.Now()}
	value, id := keysetFrom(q.After)
	for _, shard := range s.DB.shards {
		r.add(shard, stmt(query, q.Viewer, q.Limit+1, value, id), l.scan)
	}
	return l
}

// keysetFrom is what a list by falling value and id begins below.
func keysetFrom(after Cursor) (value float64, id ID) {
	if after.IsZero() {
		return beforeAll, 1 << 62
	}
	return after.Value, after.ID
}

// SavedComments is a page of the comments that a member saves; read it after the Read
// ran.
type SavedComments struct {
	limit int
	list  []savedComment
}

type savedComment struct {
	AuthorComment
	at float64
}

// FindSaved reads a page of the comments that a member saves along with a page, the
// last saved first.
func (s *CommentStore) FindSaved(r *Read, member ID, after Cursor, limit int) *SavedComments {
	l := &SavedComments{limit: limit}
	value, id := keysetFrom(after)
	for _, shard := range s.DB.shards {
		r.add(shard, stmt(savedComments, member, limit+1, value, id), func(res hrana.Result) error {
			return each(res, func(row *row) {
				var c savedComment
				scanComment(row, &c.Comment)
				c.Post = Post{ID: c.PostID, Community: row.text(), Slug: row.text(), Title: row.text(), Status: row.text(), Locked: row.bool()}
				c.at = row.float()
				l.list = append(l.list, c)
			})
		})
	}
	return l
}

// Items is the page in its order.
func (l *SavedComments) Items() (page []AuthorComment) {
	for _, c := range l.page() {
		page = append(page, c.AuthorComment)
	}
	return page
}

func (l *SavedComments) page() []savedComment {
	slices.SortFunc(l.list, func(a, b savedComment) int {
		return cmp.Or(cmp.Compare(b.at, a.at), cmp.Compare(b.ID, a.ID))
	})
	return l.list[:min(len(l.list), l.limit)]
}

// Next is the cursor of the following page; zero on the last.
func (l *SavedComments) Next() Cursor {
	page := l.page()
	if len(l.list) <= l.limit {
		return Cursor{}
	}
	last := page[len(page)-1]
	return Cursor{Order: byte(OrderSaved), Value: last.at, ID: last.ID}
}
