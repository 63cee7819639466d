package reports_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/moderation/reports"
	"plaza/test/storetest"
)

// TestPurge has many items that were decided long ago, and some that must stay.
func TestPurge(t *testing.T) {
	s := open(t)
	community := s.CommunityID("gophers")
	old, late := s.Clock.Add(-reports.Life-time.Hour).UnixMilli(), s.Clock.Add(-reports.Life+time.Hour).UnixMilli()
	// Adds items from a number on: first open, with two reports each by the trigger reports_made, then changed by the update.
	add := func(from, n int, update string, at int64) {
		s.ExecAt(data.ID(community), `WITH RECURSIVE n (i) AS (SELECT ?2 UNION ALL SELECT i + 1 FROM n WHERE i < ?2 + ?3 - 1)
INSERT INTO reports (target_id, reporter_id, community_id, reason, text, created_at) SELECT i * 4194304, m.value, ?1, 'Spam', '', ?4
  FROM n, json_each('[1, 2]') m`, community, from, n, at)
		if update != "" {
			s.ExecAt(data.ID(community), `UPDATE queue_items SET status = 'decided', `+update+
				` WHERE target_id >= ?2 * 4194304 AND target_id < (?2 + ?3) * 4194304 AND ?1 > 0 AND ?4 > 0`, community, from, n, at)
		}
	}
	add(1000, 700, "decision = 'remove', decided_at = ?4, decided_by = 1", old)
	add(2000, 3, "decision = 'deleted'", old) // by its author; no time is stored for that
	add(3000, 2, "decision = 'ignore', decided_at = ?4", old)
	add(4000, 2, "decision = 'approve', decided_at = ?4", late)
	add(5000, 2, "", old) // waits
	remaining := func() [][]any {
		return s.Rows("SELECT target_id / 4194304 / 1000, count(*), sum(reports), (SELECT count(*) FROM reports r WHERE r.target_id / 4194304 " +
			"/ 1000 = q.target_id / 4194304 / 1000) FROM queue_items q GROUP BY 1 ORDER BY 1")
	}
	require.Len(t, remaining(), 5)
	require.NoError(t, s.reports.Purge(storetest.Ctx))
	want := [][]any{{int64(3), int64(2), int64(0), int64(0)}, {int64(4), int64(2), int64(4), int64(4)},
		{int64(5), int64(2), int64(4), int64(4)}}
	require.Equal(t, want, remaining())
	require.Equal(t, [][]any{{int64(4), int64(2)}}, s.Rows("SELECT target_id / 4194304 / 1000, count(*) FROM report_outcomes GROUP BY 1"))

	ctx, meter := s.Metered()
	require.NoError(t, s.reports.Purge(ctx))
	require.LessOrEqual(t, meter.RowsRead(), int64(100), "when nothing is old it reads next to nothing")
	require.Equal(t, want, remaining())
}
