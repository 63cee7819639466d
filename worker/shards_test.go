package worker_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
	"plaza/test/storetest"
	"plaza/test/workertest"
	"plaza/worker/queue"
)

// TestOneShardDown has one of three shards unavailable while there is work of every kind on all
// of them: the other two have all of theirs done.
func TestOneShardDown(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	noWait := func(context.Context, time.Duration) error { return nil }
	var transports []*storetest.Transport
	var clients, clean []*hrana.Client
	for range 3 {
		url, client := stacktest.OpenSchemaDB(t)
		transports = append(transports, &storetest.Transport{Http: client})
		clients = append(clients, hrana.New(hrana.Options{URL: url, HTTP: transports[len(transports)-1], Sleep: noWait, Attempts: 3,
			ReadTime: stacktest.ReadTime}))
		clean = append(clean, hrana.New(hrana.Options{URL: url, HTTP: client}))
	}
	s := workertest.OpenOn(t, clean[0], stacktest.OpenRedis(t), 100)
	s.Config.DB = data.NewDB(clients[0], clients...)
	s.Restart(s.Config)
	s.Exec("INSERT INTO users (id, username, username_key, password_hash, created_at) VALUES (7, 'ann', 'ann', '', 0)")

	began := s.Now
	ms, old := began.UnixMilli(), began.Add(-30*24*time.Hour).UnixMilli()
	id := func(shard, n int) int64 { return int64(data.NewID(began, shard, data.KindPost, uint32(2*n))) }
	var nudges []queue.Message
	for shard, c := range clean {
		post := func(n int, status string, created int64) hrana.Stmt {
			return hrana.Stmt{SQL: `INSERT INTO posts (id, community_id, community_name, author_id, author_name, slug, kind, title, link, hot,
  created_at, status, publish_at)
VALUES (?1, 1, 'bulk', 7, 'ann', ?2, 'link', 'A post', 'https://go.dev/', 0, ?3, ?4, iif(?4 = 'scheduled', ?3, NULL))`,
				Args: []any{id(shard, n), fmt.Sprint("p", n), created, status}}
		}
		vote := func(n int, at int64) hrana.Stmt {
			return hrana.Stmt{SQL: "INSERT INTO votes (target_id, user_id, value, updated_at) VALUES (?1, 8, 1, ?2)", Args: []any{id(shard, n), at}}
		}
		nudges = append(nudges, queue.Message{Body: "vote " + data.ID(id(shard, 0)).Text(), Attempts: 1})
		_, err := c.Tx(ctx, post(0, "published", ms), post(1, "published", ms), post(2, "published", old), post(3, "scheduled", ms),
			vote(0, ms), vote(1, ms),
			hrana.Stmt{SQL: "INSERT INTO vote_origins (part, target_id, created_at, user_id, value, network, referrer) " +
				"VALUES (1, 1, 1, 1, 1, '', '')"},
			hrana.Stmt{SQL: "INSERT INTO deleted_drafts (post_id, author_id, community_name, deleted_at) VALUES (1, 1, '', 1)"},
			hrana.Stmt{SQL: "INSERT INTO revocations (subject, before, expires_at) VALUES (1, 1, 1)"},
			hrana.Stmt{SQL: "INSERT INTO outbox (subject_id, job, queued_at, due_at) VALUES (?1, 'link', 1, 1)", Args: []any{id(shard, 2)}})
		require.NoError(t, err)
	}
	of := func(shard int, query string, args ...any) any {
		t.Helper()
		results, err := clean[shard].Query(ctx, hrana.Stmt{SQL: query, Args: args})
		require.NoError(t, err)
		return results[0].Rows()[0][0]
	}
	done := func(shard int) {
		t.Helper()
		require.Equal(t, int64(1), of(shard, "SELECT ups FROM posts WHERE id = ?1", id(shard, 0)), "applied by its message")
		require.Equal(t, int64(1), of(shard, "SELECT ups FROM posts WHERE id = ?1", id(shard, 1)), "found by the retry job, and applied")
		require.Equal(t, int64(4), of(shard, "SELECT age FROM posts WHERE id = ?1", id(shard, 2)), "aged")
		require.Equal(t, "published", of(shard, "SELECT status FROM posts WHERE id = ?1", id(shard, 3)))
		require.Equal(t, int64(0), of(shard, "SELECT (SELECT count(*) FROM vote_origins) + (SELECT count(*) FROM deleted_drafts) "+
			"+ (SELECT count(*) FROM revocations)"), "purged")
		require.Equal(t, int64(3), of(shard, "SELECT week_posts FROM community_stats"), "without the one of last month")
		require.Equal(t, int64(0), of(shard, "SELECT count(*) FROM outbox"), "links are looked at")
	}
	minute := func() (retry []int, failed error) {
		t.Helper()
		s.Now = s.Now.Add(2 * time.Minute)
		failed = s.App.Scheduled(ctx, time.Date(2026, 11, 21, 14, 0, 0, 0, time.UTC))
		for _, queue := range []string{data.QueueVotes, data.QueueEvents} {
			again, err := s.App.Consume(ctx, queue, s.Queue.Take(queue))
			require.NoError(t, err)
			retry = append(retry, again...)
		}
		return retry, failed
	}

	transports[1].Cut.Store(true)
	retry, err := s.App.Consume(ctx, data.QueueVotes, nudges)
	require.NoError(t, err)
	require.Equal(t, []int{1}, retry, "the message of the shard that is down, alone")
	again, failed := minute()
	require.ErrorIs(t, failed, storetest.ErrCut)
	require.Empty(t, again)
	done(0)
	done(2)
	require.Equal(t, int64(2), of(1, "SELECT count(*) FROM vote_deltas"))

	transports[1].Cut.Store(false)
	again, failed = minute()
	require.NoError(t, failed)
	require.Empty(t, again)
	done(1)
}
