package stack_test

import (
	"bytes"
	"context"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"plaza/data/wire/upstash"
	"plaza/stack"
	"plaza/test/stacktest"
)

func needServer(t testing.TB) {
	t.Helper()
	if stack.LocalRedis() != stack.KindServer {
		t.Skip("redis-server is not installed")
	}
}

func startRedis(t testing.TB, o stack.RedisOptions) *stack.Redis {
	t.Helper()
	r, err := stack.StartRedis(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { _ = r.Close() })
	return r
}

func TestStartRedis(t *testing.T) {
	t.Run("keeps what was written in its directory over a restart", func(t *testing.T) {
		needServer(t)
		o := stack.RedisOptions{Dir: filepath.Join(t.TempDir(), "redis"), Kind: stack.KindServer, Log: &bytes.Buffer{}}
		r := startRedis(t, o)
		require.NoError(t, redis.NewClient(&redis.Options{Addr: r.Addr}).Set(t.Context(), "key", "value", 0).Err())
		require.NoError(t, r.Close())
		require.Contains(t, o.Log.(*bytes.Buffer).String(), "exit")

		r = startRedis(t, o)
		value, err := redis.NewClient(&redis.Options{Addr: r.Addr}).Get(t.Context(), "key").Result()
		require.NoError(t, err)
		require.Equal(t, "value", value)
	})
	t.Run("leaves nothing behind without a directory", func(t *testing.T) {
		needServer(t)
		t.Setenv("TMPDIR", t.TempDir())
		r := startRedis(t, stack.RedisOptions{Kind: stack.KindServer})
		require.NoError(t, r.Close())
		require.NoError(t, r.Close())
		remaining, err := os.ReadDir(os.TempDir())
		require.NoError(t, err)
		require.Empty(t, remaining)
		select {
		case <-r.Wait():
		case <-time.After(5 * time.Second):
			t.Fatal("redis-server is still there")
		}
	})
	t.Run("says so when the port is in use", func(t *testing.T) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer l.Close()
		for _, kind := range []string{stack.KindServer, stack.KindMini} {
			if kind == stack.KindServer && stack.LocalRedis() != kind {
				continue
			}
			_, err = stack.StartRedis(t.Context(), stack.RedisOptions{Addr: l.Addr().String(), Kind: kind})
			require.ErrorContains(t, err, "in use")
		}
	})
	t.Run("uses the one that REDIS_URL names and leaves it running", func(t *testing.T) {
		other := startRedis(t, stack.RedisOptions{Kind: stack.LocalRedis()})
		t.Setenv("REDIS_URL", "redis://"+other.Addr+"/3")
		r := startRedis(t, stack.RedisOptions{})
		require.Equal(t, stack.KindExternal, r.Kind)
		u, err := stack.StartUpstash(t.Context(), stack.UpstashOptions{RedisAddr: r.Addr, Token: "t"})
		require.NoError(t, err)
		defer u.Close()
		_, err = upstash.New(upstash.Options{URL: u.URL, Token: "t"}).Do(t.Context(), upstash.Cmd{"SET", "key", "value"})
		require.NoError(t, err)
		require.NoError(t, r.Close())
		value, err := redis.NewClient(&redis.Options{Addr: other.Addr, DB: 3}).Get(t.Context(), "key").Result()
		require.NoError(t, err)
		require.Equal(t, "value", value)
	})
	t.Run("says so when nothing answers at REDIS_URL", func(t *testing.T) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		l.Close()
		t.Setenv("REDIS_URL", "redis://"+l.Addr().String())
		_, err = stack.StartRedis(t.Context(), stack.RedisOptions{})
		require.ErrorContains(t, err, "REDIS_URL")
	})
	t.Run("gives up with its context", func(t *testing.T) {
		needServer(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := stack.StartRedis(ctx, stack.RedisOptions{Kind: stack.KindServer})
		require.ErrorIs(t, err, context.Canceled)
	})
}

// TestMiniredis compares the fallback with redis-server, for the commands that Plaza uses.
func TestMiniredis(t *testing.T) {
	script := `local n = redis.call('INCR', KEYS[1]) if n == 1 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
return {n, redis.call('TTL', KEYS[1]) > 20, ARGV[2], false, {'nested', 7}}`
	// A tick of miniredis may happen between two commands: lives of keys are compared to ten seconds.
	life := `local t = redis.call('TTL', KEYS[1]) return t > ARGV[1] - 10 and t <= tonumber(ARGV[1])`
	steps := []struct {
		name string
		cmd  upstash.Cmd
		want string
	}{
		{"ZADD counts the new members", upstash.Cmd{"ZADD", "z", 1, "a", 2.5, "b", 3, "c"}, "3"},
		{"ZADD NX leaves a member alone", upstash.Cmd{"ZADD", "z", "NX", 9, "a", 4, "d"}, "1"},
		{"ZADD XX adds no member", upstash.Cmd{"ZADD", "z", "XX", 2, "b", 5, "e"}, "0"},
		{"ZADD XX CH counts the changed", upstash.Cmd{"ZADD", "z", "XX", "CH", 2.25, "b", 5, "e"}, "1"},
		{"ZADD GT keeps the greater score", upstash.Cmd{"ZADD", "z", "GT", 0, "d"}, "0"},
		{"ZSCORE gives the score", upstash.Cmd{"ZSCORE", "z", "b"}, `"2.25"`},
		{"ZSCORE of a stranger is nil", upstash.Cmd{"ZSCORE", "z", "e"}, "nil"},
		{"ZMSCORE mixes both", upstash.Cmd{"ZMSCORE", "z", "a", "e"}, `["1" nil]`},
		{"ZRANGE by rank", upstash.Cmd{"ZRANGE", "z", 0, -1}, `["a" "b" "c" "d"]`},
		{"ZRANGE REV WITHSCORES", upstash.Cmd{"ZRANGE", "z", 0, 1, "REV", "WITHSCORES"}, `["d" "4" "c" "3"]`},
		{"ZRANGE BYSCORE REV LIMIT", upstash.Cmd{"ZRANGE", "z", "(4", "-inf", "BYSCORE", "REV", "LIMIT", 0, 2}, `["c" "b"]`},
		{"ZRANGE BYSCORE from a float", upstash.Cmd{"ZRANGE", "z", 2.25, "+inf", "BYSCORE", "LIMIT", 1, 5}, `["c" "d"]`},
		{"equal scores order by member", upstash.Cmd{"ZADD", "tie", 1, "2", 1, "10", 1, "1"}, "3"},
		{"equal scores order by member, reversed", upstash.Cmd{"ZRANGE", "tie", "+inf", "-inf", "BYSCORE", "REV"}, `["2" "10" "1"]`},
		{"ZREVRANGE is the older spelling", upstash.Cmd{"ZREVRANGE", "z", 0, 0}, `["d"]`},
		{"ZREVRANGEBYSCORE LIMIT WITHSCORES", upstash.Cmd{"ZREVRANGEBYSCORE", "z", "(4", "-inf", "WITHSCORES", "LIMIT", 0, 2},
			`["c" "3" "b" "2.25"]`},
		{"ZCOUNT", upstash.Cmd{"ZCOUNT", "z", "(1", 3}, "2"},
		{"ZRANK", upstash.Cmd{"ZREVRANK", "z", "d"}, "0"},
		{"ZCARD counts", upstash.Cmd{"ZCARD", "z"}, "4"},
		{"ZREMRANGEBYRANK keeps the best two", upstash.Cmd{"ZREMRANGEBYRANK", "z", 0, -3}, "2"},
		{"ZREMRANGEBYSCORE", upstash.Cmd{"ZREMRANGEBYSCORE", "z", "-inf", "(4"}, "1"},
		{"ZINCRBY answers the score", upstash.Cmd{"ZINCRBY", "z", 0.5, "d"}, `"4.5"`},
		{"ZREM counts the removed", upstash.Cmd{"ZREM", "z", "d", "nobody"}, "1"},
		{"an empty set is no key", upstash.Cmd{"EXISTS", "z"}, "0"},
		{"infinite scores", upstash.Cmd{"ZADD", "inf", "+inf", "top", "-inf", "bottom"}, "2"},
		{"infinite scores come back", upstash.Cmd{"ZRANGE", "inf", 0, -1, "WITHSCORES"}, `["bottom" "-inf" "top" "inf"]`},
		{"SET NX EX takes a free key", upstash.Cmd{"SET", "lock", "me", "NX", "EX", 60}, `"OK"`},
		{"SET NX EX leaves a taken key", upstash.Cmd{"SET", "lock", "you", "NX", "EX", 60}, "nil"},
		{"TTL of a lock", upstash.Cmd{"EVAL", life, 1, "lock", 60}, "1"},
		{"EXPIRE of a missing key", upstash.Cmd{"EXPIRE", "none", 5}, "0"},
		{"EXPIRE NX leaves a life as it is", upstash.Cmd{"EXPIRE", "lock", 5, "NX"}, "0"},
		{"EXPIRE NX gives one to a key without", upstash.Cmd{"EXPIRE", "tie", 50, "NX"}, "1"},
		{"TTL of what EXPIRE NX gave", upstash.Cmd{"EVAL", life, 1, "tie", 50}, "1"},
		{"TTL of a missing key", upstash.Cmd{"TTL", "none"}, "-2"},
		{"INCR from nothing", upstash.Cmd{"INCR", "n"}, "1"},
		{"INCRBY", upstash.Cmd{"INCRBY", "n", 41}, "42"},
		{"INCR of text fails", upstash.Cmd{"INCR", "lock"}, "ERR value is not an integer or out of range"},
		{"GET of a set fails", upstash.Cmd{"GET", "tie"}, "WRONGTYPE Operation against a key holding the wrong kind of value"},
		{"HSET", upstash.Cmd{"HSET", "h", "f", "1", "g", "2"}, "2"},
		{"HMGET", upstash.Cmd{"HMGET", "h", "g", "none"}, `["2" nil]`},
		{"MGET", upstash.Cmd{"MGET", "lock", "none", "n"}, `["me" nil "42"]`},
		{"SADD", upstash.Cmd{"SADD", "s", "a", "b", "a"}, "2"},
		{"SISMEMBER", upstash.Cmd{"SISMEMBER", "s", "b"}, "1"},
		{"EVAL runs as one", upstash.Cmd{"EVAL", script, 1, "rate", 30, "x"}, `[1 1 "x" nil ["nested" 7]]`},
		{"EVAL sees what it wrote", upstash.Cmd{"EVAL", script, 1, "rate", 30, "y"}, `[2 1 "y" nil ["nested" 7]]`},
		{"EVALSHA of an unknown script", upstash.Cmd{"EVALSHA", "0000000000000000000000000000000000000000", 0},
			"NOSCRIPT No matching script. Please use EVAL."},
		{"DEL counts", upstash.Cmd{"DEL", "lock", "none"}, "1"},
		{"PEXPIRE", upstash.Cmd{"PEXPIRE", "n", 150}, "1"},
		{"FLUSHALL", upstash.Cmd{"FLUSHALL"}, `"OK"`},
		{"nothing is left", upstash.Cmd{"DBSIZE"}, "0"},
	}
	for _, kind := range []string{stack.KindServer, stack.KindMini} {
		t.Run(kind, func(t *testing.T) {
			if kind == stack.KindServer {
				needServer(t)
			}
			client := stacktest.OpenRedisKind(t, kind)
			for _, s := range steps { // one after the other: each depends on those before
				reply, _ := client.Do(t.Context(), s.cmd)
				require.Equal(t, s.want, reply.String(), s.name)
			}
			_, err := client.Do(t.Context(), upstash.Cmd{"SET", "short", "life", "PX", 60})
			require.NoError(t, err)
			require.Eventually(t, func() bool {
				reply, err := client.Do(t.Context(), upstash.Cmd{"GET", "short"})
				return err == nil && reply.Nil()
			}, 5*time.Second, 20*time.Millisecond, "a key expires with time")
		})
	}
}

// BenchmarkStartRedis shows why stacktest shares no server.
func BenchmarkStartRedis(b *testing.B) {
	for b.Loop() {
		r, err := stack.StartRedis(b.Context(), stack.RedisOptions{Kind: stack.LocalRedis()})
		require.NoError(b, err)
		require.NoError(b, r.Close())
	}
}
