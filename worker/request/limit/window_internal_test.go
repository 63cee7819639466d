package limit

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/wire/upstash"
	"plaza/test/stacktest"
)

// instance is a counter that counts calls in a Redis.
func instance(redis *upstash.Client, now *time.Time) *Counter {
	return &Counter{Redis: redis, Factor: 1, Now: func() time.Time { return *now }}
}

// TestWindow counts calls in two instances that share a Redis. Members who call seldom cost no Redis command. The instances count all others
// together.
func TestWindow(t *testing.T) {
	redis := stacktest.OpenRedis(t)
	now := time.Unix(1_800_000_000, 0)
	one, other := instance(redis, &now), instance(redis, &now)
	commands := func(k *Counter, l Limit, who string, calls int) (counted Counted, sent int) {
		ctx, meter := upstash.WithMeter(t.Context())
		for range calls {
			var err error
			counted, err = k.Count(ctx, l, who)
			require.NoError(t, err)
		}
		return counted, meter.Commands()
	}
	is := func(count, before int64, commands int, of Counted, sent int) {
		t.Helper()
		require.Equal(t, []int64{count, before, int64(commands)}, []int64{of.count, of.before, int64(sent)})
	}
	counted, sent := commands(one, Vote, "ann", 15)
	is(15, 0, 0, counted, sent)
	counted, sent = commands(other, Vote, "ann", 1)
	is(1, 0, 0, counted, sent)
	counted, sent = commands(one, Vote, "ann", 1)
	is(16, 0, 3, counted, sent)
	counted, sent = commands(other, Vote, "ann", 15)
	is(32, 0, 3, counted, sent)
	counted, sent = commands(one, Vote, "ann", 2)
	is(34, 0, 6, counted, sent)

	now = now.Add(time.Minute)
	counted, sent = commands(one, Vote, "ann", 1)
	is(1, 34, 3, counted, sent)
	now = now.Add(2 * time.Minute)
	counted, sent = commands(one, Vote, "ann", 1)
	is(1, 0, 0, counted, sent)

	t.Run("of the window before, the greater number counts: Redis's, or the instance's own", func(t *testing.T) {
		_, sent := commands(one, Vote, "dan", 15)
		require.Zero(t, sent)
		now = now.Add(time.Minute)
		counted, sent := commands(one, Vote, "dan", 1)
		is(1, 15, 3, counted, sent)
		commands(other, Vote, "dan", 20)
		now = now.Add(time.Minute)
		counted, sent = commands(one, Vote, "dan", 15)
		is(15, 21, 3, counted, sent)
	})
	t.Run("new members come near their tighter limit sooner", func(t *testing.T) {
		counted, sent := commands(one, Comment, "ben", 2)
		is(2, 0, 0, counted, sent)
		counted, sent = commands(one, Comment, "ben", 1)
		is(3, 0, 3, counted, sent)
	})
	t.Run("each try to log in is told", func(t *testing.T) {
		counted, sent := commands(one, LogIn, "192.0.2.1", 2)
		is(2, 0, 6, counted, sent)
	})
	t.Run("while Redis is unavailable, and on a site without it, an instance counts for itself", func(t *testing.T) {
		for _, redis := range []*upstash.Client{nil, upstash.New(upstash.Options{URL: "http://127.0.0.1:1"})} {
			k := instance(redis, &now)
			counted, _ := commands(k, Vote, "ann", 130)
			require.EqualValues(t, 130, counted.count)
			now = now.Add(time.Minute)
			counted, _ = commands(k, Vote, "ann", 1)
			require.EqualValues(t, 130, counted.before)
		}
	})
	t.Run("when Redis is back, the calls meanwhile count", func(t *testing.T) {
		k := instance(upstash.New(upstash.Options{URL: "http://127.0.0.1:1"}), &now)
		commands(k, Vote, "dan", 20)
		k.Redis = redis
		counted, _ := commands(k, Vote, "dan", 1)
		require.EqualValues(t, 21, counted.count)
	})
	t.Run("what is over is forgotten first", func(t *testing.T) {
		k := instance(redis, &now)
		commands(k, Post, "ann", 1)
		for i := range windowsKept - 1 {
			k.window(Vote, fmt.Sprint(i)).count++
		}
		now = now.Add(3 * time.Minute)
		commands(k, Vote, "new", 1)
		require.Len(t, k.windows, 2)
		counted, _ := commands(k, Post, "ann", 1)
		require.EqualValues(t, 2, counted.count)
	})
}
