package importer

import (
	"context"
	"database/sql"
	"encoding/json"

	"plaza/data"
	"plaza/data/content/comments"
)

// thread is the post of some comments.
type thread struct {
	id, community data.ID
	author        int64 // 0: none
}

// threadsInMemory limits the cached threads, and roomToWait the bytes of comments that wait for their parents.
const (
	threadsInMemory = 300_000
	roomToWait      = 256 << 20
)

const (
	// Unique index on source.
	findThreads     = `SELECT p.source, p.id, p.community_id, coalesce(p.author_id, 0) FROM json_each(?) j JOIN posts p ON p.source = j.value`
	presentComments = `SELECT s.source FROM json_each(?) j JOIN comment_sources s ON s.source = j.value`
	findComments    = `SELECT s.source, c.id, c.post_id, c.path, c.depth FROM json_each(?) j JOIN comment_sources s ON s.source = j.value
  JOIN comments c ON c.id = s.comment_id`
)

// writeComments writes new comments, and those that have waited for them. A reply to a missing comment has to wait.
func (w *writer) writeComments(ctx context.Context, list []*comment) error {
	for len(list) > 0 {
		some := list[:together(list, w.batch, maxBatchText)]
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

// together returns how many of the first items of a list have at most so much text, but at least one and at most most.
func together[T interface{ textSize() int }](list []T, most, text int) int {
	for i, item := range list[:min(len(list), most)] {
		if text -= item.textSize(); i > 0 && text < 0 {
			return i
		}
	}
	return min(len(list), most)
}

// textSize returns an estimate of the most bytes of text of a row. If words are cut into pairs, they take twice as much as the text.
func (p *post) textSize() int    { return 3*len(p.text) + len(p.html) + p.pictures.textSize() }
func (c *comment) textSize() int { return 3*len(c.body) + len(c.html) + c.pictures.textSize() }

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
		for n, shard := range w.shards {
			if err := each(ctx, shard, findThreads, keys, func(rows *sql.Rows) error {
				var source string
				var t thread
				err := rows.Scan(&source, (*int64)(&t.id), (*int64)(&t.community), &t.author)
				w.threads[source] = t
				if _, known := w.slots.Of(t.id.Slot()); !known { // another import has made it meanwhile
					w.slots.Put(t.id.Slot(), n)
				}
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
		c.postID, c.community, c.op = t.id, t.community, t.author != 0 && t.author == int64(c.author.id)
		n := w.shardOf(t.id)
		byShard[n] = append(byShard[n], c)
	}
	return byShard, nil
}

// each runs a query whose first argument is a JSON array of texts; more are the arguments after it.
func each(ctx context.Context, db *sql.DB, query string, keys []string, scan func(*sql.Rows) error, more ...any) error {
	list, err := json.Marshal(keys)
	if err != nil {
		return err
	}
	rows, err := db.QueryContext(ctx, query, append([]any{string(list)}, more...)...)
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
		if fresh, later, err = w.prepare(ctx, shard, list); err != nil {
			return err
		}
		var wants []*wanted
		for _, c := range fresh {
			if len(c.pictures.shown) > 0 {
				c.pictures.by = &c.author
				wants = append(wants, &c.pictures)
			}
		}
		if err = w.bring(ctx, wants); err != nil {
			return err
		}
		if err = insertAll(ctx, shard, fresh); err == nil {
			w.written.add(fresh)
			w.result.Comments += len(fresh)
			w.result.Present += len(list) - len(fresh) - len(later)
			var worn [][3]any
			for _, c := range fresh {
				w.result.Cut += bit(c.cut)
				w.result.NoPictures += c.pictures.lost
				if c.worn != "" && c.author.id != 0 {
					worn = append(worn, [3]any{int64(c.author.id), int64(c.community), c.worn})
				}
			}
			if err := wear(ctx, shard, worn); err != nil {
				return err
			}
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
		if err := pause(ctx, try); err != nil {
			return err
		}
	}
	return err
}

// prepare returns the comments that can be written, each after its parent, with ids and paths, and those that have to wait. It skips
// existing ones.
func (w *writer) prepare(ctx context.Context, shard *sql.DB, list []*comment) (fresh, later []*comment, err error) {
	keys := make([]string, 0, len(list))
	for _, c := range list {
		keys = append(keys, c.source)
	}
	seen, err := set(ctx, shard, presentComments, keys)
	if err != nil {
		return nil, nil, err
	}
	here := make(map[string]*comment, len(list))
	var new []*comment
	for _, c := range list {
		if !seen[c.source] {
			seen[c.source] = true
			here[c.source] = c
			new = append(new, c)
		}
	}
	known, err := w.parents(ctx, shard, new, here)
	if err != nil {
		return nil, nil, err
	}
	// 0 was not checked, 1 is being checked, 2 can be written, 3 has to wait.
	state := make(map[*comment]int, len(new))
	var look func(c *comment) bool
	look = func(c *comment) bool {
		if state[c] != 0 {
			return state[c] == 2
		}
		state[c] = 1
		up, there := known[c.parent]
		ok := c.parent == "" || there && up.postID == c.postID
		if above := here[c.parent]; !ok && above != nil && above.postID == c.postID {
			ok = look(above)
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
		return idFor(fresh[i].source, fresh[i].created, fresh[i].postID.Slot(), data.KindComment, salt)
	}, func(i int, id data.ID) { fresh[i].id = id }); err != nil {
		return nil, nil, err
	}
	for _, c := range fresh {
		up, there := known[c.parent]
		if above := here[c.parent]; !there && above != nil {
			up, there = above.spot(), true
		}
		c.under(up, there)
	}
	return fresh, later, nil
}

// parents returns the existing parents of the comments of a list.
func (w *writer) parents(ctx context.Context, shard *sql.DB, list []*comment, here map[string]*comment) (map[string]spot, error) {
	known := map[string]spot{}
	var missing []string
	for _, c := range list {
		if c.parent == "" || here[c.parent] != nil {
			continue
		}
		if s, remembered := w.written.find(c.parent); remembered {
			known[c.parent] = s
		} else {
			missing = append(missing, c.parent)
		}
	}
	if len(missing) == 0 {
		return known, nil
	}
	return known, each(ctx, shard, findComments, missing, func(rows *sql.Rows) error {
		var source string
		var s spot
		err := rows.Scan(&source, (*int64)(&s.id), (*int64)(&s.postID), &s.path, &s.depth)
		known[source] = s
		return err
	})
}

// under puts a comment below its parent, or below the post. In a thread of the maximum depth it becomes a sibling of its parent.
func (c *comment) under(up spot, replies bool) {
	c.parentID, c.path, c.depth = 0, c.id.Text(), 0
	if !replies {
		return
	}
	path, depth := up.path, up.depth
	for depth >= comments.DepthMax-1 {
		path, depth = path[:len(path)-data.IDTextLen], depth-1
	}
	parent, _ := data.ParseID(path[len(path)-data.IDTextLen:]) // paths are made of ids
	c.parentID, c.path, c.depth = parent, path+c.path, depth+1
}
