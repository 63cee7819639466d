package inbox

import (
	"context"
	"time"

	"plaza/data"
)

const (
	// Life is how long rows of an inbox are stored.
	Life = 180 * 24 * time.Hour
	// MaxRows is how many rows a member's inbox has at most. The index users_inbox_size contains it, too.
	MaxRows = 1000
)

const (
	// purgeStep limits the rows of one transaction, and purgeSteps the transactions of a run.
	purgeStep  = 500
	purgeSteps = 10
	// purgeMembers limits the members of one run.
	purgeMembers = 20
)

const (
	// From the start of the primary key, which is in order of time: one row if the first is not old.
	purgeOld = `DELETE FROM inbox WHERE (SELECT f.created_at FROM inbox f WHERE f.id > 0 ORDER BY f.id LIMIT 1) < ` + data.DatabaseNow +
		` - :life
  AND id IN (SELECT f.id FROM inbox f WHERE f.id > 0 ORDER BY f.id LIMIT :step) AND created_at < ` + data.DatabaseNow + ` - :life`
	// Index users_inbox_size.
	inboxTooLong = `SELECT u.id, u.inbox_size FROM users u WHERE u.inbox_size > 1000 LIMIT :members`
	// Index inbox_listed, of which it merges three ranges.
	purgeOldest = `DELETE FROM inbox WHERE id IN (
  SELECT i.id FROM inbox i WHERE i.user_id = :member AND i.kind = 'reply' UNION ALL SELECT i.id FROM inbox i WHERE i.user_id = :member
  AND i.kind = 'mention' UNION ALL SELECT i.id FROM inbox i WHERE i.user_id = :member AND i.kind = 'thread' ORDER BY 1 LIMIT :extra)`
)

// Purge deletes rows that are older than Life, and the oldest rows of members who have more than Most, some at a time. The next run
// continues. Deleted unread rows are subtracted from the counts.
func (s *Store) Purge(ctx context.Context) error {
	err := s.DB.Steps(ctx, purgeSteps, func(w *data.Write) func() bool {
		purged := w.Do(purgeOld, data.Args{"now": s.Source.DatabaseNow(), "life": Life, "step": purgeStep})
		return func() bool { return purged.Rows == purgeStep }
	})
	if err != nil {
		return err
	}
	extra := map[data.ID]int64{}
	r := s.DB.Read()
	r.Find(inboxTooLong, data.Args{"members": purgeMembers}, func(row *data.Row) {
		member := row.ID()
		extra[member] = min(row.Int()-MaxRows, purgeStep)
	})
	if err := r.Run(ctx); err != nil || len(extra) == 0 {
		return err
	}
	for member, n := range extra {
		w := s.DB.Write()
		w.Do(purgeOldest, data.Args{"member": member, "extra": n})
		if err := w.Run(ctx); err != nil {
			return err
		}
	}
	return nil
}
