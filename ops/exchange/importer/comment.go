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
	id, community, author data.ID // author is 0 for nobody
}

// These bound the threads that are remembered, the comments whose place is remembered, because most of what comes answers one of them, and
// the bytes of comments that wait for what they answer.
const (
	threadsInMemory = 300_000
	spotsInMemory   = 200_000
	roomToWait      = 256 << 20
)

const (
	// Unique index on source.
	findThreads     = `SELECT p.source, p.id, p.community_id, p.author_id FROM json_each(:list) j JOIN posts p ON p.source = j.value`
	presentComments = `SELECT s.source FROM json_each(:list) j JOIN comment_sources s ON s.source = j.value`
	findComments    = `SELECT s.source, c.id, c.post_id, c.path, c.depth FROM json_each(:list) j
  JOIN comment_sources s ON s.source = j.value JOIN comments c ON c.id = s.comment_id`
)

// writeComments writes new comments, and those that have waited for them. A reply to a missing comment has to wait.
func (w *writer) writeComments(ctx context.Context, list []*comment) error {
	for len(list) > 0 {
		some := list[:together(list, w.batch, maxBatchText)]
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
		if err := again(ctx, w.db, func() error {
			r := w.db.Read()
			for n, shard := range w.db.Shards() {
				r.FindAt(shard, findThreads, data.Args{"list": slices.Collect(maps.Keys(unknown))}, func(row *data.Row) {
					source, t := strings.Clone(row.Text()), thread{row.ID(), row.ID(), row.ID()}
					w.threads[source] = t
					if _, known := w.slots.Of(t.id.Slot()); !known { // another import has made it meanwhile
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
		t, there := w.threads[c.post]
		if !there {
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
	return again(ctx, w.db, func() error {
		fresh, later, err := w.prepare(ctx, shard, list)
		if err != nil {
			return err
		}
		if err := illustrate(ctx, w, fresh); err != nil {
			return err
		}
		if err := w.insertAll(ctx, shard, fresh); err != nil {
			return err
		}
		if len(w.spots) > spotsInMemory {
			clear(w.spots)
		}
		for _, c := range fresh {
			w.spots[c.source] = c.spot()
		}
		w.result.Comments += len(fresh)
		w.result.Present += len(list) - len(fresh) - len(later)
		inserted(w, fresh)
		for _, c := range later {
			w.wait(c, c.parent)
		}
		return nil
	})
}

// prepare returns the comments that can be written, each after what it answers, with ids and paths, and those that have to wait. It leaves
// out what is there already.
func (w *writer) prepare(ctx context.Context, shard data.Where, list []*comment) (fresh, later []*comment, err error) {
	absent, err := freshOf(ctx, w.db, shard, presentComments, list)
	if err != nil {
		return nil, nil, err
	}
	here := make(map[string]*comment, len(absent))
	for _, c := range absent {
		here[c.source] = c
	}
	known, unknown := map[string]spot{}, map[string]bool{} // what they answer, of what is there
	for _, c := range absent {
		if s, remembered := w.spots[c.parent]; remembered {
			known[c.parent] = s
		} else if c.parent != "" && here[c.parent] == nil {
			unknown[c.parent] = true
		}
	}
	if len(unknown) > 0 {
		args := data.Args{"list": slices.Collect(maps.Keys(unknown))}
		if err := find(ctx, w.db, shard, findComments, args, func(row *data.Row) {
			known[row.Text()] = spot{row.ID(), row.ID(), row.Text(), int(row.Int())}
		}); err != nil {
			return nil, nil, err
		}
	}
	ready := make(map[*comment]bool, len(absent)) // false also while it is being looked at
	var look func(c *comment) bool
	look = func(c *comment) bool {
		if ok, looked := ready[c]; looked {
			return ok
		}
		ready[c] = false
		up, there := known[c.parent]
		ok := c.parent == "" || there && up.postID == c.postID
		if above := here[c.parent]; !ok && above != nil && above.postID == c.postID {
			ok = look(above)
		}
		if ready[c] = ok; ok {
			fresh = append(fresh, c)
		}
		return ok
	}
	for _, c := range absent {
		if !look(c) {
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
		known[c.source] = c.spot()
	}
	return fresh, later, nil
}

// under puts a comment below what it answers, or below the post. In a thread that is as deep as it can be it answers what is above.
func (c *comment) under(up spot, replies bool) {
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

// above is the path of the comment that the comment of a path answers; "" for none.
func above(path string) string { return path[:len(path)-data.IDTextLen] }

// lastOf is the comment of a path.
func lastOf(path string) data.ID {
	id, _ := data.ParseID(path[len(path)-data.IDTextLen:]) // paths are made of ids
	return id
}

// spot is where a comment is.
type spot struct {
	id, postID data.ID
	path       string
	depth      int
}

func (c *comment) spot() spot { return spot{c.id, c.postID, c.path, c.depth} }

// size is about what a comment takes in memory.
func (c *comment) size() int { return c.textSize() + 400 }

// wait keeps a comment until what it answers is written, if there is room.
func (w *writer) wait(c *comment, parent string) {
	if w.room < c.size() {
		w.passedOver++
		return
	}
	w.room -= c.size()
	w.waiting[parent] = append(w.waiting[parent], c)
}

// take returns the comments that wait for what has a source, which is there now.
func (w *writer) take(source string) []*comment {
	list := w.waiting[source]
	delete(w.waiting, source)
	for _, c := range list {
		w.room += c.size()
	}
	return list
}
