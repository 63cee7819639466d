package stacktest

import (
	"testing"
	"time"

	"plaza/data/wire/upstash"
	"plaza/stack"
)

const redisToken = "token-of-a-test"

// patience is the time of a call on a machine that does much else besides the tests.
const patience = 5 * time.Second

// OpenRedis gives the test an empty Redis of its own, and a client that reaches it through the Upstash endpoint. A fresh
// redis-server takes about 15 ms, so none is shared.
func OpenRedis(t testing.TB) *upstash.Client {
	t.Helper()
	url, token := OpenRedisURL(t)
	return upstash.New(upstash.Options{URL: url, Token: token, Limit: patience})
}

// OpenRedisURL is OpenRedis for a client of the test's own.
func OpenRedisURL(t testing.TB) (url, token string) {
	t.Helper()
	return openRedis(t, "")
}

// OpenRedisKind is OpenRedis on one kind of Redis, such as stack.KindMini.
func OpenRedisKind(t testing.TB, kind string) *upstash.Client {
	t.Helper()
	url, token := openRedis(t, kind)
	return upstash.New(upstash.Options{URL: url, Token: token, Limit: patience})
}

// openRedis leaves REDIS_URL aside while there is another way: tests empty what they get.
func openRedis(t testing.TB, kind string) (url, token string) {
	t.Helper()
	if kind == "" {
		kind = stack.LocalRedis()
	}
	r, err := stack.StartRedis(t.Context(), stack.RedisOptions{Kind: kind})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	u, err := stack.StartUpstash(t.Context(), stack.UpstashOptions{RedisAddr: r.Addr, Token: redisToken})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := u.Close(); err != nil {
			t.Error(err)
		}
	})
	return u.URL, redisToken
}
