// Package outbox stores work that a transaction leaves to a consumer of the events queue, until it is done. The
// message that asks for it may get lost. Then the work becomes due, and FindDue finds it.
package outbox

import (
	"context"
	"encoding/json"
	"time"

	"plaza/data"
)

// Work is what a consumer of the events queue has to do for a post.
type Work string

// WorkLink is to fetch what the page behind a post's link says of itself.
const WorkLink Work = "link"

// Known tells whether this version can do the work. Work that another version has left waits for that version.
func (w Work) Known() bool { return w == WorkLink }

// resendAfter is how long after work was left it becomes due, in case its message was lost.
const resendAfter = time.Minute

// Primary keys. Leaving work again makes it new work: whoever has begun the old work does not end the new (Done).
const leaveLinks = `INSERT INTO outbox (subject_id, work, queued_at, due_at)
SELECT p.id, 'link', :at, ` + data.DatabaseNow + ` + :wait FROM json_each(:posts) j CROSS JOIN posts p ON p.id = j.value
WHERE p.status = 'published' AND p.created_at = :at AND p.link <> ''
ON CONFLICT (subject_id, work) DO UPDATE SET queued_at = max(excluded.queued_at, queued_at + 1), attempts = 0, due_at = excluded.due_at`

// LeaveLinks leaves WorkLink for those of some posts that have a link and were published by the same transaction, at
// the time at. Once it is committed, the caller sends the messages of WorkLink.
func LeaveLinks(w *data.Write, s data.Source, posts []data.ID, at time.Time) {
	w.Do(leaveLinks, data.Args{"posts": posts, "at": at, "now": s.DatabaseNow(), "wait": resendAfter})
}

// Primary key.
const doneWork = `DELETE FROM outbox WHERE subject_id = :subject AND work = :work AND queued_at = :queued`

// Done ends work that was left at the time queued, unless it was left again since.
func Done(w *data.Write, subject data.ID, work Work, queued int64) {
	w.Do(doneWork, data.Args{"subject": subject, "work": string(work), "queued": queued})
}

// Store finds work that was left in the shards.
type Store struct {
	DB     *data.DB
	Source data.Source
}

// Due is work whose message may be lost.
type Due struct {
	Work    Work
	Subject data.ID
}

// dueLimit bounds what one sweep takes from each shard.
const dueLimit = 100

// Index outbox_due, in its order, from its front.
const dueWork = `SELECT work, subject_id FROM outbox WHERE due_at <= ` + data.DatabaseNow + ` ORDER BY due_at, subject_id LIMIT :limit`

// FindDue reads work that is due, the longest waiting first, at most dueLimit from each shard. If a shard could not
// be asked, the error is Unavailable and the list has the work of the others.
func (o *Store) FindDue(ctx context.Context) ([]Due, error) {
	due, r := []Due{}, o.DB.Read()
	for _, shard := range o.DB.Shards() {
		r.Find(shard, dueWork, data.Args{"now": o.Source.DatabaseNow(), "limit": dueLimit}, func(row *data.Row) {
			due = append(due, Due{Work(row.Text()), row.ID()})
		})
	}
	err := r.Run(ctx)
	return due, err
}

// postponedFor is how long work that this version does not know is left alone.
const postponedFor = 24 * time.Hour

// Primary key. :list is a JSON array of pairs of subject and work.
const postponeWork = `UPDATE outbox SET due_at = ` + data.DatabaseNow + ` + :wait
WHERE (subject_id, work) IN (SELECT value ->> 0, value ->> 1 FROM json_each(:list))`

// Postpone makes work due a day from now. Work that this version does not know would otherwise be sent every minute
// and stand in the way of other work. Unavailable, with the shards that could not be reached.
func (o *Store) Postpone(ctx context.Context, list []Due) error {
	return data.OnEach(o.DB.Shards(), func(shard data.Where) error {
		var pairs [][2]any
		for _, d := range list {
			if data.HomeOfID(d.Subject) == shard {
				pairs = append(pairs, [2]any{int64(d.Subject), string(d.Work)})
			}
		}
		if len(pairs) == 0 {
			return nil
		}
		text, err := json.Marshal(pairs)
		if err != nil {
			return err
		}
		w := o.DB.Write(shard)
		w.Do(postponeWork, data.Args{"now": o.Source.DatabaseNow(), "wait": postponedFor, "list": string(text)})
		return w.Run(ctx)
	})
}
