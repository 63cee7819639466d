package ranking

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// Expected values: the published formula in Python's decimal module, 40 digits.
func TestQA(t *testing.T) {
	good := Answer{Ups: 100, Downs: 10, Length: 900}
	tests := []struct {
		name       string
		ups, downs int64
		length     int
		answers    []Answer
		want       float64
	}{
		{"nothing", 0, 0, 0, nil, 0},
		{"a question without an answer", 10, 1, 99, nil, 1.139495},
		{"the same, well answered", 10, 1, 99, []Answer{good}, 2.2070972},
		{"only the best answer counts", 10, 1, 99, []Answer{{1, 5, 9000}, good, {0, 0, 5}}, 2.2070972},
		{"an answer without votes adds its length", 1, 0, 499, []Answer{{0, 0, 500}}, 0.9783606},
		{"of equal answers the longest", 1, 0, 499, []Answer{{0, 3, 10}, {0, 0, 500}}, 0.9783606},
		{"an empty answer to an empty question", 0, 0, 0, []Answer{{0, 0, 0}}, 0},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, QA(c.ups, c.downs, c.length, c.answers...))
		})
	}
}

func TestQALaws(t *testing.T) {
	answer := rapid.Custom(func(t *rapid.T) Answer {
		return Answer{
			Ups:    rapid.Int64Range(0, 20).Draw(t, "ups"),
			Downs:  rapid.Int64Range(0, 20).Draw(t, "downs"),
			Length: rapid.IntRange(1, 2000).Draw(t, "length"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		ups := rapid.Int64Range(0, 100).Draw(t, "ups")
		downs := rapid.Int64Range(0, 100).Draw(t, "downs")
		length := rapid.IntRange(1, 2000).Draw(t, "length")
		answers := rapid.SliceOfN(answer, 1, 5).Draw(t, "answers")
		qa := QA(ups, downs, length, answers...)
		assert.GreaterOrEqual(t, qa, QA(ups, downs, length), "an answer never lowers it")
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(answers), func(i, j int) {
			answers[i], answers[j] = answers[j], answers[i]
		})
		assert.Equal(t, qa, QA(ups, downs, length, answers...), "the order of answers has no effect")
	})
}

func TestQARank(t *testing.T) {
	short := Answer{Ups: 0, Downs: 3, Length: 1}
	assert.Equal(t, Wilson(10, 1), QARank(10, 1, 99), "without an answer the best order")
	assert.Equal(t, 1+QA(10, 1, 99, short), QARank(10, 1, 99, short))
	assert.Greater(t, QARank(0, 9, 1, short), QARank(1_000_000, 0, 10_000), "the worst question with an answer stands above the best without")
}

func TestQARankSQL(t *testing.T) {
	type pair struct {
		ups, downs int64
		length     int
		answer     Answer
	}
	rng := rand.New(rand.NewPCG(1, 2))
	pairs := []pair{{}, {0, 3, 0, Answer{0, 2, 0}}, {10, 1, 99, Answer{100, 10, 900}}}
	for range 100 {
		pairs = append(pairs, pair{rng.Int64N(2000), rng.Int64N(300), rng.IntN(10_000), Answer{rng.Int64N(2000), rng.Int64N(300),
			rng.IntN(10_000)}})
	}
	var queries []string
	for _, p := range pairs {
		queries = append(queries, QARankSQL(WilsonSQL(strconv.FormatInt(p.ups, 10), strconv.FormatInt(p.downs, 10)), strconv.Itoa(p.length),
			WilsonSQL(strconv.FormatInt(p.answer.Ups, 10), strconv.FormatInt(p.answer.Downs, 10)), strconv.Itoa(p.answer.Length)))
	}
	for i, got := range evaluate(t, queries) {
		p := pairs[i]
		assert.Equal(t, QARank(p.ups, p.downs, p.length, p.answer), got, "%+v", p)
	}
}
