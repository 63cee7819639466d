package timelines_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/lists/timelines"
	"plaza/test/storetest"
)

// TestTimelinesWhileASlotMoves fills a timeline while a shard has copies of more posts than a timeline has.
func TestTimelinesWhileASlotMoves(t *testing.T) {
	const copies = 6000
	s := storetest.OpenMoving(t, copies)
	ben := s.Member("ben").UserID
	s.Exec("INSERT INTO follows (follower_id, followee_id, created_at, backfill) SELECT ?1, id, 1, 1 FROM users WHERE username = 'ann'", int64(ben))
	for name, job := range map[string]struct {
		do    func(context.Context, []data.ID) ([]data.ID, error)
		limit int
	}{"backfill": {s.Timelines.Backfill, timelines.Backfilled}, "rebuild": {s.Timelines.Rebuild, timelines.EntriesMax}} {
		t.Run(name, func(t *testing.T) {
			_, err := s.Directory.Tx(storetest.Ctx, storetest.StmtOf("DELETE FROM timeline"),
				storetest.StmtOf("INSERT INTO outbox (subject_id, job, queued_at, due_at) VALUES (?1, ?2, 1, 1)", int64(ben), name))
			require.NoError(t, err)
			metered, meter := s.Metered()
			_, err = job.do(metered, []data.ID{ben})
			require.NoError(t, err)
			require.Equal(t, int64(job.limit), s.One("SELECT count(*) FROM timeline WHERE posted_at > ?1", 50+copies-job.limit))
			require.Less(t, meter.RowsRead(), int64(11*job.limit+100))
		})
	}
}
