package ranking

import (
	"math"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

var testSecret = []byte("a secret of a test site")

func TestFuzzIsExactForSmallScores(t *testing.T) {
	for window := range int64(200) {
		for score := int64(-9); score <= 9; score++ {
			assert.Equal(t, score, Fuzz(testSecret, "ada", window, score))
		}
	}
}

func TestFuzzLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		viewer := rapid.String().Draw(t, "viewer")
		window := rapid.Int64().Draw(t, "window")
		scores := rapid.SliceOf(rapid.OneOf(
			rapid.Int64Range(-300, 300), rapid.Int64Range(-2_000_000, 2_000_000), rapid.Int64(),
		)).Draw(t, "scores")
		slices.Sort(scores)
		shown := FuzzAll(testSecret, viewer, window, scores)
		assert.True(t, slices.IsSorted(shown), "a listing keeps its order")
		for i, score := range scores {
			assert.Equal(t, shown[i], Fuzz(testSecret, viewer, window, score), "a page and a listing agree")
			if score != math.MinInt64 {
				assert.Equal(t, -shown[i], Fuzz(testSecret, viewer, window, -score), "mirrored")
			}
			size := math.Abs(float64(score))
			off := math.Abs(float64(shown[i]) - float64(score))
			if size < FuzzExactBelow {
				assert.Zero(t, off)
			}
			assert.LessOrEqual(t, off, max(4, size/8))
		}
	})
}

// Neighbouring scores never change places, all the way through many cells.
func TestFuzzNeverDescends(t *testing.T) {
	for window := range int64(50) {
		fuzzer := NewFuzzer(testSecret, "ada", window)
		last := fuzzer.Show(-1000)
		for score := int64(-999); score <= 1000; score++ {
			shown := fuzzer.Show(score)
			assert.GreaterOrEqual(t, shown, last, "score %d", score)
			last = shown
		}
	}
}

// The mean over viewers, and over windows, is the score within four standard
// errors, and the counts do vary.
func TestFuzzIsUnbiased(t *testing.T) {
	const samples = 6000
	bys := map[string]func(i int) Fuzzer{
		"viewers": func(i int) Fuzzer { return NewFuzzer(testSecret, "viewer "+strconv.Itoa(i), 7) },
		"windows": func(i int) Fuzzer { return NewFuzzer(testSecret, "ada", int64(i)) },
	}
	for name, by := range bys {
		for _, score := range []int64{10, 11, 12, 13, 20, 57, 100, 144, 1000, 12345, -37} {
			sum, squares := 0.0, 0.0
			for i := range samples {
				off := float64(by(i).Show(score) - score)
				sum += off
				squares += off * off
			}
			mean := sum / samples
			spread := math.Sqrt(squares/samples - mean*mean)
			assert.InDelta(t, 0, mean, 4*spread/math.Sqrt(samples), "score %d over %s", score, name)
			assert.Greater(t, spread, 0.4, "score %d over %s is not fuzzed", score, name)
		}
	}
}

// A vote of one's own moves the shown count by one only sometimes: what fuzzing is
// for.
func TestFuzzHidesASingleVote(t *testing.T) {
	exact := 0
	for window := range int64(1000) {
		fuzzer := NewFuzzer(testSecret, "spammer", window)
		if fuzzer.Show(101)-fuzzer.Show(100) == 1 {
			exact++
		}
	}
	assert.Less(t, exact, 50)
}

func TestFuzzDependsOnEveryInput(t *testing.T) {
	scores := make([]int64, 100)
	for i := range scores {
		scores[i] = int64(10 * (i + 1))
	}
	shown := FuzzAll(testSecret, "ada", 7, scores)
	assert.Equal(t, shown, FuzzAll(testSecret, "ada", 7, scores), "stable for a viewer in a window")
	assert.NotEqual(t, shown, FuzzAll(testSecret, "bob", 7, scores), "viewer")
	assert.NotEqual(t, shown, FuzzAll(testSecret, "ada", 8, scores), "window")
	assert.NotEqual(t, shown, FuzzAll([]byte("another"), "ada", 7, scores), "secret")
}

// Expected values: the same staircase written in Python.
func TestFuzzValues(t *testing.T) {
	assert.Equal(t, []int64{-995, 9, 9, 26, 48, 102, 995, 10806, 1034931},
		FuzzAll(testSecret, "ada", 7, []int64{-1000, 9, 10, 25, 50, 100, 1000, 10000, 1000000}))
}

func TestFuzzWindowOf(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 5, 0, 0, time.UTC)
	assert.Equal(t, FuzzWindowOf(start), FuzzWindowOf(start.Add(5*time.Minute-time.Nanosecond)))
	assert.Equal(t, FuzzWindowOf(start)+1, FuzzWindowOf(start.Add(5*time.Minute)))
	assert.Equal(t, FuzzWindowOf(start)-1, FuzzWindowOf(start.Add(-time.Nanosecond)))
	assert.Equal(t, int64(-1), FuzzWindowOf(time.Unix(-1, 0)))
}

func BenchmarkFuzzListing(b *testing.B) {
	scores := make([]int64, 25)
	for i := range scores {
		scores[i] = int64(40 * i * i)
	}
	for b.Loop() {
		FuzzAll(testSecret, "ada", 7, scores)
	}
}
