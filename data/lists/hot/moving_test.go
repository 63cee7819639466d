package hot_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/lists/hot"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// TestRebuildWhileASlotMoves makes the site's set where a shard hides more posts than the set has.
func TestRebuildWhileASlotMoves(t *testing.T) {
	stacktest.ByNight(t, "the live move: hot sets while it lasts")
	const hidden = 3000
	s := storetest.OpenMoving(t, hidden)
	metered, meter := s.Metered()
	require.NoError(t, s.Hot.Rebuild(metered, hot.SiteScope))
	require.Equal(t, int64(s.Hot.Cap), s.RedisInt("ZCOUNT", "hot:site", 51+hidden-s.Hot.Cap, 50+hidden), "the hottest posts")
	require.Less(t, meter.RowsRead(), int64(3*s.Hot.Cap+10))
}
