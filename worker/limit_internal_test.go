package worker

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/upstash"
	"plaza/stack/stacktest"
)

// TestCountCalls: a counter that can't be counted is its own caller's trouble, not that
// of those who were counted along.
func TestCountCalls(t *testing.T) {
	redis := stacktest.OpenRedis(t)
	a := &App{Config: Config{Redis: redis}}
	_, err := redis.Do(t.Context(), upstash.Cmd{"RPUSH", "limit:vote:broken:7", "no number"})
	require.NoError(t, err)
	broken, whole := &limited{key: "limit:vote:broken:", window: 7, life: 60}, &limited{key: "limit:vote:whole:", window: 7, life: 60}
	require.NoError(t, a.countCalls(t.Context(), []*limited{broken, whole}))
	require.NoError(t, a.countCalls(t.Context(), []*limited{whole, broken}))
	require.Error(t, broken.err)
	require.NoError(t, whole.err)
	require.EqualValues(t, 2, whole.count)
	next := &limited{key: whole.key, window: 8, life: 60}
	require.NoError(t, a.countCalls(t.Context(), []*limited{broken, next}))
	require.Equal(t, []int64{1, 2}, []int64{next.count, next.before})
}
