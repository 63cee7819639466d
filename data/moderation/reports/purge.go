package reports

import (
	"context"
	"time"

	"plaza/data"
)

// Life is how long decided items stay in queue_items, with the reports about them.
const Life = 180 * 24 * time.Hour

const (
	// purgeStep limits the rows of one transaction in each table, and purgeSteps the transactions of a run on each database.
	purgeStep  = 500
	purgeSteps = 20
)

const (
	// Index queue_items_old, in its order, from its front.
	decidedLongAgo = `(SELECT q.target_id FROM queue_items q WHERE q.status = 'decided' AND (q.decision <> 'ignore' OR q.reports > 0)
  AND coalesce(q.decided_at, q.came_at) < ` + data.DatabaseNow + ` - :life
  AND (q.target_id >> 12) & 1023` + data.NotFrozen + ` ORDER BY coalesce(q.decided_at, q.came_at) LIMIT :step)`
	// Ignored items stay without their reports, because further reports must not add them again.
	purgeReports = `DELETE FROM reports WHERE (target_id, reporter_id) IN (SELECT r.target_id, r.reporter_id FROM ` + decidedLongAgo +
		` o CROSS JOIN reports r ON r.target_id = o.target_id LIMIT :step)`
	purgeOutcomes = `DELETE FROM report_outcomes WHERE target_id IN ` + decidedLongAgo
	purgeIgnored  = `UPDATE queue_items SET reports = 0 WHERE target_id IN ` + decidedLongAgo + ` AND decision = 'ignore' AND ` + unreported
	purgeItems    = `DELETE FROM queue_items WHERE target_id IN ` + decidedLongAgo + ` AND decision <> 'ignore' AND ` + unreported
	unreported    = `NOT EXISTS (SELECT 1 FROM reports r WHERE r.target_id = queue_items.target_id)`
)

// Purge deletes items that were decided longer than Life ago, with their reports, some at a time. Of ignored items it deletes only the
// reports. The next run continues. Waiting items stay at any age. Unavailable, with the databases that could not be reached.
func (s *Store) Purge(ctx context.Context) error {
	return s.DB.StepsEverywhere(ctx, purgeSteps, func(w *data.Write) func() bool {
		args := data.Args{"now": s.Source.DatabaseNow(), "life": Life, "step": purgeStep}
		reports := w.Do(purgeReports, args)
		w.Do(purgeOutcomes, args)
		ignored, items := w.Do(purgeIgnored, args), w.Do(purgeItems, args)
		return func() bool { return reports.Rows == purgeStep || ignored.Rows+items.Rows >= purgeStep }
	})
}
