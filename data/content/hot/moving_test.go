package hot_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/content/hot"
	"plaza/test/storetest"
)

// TestRebuildWhileASlotMoves rebuilds the site's set while a shard has copies of more posts than the set has.
func TestRebuildWhileASlotMoves(t *testing.T) {
	const copies = 3000
	s := storetest.OpenMoving(t, copies)
	metered, meter := s.Metered()
	require.NoError(t, s.Hot.Rebuild(metered, hot.SiteScope))
	require.Equal(t, int64(s.Hot.Cap), s.RedisInt("ZCOUNT", "hot:site", 51+copies-s.Hot.Cap, 50+copies), "the hottest posts")
	require.Less(t, meter.RowsRead(), int64(3*s.Hot.Cap+10))
}
