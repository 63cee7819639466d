package legalnotices

import (
	"context"

	"plaza/data"
	"plaza/data/events/mails"
)

const (
	// Index legal_notices_waiting, in its order: first those that were checked longest ago.
	waiting = `SELECT n.id, n.target_id, n.status, n.language, EXISTS (SELECT 1 FROM users u WHERE u.id = n.target_id)
FROM legal_notices n
WHERE n.status IN ('open', 'objected') AND n.checked_at < ` + data.DatabaseNow + ` ORDER BY n.checked_at LIMIT :limit`
	// Primary keys. Without a row in the queue, the target was deleted. A target that was approved may have been removed or deleted in another
	// way since.
	becameOf = `SELECT q.status, iif(q.decision IN ('approve', 'ignore'), coalesce(
  (SELECT iif(p.status = 'removed', 'remove', 'deleted') FROM posts p WHERE p.id = :target AND p.status IN ('removed', 'deleted')),
  (SELECT iif(c.status = 'removed', 'remove', 'deleted') FROM comments c WHERE c.id = :target AND c.status <> 'published'),
  q.decision), q.decision) FROM queue_items q WHERE q.target_id = :target`

	checked = `UPDATE legal_notices SET checked_at = ` + data.DatabaseNow + ` WHERE id = :id`
	finish  = `UPDATE legal_notices SET status = iif(status = 'open', 'decided', 'closed'), decision = :decision,
  decided_at = ` + data.DatabaseNow + `
WHERE id = :id AND status = :status`

	// Indexes legal_notices_unconfirmed and legal_notices_old.
	purgeUnconfirmed = `DELETE FROM legal_notices
WHERE id IN (SELECT n.id FROM legal_notices n WHERE n.status = 'unconfirmed' AND n.id < :before
  LIMIT 1000)`
	purgeDecided = `DELETE FROM legal_notices
WHERE id IN (SELECT n.id FROM legal_notices n WHERE n.decided_at < ` + data.DatabaseNow + ` - :life
  AND n.decided_at IS NOT NULL AND n.status IN ('decided', 'closed') LIMIT 1000)`
)

// FinishDecided finds the decisions about waiting notices, and enqueues the mails about them. Each run checks finishedAtOnce of them.
// Unavailable: the next run does the rest.
func (s *Store) FinishDecided(ctx context.Context) error {
	type open struct {
		id, target data.ID
		status     string
		language   string
		where      data.Where
		decision   string
	}
	var list []*open
	r := s.DB.Read()
	s.DB.FindSlots(r) // the queue's row of a waiting notice is on the target's present shard: on an older one the target would look deleted
	r.Find(waiting, data.Args{"now": s.Source.DatabaseNow(), "limit": finishedAtOnce}, func(row *data.Row) {
		o := &open{id: row.ID(), target: row.ID(), status: row.Text(), language: row.Text(), decision: "deleted"}
		o.where = data.At(o.target)
		if row.Bool() {
			o.where = data.In("")
		}
		list = append(list, o)
	})
	if err := r.Run(ctx); err != nil || len(list) == 0 {
		return err
	}
	r = s.DB.Read()
	for _, o := range list {
		r.FindAt(o.where, becameOf, data.Args{"target": o.target}, func(row *data.Row) {
			if status, decision := row.Text(), row.Text(); status == "open" {
				o.decision = ""
			} else {
				o.decision = decision
			}
		})
	}
	if err := r.Run(ctx); err != nil {
		return err
	}
	w := s.DB.Write()
	for _, o := range list {
		if o.decision == "" {
			w.Do(checked, data.Args{"id": o.id, "now": s.Source.DatabaseNow()})
			continue
		}
		w.Do(finish, data.Args{"id": o.id, "status": o.status, "decision": o.decision, "now": s.Source.DatabaseNow()})
		w.Do(counted, data.Args{"id": o.id}) // it writes a row if finish did
		mails.EnqueueIfChanged(w, s.Source, mails.Mail{Key: "notice-decided " + o.id.String() + " " + o.status, Kind: MailDecided,
			About: map[string]string{"notice": o.id.String(), "language": o.language}})
	}
	return w.Run(ctx)
}

// Purge deletes notices that were not confirmed, and those that were decided long ago.
func (s *Store) Purge(ctx context.Context) error {
	w := s.DB.Write()
	w.Do(purgeUnconfirmed, data.Args{"before": data.NewID(s.Source.Now().Add(-unconfirmedLife), 0, data.KindOther, 0)})
	w.Do(purgeDecided, data.Args{"now": s.Source.DatabaseNow(), "life": decidedLife})
	return w.Run(ctx)
}
