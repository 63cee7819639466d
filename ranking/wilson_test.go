package ranking

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// Expected values: the published form in Python's decimal module, 40 digits.
var wilsonCases = []struct {
	name       string
	ups, downs int64
	want       float64
}{
	{"no votes", 0, 0, 0},
	{"one up", 1, 0, 0.3784475032252062},
	{"one down", 0, 1, -0.5},
	{"two down", 0, 2, -0.6666666666666666},
	{"a million down", 0, 1000000, -0.999999000001},
	{"one each", 1, 1, 0.1642517200298418},
	{"ten up", 10, 0, 0.8589313179093836},
	{"ten up, one down", 10, 1, 0.7394949884518779},
	{"the same share of more votes is surer", 100, 10, 0.867689066238699},
	{"two thirds of sixty", 40, 20, 0.5851513139588392},
	{"mostly disliked", 5, 50, 0.052401998052079304},
	{"a million to one", 1000000, 1, 0.9999966567437039},
	{"sixty percent of a thousand", 600, 400, 0.579997926296222},
}

func TestWilson(t *testing.T) {
	for _, c := range wilsonCases {
		t.Run(c.name, func(t *testing.T) {
			assert.InDelta(t, c.want, Wilson(c.ups, c.downs), 2e-16)
		})
	}
	assert.Zero(t, Wilson(-3, 5), "negative counts")
	assert.Zero(t, Wilson(3, -5), "negative counts")
	assert.Equal(t, wilsonZText, strconv.FormatFloat(wilsonZ, 'f', -1, 64))
}

func TestWilsonLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ups := rapid.Int64Range(0, 1_000_000).Draw(t, "ups")
		downs := rapid.Int64Range(0, 1_000_000).Draw(t, "downs")
		w := Wilson(ups, downs)
		assert.Equal(t, ups == 0 && downs > 0, w < 0)
		assert.Greater(t, w, -1.0)
		assert.Less(t, w, 1.0)
		assert.Greater(t, Wilson(ups+1, downs), w, "an upvote raises it")
		assert.LessOrEqual(t, Wilson(ups, downs+1), w, "a downvote never raises it")
		if ups == 0 {
			assert.Less(t, Wilson(0, downs+1), w, "without upvotes each downvote lowers it")
		} else {
			n, p, z := float64(ups+downs), float64(ups)/float64(ups+downs), wilsonZ
			assert.LessOrEqual(t, w, p, "it is a lower bound")
			published := (p + z*z/(2*n) - z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))) / (1 + z*z/n)
			assert.InDelta(t, published, w, 1e-15)
		}
	})
}

func TestWilsonSQL(t *testing.T) {
	var queries []string
	for _, c := range wilsonCases {
		queries = append(queries, WilsonSQL(strconv.FormatInt(c.ups, 10), strconv.FormatInt(c.downs, 10)))
	}
	for i, got := range evaluate(t, queries) {
		c := wilsonCases[i]
		assert.Equal(t, Wilson(c.ups, c.downs), got, c.name)
	}
}
