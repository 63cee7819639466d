package stacktest

import (
	"context"
	"os"
	"testing"
	"time"

	"plaza/data/wire/upstash"
	"plaza/stack"
)

const redisToken = "token-of-a-test"

// patience is the time of a call on a machine that does much else besides the tests.
const patience = 5 * time.Second

// OpenRedis gives the test an empty Redis of its own, and a client that reaches it through the Upstash endpoint.
func OpenRedis(t testing.TB) *upstash.Client {
	t.Helper()
	return OpenRedisKind(t, stack.LocalRedis())
}

// WithoutRedisVariable has the sites and stores of tests do without Redis, as a site may (OpenRedisIfAny).
const WithoutRedisVariable = "PLAZA_WITHOUT_REDIS"

// OpenRedisIfAny is OpenRedis, or nil if WithoutRedisVariable is set.
func OpenRedisIfAny(t testing.TB) *upstash.Client {
	t.Helper()
	if os.Getenv(WithoutRedisVariable) != "" {
		return nil
	}
	return OpenRedis(t)
}

// NeedRedis skips a test that looks into the Redis of OpenRedisIfAny.
func NeedRedis(t testing.TB) {
	t.Helper()
	if os.Getenv(WithoutRedisVariable) != "" {
		t.Skip("it looks into Redis, and " + WithoutRedisVariable + " is set")
	}
}

// OpenRedisURL is OpenRedis for a client of the test's own.
func OpenRedisURL(t testing.TB) (url, token string) {
	t.Helper()
	return openRedis(t, stack.LocalRedis())
}

// OpenRedisKind is OpenRedis on one kind of Redis, such as stack.KindMini.
func OpenRedisKind(t testing.TB, kind string) *upstash.Client {
	t.Helper()
	url, token := openRedis(t, kind)
	return upstash.New(upstash.Options{URL: url, Token: token, Limit: patience})
}

// openRedis leaves REDIS_URL aside: tests empty what they get.
func openRedis(t testing.TB, kind string) (url, token string) {
	t.Helper()
	r, err := pooledRedis(kind)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := releaseRedis(r); err != nil {
			t.Error(err)
		}
	})
	u, err := stack.StartUpstash(t.Context(), stack.UpstashOptions{RedisAddr: r.Addr, Token: redisToken})
	if err != nil {
		t.Fatal(err)
	}
	// The endpoint goes before Redis is left to another test, with all requests of this one.
	t.Cleanup(func() {
		if err := u.Close(); err != nil {
			t.Error(err)
		}
	})
	return u.URL, redisToken
}

// redisPool are the redis-servers that no test uses, until Main ends them; without Main there are none. To empty one takes less than a
// tenth of the work of starting another.
var redisPool chan *stack.Redis

func pooledRedis(kind string) (*stack.Redis, error) {
	if kind == stack.KindServer {
		select {
		case r := <-redisPool:
			return r, nil
		default:
		}
	}
	return stack.StartRedis(context.Background(), stack.RedisOptions{Kind: kind})
}

// releaseRedis empties a Redis for the next test, or closes it.
func releaseRedis(r *stack.Redis) error {
	if r.Kind == stack.KindServer && r.Reset(context.Background()) == nil {
		select {
		case redisPool <- r:
			return nil
		default:
		}
	}
	return r.Close()
}
