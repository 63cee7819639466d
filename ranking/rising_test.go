package ranking

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// Expected values: the documented formula in Python's fractions module.
func TestRising(t *testing.T) {
	tests := []struct {
		name                string
		ups, downs, comment int64
		age                 time.Duration
		want                float64
	}{
		{"a post of this moment has the prior", 0, 0, 0, 0, 1},
		{"six hours of silence", 0, 0, 0, 6 * time.Hour, 0.07142857142857142},
		{"five votes in ten minutes", 5, 0, 0, 10 * time.Minute, 5.138891948452473},
		{"yesterday's hit is behind them", 1000, 20, 300, 20 * time.Hour, 4.434801342932548},
		{"a liked post with a conversation", 10, 2, 8, 2 * time.Hour, 3.642857142857143},
		{"an argument under a disliked post", 2, 10, 50, time.Hour, 0},
		{"a disliked post", 1, 9, 0, time.Hour, 0},
		{"a clock ahead of ours", 0, 0, 0, -time.Hour, 1},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			assert.InDelta(t, c.want, Rising(c.ups, c.downs, c.comment, c.age), 1e-14)
		})
	}
}

func TestRisingLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ups := rapid.Int64Range(0, 10_000).Draw(t, "ups")
		downs := rapid.Int64Range(0, 10_000).Draw(t, "downs")
		comments := rapid.Int64Range(0, 10_000).Draw(t, "comments")
		age := time.Duration(rapid.Int64Range(0, int64(48*time.Hour)).Draw(t, "age"))
		rising := Rising(ups, downs, comments, age)
		assert.GreaterOrEqual(t, rising, 0.0)
		assert.GreaterOrEqual(t, Rising(ups+1, downs, comments, age), rising, "an upvote never lowers it")
		assert.LessOrEqual(t, Rising(ups, downs+1, comments, age), rising, "a downvote never raises it")
		assert.GreaterOrEqual(t, Rising(ups, downs, comments+1, age), rising, "a comment never lowers it")
		assert.LessOrEqual(t, Rising(ups, downs, comments, age+time.Hour), rising, "age never raises it")
	})
}
