package metrics_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"plaza/data/site/metrics"
)

func TestHistogram(t *testing.T) {
	durations := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) time.Duration {
		return time.Duration(rapid.Float64Range(0.1, 100_000).Draw(t, "ms") * float64(time.Millisecond))
	}), 1, 200)
	of := func(list []time.Duration) (h metrics.Histogram) {
		for _, d := range list {
			h.Add(d)
		}
		return h
	}
	t.Run("a quantile is near the true one", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			list, share := durations.Draw(t, "durations"), rapid.Float64Range(0.01, 1).Draw(t, "share")
			slices.Sort(list)
			exact := list[int(math.Ceil(share*float64(len(list))))-1]
			got := of(list).Quantile(share)
			if exact <= 4*time.Millisecond {
				assert.LessOrEqual(t, got, 4*time.Millisecond)
				return
			}
			assert.InEpsilon(t, float64(exact), float64(got), 0.42, "%v for %v", got, exact) // a bucket is as wide
		})
	})
	t.Run("merging is counting all of them", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			a, b := durations.Draw(t, "a"), durations.Draw(t, "b")
			merged := of(a)
			merged.Merge(of(b))
			assert.Equal(t, of(append(slices.Clone(a), b...)), merged)
			assert.EqualValues(t, len(a)+len(b), merged.Count())
		})
	})
	t.Run("a bound belongs to its bucket, and what is longer does not", func(t *testing.T) {
		assert.Equal(t, metrics.Histogram{1}, of([]time.Duration{4 * time.Millisecond}))
		assert.Equal(t, metrics.Histogram{0, 1}, of([]time.Duration{4*time.Millisecond + 1}))
		assert.Equal(t, metrics.Histogram{0, 0, 1}, of([]time.Duration{8 * time.Millisecond}))
	})
	t.Run("nothing has no time, and hours have a bucket", func(t *testing.T) {
		assert.Zero(t, of(nil).Quantile(0.99))
		assert.Greater(t, of([]time.Duration{9 * time.Hour}).Quantile(0.5), time.Minute)
	})
}
