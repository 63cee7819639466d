package worker_test

import (
	"context"
	"net/http"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/wire/upstash"
	"plaza/test/stacktest"
	"plaza/test/workertest"
	"plaza/worker"
)

// exhaust makes all counters of limits in Redis say that there were too many calls.
func exhaust(s *workertest.Site) {
	s.Helper()
	replies, err := s.Redis.Pipeline(context.Background(), upstash.Cmd{"KEYS", "limit:*"})
	require.NoError(s, err)
	keys, err := replies[0].Strings()
	require.NoError(s, err)
	for _, key := range keys {
		_, err := s.Redis.Pipeline(context.Background(), upstash.Cmd{"SET", key, 1_000_000})
		require.NoError(s, err)
	}
}

// TestBeyondALimit: every action answers 429 beyond its limit, with the time to wait, to browsers and programs, whatever was sent.
func TestBeyondALimit(t *testing.T) {
	t.Parallel()
	stacktest.NeedRedis(t)
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	root := s.Admin("rita")
	ann.MustPost("/communities", "name", "gophers")
	conversation := ann.MustPost("/messages", "title", "A question", "text", "text")
	things := map[string]string{"community": "gophers", "conversation": conversation[len("/messages/"):], "decision": "1", "page": "about",
		"provider": "github", "kind": "posts"}
	s.GitHub()
	s.Mailbox()
	for _, rt := range worker.Routes() {
		if !rt.Limited || rt.Method == http.MethodGet {
			continue
		}
		t.Run(rt.Method+" "+rt.Pattern, func(t *testing.T) {
			path := pathOf(rt.Pattern, things)
			for kind, accept := range map[string]string{"a browser": "text/html", "a program": "application/json"} {
				s.Strict(s.Redis) // as an instance that has counted nothing yet
				b := s.Visitor()
				switch {
				case rt.Pattern == "/settings/account/delete": // it logs out
					b = s.Member(kind[2:])
				case rt.Admin:
					b = root
				case rt.Member:
					b = ann
				}
				b.Header.Set("Accept", accept)
				res := b.Post(path)
				require.NotEqual(t, http.StatusTooManyRequests, res.Code, kind)
				for i := 0; res.Code != http.StatusTooManyRequests && i < 1000; i++ { // the instance counts the first calls alone
					exhaust(s)
					res = b.Post(path)
				}
				require.Equal(t, http.StatusTooManyRequests, res.Code, "%s: %s %s", kind, res.Header().Get("Location"), res.Body.String())
				wait, err := strconv.Atoi(res.Header().Get("Retry-After"))
				require.NoError(t, err, kind)
				require.Positive(t, wait, kind)
				_, err = s.Redis.Pipeline(context.Background(), upstash.Cmd{"FLUSHDB"})
				require.NoError(t, err)
			}
		})
	}
}
