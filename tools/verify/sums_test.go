package verify

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTotals(t *testing.T) {
	for _, most := range []int{1, 7, 1000} {
		totals, want := newTotals(), map[int64]sum{}
		totals.maxInMemory = most
		rng := rand.New(rand.NewPCG(3, 4))
		for range 500 {
			key, a, b := int64(rng.IntN(60)-5), int64(rng.IntN(9)-4), int64(rng.IntN(9)-4)
			require.NoError(t, totals.add(key, a, b))
			s := want[key]
			want[key] = sum{key, s.A + a, s.B + b}
			require.LessOrEqual(t, len(totals.inMemory), most)
		}
		last, got := int64(-1000), map[int64]sum{}
		require.NoError(t, totals.each(func(s sum) error {
			require.Greater(t, s.Key, last, "in order, and once")
			last, got[s.Key] = s.Key, s
			return nil
		}))
		require.Equal(t, want, got)
		require.NoError(t, totals.close())
	}
}
