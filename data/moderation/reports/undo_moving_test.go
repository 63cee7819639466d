package reports_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/events/modlog"
	"plaza/data/moderation/reports"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// TestUndoWhileACommunityMoves undoes decisions in two communities, one of which is closed. Undo returns which of them waits again.
func TestUndoWhileACommunityMoves(t *testing.T) {
	if stacktest.Shards(t) > 1 {
		t.Skip("it has shards of its own")
	}
	directory := stacktest.OpenSchema(t)
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
	exec("CREATE TRIGGER frozen BEFORE UPDATE ON queue_items BEGIN SELECT raise(ABORT, '" + data.SlotFrozen + "'); END")
	result, err := s.reports.Undo(t.Context(), ann, "", reports.Decision{Targets: all})
	require.True(t, data.IsMoving(err), "%v", err)
	require.Equal(t, all[:1], result.Done)
	exec("DROP TRIGGER frozen")
	result, err = s.reports.Undo(t.Context(), ann, "", reports.Decision{Targets: all[1:]})
	require.NoError(t, err)
	require.Equal(t, all[1:], result.Done)
	require.Equal(t, int64(2), s.sum("SELECT count(*) FROM queue_items WHERE status = 'open'"))
}
