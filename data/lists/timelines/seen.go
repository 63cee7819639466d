package timelines

import (
	"context"
	"time"

	"plaza/data"
	"plaza/data/events/outbox"
)

// SeenStep is the age from which users.seen_at is written again.
const SeenStep = 24 * time.Hour

const sawMember = `UPDATE users SET seen_at = ` + data.DatabaseNow + ` WHERE id = :member AND seen_at < ` + data.DatabaseNow + ` - :step`

// RecordVisit records that a member visited the site, at most once a day. If they were inactive for long, it enqueues the rebuild of their
// timeline. Unavailable.
func (s *Store) RecordVisit(ctx context.Context, member data.ID) error {
	w := s.DB.Write()
	outbox.EnqueueRebuild(w, s.Source, member, InactiveAfter)
	w.Do(sawMember, data.Args{"member": member, "step": SeenStep, "now": s.Source.DatabaseNow()})
	return w.Run(ctx)
}
