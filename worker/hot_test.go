package worker_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/storetest"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/worker/request"
	"plaza/worker/workertest"
)

// platformRequests is what the free plan allows to one delivery.
const platformRequests = 50

// TestRebuildsAfterAFlush shows a hundred communities after Redis has lost everything.
func TestRebuildsAfterAFlush(t *testing.T) {
	s := workertest.MustOpen(t)
	ctx := context.Background()
	var names []string
	for i := range 100 {
		name := fmt.Sprintf("club%02d", i)
		names = append(names, name)
		for _, place := range slices.Compact([]*hrana.Client{s.Sql.Directory, s.Sql.Shards[0]}) { // the directory, and the copy of its shard
			_, err := place.Tx(ctx, storetest.StmtOf(`INSERT INTO communities (id, name, name_key, title, colour, created_at)
VALUES (?1, ?2, ?2, ?2, '#123456', 0)`, int64(i+1)<<22, name))
			require.NoError(t, err)
		}
		s.Exec(`INSERT INTO posts (id, community_id, community_name, author_name, slug, kind, title, hot, created_at)
  VALUES (?1, ?2, ?3, '', 'hello', 'text', 'hello', 1, 0)`,
			int64(i+1)<<22, int64(i+1)<<22, name)
		s.Visitor().Page("/c/" + name)
	}
	deliveries := 0
	for batch := s.Queue.Take(request.QueueEvents); len(batch) > 0; batch = s.Queue.Take(request.QueueEvents) {
		if deliveries == 0 {
			require.Len(t, batch, 100)
		}
		deliveries++
		counted, redis := upstash.WithMeter(ctx)
		counted, sql := hrana.WithMeter(counted)
		retry, err := s.App.Consume(counted, request.QueueEvents, batch)
		require.NoError(t, err)
		require.Empty(t, retry, "what waits for its turn is sent anew: delivered again, it would become a dead letter")
		sends := 1
		require.LessOrEqual(t, int64(redis.Requests+sends)+sql.Requests(), int64(platformRequests))
		require.LessOrEqual(t, deliveries, 10)
	}
	require.Equal(t, 10, deliveries)
	for _, name := range names {
		reply, err := s.Redis.Do(ctx, upstash.Cmd{"ZCARD", "hot:c:" + name})
		require.NoError(t, err)
		n, err := reply.Int()
		require.NoError(t, err)
		require.Equal(t, int64(2), n, name)
	}

	t.Run("those that fail are delivered again, and those whose sending back fails", func(t *testing.T) {
		var batch []request.Message
		for i := range 12 {
			batch = append(batch, request.Message{ID: fmt.Sprint(i), Body: "hot " + names[i]})
		}
		s.Queue.Fail = context.DeadlineExceeded
		defer func() { s.Queue.Fail = nil }()
		retry, err := s.App.Consume(ctx, request.QueueEvents, batch)
		require.NoError(t, err)
		require.Equal(t, []int{10, 11}, retry)
		s.Queue.Fail = nil
		s.Exec("ALTER TABLE posts RENAME TO gone")
		defer s.Exec("ALTER TABLE gone RENAME TO posts")
		retry, err = s.App.Consume(ctx, request.QueueEvents, []request.Message{{ID: "a", Body: "dance"}, {ID: "b", Body: "hot elsewhere"}})
		require.NoError(t, err)
		require.Equal(t, []int{0, 1}, retry)
	})
}
