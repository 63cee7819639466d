package saves

import (
	"cmp"
	"context"
	"slices"

	"plaza/data"
	"plaza/data/hrana"
	"plaza/data/posts"
	"plaza/data/threads"
)

// SaveStore keeps what members save, and what they hide from their listings.
type Store struct {
	DB     *data.DB
	Source data.Source
}

// Kept is whether a member saves or hides a target, and where the target is.
type Kept struct {
	Saved  bool
	Hidden bool // of a post
	URL    string
}

const (
	savePost = `INSERT INTO saves (user_id, target_id, created_at) SELECT ?1, p.id, ?5 FROM posts p
WHERE p.id = ?4 AND p.status IN ('published', 'archived', 'removed') AND ` + data.OldLiveSession + ` ON CONFLICT DO NOTHING`
	saveComment = `INSERT INTO saves (user_id, target_id, created_at) SELECT ?1, c.id, ?5 FROM comments c
WHERE c.id = ?4 AND c.status <> 'deleted' AND ` + data.OldLiveSession + ` ON CONFLICT DO NOTHING`
	unsave = `DELETE FROM saves WHERE user_id = ?1 AND target_id = ?4 AND ` + data.OldLiveSession

	// Primary keys.
	keptPost = `SELECT p.community_name, p.slug, p.status, EXISTS (SELECT 1 FROM saves k WHERE k.user_id = ?1 AND k.target_id = p.id),
  EXISTS (SELECT 1 FROM hides x WHERE x.user_id = ?1 AND x.post_id = p.id), ` + data.OldLiveSession + ` FROM posts p WHERE p.id = ?4 AND p.status NOT IN ('draft', 'scheduled')`
	keptComment = `SELECT p.community_name, p.slug, c.status, EXISTS (SELECT 1 FROM saves k WHERE k.user_id = ?1 AND k.target_id = c.id), 0, ` + data.OldLiveSession + `
FROM comments c JOIN posts p ON p.id = c.post_id WHERE c.id = ?4`
)

// SavePost keeps a post for a member, or no longer. Saying it twice changes nothing.
// NotFound, Forbidden (deleted) and Unauthenticated.
func (s *Store) SavePost(ctx context.Context, a data.Actor, post data.ID, on bool) (Kept, error) {
	return s.keep(ctx, a, post, savePost, unsave, keptPost, on, func(k Kept) bool { return k.Saved })
}

// SaveComment keeps a comment for a member, or no longer. Errors are those of posts.
func (s *Store) SaveComment(ctx context.Context, a data.Actor, comment data.ID, on bool) (Kept, error) {
	return s.keep(ctx, a, comment, saveComment, unsave, keptComment, on, func(k Kept) bool { return k.Saved })
}

// keep runs one of the two statements, and asks what holds then.
func (s *Store) keep(ctx context.Context, a data.Actor, target data.ID, add, remove, look string, on bool, holds func(Kept) bool) (Kept, error) {
	shard, err := s.DB.ShardOfID(target)
	if err != nil {
		return Kept{}, err
	}
	change := data.OldStmt(remove, a.OldArgs(target)...)
	if on {
		change = data.OldStmt(add, a.OldArgs(target, s.Source.Now().UnixMilli())...)
	}
	results, err := data.Tx(ctx, shard, change, data.OldStmt(look, a.OldArgs(target)...))
	if err != nil {
		return Kept{}, err
	}
	if len(results[1].Rows) == 0 {
		return Kept{}, &data.Error{Code: data.NotFound, Field: "target", Message: "There is nothing here by that id. It may have been deleted."}
	}
	var k Kept
	var p posts.Post
	var status string
	var live bool
	if err := data.Each(results[1], func(r *data.Row) {
		p.Community, p.Slug, status, k.Saved, k.Hidden, live = r.Text(), r.Text(), r.Text(), r.Bool(), r.Bool(), r.Bool()
	}); err != nil {
		return Kept{}, err
	}
	switch {
	case !live:
		return Kept{}, data.ErrSessionEnded
	case holds(k) != on:
		return Kept{}, &data.Error{Code: data.Forbidden, Field: "target", Message: "This is " + status + ": it can't be kept any more."}
	}
	if k.URL = p.URL(); target.IsComment() {
		k.URL += "/" + target.Text()
	}
	return k, nil
}

const (
	savedComments = `SELECT ` + threads.CommentColumns + threads.CommentMine + `, p.community_name, p.slug, p.title, p.status, p.locked, k.created_at
FROM saves k CROSS JOIN comments c ON c.id = k.target_id CROSS JOIN posts p ON p.id = c.post_id` + threads.CommentVote + `
WHERE k.user_id = ?1 AND k.target_id & 1 = 1 AND (k.created_at, k.target_id) < (?3, ?4) ORDER BY k.created_at DESC, k.target_id DESC LIMIT ?2`
)

// SavedComments is a page of the comments that a member saves; read it after the Read
// ran.
type SavedComments struct {
	limit int
	list  []savedComment
}

type savedComment struct {
	threads.AuthorComment
	at float64
}

// FindComments reads a page of the comments that a member saves along with a page, the
// last saved first.
func (s *Store) FindComments(r *data.Read, member data.ID, after data.Cursor, limit int) *SavedComments {
	l := &SavedComments{limit: limit}
	value, id := data.KeysetFrom(after)
	for _, shard := range s.DB.OldShards() {
		r.OldAdd(shard, data.OldStmt(savedComments, member, limit+1, value, id), func(res hrana.Result) error {
			return data.Each(res, func(row *data.Row) {
				var c savedComment
				threads.ScanComment(row, &c.Comment)
				c.Post = posts.Post{ID: c.PostID, Community: row.Text(), Slug: row.Text(), Title: row.Text(), Status: row.Text(), Locked: row.Bool()}
				c.at = row.Float()
				l.list = append(l.list, c)
			})
		})
	}
	return l
}

// Items is the page in its order.
func (l *SavedComments) Items() (page []threads.AuthorComment) {
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
func (l *SavedComments) Next() data.Cursor {
	page := l.page()
	if len(l.list) <= l.limit {
		return data.Cursor{}
	}
	last := page[len(page)-1]
	return data.Cursor{Order: byte(data.OrderSaved), Value: last.at, ID: last.ID}
}
