package timelines_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/lists/timelines"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// TestTimelinesWhileASlotMoves fills a timeline from a shard that hides more posts than a timeline keeps.
func TestTimelinesWhileASlotMoves(t *testing.T) {
	stacktest.ByNight(t, "the live move: timelines while it lasts")
	const hidden = 6000
	s := storetest.OpenMoving(t, hidden)
	ben := s.Member("ben").UserID
	s.Exec("INSERT INTO follows (follower_id, followee_id, created_at, unfilled) SELECT ?1, id, 1, 1 FROM users WHERE username = 'ann'", int64(ben))
	for name, work := range map[string]struct {
		do    func(context.Context, []data.ID) ([]data.ID, error)
		limit int
	}{"fill": {s.Timelines.Fill, timelines.Filled}, "rebuild": {s.Timelines.Rebuild, timelines.Kept}} {
		t.Run(name, func(t *testing.T) {
			_, err := s.Directory.Tx(storetest.Ctx, storetest.StmtOf("DELETE FROM timeline"),
				storetest.StmtOf("INSERT INTO outbox (subject_id, work, queued_at, due_at) VALUES (?1, ?2, 1, 1)", int64(ben), name))
			require.NoError(t, err)
			metered, meter := s.Metered()
			_, err = work.do(metered, []data.ID{ben})
			require.NoError(t, err)
			require.Equal(t, int64(work.limit), s.One("SELECT count(*) FROM timeline WHERE posted_at > ?1", 50+hidden-work.limit))
			require.Less(t, meter.RowsRead(), int64(11*work.limit+100))
		})
	}
}

// TestTimelinesOverASwitch fills timelines from answers of before, within and after the moment in which two shards change which of them shows
// a slot. They have the same entries.
func TestTimelinesOverASwitch(t *testing.T) {
	stacktest.ByNight(t, "the live move: timelines over its switch")
	const moving = 10
	s := storetest.OpenMoving(t, moving)
	ben := s.Member("ben").UserID
	s.Exec("INSERT INTO follows (follower_id, followee_id, created_at, unfilled) SELECT ?1, id, 1, 1 FROM users WHERE username = 'ann'", int64(ben))
	for _, hide := range [][2]bool{{false, true}, {false, false}, {true, true}, {true, false}} {
		for name, work := range map[string]struct {
			do      func(context.Context, []data.ID) ([]data.ID, error)
			entries int64
		}{"fill": {s.Timelines.Fill, timelines.Filled}, "rebuild": {s.Timelines.Rebuild, 50 + moving}} {
			for i, hides := range hide {
				_, err := s.Shards[1+i].Tx(storetest.Ctx, storetest.StmtOf("DELETE FROM hidden_slots"),
					storetest.StmtOf("INSERT INTO hidden_slots (slot) SELECT 400 WHERE ?1", hides))
				require.NoError(t, err)
			}
			_, err := s.Directory.Tx(storetest.Ctx, storetest.StmtOf("DELETE FROM timeline"), storetest.StmtOf("UPDATE follows SET unfilled = 1"),
				storetest.StmtOf("INSERT INTO outbox (subject_id, work, queued_at, due_at) VALUES (?1, ?2, 1, 1)", int64(ben), name))
			require.NoError(t, err)
			_, err = work.do(storetest.Ctx, []data.ID{ben})
			require.NoError(t, err)
			require.Equal(t, work.entries, s.One("SELECT count(*) FROM timeline WHERE posted_at > ?1", 50+moving-work.entries), "%s %v", name, hide)
		}
	}
}
