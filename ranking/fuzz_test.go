package ranking

import (
	"math"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

var testSecret = []byte("a secret of a test site")

func testFuzzer(t *rapid.T) Fuzzer {
	return NewFuzzer(testSecret, rapid.String().Draw(t, "viewer"), rapid.Int64().Draw(t, "window"))
}

// counts are of every size, dense where they are small.
func counts() *rapid.Generator[int64] {
	return rapid.OneOf(rapid.Int64Range(0, 30), rapid.Int64Range(0, 6000), rapid.Int64Range(0, 1<<40))
}

func TestFuzzIsExactForSmallCounts(t *testing.T) {
	for window := range int64(200) {
		f := NewFuzzer(testSecret, "ada", window)
		for count := int64(-9); count <= 9; count++ {
			assert.Equal(t, count, f.Show(count))
		}
	}
}

func TestFuzzLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := testFuzzer(t)
		count := rapid.OneOf(counts(), rapid.Int64()).Draw(t, "count")
		shown := f.Show(count)
		if count != math.MinInt64 {
			assert.Equal(t, -shown, f.Show(-count), "mirrored")
		}
		assert.LessOrEqual(t, math.Abs(float64(shown)-float64(count)), FuzzMax*math.Abs(float64(count))+0.5, "off by a few per cent")
		if size := math.Abs(float64(count)); size < FuzzExactBelow {
			assert.Equal(t, count, shown)
		}
	})
}

// Of neighbouring counts the larger one is never shown as the smaller one, and at most two are shown as the same, in the whole range of
// real counts.
func TestFuzzNeverDescends(t *testing.T) {
	same, pairs := 0, 0
	for window := range int64(50) {
		f := NewFuzzer(testSecret, "ada", window)
		before, last := f.Show(-10_001), f.Show(-10_000)
		for count := int64(-9_999); count <= 10_000; count++ {
			shown := f.Show(count)
			if shown < last || shown > last+2 || shown <= before {
				t.Fatalf("%d is shown as %d, those before as %d and %d", count, shown, last, before)
			}
			if shown == last {
				same++
			}
			pairs++
			before, last = last, shown
		}
	}
	assert.Less(t, float64(same), 0.015*float64(pairs), "shown as the same")
}

// The mean over viewers, and over windows, is the count within four standard errors, and the shown counts do vary.
func TestFuzzIsUnbiased(t *testing.T) {
	const samples = 6000
	bys := map[string]func(i int) Fuzzer{
		"viewers": func(i int) Fuzzer { return NewFuzzer(testSecret, "viewer "+strconv.Itoa(i), 7) },
		"windows": func(i int) Fuzzer { return NewFuzzer(testSecret, "ada", int64(i)) },
	}
	for name, by := range bys {
		for _, count := range []int64{57, 100, 144, 1000, 12345, -370} {
			sum, squares := 0.0, 0.0
			for i := range samples {
				f := by(i)
				off := float64(f.Show(count) - count)
				sum += off
				squares += off * off
			}
			mean := sum / samples
			spread := math.Sqrt(squares/samples - mean*mean)
			assert.InDelta(t, 0, mean, 4*spread/math.Sqrt(samples), "count %d over %s", count, name)
			assert.Greater(t, spread, 0.01*math.Abs(float64(count)), "count %d over %s is not fuzzed", count, name)
		}
	}
}

func TestFuzzedVotesLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := testFuzzer(t)
		ups, downs := counts().Draw(t, "ups"), counts().Draw(t, "downs")
		u, d := f.Votes(ups, downs, 0)
		assert.Equal(t, f.Show(ups-downs), u-d, "one score wherever it is shown")
		for _, c := range [][2]int64{{ups, u}, {downs, d}} {
			assert.GreaterOrEqual(t, c[1], int64(0))
			if c[0] < FuzzExactBelow && min(ups, downs) == c[0] {
				assert.Equal(t, c[0], c[1], "exact when small")
			}
			assert.InDelta(t, c[0], c[1], FuzzMax*float64(ups+downs)+2)
		}
		if ups+downs < FuzzExactBelow {
			assert.Equal(t, [2]int64{ups, downs}, [2]int64{u, d}, "exact when all is small")
		}
		if total := ups + downs; total >= FuzzExactBelow {
			assert.InDelta(t, float64(ups)/float64(total), float64(u)/float64(u+d), 0.016+1/float64(total), "the ratio")
		}
		mu, md := f.Votes(downs, ups, 0)
		assert.Equal(t, [2]int64{d, u}, [2]int64{mu, md}, "mirrored")

		upU, upD := f.Votes(ups+1, downs, 1)
		assert.Equal(t, [2]int64{u + 1, d}, [2]int64{upU, upD}, "one's own upvote is one step")
		downU, downD := f.Votes(ups, downs+1, -1)
		assert.Equal(t, [2]int64{u, d + 1}, [2]int64{downU, downD}, "one's own downvote is one step")
	})
}

func TestFuzzDependsOnEveryInput(t *testing.T) {
	all := func(secret []byte, viewer string, window int64) (shown []int64) {
		f := NewFuzzer(secret, viewer, window)
		for i := range int64(100) {
			shown = append(shown, f.Show(10*(i+1)))
		}
		return shown
	}
	shown := all(testSecret, "ada", 7)
	assert.Equal(t, shown, all(testSecret, "ada", 7), "stable for a viewer in a window")
	assert.NotEqual(t, shown, all(testSecret, "bob", 7), "viewer")
	assert.NotEqual(t, shown, all(testSecret, "ada", 8), "window")
	assert.NotEqual(t, shown, all([]byte("another"), "ada", 7), "secret")
}

func TestFuzzWindowOf(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 5, 0, 0, time.UTC)
	assert.Equal(t, FuzzWindowOf(start), FuzzWindowOf(start.Add(5*time.Minute-time.Nanosecond)))
	assert.Equal(t, FuzzWindowOf(start)+1, FuzzWindowOf(start.Add(5*time.Minute)))
	assert.Equal(t, FuzzWindowOf(start)-1, FuzzWindowOf(start.Add(-time.Nanosecond)))
	assert.Equal(t, int64(-1), FuzzWindowOf(time.Unix(-1, 0)))
}

func BenchmarkFuzzListing(b *testing.B) {
	for b.Loop() {
		f := NewFuzzer(testSecret, "ada", 7)
		for i := range int64(25) {
			f.Votes(40*i*i, 3*i, 0)
		}
	}
}
