package reports_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/moderation/modlog"
	"plaza/data/moderation/reports"
	"plaza/data/pace/deadline"
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// TestUndoWhileACommunityMoves takes back decisions in two communities, one of which is closed for a moment. Both wait again, and Undo says so.
func TestUndoWhileACommunityMoves(t *testing.T) {
	stacktest.ByNight(t, "the live move: decisions are taken back while it lasts")
	if stacktest.Shards(t) > 1 {
		t.Skip("it has shards of its own")
	}
	url, client := stacktest.OpenSchemaDB(t)
	var moved func()
	directory := hrana.New(hrana.Options{URL: url, HTTP: client, WorkTime: time.Minute, Sleep: func(ctx context.Context, d time.Duration) error {
		moved()
		return deadline.DefaultSleep(ctx, d)
	}})
	sql := storetest.DatabasesOf(t, directory, stacktest.OpenSchema(t), stacktest.OpenSchema(t))
	s := &site{Stores: storetest.On(t, sql.Open(), sql, stacktest.OpenRedisIfAny(t))}
	s.reports = &reports.Store{Base: s.Posts.Base}
	ann, ben, eve := s.Member("ann"), s.Member("ben"), s.Member("eve")
	targets := map[int]data.ID{} // one on each shard
	for i := 0; len(targets) < 2; i++ {
		require.Less(t, i, 50)
		name := fmt.Sprint("gophers", i)
		s.Community(ann, name)
		id := s.Post(ben, name, "A post").ID
		targets[sql.Number(id)] = id
	}
	all := []data.ID{targets[0], targets[1]}
	for _, id := range all {
		require.NoError(t, s.report(eve, id, "Spam", ""))
	}
	_, err := s.reports.Decide(storetest.Ctx, ann, "", reports.Decision{Act: modlog.Act{Action: reports.Ignore}, Targets: all})
	require.NoError(t, err)
	exec := func(statement string) {
		_, err := sql.Shards[1].Tx(t.Context(), storetest.StmtOf(statement))
		require.NoError(t, err)
	}
	exec("CREATE TRIGGER closed BEFORE UPDATE ON queue_items BEGIN SELECT raise(ABORT, '" + data.SlotClosed + "'); END")
	waited, opens := 0, 2 // at which wait it opens
	moved = func() {
		if waited++; waited == opens {
			exec("DROP TRIGGER closed")
			_, err := directory.Tx(t.Context(), storetest.StmtOf("UPDATE slots SET epoch = (SELECT max(epoch) FROM slots) + 1 WHERE slot = ?1",
				targets[1].Slot())) // a write is tried again when a slot has moved
			require.NoError(t, err)
		}
	}
	short, cancel := deadline.Within(deadline.ForRequest(t.Context()), time.Second)
	defer cancel()
	opens = 100
	result, err := s.reports.Undo(short, ann, "", reports.Decision{Targets: all})
	require.True(t, data.IsMoving(err), "%v", err)
	require.Equal(t, all[:1], result.Done)
	_, err = s.reports.Decide(storetest.Ctx, ann, "", reports.Decision{Act: modlog.Act{Action: reports.Ignore}, Targets: all[:1]})
	require.NoError(t, err)
	waited, opens = 0, 2
	result, err = s.reports.Undo(deadline.ForRequest(t.Context()), ann, "", reports.Decision{Targets: all})
	require.NoError(t, err)
	require.Equal(t, 2, waited)
	require.ElementsMatch(t, all, result.Done)
	require.Equal(t, int64(2), s.sum("SELECT count(*) FROM queue_items WHERE status = 'open'"))
}
