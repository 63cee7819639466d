package request

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"plaza/data/wire/upstash"
	"plaza/test/stacktest"
)

// TestCountCalls: calls of several requests are counted together. When one counter fails, only its own call gets the error.
func TestCountCalls(t *testing.T) {
	redis := stacktest.OpenRedis(t)
	a := &Server{}
	a.Redis = redis
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

// TestLimitWait: a call that waits as long as it was told to is allowed, however many were refused before; and never are more calls
// allowed in a window than the limit says.
func TestLimitWait(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(1, 50).Draw(t, "most")
		l := Limit{Per: time.Minute}
		var now, last time.Duration
		counts, taken := map[int64]int64{}, map[int64]int{}
		call := func() int {
			window := int64(now / l.Per)
			counts[window]++
			wait := l.wait(most, counts[window], counts[window-1], now%l.Per)
			if wait == 0 {
				taken[window]++
				require.LessOrEqual(t, taken[window], most)
			}
			return wait
		}
		for range rapid.IntRange(1, 200).Draw(t, "calls") {
			now += time.Duration(rapid.Int64Range(0, int64(3*time.Second)).Draw(t, "pause"))
			if wait := call(); wait > 0 {
				last = now + time.Duration(wait)*time.Second
			}
		}
		if last > now {
			now = last
			require.Zero(t, call())
		}
	})
}
