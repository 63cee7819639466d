package stacktest

import (
	"context"
	"errors"
	"os"
	"sync"
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
	url, token := OpenRedisURL(t)
	return upstash.New(upstash.Options{URL: url, Token: token, Limit: patience})
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
	r, err := spares.take(kind), error(nil)
	if r == nil {
		r, err = stack.StartRedis(t.Context(), stack.RedisOptions{Kind: kind})
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := spares.leave(r); err != nil {
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

// spares are the redis-servers that no test uses. To empty one takes less than a tenth of the work of starting another.
var spares spareServers

type spareServers struct {
	mu      sync.Mutex
	kept    bool // Main ends them
	servers []*stack.Redis
}

// take returns nil where a Redis has to be started.
func (s *spareServers) take(kind string) *stack.Redis {
	s.mu.Lock()
	defer s.mu.Unlock()
	if kind != stack.KindServer || len(s.servers) == 0 {
		return nil
	}
	last := len(s.servers) - 1
	r := s.servers[last]
	s.servers = s.servers[:last]
	return r
}

// leave empties a Redis for the next test, or closes it.
func (s *spareServers) leave(r *stack.Redis) error {
	if r.Kind != stack.KindServer || !s.kept || r.Reset(context.Background()) != nil {
		return r.Close()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.servers = append(s.servers, r)
	return nil
}

func (s *spareServers) stop() (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.servers {
		err = errors.Join(err, r.Close())
	}
	s.servers = nil
	return err
}
