package samplethread

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/data/searchwords"
	"plaza/data/wire/hrana"
	"plaza/ranking"
)

// Its rows are one JSON parameter. The database computes best and controversy itself: a number may lose its last bit as text.
var insertComments = `INSERT INTO comments (id, parent_id, path, depth, author_id, author_name, op, body, body_html, status,
  base_ups, base_downs, ups, downs, score, best, controversy, qa, replies, descendants, created_at, post_id, words)
SELECT id, parent_id, path, depth, author_id, author_name, op, body, body_html, status, ups, downs, ups, downs, ups - downs,
  ` + ranking.WilsonSQL("ups", "downs") + `, ` + ranking.ControversySQL("ups", "downs") + `, coalesce(qa, ` +
	ranking.WilsonSQL("ups", "downs") + `), replies, descendants, created_at, ?2, words
FROM (SELECT value ->> 0 AS id, value ->> 1 AS parent_id, value ->> 2 AS path, value ->> 3 AS depth, value ->> 4 AS author_id,
  value ->> 5 AS author_name, value ->> 6 AS op, value ->> 7 AS body, value ->> 8 AS body_html, value ->> 9 AS status, value ->> 10 AS ups,
  value ->> 11 AS downs, value ->> 12 AS qa, value ->> 13 AS replies, value ->> 14 AS descendants, value ->> 15 AS created_at,
  value ->> 16 AS words FROM json_each(?1))`

// Index comments_path.
var countTimes = `UPDATE posts SET comment_times = ` + posts.AddCommentTimes("comment_times", "posts.created_at",
	"SELECT c.created_at AS at FROM comments c WHERE c.post_id = posts.id") + ` WHERE id = ?1`

const (
	// The post is inserted with its count of comments. Primary key.
	forgetDeltas = `DELETE FROM count_deltas WHERE post_id = ?1`
	insertPost   = `INSERT INTO posts (id, community_id, community_name, author_id, author_name, slug, kind, title, excerpt,
  base_ups, base_downs, ups, downs, score, hot, controversy, comments, comments_step, created_at, words)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'text', ?7, '', ?8, ?9, ?8, ?9, ?8 - ?9, ?10, ?11, ?12, ?12, ?13, ?14)`
	// The counts that the delta run would add (data/rights/reputation). Index comments_path, primary key.
	countAuthors = `INSERT INTO reputations (community_id, user_id, comments)
SELECT ?2, c.author_id, count(*) FROM comments c WHERE c.post_id = ?1 AND c.author_id IS NOT NULL AND c.status = 'published'
  GROUP BY c.author_id
ON CONFLICT (community_id, user_id) DO UPDATE SET comments = comments + excluded.comments`
	insertText    = `INSERT INTO post_texts (post_id, text, html, words) VALUES (?1, '', '', '')`
	indexComments = `INSERT INTO search_comments (rowid, body, facets) SELECT w.id, w.body, w.facets FROM json_each(?1) j
  CROSS JOIN comment_words w ON w.id = j.value
WHERE NOT EXISTS (SELECT 1 FROM search_comments s WHERE s.rowid = w.id)`
	// Index comments_path.
	dropComments = `DELETE FROM comments WHERE post_id = ?1 AND NOT EXISTS (SELECT 1 FROM posts WHERE id = ?1)`
)

// batch is how many comments one transaction inserts: as one parameter, they must not have more than a few megabytes.
const batch = 2000

// ErrOrphans means that Write failed and could not delete its comments. They are not visible.
var ErrOrphans = errors.New("comments without a post are left, of post")

// Write writes the thread to a database, comments first: nothing is visible before the last transaction, which inserts the post. If it
// fails it deletes what it wrote, and if that fails, too, returns ErrOrphans. It calls progress after each step, whose error ends it.
func (t *Thread) Write(ctx context.Context, db *hrana.Client, progress func(done int) error) (err error) {
	defer func() {
		if err == nil {
			return
		}
		if _, failed := db.Tx(context.WithoutCancel(ctx), hrana.Stmt{SQL: dropComments, Args: []any{int64(t.Post)}},
			hrana.Stmt{SQL: forgetDeltas, Args: []any{int64(t.Post)}}); failed != nil {
			err = errors.Join(err, fmt.Errorf("%w %d: %w", ErrOrphans, int64(t.Post), failed))
		}
	}()
	post, done := int64(t.Post), 0
	written := slices.Clone(t.Comments) // by parent, so that most indexes only grow at their end
	slices.SortStableFunc(written, func(a, b Comment) int { return cmp.Compare(a.Parent, b.Parent) })
	for part := range slices.Chunk(written, batch) {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows := make([][]any, len(part))
		for i := range part {
			rows[i] = part[i].row()
		}
		list, err := json.Marshal(rows)
		if err != nil {
			return err
		}
		if _, err := db.Tx(ctx, hrana.Stmt{SQL: insertComments, Args: []any{string(list), post}},
			hrana.Stmt{SQL: forgetDeltas, Args: []any{post}}); err != nil {
			return fmt.Errorf("comments: %w", err)
		}
		done += len(part)
		if err := progress(done); err != nil {
			return err
		}
	}
	ups, downs := int64(len(t.Comments)/4+1), int64(len(t.Comments)/40)
	if _, err := db.Tx(ctx, hrana.Stmt{SQL: insertPost, Args: []any{post, int64(t.Community), t.Name, int64(t.Author.ID), t.Author.Name,
		t.Slug, t.Title, ups, downs, ranking.Hot(ups, downs, t.Created), ranking.Controversy(ups, downs), len(t.Comments),
		t.Created.UnixMilli(), searchwords.Words(t.Title)}},
		hrana.Stmt{SQL: posts.Activity, Named: []hrana.Named{{Name: "posts", Value: data.JSONIDs([]data.ID{t.Post})}}},
		hrana.Stmt{SQL: countTimes, Args: []any{post}}, hrana.Stmt{SQL: insertText, Args: []any{post}}, hrana.Stmt{SQL: countAuthors,
			Args: []any{post, int64(t.Community)}}); err != nil {
		return fmt.Errorf("post: %w", err)
	}
	return nil
}

// Index adds the comments of a written thread to the search index. Their post must exist. It calls before at the beginning of each step,
// whose error ends it.
func (t *Thread) Index(ctx context.Context, db *hrana.Client, before func(context.Context) error) error {
	for part := range slices.Chunk(t.Comments, batch) {
		if err := before(ctx); err != nil {
			return err
		}
		ids := make([]data.ID, len(part))
		for i := range part {
			ids[i] = part[i].ID
		}
		if _, err := db.Tx(ctx, hrana.Stmt{SQL: indexComments, Args: []any{data.JSONIDs(ids)}}); err != nil {
			return fmt.Errorf("search: %w", err)
		}
	}
	return nil
}

func (c *Comment) row() []any {
	var qa any // for comments with an answer by the post's author; nine digits are exact as text
	if c.QA >= 1 {
		qa = c.QA
	}
	return []any{int64(c.ID), int64(c.Parent), c.Path, c.Depth, int64(c.Author.ID), c.Author.Name, c.OP, c.Text, c.HTML, c.Status,
		c.Ups, c.Downs, qa, c.Replies, c.Descendants, c.Created.UnixMilli(), searchwords.Words(c.Text)}
}

// URL returns the path of the thread's page.
func (t *Thread) URL() string {
	return (&posts.Post{Community: t.Name, Slug: t.Slug}).URL()
}
