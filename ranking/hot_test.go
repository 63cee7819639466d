package ranking

import (
	"math"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

const year = 365 * 24 * time.Hour

// Expected values: the published formula in Python's decimal module, 40 digits.
var hotCases = []struct {
	name   string
	score  int64
	millis int64
	want   float64
}{
	{"no votes at the epoch", 0, 1767225600000, 0},
	{"one vote weighs nothing", 1, 1767225600000, 0},
	{"ten is one step", 10, 1767225600000, 1},
	{"a thousand at 12.5 hours", 999, 1767270600000, 3.9995655},
	{"an exact power of ten", 1000, 1767225600000, 3},
	{"minus one weighs nothing", -1, 1767225600000, 0},
	{"minus ten is one step down", -10, 1767225600000, -1},
	{"disliked after a day", -12345, 1767312000000, -2.1714911},
	{"one millisecond of youth", 7, 1767225600001, 0.8450981},
	{"a time with milliseconds", 2, 1780000000123, 284.1765883},
	{"a post of 2013", 3, 1357000000000, -9115.6473232},
	{"a disliked post of 2013", -3, 1357000000007, -9116.6015655},
	{"a hit", 123456, 1790000000001, 511.18929},
	{"a million just before the epoch", 1000000, 1767225599999, 6},
}

func TestHot(t *testing.T) {
	assert.Equal(t, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Unix(), HotEpochSeconds)
	for _, c := range hotCases {
		t.Run(c.name, func(t *testing.T) {
			created := time.UnixMilli(c.millis)
			assert.Equal(t, c.want, Hot(max(c.score, 0), max(-c.score, 0), created))
			assert.Equal(t, c.want, Hot(c.score+5000, 5000, created), "only the net score counts")
			assert.Equal(t, c.want, Hot(max(c.score, 0), max(-c.score, 0), created.Add(999*time.Microsecond)),
				"time counts in whole milliseconds")
		})
	}
}

func TestHotLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		score := rapid.Int64Range(-1_000_000, 1_000_000).Draw(t, "score")
		more := rapid.Int64Range(0, 1_000_000).Draw(t, "more")
		millis := rapid.Int64Range(0, 4_000_000_000_000).Draw(t, "millis")
		later := time.Duration(rapid.Int64Range(0, int64(10*year)).Draw(t, "later"))
		created := time.UnixMilli(millis)
		hot := Hot(score, 0, created)
		assert.LessOrEqual(t, hot, Hot(score+more, 0, created), "more votes never cool")
		assert.LessOrEqual(t, hot, Hot(score, 0, created.Add(later)), "youth never cools")
		assert.Equal(t, round7(hot+1), Hot(score, 0, created.Add(45000*time.Second)), "12.5 hours are one")

		naive := float64(sign(score))*math.Log10(math.Max(math.Abs(float64(score)), 1)) +
			float64(millis-1767225600000)/1000/45000
		assert.InDelta(t, naive, hot, 0.5001e-7, "the published formula")
		short, err := strconv.ParseFloat(strconv.FormatFloat(hot, 'f', 7, 64), 64)
		require.NoError(t, err)
		assert.Equal(t, short, hot, "seven decimals say all of it")
	})
}

// Every tie of the rounding is further away than the error of any logarithm in use (4 ulp of log10(100000)*1e7 are 3e-8): Go, Wasm and
// SQLite cannot differ.
func TestHotRoundsFarFromTies(t *testing.T) {
	nearest := 1.0
	for score := 2; score <= 100_000; score++ {
		order := math.Log10(float64(score)) * 1e7
		for ninths := -8.0; ninths <= 8; ninths++ {
			x := order + ninths/9 + 0.5
			nearest = min(nearest, math.Abs(x-math.Round(x)))
		}
	}
	assert.Greater(t, nearest, 2e-7)
}

func TestHotSQL(t *testing.T) {
	assert.Equal(t, "(((2*((created)-1767225600000))/9+floor(sign((ups-downs))*log10(max(abs((ups-downs)),1))*1e7+"+
		"((2*((created)-1767225600000))%9)/9.0+0.5))/1e7)", HotSQL("ups-downs", "created"))
	var queries []string
	for _, c := range hotCases {
		queries = append(queries, HotSQL(strconv.FormatInt(c.score, 10), strconv.FormatInt(c.millis, 10)))
	}
	for i, got := range evaluate(t, queries) {
		assert.Equal(t, hotCases[i].want, got, hotCases[i].name)
	}
}
