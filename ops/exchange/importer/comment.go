package importer

import (
	"context"
	"maps"
	"slices"
	"strings"

	"plaza/data"
	"plaza/data/content/comments"
)

// thread is the post of some comments.
type thread struct {
	id, community, author data.ID // author is 0 for none
}

// threadsInMemory and positionsInMemory limit the cached posts and comments, to which most of the next comments reply. roomToWait limits
// the bytes of comments that wait for their parents.
const (
	threadsInMemory   = 300_000
	positionsInMemory = 200_000
	roomToWait        = 256 << 20
)

const (
	// Unique index on source.
	findThreads     = `SELECT p.source, p.id, p.community_id, p.author_id FROM json_each(:list) j JOIN posts p ON p.source = j.value`
	presentComments = `SELECT s.source FROM json_each(:list) j JOIN comment_sources s ON s.source = j.value`
	findComments    = `SELECT s.source, c.id, c.post_id, c.path, c.depth FROM json_each(:list) j
  JOIN comment_sources s ON s.source = j.value JOIN comments c ON c.id = s.comment_id`
)

// writeComments writes new comments, and those that have waited for them. A reply to a missing comment waits.
func (w *writer) writeComments(ctx context.Context, list []*comment) error {
	for len(list) > 0 {
		some := list[:batchLen(list, w.batch, maxBatchText)]
		list = list[len(some):]
		here, err := w.findThreads(ctx, some)
		if err != nil {
			return err
		}
		for _, shard := range w.db.Shards() {
			if err := w.writeCommentsTo(ctx, shard, onShard(w, shard, here)); err != nil {
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

// findThreads finds the posts of comments, and returns the comments that have one.
func (w *writer) findThreads(ctx context.Context, list []*comment) (here []*comment, err error) {
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
		if err := retry(ctx, w.db, func() error {
			r := w.db.Read()
			for n, shard := range w.db.Shards() {
				r.FindAt(shard, findThreads, data.Args{"list": slices.Collect(maps.Keys(unknown))}, func(row *data.Row) {
					source, t := strings.Clone(row.Text()), thread{row.ID(), row.ID(), row.ID()}
					w.threads[source] = t
					if _, known := w.slots.Of(t.id.Slot()); !known { // another import has created it meanwhile
						w.slots.Put(t.id.Slot(), n)
					}
				})
			}
			return r.Run(ctx)
		}); err != nil {
			return nil, err
		}
	}
	for _, c := range list {
		t, known := w.threads[c.post]
		if !known {
			w.wait(c, c.post)
			continue
		}
		c.postID, c.communityID, c.op = t.id, t.community, t.author != 0 && t.author == c.author.id
		here = append(here, c)
	}
	return here, nil
}

// writeCommentsTo writes the comments of one shard.
func (w *writer) writeCommentsTo(ctx context.Context, shard data.Where, list []*comment) error {
	if len(list) == 0 {
		return nil
	}
	return retry(ctx, w.db, func() error {
		fresh, later, err := w.prepare(ctx, shard, list)
		if err != nil {
			return err
		}
		if err := addPictures(ctx, w, fresh); err != nil {
			return err
		}
		if err := w.insertAll(ctx, shard, fresh); err != nil {
			return err
		}
		if len(w.positions) > positionsInMemory {
			clear(w.positions)
		}
		for _, c := range fresh {
			w.positions[c.source] = c.position()
		}
		w.result.Comments += len(fresh)
		w.result.Existing += len(list) - len(fresh) - len(later)
		countInserted(w, fresh)
		for _, c := range later {
			w.wait(c, c.parent)
		}
		return nil
	})
}

// prepare returns the comments that can be written, each after its parent, with ids and paths, and those that have to wait. It leaves out
// comments that exist already.
func (w *writer) prepare(ctx context.Context, shard data.Where, list []*comment) (fresh, later []*comment, err error) {
	absent, err := newOf(ctx, w.db, shard, presentComments, list)
	if err != nil {
		return nil, nil, err
	}
	here := make(map[string]*comment, len(absent))
	for _, c := range absent {
		here[c.source] = c
	}
	known, unknown := map[string]position{}, map[string]bool{} // parents, by source
	for _, c := range absent {
		if s, remembered := w.positions[c.parent]; remembered {
			known[c.parent] = s
		} else if c.parent != "" && here[c.parent] == nil {
			unknown[c.parent] = true
		}
	}
	if len(unknown) > 0 {
		args := data.Args{"list": slices.Collect(maps.Keys(unknown))}
		if err := find(ctx, w.db, shard, findComments, args, func(row *data.Row) {
			known[row.Text()] = position{row.ID(), row.ID(), row.Text(), int(row.Int())}
		}); err != nil {
			return nil, nil, err
		}
	}
	ready := make(map[*comment]bool, len(absent)) // false also during its own check: comments may be in a circle
	var check func(c *comment) bool
	check = func(c *comment) bool {
		if ok, checked := ready[c]; checked {
			return ok
		}
		ready[c] = false
		up, isKnown := known[c.parent]
		ok := c.parent == "" || isKnown && up.postID == c.postID
		if above := here[c.parent]; !ok && above != nil && above.postID == c.postID {
			ok = check(above)
		}
		if ready[c] = ok; ok {
			fresh = append(fresh, c)
		}
		return ok
	}
	for _, c := range absent {
		if !check(c) {
			later = append(later, c)
		}
	}
	ids, err := giveIDs(ctx, w.db, shard, takenComments, len(fresh), func(i int, salt uint32) data.ID {
		return idFor(fresh[i].source, fresh[i].created, fresh[i].postID.Slot(), data.KindComment, salt)
	})
	if err != nil {
		return nil, nil, err
	}
	for i, c := range fresh {
		c.id = ids[i]
		up, replies := known[c.parent]
		c.under(up, replies)
		known[c.source] = c.position()
	}
	return fresh, later, nil
}

// under puts a comment below its parent, or below the post if it replies to that. Below comments.DepthMax it goes to an ancestor instead.
func (c *comment) under(up position, replies bool) {
	c.parentID, c.path, c.depth = 0, c.id.Text(), 0
	if !replies {
		return
	}
	path, depth := up.path, up.depth
	for depth >= comments.DepthMax-1 {
		path, depth = above(path), depth-1
	}
	c.parentID, c.path, c.depth = lastOf(path), path+c.path, depth+1
}

// above returns the path of the parent of a path's comment; "" for none.
func above(path string) string { return path[:len(path)-data.IDTextLen] }

// lastOf returns the id of a path's comment.
func lastOf(path string) data.ID {
	id, _ := data.ParseID(path[len(path)-data.IDTextLen:]) // paths consist of ids
	return id
}

// position is the place of a comment in its thread.
type position struct {
	id, postID data.ID
	path       string
	depth      int
}

func (c *comment) position() position { return position{c.id, c.postID, c.path, c.depth} }

// size returns about how many bytes of memory a comment takes.
func (c *comment) size() int { return c.textSize() + 400 }

// wait keeps a comment until its parent, or its post, is written. If there is no room, the comment is dropped until the next pass.
func (w *writer) wait(c *comment, parent string) {
	if w.room < c.size() {
		w.dropped++
		return
	}
	w.room -= c.size()
	w.waiting[parent] = append(w.waiting[parent], c)
}

// take removes and returns the comments that wait for the post or comment with this source.
func (w *writer) take(source string) []*comment {
	list := w.waiting[source]
	delete(w.waiting, source)
	for _, c := range list {
		w.room += c.size()
	}
	return list
}
