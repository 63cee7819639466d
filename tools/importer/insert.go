package importer

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"maps"
	"slices"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/posts"
	"plaza/data/content/searchwords"
	"plaza/data/lists/search"
	"plaza/ranking"
)

// The order of rows matters most. sqld's cache has 2 MB, and a changed page that does not fit is written at once, to the log of the
// database and to the log of replication. So lists are in the order of their table or index. Transactions are large, because then more of
// their rows share a page. A statement has comments of about the same time, and the comments of a post are adjacent: five indexes of six
// begin with the post.
const (
	// The triggers of comments skip the counts and the search, which this package writes.
	beginBulk     = `INSERT INTO bulk_writes (id) VALUES (1)`
	endBulk       = `DELETE FROM bulk_writes WHERE id = 1`
	insertSources = `INSERT INTO comment_sources (source, comment_id) SELECT value ->> 0, value ->> 1 FROM json_each(?)`
	countComments = `UPDATE posts SET comments = posts.comments + d.n, comments_step = posts.comments + d.n
  FROM (SELECT value ->> 0 AS id, value ->> 1 AS n FROM json_each(?)) d
  WHERE posts.id = d.id`
	countReplies = `UPDATE comments SET replies = comments.replies + d.replies, descendants = comments.descendants + d.descendants
FROM (SELECT value ->> 0 AS id, value ->> 1 AS replies, value ->> 2 AS descendants FROM json_each(?)) d WHERE comments.id = d.id`
	countReputations = `INSERT INTO reputations (community_id, user_id, comments) SELECT value ->> 0, value ->> 1, value ->> 2
  FROM json_each(?)
  WHERE true
ON CONFLICT (community_id, user_id) DO UPDATE SET comments = comments + excluded.comments`
)

// The database computes best and controversy itself: a number as text may lose its last bit.
var insertComments = `INSERT INTO comments (id, post_id, parent_id, path, depth, author_id, author_name, op, body, body_html, status,
  base_ups, base_downs, ups, downs, score, best, controversy, qa, replies, descendants, created_at, edited_at, pictures, words)
SELECT id, post_id, parent_id, path, depth, author_id, author_name, op, body, body_html, status, ups, downs, ups, downs, ups - downs,
  ` + ranking.WilsonSQL("ups", "downs") + `, ` + ranking.ControversySQL("ups", "downs") + `, ` + ranking.WilsonSQL("ups", "downs") +
	`, replies, descendants, created_at, edited_at, pictures, words
FROM (SELECT v ->> 0 AS id, v ->> 1 AS post_id, v ->> 2 AS parent_id, v ->> 3 AS path, v ->> 4 AS depth, v ->> 5 AS author_id,
  v ->> 6 AS author_name, v ->> 7 AS op,
  v ->> 8 AS ups, v ->> 9 AS downs, v ->> 10 AS created_at, v ->> 11 AS edited_at, v ->> 12 AS status, v ->> 13 AS body,
  v ->> 14 AS body_html, v ->> 15 AS replies, v ->> 16 AS descendants, v ->> 17 AS pictures, v ->> 18 AS words
  FROM ` + rowsOfJSON + `)`

// rowsTogether is how many rows a statement inserts, and textTogether about how many bytes of text: a value has 10 MB at most.
const (
	rowsTogether = 4000
	textTogether = 4 << 20
)

// replies are the counts that comments of a batch add to one above them.
type replies struct{ replies, descendants int }

// counts are the counts that a batch of comments adds to other rows.
type counts struct {
	above       map[data.ID]replies // comments
	posts       map[data.ID]int
	reputations map[[2]data.ID]int // by community and author
}

func sumUp(list []*comment) counts {
	n := counts{map[data.ID]replies{}, map[data.ID]int{}, map[[2]data.ID]int{}}
	for _, c := range list {
		n.posts[c.postID]++
		if c.author.id != 0 {
			n.reputations[[2]data.ID{c.community, c.author.id}]++
		}
		for path := c.path[:len(c.path)-data.IDTextLen]; path != ""; path = path[:len(path)-data.IDTextLen] {
			id, _ := data.ParseID(path[len(path)-data.IDTextLen:]) // paths are made of ids
			a := n.above[id]
			a.descendants++
			if id == c.parentID {
				a.replies++
			}
			n.above[id] = a
		}
	}
	return n
}

// insertAll writes comments, and adds them to the counts of their threads and authors, in one transaction.
func insertAll(ctx context.Context, shard *sql.DB, list []*comment) error {
	if len(list) == 0 {
		return nil
	}
	list = slices.SortedFunc(slices.Values(list), func(a, b *comment) int { return cmp.Compare(a.id, b.id) })
	steps, err := insertSteps(list)
	if err != nil {
		return err
	}
	return once(ctx, shard, func(tx *sql.Tx) error {
		for _, s := range steps {
			if _, err := tx.ExecContext(ctx, s.sql, s.args...); err != nil {
				return err
			}
		}
		return nil
	})
}

// step is a statement.
type step struct {
	sql  string
	args []any
}

// insertSteps returns the statements that insert comments, which are in the order of their ids.
func insertSteps(list []*comment) ([]step, error) {
	steps := []step{{beginBulk, nil}}
	add := func(sql string, rows [][]any) error {
		if len(rows) == 0 {
			return nil
		}
		text, err := json.Marshal(rows)
		steps = append(steps, step{sql, []any{string(text)}})
		return err
	}
	n := sumUp(list)
	var sources, threads, above, reputations [][]any
	var replies []data.ID
	for rest := list; len(rest) > 0; {
		some := slices.Clone(rest[:together(rest, rowsTogether, textTogether)])
		rest = rest[len(some):]
		slices.SortStableFunc(some, func(a, b *comment) int { return cmp.Compare(a.postID, b.postID) })
		var rows [][]any
		for _, c := range some {
			own := n.above[c.id]
			delete(n.above, c.id)
			rows = append(rows, []any{int64(c.id), int64(c.postID), int64(c.parentID), c.path, c.depth, c.author.column(), c.author.name, bit(c.op),
				c.ups, c.downs,
				c.created.UnixMilli(), milli(c.edited), c.status, c.body, c.html, own.replies, own.descendants,
				c.pictures.column, searchwords.Words(c.body)})
			sources = append(sources, []any{c.source, int64(c.id)})
			if c.op && c.parentID != 0 {
				replies = append(replies, c.id)
			}
		}
		if err := add(insertComments, rows); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(sources, func(a, b []any) int { return cmp.Compare(a[0].(string), b[0].(string)) })
	for _, id := range slices.Sorted(maps.Keys(n.posts)) {
		threads = append(threads, []any{int64(id), n.posts[id]})
	}
	for _, id := range slices.Sorted(maps.Keys(n.above)) {
		above = append(above, []any{int64(id), n.above[id].replies, n.above[id].descendants})
	}
	for _, key := range slices.SortedFunc(maps.Keys(n.reputations), func(a, b [2]data.ID) int { return slices.Compare(a[:], b[:]) }) {
		reputations = append(reputations, []any{int64(key[0]), int64(key[1]), n.reputations[key]})
	}
	for _, s := range []struct {
		sql  string
		rows [][]any
	}{{insertSources, sources}, {countComments, threads}, {countReplies, above}, {countReputations, reputations}} {
		if err := add(s.sql, s.rows); err != nil {
			return nil, err
		}
	}
	steps = append(steps, step{posts.Activity, []any{sql.Named("posts", data.JSONIDs(slices.Sorted(maps.Keys(n.posts))))}})
	if len(replies) > 0 {
		steps = append(steps, step{comments.RankQuestions, []any{sql.Named("targets", data.JSONIDs(replies))}})
	}
	return append(steps, step{search.AddDue, []any{sql.Named("first", int64(list[0].id)), sql.Named("last", int64(list[len(list)-1].id))}},
		step{endBulk, nil}), nil
}
