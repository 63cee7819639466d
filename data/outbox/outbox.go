package outbox

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"plaza/data"
	"plaza/data/hrana"
)

// Work is what a consumer of the events queue has to do for a post.
type Work string

// WorkLink is to fetch what the page behind a post's link says of itself.
const WorkLink Work = "link"

// Outbox finds work that was left in the shards.
type Store struct {
	DB     *data.DB
	Source data.Source
}

// Due is work whose message may be lost.
type Due struct {
	Work    Work
	Subject data.ID
}

const (
	// resendAfter is how long work may wait for the message that was sent with it.
	ResendAfter = time.Minute
	// dueLimit bounds what one sweep takes from each shard.
	dueLimit = 100
)

// leaveWork is written by the transaction that makes the work. Doing it again is new work,
// and whoever has begun the old one does not end it (see doneWork).
const leaveWork = `INSERT INTO outbox (subject_id, work, queued_at, due_at) SELECT id, ?2, ?3, coalesce(?4, ` + data.OldDatabaseNow + `) + ?5 FROM posts WHERE id = ?1
ON CONFLICT (subject_id, work) DO UPDATE SET queued_at = max(excluded.queued_at, queued_at + 1), attempts = 0, due_at = excluded.due_at`

// leaveLink leaves the link of a post that the same transaction has written or changed.
// When it is committed, the message of WorkLink is sent.
func LeaveLink(s data.Source, post data.ID, now time.Time) hrana.Stmt {
	return data.OldStmt(leaveWork, post, string(WorkLink), now.UnixMilli(), s.OldDatabase(), ResendAfter.Milliseconds())
}

// doneWork ends what was begun, unless there is new work since. Primary key.
const DoneWork = `DELETE FROM outbox WHERE subject_id = ?1 AND work = ?2 AND queued_at = ?3`

// Index outbox_due, in its order, from its front.
const dueWork = `SELECT work, subject_id FROM outbox WHERE due_at <= coalesce(?1, ` + data.OldDatabaseNow + `) ORDER BY due_at, subject_id LIMIT ?2`

// Known tells work that this version does. Another version may leave other work, which
// waits for it.
func (w Work) Known() bool { return w == WorkLink }

// postponeWork uses the primary key. ?1 is a JSON array of pairs of subject and work.
const postponeWork = `UPDATE outbox SET due_at = coalesce(?2, ` + data.OldDatabaseNow + `) + ?3 WHERE (subject_id, work) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?1))`

// postponedFor is how long work is left alone that nobody here knows.
const postponedFor = 24 * time.Hour

// Postpone has work be due a day from now: work that nobody knows would be sent each
// minute, and be in the way of the rest.
func (o *Store) Postpone(ctx context.Context, list []Due) error {
	byShard := map[*hrana.Client][][2]any{}
	for _, d := range list {
		if shard := o.DB.OldShard(d.Subject); shard != nil {
			byShard[shard] = append(byShard[shard], [2]any{int64(d.Subject), string(d.Work)})
		}
	}
	var failed error
	for shard, pairs := range byShard {
		text, err := json.Marshal(pairs)
		if err == nil {
			_, err = data.Tx(ctx, shard, data.OldStmt(postponeWork, string(text), o.Source.OldDatabase(), postponedFor.Milliseconds()))
		}
		failed = errors.Join(failed, err)
	}
	return failed
}

// FindDue reads work that is due, the longest waiting first, at most dueLimit of each
// shard. Unavailable when a shard could not be asked; it is then what the others have.
func (o *Store) FindDue(ctx context.Context) ([]Due, error) {
	due := []Due{}
	r, now := o.DB.Read(), o.Source.OldDatabase()
	for _, shard := range o.DB.OldShards() {
		r.OldAdd(shard, data.OldStmt(dueWork, now, dueLimit), func(res hrana.Result) error {
			return data.Each(res, func(row *data.Row) { due = append(due, Due{Work(row.Text()), row.ID()}) })
		})
	}
	err := r.Run(ctx)
	return due, err
}
