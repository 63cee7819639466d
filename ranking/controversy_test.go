package ranking

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// Expected values: the published formula in Python's decimal module, 40 digits.
var controversyCases = []struct {
	name       string
	ups, downs int64
	want       float64
}{
	{"no votes", 0, 0, 0},
	{"only up", 10, 0, 0},
	{"only down", 0, 10, 0},
	{"one each", 1, 1, 2},
	{"twice as many up", 10, 5, 3.872983346207417},
	{"twice as many down", 5, 10, 3.872983346207417},
	{"a hundred each", 100, 100, 200},
	{"a clear majority", 1000, 10, 1.0716259302583164},
	{"three to two", 3, 2, 2.924017738212866},
	{"a large argument", 12345, 11111, 8578.385574858597},
}

func TestControversy(t *testing.T) {
	for _, c := range controversyCases {
		t.Run(c.name, func(t *testing.T) {
			assert.InDelta(t, c.want, Controversy(c.ups, c.downs), c.want*1e-15)
		})
	}
	assert.Zero(t, Controversy(-1, 5), "negative counts")
}

func TestControversyLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ups := rapid.Int64Range(1, 1_000_000).Draw(t, "ups")
		downs := rapid.Int64Range(1, 1_000_000).Draw(t, "downs")
		c := Controversy(ups, downs)
		assert.Equal(t, c, Controversy(downs, ups), "symmetric")
		assert.Greater(t, c, 1.0)
		assert.LessOrEqual(t, c, float64(ups+downs))
		assert.Equal(t, float64(2*ups), Controversy(ups, ups), "balanced votes count in full")
		assert.Greater(t, Controversy(2*ups, 2*downs), c, "the same split of more votes is hotter")
	})
}

func TestControversySQL(t *testing.T) {
	var queries []string
	for _, c := range controversyCases {
		queries = append(queries, ControversySQL(strconv.FormatInt(c.ups, 10), strconv.FormatInt(c.downs, 10)))
	}
	for i, got := range evaluate(t, queries) {
		c := controversyCases[i]
		assert.InDelta(t, Controversy(c.ups, c.downs), got, c.want*1e-15, c.name)
	}
}
