package importer

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/posts"
	"plaza/data/lists/search"
	"plaza/data/searchwords"
	"plaza/ranking"
)

// Speed depends on the order of rows. sqld's cache has 2 MB, and a changed page that does not fit is written at once, to the log of the
// database and to the log of replication. So lists are in the order of their table or index. Transactions are large, because then more of
// their rows share a page. A statement has comments of about the same time, and the comments of a post are adjacent: five indexes of six
// begin with the post.
const (
	// The triggers of comments skip the counts and the search, which this package writes.
	beginBulk     = `INSERT INTO bulk_writes (id) VALUES (1)`
	endBulk       = `DELETE FROM bulk_writes WHERE id = 1`
	insertSources = `INSERT INTO comment_sources (source, comment_id) SELECT value ->> 0, value ->> 1 FROM json_each(:rows)`
	countReplies  = `UPDATE comments SET replies = comments.replies + d.replies, descendants = comments.descendants + d.descendants
FROM (SELECT value ->> 0 AS id, value ->> 1 AS replies, value ->> 2 AS descendants FROM json_each(:rows)) d WHERE comments.id = d.id`
	countReputations = `INSERT INTO reputations (community_id, user_id, comments) SELECT value ->> 0, value ->> 1, value ->> 2
  FROM json_each(:rows) WHERE true
ON CONFLICT (community_id, user_id) DO UPDATE SET comments = comments + excluded.comments`
)

// A row has the times of a post's new comments.
var countComments = `UPDATE posts SET comments = posts.comments + d.n, comments_step = posts.comments + d.n,
  comment_times = ` + posts.AddCommentTimes("posts.comment_times", "posts.created_at", "SELECT value AS at FROM json_each(d.times)") + `
FROM (SELECT value ->> 0 AS id, value ->> 1 AS times, json_array_length(value, '$[1]') AS n FROM json_each(:rows)) d
WHERE posts.id = d.id`

// The database computes best and controversy itself: a number as text may lose its last bit.
var insertComments = `INSERT INTO comments (id, post_id, parent_id, path, depth, author_id, author_name, op, body, body_html, status,
  base_ups, base_downs, ups, downs, score, best, controversy, qa, replies, descendants, created_at, edited_at, pictures, words)
SELECT id, post_id, parent_id, path, depth, author_id, author_name, op, body, body_html, status, ups, downs, ups, downs, ups - downs,
  ` + ranking.WilsonSQL("ups", "downs") + `, ` + ranking.ControversySQL("ups", "downs") + `, ` + ranking.WilsonSQL("ups", "downs") +
	`, replies, descendants, created_at, edited_at, pictures, words
FROM (SELECT v ->> 0 AS id, v ->> 1 AS post_id, v ->> 2 AS parent_id, v ->> 3 AS path, v ->> 4 AS depth, nullif(v ->> 5, 0) AS author_id,
  v ->> 6 AS author_name, v ->> 7 AS op,
  v ->> 8 AS ups, v ->> 9 AS downs, v ->> 10 AS created_at, v ->> 11 AS edited_at, v ->> 12 AS status, v ->> 13 AS body,
  v ->> 14 AS body_html, v ->> 15 AS replies, v ->> 16 AS descendants, v ->> 17 AS pictures, v ->> 18 AS words
  FROM ` + rowsOfJSON + `)`

// maxStatementRows bounds the rows of a statement, and maxStatementText about the bytes of their text: a value has 10 MB at most.
const (
	maxStatementRows = 4000
	maxStatementText = 4 << 20
)

// insertAll writes comments, adds them to the counts of their threads and authors, and gives authors their flairs, in one transaction.
func (w *writer) insertAll(ctx context.Context, shard data.Where, list []*comment) error {
	if len(list) == 0 {
		return nil
	}
	replies, descendants, inPosts := map[data.ID]int{}, map[data.ID]int{}, map[data.ID][]int64{}
	byAuthor := map[[2]data.ID]int{} // by community and author
	for _, c := range list {
		inPosts[c.postID] = append(inPosts[c.postID], c.created.UnixMilli())
		if c.author.id != 0 {
			byAuthor[[2]data.ID{c.communityID, c.author.id}]++
		}
		replies[c.parentID]++
		for path := above(c.path); path != ""; path = above(path) {
			descendants[lastOf(path)]++
		}
	}
	list = slices.SortedFunc(slices.Values(list), func(a, b *comment) int { return cmp.Compare(a.id, b.id) })
	t := w.db.WriteAt(shard)
	t.Do(beginBulk, nil)
	var sources, threads, parent, reputations [][]any
	var byAuthors []data.ID // replies by the authors of their threads
	for rest := list; len(rest) > 0; {
		some := slices.Clone(rest[:batchLen(rest, maxStatementRows, maxStatementText)])
		rest = rest[len(some):]
		slices.SortStableFunc(some, func(a, b *comment) int { return cmp.Compare(a.postID, b.postID) })
		var rows [][]any
		for _, c := range some {
			rows = append(rows, []any{int64(c.id), int64(c.postID), int64(c.parentID), c.path, c.depth, int64(c.author.id), c.author.name,
				c.op, c.ups, c.downs, c.created.UnixMilli(), milli(c.edited), c.status, c.text, c.html, replies[c.id],
				descendants[c.id], c.pictures.column, searchwords.Words(c.text)})
			delete(descendants, c.id)
			sources = append(sources, []any{c.source, int64(c.id)})
			if c.op && c.parentID != 0 {
				byAuthors = append(byAuthors, c.id)
			}
		}
		doRows(t, insertComments, rows)
	}
	slices.SortFunc(sources, func(a, b []any) int { return cmp.Compare(a[0].(string), b[0].(string)) })
	postIDs := slices.Sorted(maps.Keys(inPosts))
	for _, id := range postIDs {
		threads = append(threads, []any{int64(id), inPosts[id]})
	}
	for _, id := range slices.Sorted(maps.Keys(descendants)) {
		parent = append(parent, []any{int64(id), replies[id], descendants[id]})
	}
	for _, key := range slices.SortedFunc(maps.Keys(byAuthor), func(a, b [2]data.ID) int { return slices.Compare(a[:], b[:]) }) {
		reputations = append(reputations, []any{int64(key[0]), int64(key[1]), byAuthor[key]})
	}
	doRows(t, insertSources, sources)
	doRows(t, countComments, threads)
	doRows(t, countReplies, parent)
	doRows(t, countReputations, reputations)
	t.Do(posts.Activity, data.Args{"posts": postIDs})
	if len(byAuthors) > 0 {
		t.Do(comments.RankQuestions, data.Args{"targets": byAuthors})
	}
	t.Do(search.AddDue, data.Args{"first": list[0].id, "last": list[len(list)-1].id})
	t.Do(endBulk, nil)
	doRows(t, insertMemberFlairs, memberFlairsOf(list))
	return t.Run(ctx)
}

// A step of filling the search takes about fillTime, because other writers wait for it.
const (
	fillTime         = time.Second
	fillFirst        = 4000 // comments of the first step
	fillMin, fillMax = 500, 32_000
)

// fillSearch adds the comments of this import, and of imports that were interrupted, to the search index.
func (w *writer) fillSearch(ctx context.Context, shard data.Where) error {
	for step := fillFirst; ; {
		if err := w.mayWrite(ctx); err != nil {
			return err
		}
		began, more := time.Now(), false
		err := retry(ctx, w.db, func() (err error) {
			more, err = fillSome(ctx, w.db, shard, step)
			return err
		})
		if err != nil {
			return fmt.Errorf("fill the search: %w", err)
		}
		if !more {
			return nil
		}
		if took := time.Since(began); took > fillTime {
			step = max(step/2, fillMin)
		} else if took < fillTime/2 {
			step = min(step*2, fillMax)
		}
	}
}

// fillSome adds up to n comments. more is false if none was due.
func fillSome(ctx context.Context, db *data.DB, shard data.Where, n int) (more bool, err error) {
	var first, last data.ID
	err = find(ctx, db, shard, search.FirstDue, nil, func(row *data.Row) { first, last, more = row.ID(), row.ID(), true })
	if err != nil || !more {
		return false, err
	}
	err = find(ctx, db, shard, search.DueComments, data.Args{"first": first, "last": last, "limit": n}, func(row *data.Row) {
		if row.Int() == int64(n) {
			last = row.ID()
		}
	})
	if err != nil {
		return false, err
	}
	t := db.WriteAt(shard)
	t.Do(search.FillComments, data.Args{"first": first, "last": last})
	t.Do(search.KeepDue, data.Args{"last": last})
	t.Do(search.EndDue, data.Args{"last": last})
	return true, t.Run(ctx)
}
