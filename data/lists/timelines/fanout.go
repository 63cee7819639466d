package timelines

import (
	"context"
	"errors"
	"slices"

	"plaza/data"
	"plaza/data/events/outbox"
)

const (
	// step is how many followers one transaction of a fan-out reads.
	step = 1000
	// stepsTogether is how many transactions one call of FanOut makes, unless a single post needs more.
	stepsTogether = 12
	// onReadStep is how many follows of an author who has exceeded the threshold one transaction marks.
	onReadStep = 5000
	// onReadSteps is how many of these transactions one call makes.
	onReadSteps = 10
	// trimEach: a fan-out trims a timeline with a probability of one in trimEach, because trimming reads Kept entries.
	trimEach = 50
)

// published is a post to write into timelines.
type published struct {
	entry
	followers int64
	onReadTo  data.ID // follows of followers up to this one are marked as on read; -1: the author is below the threshold
	queued    int64   // when its job was enqueued
}

const (
	publishedPosts = `SELECT p.id, p.author_id, p.created_at FROM json_each(:posts) j CROSS JOIN posts p ON p.id = j.value
WHERE p.status = 'published' AND p.author_id IS NOT NULL`
	authorsFollowers = `SELECT u.id, u.followers, coalesce(u.on_read_to, -1) FROM json_each(:authors) j CROSS JOIN users u ON u.id = j.value`
)

// FanOut does the job outbox.JobTimeline for posts of any shards: it writes them into the timelines of their authors' followers. rest are
// posts that did not fit into this call; their messages are sent again. With an error, which is Unavailable, the jobs of some of the others
// become due again.
func (s *Store) FanOut(ctx context.Context, posts []data.ID) (rest []data.ID, err error) {
	if err := s.DB.RecentSlots(ctx, posts...); err != nil {
		return nil, err
	}
	found, err := s.published(ctx, posts)
	if err != nil {
		return nil, err
	}
	var chosen []published
	gone := []data.ID{} // posts that are not published any more
	steps := int64(0)
	for _, id := range posts {
		p, ok := found[id]
		if !ok {
			gone = append(gone, id)
			continue
		}
		cost := min(p.followers, s.threshold())/step + 1
		if steps += cost; steps > stepsTogether && len(chosen) > 0 {
			rest = append(rest, id)
			continue
		}
		chosen = append(chosen, p)
	}
	claimed, err := s.claim(ctx, chosen, gone)
	if err != nil {
		return rest, err
	}
	var onWrite, done []published
	for _, p := range claimed {
		switch {
		case p.onReadTo < 0 && p.followers <= s.threshold():
			onWrite = append(onWrite, p)
		case p.onReadTo == 1<<62 && p.followers <= s.threshold()/2:
			if failed := s.fanOutOnWrite(ctx, p); failed != nil {
				err = errors.Join(err, failed)
				continue
			}
			onWrite = append(onWrite, p)
		default:
			marked, failed := s.markOnRead(ctx, p)
			err = errors.Join(err, failed)
			if marked {
				done = append(done, p)
			} else if failed == nil { // there are more follows to mark
				rest = append(rest, p.post)
				err = errors.Join(err, s.again(ctx, p))
			}
		}
	}
	if failed := s.fanOut(ctx, onWrite); failed != nil {
		return rest, errors.Join(err, failed)
	}
	return rest, errors.Join(err, s.end(ctx, append(done, onWrite...)))
}

// published reads the posts that are still published, and the number of followers of their authors.
func (s *Store) published(ctx context.Context, posts []data.ID) (map[data.ID]published, error) {
	found := map[data.ID]published{}
	r := s.DB.Read()
	for shard, ids := range s.DB.Group(posts) {
		r.FindAt(shard, publishedPosts, data.Args{"posts": ids}, func(row *data.Row) {
			p := published{entry: entry{post: row.ID(), author: row.ID(), at: row.Int()}}
			found[p.post] = p
		})
	}
	if err := r.Run(ctx); err != nil || len(found) == 0 {
		return found, err
	}
	var authors []data.ID
	for _, p := range found {
		authors = append(authors, p.author)
	}
	r = s.DB.Read()
	r.Find(authorsFollowers, data.Args{"authors": authors}, func(row *data.Row) {
		author, followers, onReadTo := row.ID(), row.Int(), row.ID()
		for id, p := range found {
			if p.author == author {
				p.followers, p.onReadTo = followers, onReadTo
				found[id] = p
			}
		}
	})
	return found, r.Run(ctx)
}

// claim claims the jobs of posts, and ends the jobs of those in gone. It returns the posts whose jobs no other call has claimed.
func (s *Store) claim(ctx context.Context, posts []published, gone []data.ID) (claimed []published, err error) {
	ids := append([]data.ID{}, gone...)
	for _, p := range posts {
		ids = append(ids, p.post)
	}
	for shard, onShard := range s.DB.Group(ids) {
		w := s.DB.WriteAt(shard)
		queued := map[data.ID]int64{}
		outbox.Claim(w, s.Source, outbox.JobTimeline, onShard, func(c outbox.Claimed) { queued[c.Subject] = c.QueuedAt })
		outbox.DropTimelines(w, slices.DeleteFunc(onShard, func(id data.ID) bool { return !slices.Contains(gone, id) }))
		if failed := w.Run(ctx); failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		for _, p := range posts {
			if queuedAt, ok := queued[p.post]; ok {
				p.queued = queuedAt
				claimed = append(claimed, p)
			}
		}
	}
	return claimed, err
}

const (
	// Some of the followers of :author: the :step after :after. Index follows_followee in its order.
	someFollowers = `(SELECT f.follower_id AS id FROM follows f WHERE f.followee_id = :author AND f.follower_id > :after ORDER BY f.follower_id
  LIMIT :step)`

	addToFollowers = `INSERT INTO timeline (user_id, posted_at, post_id, author_id) SELECT u.id, :at, :post, :author
FROM ` + someFollowers + ` x CROSS JOIN users u ON u.id = x.id WHERE ` + active + ` ON CONFLICT DO NOTHING`

	// trimFollowers trims the timelines of some of the followers, chosen by their ids and a random number.
	trimFollowers = `DELETE FROM timeline WHERE (user_id, posted_at, post_id) IN (
  SELECT t.user_id, t.posted_at, t.post_id FROM ` + someFollowers + ` j CROSS JOIN timeline t ON t.user_id = j.id
  WHERE (j.id / 4194304 + :turn) % :each = 0
    AND t.posted_at < (SELECT min(k.posted_at) FROM (SELECT x.posted_at FROM timeline x WHERE x.user_id = j.id ORDER BY x.posted_at DESC
  LIMIT :kept) k))`

	lastOfFollowers = `SELECT max(x.id), count(*) FROM ` + someFollowers + ` x`
)

// fanOut writes posts into timelines, in transactions of up to step followers. Posts of authors with few followers
// share a transaction.
func (s *Store) fanOut(ctx context.Context, posts []published) error {
	after := make([]data.ID, len(posts))
	remaining := make([]bool, len(posts))
	for i := range remaining {
		remaining[i] = posts[i].followers > 0
	}
	for {
		w := s.DB.Write()
		reads := int64(0) // followers
		for i, p := range posts {
			if !remaining[i] || reads >= step {
				continue
			}
			args := data.Args{"author": p.author, "after": after[i], "step": step}
			with := func(more data.Args) data.Args {
				for k, v := range args {
					more[k] = v
				}
				return more
			}
			w.Do(addToFollowers, with(data.Args{"at": p.at, "post": p.post, "now": s.Source.DatabaseNow(), "inactive": InactiveAfter}))
			w.Do(trimFollowers, with(data.Args{"turn": int64(s.Source.Rand() % trimEach), "each": trimEach, "kept": EntriesMax}))
			w.Find(lastOfFollowers, args, func(row *data.Row) {
				last, n := row.ID(), row.Int()
				after[i], remaining[i] = last, n == step
			})
			reads += min(p.followers, step)
		}
		if reads == 0 {
			return nil
		}
		if err := w.Run(ctx); err != nil {
			return err
		}
	}
}

const (
	// If an earlier call has begun, this does nothing, so that the next statements continue where it ended.
	beginOnRead = `UPDATE users SET on_read_to = 0 WHERE id = :author AND on_read_to IS NULL`
	// Followers after on_read_to, in the order of their ids.
	unmarkedFollowers = `(SELECT f.follower_id AS id FROM follows f WHERE f.followee_id = :author AND f.follower_id > (SELECT u.on_read_to
  FROM users u
  WHERE u.id = :author) ORDER BY f.follower_id LIMIT :step)`
	markFollows = `UPDATE follows SET on_read = 1, backfill = 0 WHERE followee_id = :author AND follower_id IN (SELECT x.id FROM ` +
		unmarkedFollowers +
		` x)
AND NOT (on_read = 1 AND backfill = 0)`
	moveOnRead = `UPDATE users SET on_read_to = coalesce((SELECT max(x.id) FROM ` + unmarkedFollowers + ` x), ` + allMarked + `)
  WHERE id = :author`
	onReadTo = `SELECT u.on_read_to = ` + allMarked + ` FROM users u WHERE u.id = :author`
	// allMarked is on_read_to when all follows are marked. Later follows are marked when they begin.
	allMarked = `4611686018427387904`
)

// markOnRead moves an author to fan-out on read: it marks follows.on_read, which their followers' pages read. It reports whether all are
// marked.
func (s *Store) markOnRead(ctx context.Context, p published) (all bool, err error) {
	if p.onReadTo == 1<<62 {
		return true, nil
	}
	err = s.DB.Steps(ctx, onReadSteps, func(w *data.Write) func() bool {
		args := data.Args{"author": p.author, "step": onReadStep}
		w.Do(beginOnRead, data.Args{"author": p.author})
		w.Do(markFollows, args)
		w.Do(moveOnRead, args)
		w.Find(onReadTo, data.Args{"author": p.author}, func(row *data.Row) { all = row.Bool() })
		return func() bool { return !all }
	})
	return all, err
}

const (
	// Primary key; index follows_followee. While a follow is marked on_read, its followee's posts are merged on read, even posts with entries:
	// a page shows each once.
	endOnRead      = `UPDATE users SET on_read_to = NULL WHERE id = :author AND on_read_to = ` + allMarked
	backfillOnRead = `UPDATE follows SET backfill = 1 WHERE followee_id = :author AND on_read = 1`
)

// fanOutOnWrite moves an author back to fan-out on write: their posts are written into timelines again. Older posts are merged on read,
// because the follows stay marked until a backfill has written these posts.
func (s *Store) fanOutOnWrite(ctx context.Context, p published) error {
	w := s.DB.Write()
	w.Do(endOnRead, data.Args{"author": p.author})
	w.Do(backfillOnRead, data.Args{"author": p.author})
	outbox.EnqueueBackfills(w, s.Source, p.author, InactiveAfter)
	return w.Run(ctx)
}

// again lets the next message continue the job of a post.
func (s *Store) again(ctx context.Context, p published) error {
	w := s.DB.WriteAt(p.post)
	outbox.Requeue(w, s.Source, p.post, outbox.JobTimeline)
	return w.Run(ctx)
}

// end ends the jobs of posts.
func (s *Store) end(ctx context.Context, posts []published) error {
	var err error
	ids := make([]data.ID, len(posts))
	for i, p := range posts {
		ids[i] = p.post
	}
	for shard := range s.DB.Group(ids) {
		w := s.DB.WriteAt(shard)
		for _, p := range posts {
			if s.DB.Holds(shard, p.post) {
				outbox.Done(w, p.post, outbox.JobTimeline, p.queued)
			}
		}
		err = errors.Join(err, w.Run(ctx))
	}
	return err
}
