package data

import (
	"context"
	"time"

	"plaza/data/hrana"
)

// Work is what a consumer of the events queue has to do for a post.
type Work string

// WorkLink is to fetch what the page behind a post's link says of itself.
const WorkLink Work = "link"

// Outbox finds work that was left in the shards.
type Outbox struct {
	DB     *DB
	Source Source
}

// Due is work whose message may be lost.
type Due struct {
	Work    Work
	Subject ID
}

const (
	// resendAfter is how long work may wait for the message that was sent with it.
	resendAfter = time.Minute
	// dueLimit bounds what one sweep takes from each shard.
	dueLimit = 100
)

// leaveWork is written by the transaction that makes the work. Doing it again is new work,
// and whoever has begun the old one does not end it (see doneWork).
const leaveWork = `INSERT INTO outbox (subject_id, work, queued_at, due_at) SELECT id, ?2, ?3, ?4 FROM posts WHERE id = ?1
ON CONFLICT (subject_id, work) DO UPDATE SET queued_at = max(excluded.queued_at, queued_at + 1), attempts = 0, due_at = excluded.due_at`

// leaveLink leaves the link of a post that the same transaction has written or changed.
// When it is committed, the message of WorkLink is sent.
func leaveLink(post ID, now time.Time) hrana.Stmt {
	return stmt(leaveWork, post, string(WorkLink), now.UnixMilli(), now.Add(resendAfter).UnixMilli())
}

// doneWork ends what was begun, unless there is new work since. Primary key.
const doneWork = `DELETE FROM outbox WHERE subject_id = ?1 AND work = ?2 AND queued_at = ?3`

// Index outbox_due, in its order, from its front.
const dueWork = `SELECT work, subject_id FROM outbox WHERE due_at <= ?1 ORDER BY due_at, subject_id LIMIT ?2`

// FindDue reads work that is due, the longest waiting first, at most dueLimit of each
// shard. Unavailable when a shard could not be asked; it is then what the others have.
func (o *Outbox) FindDue(ctx context.Context) ([]Due, error) {
	due := []Due{}
	r, now := o.DB.Read(), o.Source.Now().UnixMilli()
	for _, shard := range o.DB.shards {
		r.add(shard, stmt(dueWork, now, dueLimit), func(res hrana.Result) error {
			return each(res, func(row *row) { due = append(due, Due{Work(row.text()), row.id()}) })
		})
	}
	err := r.Run(ctx)
	return due, err
}
