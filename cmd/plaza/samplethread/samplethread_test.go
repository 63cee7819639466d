package samplethread_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/cmd/plaza/samplethread"
	"plaza/data/content/comments"
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

func options(n int, seed uint64) samplethread.Options {
	return samplethread.Options{
		Comments: n, Seed: seed, Community: 42 << 22, Name: "gophers", Authors: []samplethread.Author{{ID: 1, Name: "ann"}, {ID: 2, Name: "bob"},
			{ID: 3, Name: "cy"}},
		Slug: "a-thread", Title: "A thread", Now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC),
		Text: func(rng *rand.Rand, _ bool) (string, string) { return "x", "<p>x</p>" },
	}
}

func TestMake(t *testing.T) {
	same, again, other := samplethread.Make(options(3000, 1)), samplethread.Make(options(3000, 1)), samplethread.Make(options(3000, 2))
	require.Equal(t, same.Comments, again.Comments)
	require.NotEqual(t, same.Comments, other.Comments)

	t.Run("is wide, deep, and divided", func(t *testing.T) {
		var hub, deepest, roots, answered, divided int64
		for _, c := range same.Comments {
			hub, deepest = max(hub, c.Replies), max(deepest, int64(c.Depth))
			if c.Parent == 0 {
				roots++
			}
			if c.QA >= 1 {
				answered++
			}
			if c.Ups > 1 && c.Downs > 1 {
				divided++
			}
		}
		require.GreaterOrEqual(t, hub, int64(600))
		require.Equal(t, int64(comments.DepthMax-1), deepest)
		for what, n := range map[string]int64{"roots": roots, "answered": answered, "divided": divided} {
			require.Greater(t, n, int64(30), what)
			require.Less(t, n, int64(1500), what)
		}
	})

	t.Run("is small where few are asked for", func(t *testing.T) {
		for n := range 30 {
			require.Len(t, samplethread.Make(options(n, 1)).Comments, n)
		}
	})
}

func TestWrite(t *testing.T) {
	db := stacktest.OpenSchema(t)
	one := func(sql string) any {
		results, err := db.Query(context.Background(), hrana.Stmt{SQL: sql})
		require.NoError(t, err)
		return results[0].Rows()[0][0]
	}
	thread := samplethread.Make(options(5000, 1))

	t.Run("leaves nothing when it is interrupted", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		require.ErrorIs(t, thread.Write(ctx, db, func(int) error { cancel(); return nil }), context.Canceled)
		require.Equal(t, int64(0), one("SELECT (SELECT count(*) FROM comments) + (SELECT count(*) FROM posts) + (SELECT count(*) "+
			"FROM count_deltas)"))
	})

	t.Run("writes it all, and leaves it alone when asked again", func(t *testing.T) {
		last := 0
		require.NoError(t, thread.Write(context.Background(), db, func(done int) error { last = done; return nil }))
		require.Equal(t, 5000, last)
		require.Error(t, thread.Write(context.Background(), db, func(int) error { return nil }))
		require.Equal(t, int64(5000), one("SELECT count(*) FROM comments"))
		require.Equal(t, int64(5000), one("SELECT comments FROM posts"))
	})
}
