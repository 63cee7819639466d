package importer

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"time"

	"plaza/data"
	"plaza/data/threads"
	"plaza/data/votes"
	"plaza/ranking"
)

// thread is a post that comments are about.
type thread struct {
	id     data.ID
	author int64 // 0: nobody
}

// threadsInMemory bounds the threads that are remembered, and roomToWait the bytes of comments that wait for what they answer.
const (
	threadsInMemory = 300_000
	roomToWait      = 256 << 20
)

const (
	// Unique index on source.
	findThreads = `SELECT p.source, p.id, coalesce(p.author_id, 0) FROM json_each(?) j JOIN posts p ON p.source = j.value`
	// Primary keys.
	findComments = `SELECT s.source, c.id, c.post_id, c.path, c.depth FROM json_each(?) j JOIN comment_sources s ON s.source = j.value JOIN comments c ON c.id = s.comment_id`
	// Primary key.
	insertSources = `INSERT INTO comment_sources (source, comment_id) SELECT value ->> 0, value ->> 1 FROM json_each(?)`
)

// The database computes best and controversy itself: the text of a number may lose its last bit on the way. A trigger notes what is to be
// counted.
var insertComments = `INSERT INTO comments (id, post_id, parent_id, path, depth, author_id, author_name, op, body, body_html, status,
  base_ups, base_downs, ups, downs, score, best, controversy, qa, created_at, edited_at)
SELECT id, post_id, parent_id, path, depth, author_id, author_name, op, body, body_html, status, ups, downs, ups, downs, ups - downs,
  ` + ranking.WilsonSQL("ups", "downs") + `, ` + ranking.ControversySQL("ups", "downs") + `, ` + ranking.WilsonSQL("ups", "downs") + `, created_at, edited_at
FROM (SELECT v ->> 0 AS id, v ->> 1 AS post_id, v ->> 2 AS parent_id, v ->> 3 AS path, v ->> 4 AS depth, v ->> 5 AS author_id, v ->> 6 AS author_name, v ->> 7 AS op,
  v ->> 8 AS ups, v ->> 9 AS downs, v ->> 10 AS created_at, v ->> 11 AS edited_at, v ->> 12 AS status, v ->> 13 AS body, v ->> 14 AS body_html FROM ` + rowsOfJSON + `)`

// writeComments writes comments that are not there yet, and those that have waited for them. What answers something that is not there
// has to wait.
func (w *writer) writeComments(ctx context.Context, list []*comment) error {
	for len(list) > 0 {
		some := list[:together(list, w.batch)]
		list = list[len(some):]
		byShard, err := w.findThreads(ctx, some)
		if err != nil {
			return err
		}
		for n, here := range byShard {
			if len(here) == 0 {
				continue
			}
			if err := w.writeCommentsTo(ctx, n, here); err != nil {
				return err
			}
		}
		for _, c := range some {
			if c.id != 0 {
				list = append(list, w.take(c.source)...)
			}
		}
	}
	return nil
}

// together is how many of the first comments one transaction takes. Comments that have waited may have more text than a batch.
func together(list []*comment, most int) int {
	text := 0
	for i, c := range list[:min(len(list), most)] {
		if text += len(c.body) + len(c.html); i > 0 && text > maxBatchText {
			return i
		}
	}
	return min(len(list), most)
}

// findThreads finds the posts of comments and returns the comments by their shard.
func (w *writer) findThreads(ctx context.Context, list []*comment) ([][]*comment, error) {
	if len(w.threads) > threadsInMemory {
		clear(w.threads)
	}
	unknown := map[string]bool{}
	for _, c := range list {
		if _, known := w.threads[c.post]; !known {
			unknown[c.post] = true
		}
	}
	if len(unknown) > 0 {
		keys := make([]string, 0, len(unknown))
		for key := range unknown {
			keys = append(keys, key)
		}
		for _, shard := range w.shards {
			if err := each(ctx, shard, findThreads, keys, func(rows *sql.Rows) error {
				var source string
				var t thread
				err := rows.Scan(&source, (*int64)(&t.id), &t.author)
				w.threads[source] = t
				return err
			}); err != nil {
				return nil, err
			}
		}
	}
	byShard := make([][]*comment, len(w.shards))
	for _, c := range list {
		t, there := w.threads[c.post]
		if !there {
			w.wait(c, c.post)
			continue
		}
		c.postID, c.op = t.id, t.author != 0 && t.author == int64(c.author.id)
		byShard[t.id.Shard()] = append(byShard[t.id.Shard()], c)
	}
	return byShard, nil
}

// each runs a query over texts.
func each(ctx context.Context, db *sql.DB, query string, keys []string, scan func(*sql.Rows) error) error {
	list, err := json.Marshal(keys)
	if err != nil {
		return err
	}
	rows, err := db.QueryContext(ctx, query, string(list))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// writeCommentsTo writes the comments of one shard.
func (w *writer) writeCommentsTo(ctx context.Context, n int, list []*comment) error {
	shard := w.shards[n]
	var err error
	for try := range conflictTries {
		var fresh, later []*comment
		if fresh, later, err = settle(ctx, shard, list); err != nil {
			return err
		}
		if err = insertAll(ctx, shard, fresh); err == nil {
			w.result.Comments += len(fresh)
			w.result.Present += len(list) - len(fresh) - len(later)
			for _, c := range later {
				w.wait(c, c.parent)
			}
			return nil
		}
		for _, c := range fresh {
			c.id = 0
		}
		if !isConflict(err) {
			break
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Duration(10+rand.IntN(40)) * time.Millisecond << try):
		}
	}
	return err
}

// settle returns the comments that can be written, each after what it answers, with ids and paths, and those that have to wait. It leaves
// out what is there already.
func settle(ctx context.Context, shard *sql.DB, list []*comment) (fresh, later []*comment, err error) {
	keys := make([]string, 0, 2*len(list))
	for _, c := range list {
		if keys = append(keys, c.source); c.parent != "" {
			keys = append(keys, c.parent)
		}
	}
	known := map[string]*comment{}
	if err := each(ctx, shard, findComments, keys, func(rows *sql.Rows) error {
		c := &comment{}
		err := rows.Scan(&c.source, (*int64)(&c.id), (*int64)(&c.postID), &c.path, &c.depth)
		known[c.source] = c
		return err
	}); err != nil {
		return nil, nil, err
	}
	here := make(map[string]*comment, len(list))
	var new []*comment
	for _, c := range list {
		if known[c.source] != nil || here[c.source] != nil {
			continue
		}
		here[c.source] = c
		new = append(new, c)
	}
	// 0 was not looked at, 1 is being looked at, 2 can be written, 3 has to wait.
	state := make(map[*comment]int, len(new))
	var look func(c *comment) bool
	look = func(c *comment) bool {
		if state[c] != 0 {
			return state[c] == 2
		}
		state[c] = 1
		ok := c.parent == "" || known[c.parent] != nil && known[c.parent].postID == c.postID
		if up := here[c.parent]; !ok && up != nil && up.postID == c.postID {
			ok = look(up)
		}
		if state[c] = 3; ok {
			state[c] = 2
			fresh = append(fresh, c)
		}
		return ok
	}
	for _, c := range new {
		if !look(c) {
			later = append(later, c)
		}
	}
	var given numbers
	if err := given.give(ctx, shard, takenComments, len(fresh), func(i int, salt uint32) data.ID {
		return idFor(fresh[i].source, fresh[i].created, fresh[i].postID.Shard(), data.KindComment, salt)
	}, func(i int, id data.ID) { fresh[i].id = id }); err != nil {
		return nil, nil, err
	}
	for _, c := range fresh {
		up := known[c.parent]
		if up == nil {
			up = here[c.parent]
		}
		c.under(up)
	}
	return fresh, later, nil
}

// under puts a comment below what it answers: nil for the post. In a thread that is as deep as it can be it answers what is above.
func (c *comment) under(up *comment) {
	c.parentID, c.path, c.depth = 0, c.id.Text(), 0
	if up == nil {
		return
	}
	path, depth := up.path, up.depth
	for depth >= threads.DepthMax-1 {
		path, depth = path[:len(path)-data.IDTextLen], depth-1
	}
	parent, _ := data.ParseID(path[len(path)-data.IDTextLen:]) // paths are made of ids
	c.parentID, c.path, c.depth = parent, path+c.path, depth+1
}

// insertAll writes comments, and adds them to the counts of their threads and authors, in one transaction.
func insertAll(ctx context.Context, shard *sql.DB, list []*comment) error {
	if len(list) == 0 {
		return nil
	}
	sorted := slices.Clone(list) // so that the table and the search's index only grow at their ends
	slices.SortFunc(sorted, func(a, b *comment) int { return cmp.Compare(a.id, b.id) })
	var rows, sources [][]any
	var posts, answers []data.ID
	for _, c := range sorted {
		rows = append(rows, []any{int64(c.id), int64(c.postID), int64(c.parentID), c.path, c.depth, c.author.column(), c.author.name, bit(c.op), c.ups, c.downs,
			c.created.UnixMilli(), milli(c.edited), c.status, c.body, c.html})
		sources = append(sources, []any{c.source, int64(c.id)})
		posts = append(posts, c.postID)
		if c.op && c.parentID != 0 {
			answers = append(answers, c.id)
		}
	}
	slices.Sort(posts)
	posts = slices.Compact(posts)
	rowList, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	sourceList, err := json.Marshal(sources)
	if err != nil {
		return err
	}
	tx, err := shard.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(ctx, insertComments, string(rowList)); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, insertSources, string(sourceList)); err != nil {
		return err
	}
	for _, fold := range votes.FoldComments() {
		if _, err := tx.ExecContext(ctx, fold, sql.Named("posts", data.JSONIDs(posts))); err != nil {
			return err
		}
	}
	if len(answers) > 0 {
		if _, err := tx.ExecContext(ctx, threads.RankQuestions, sql.Named("targets", data.JSONIDs(answers))); err != nil {
			return err
		}
	}
	return tx.Commit()
}
