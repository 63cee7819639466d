package worker_test

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/test/stacktest"
	"plaza/test/storetest"
	"plaza/test/workertest"
	"plaza/worker/queue"
)

// platformRequests is what the free plan allows to one delivery.
const platformRequests = 50

// TestRebuildsAfterAFlush shows a hundred communities after Redis has lost everything.
func TestRebuildsAfterAFlush(t *testing.T) {
	t.Parallel()
	stacktest.NeedRedis(t)
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
	for batch := s.Queue.Take(data.QueueEvents); len(batch) > 0; batch = s.Queue.Take(data.QueueEvents) {
		if deliveries == 0 {
			require.Len(t, batch, 100)
		}
		deliveries++
		counted, redis := upstash.WithMeter(ctx)
		counted, sql := hrana.WithMeter(counted)
		retry, err := s.App.Consume(counted, data.QueueEvents, batch)
		require.NoError(t, err)
		require.Empty(t, retry, "what waits for its turn is sent anew: delivered again, it would become a dead letter")
		sends := 1
		require.LessOrEqual(t, int64(redis.Requests()+sends)+sql.Requests(), int64(platformRequests))
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
		var batch []queue.Message
		for i := range 12 {
			batch = append(batch, queue.Message{ID: fmt.Sprint(i), Body: "hot " + names[i]})
		}
		s.Queue.Fail = context.DeadlineExceeded
		defer func() { s.Queue.Fail = nil }()
		retry, err := s.App.Consume(ctx, data.QueueEvents, batch)
		require.NoError(t, err)
		require.Equal(t, []int{10, 11}, retry)
		s.Queue.Fail = nil
		s.Exec("ALTER TABLE posts RENAME TO gone")
		defer s.Exec("ALTER TABLE gone RENAME TO posts")
		retry, err = s.App.Consume(ctx, data.QueueEvents, []queue.Message{{ID: "a", Body: "dance"}, {ID: "b", Body: "hot elsewhere"}})
		require.NoError(t, err)
		require.Equal(t, []int{0, 1}, retry)
	})
}

// TestASiteWithoutRedis reads, votes, comments and logs in too often on a site that has no Redis (UPSTASH_REDIS_REST_URL is empty). Unlike
// a site whose Redis is down, it logs nothing, tries nothing again and asks for no rebuild.
func TestASiteWithoutRedis(t *testing.T) {
	t.Parallel()
	s := workertest.OpenSite(t, storetest.OpenDatabases(t), nil, 1)
	var log bytes.Buffer
	s.Config.Log, s.Config.HealthToken = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn})), "a monitor's token"
	s.Restart(s.Config)
	ann, ben, cid := s.Member("ann"), s.Member("ben"), s.Member("cid")
	ann.MustPost("/communities", "name", "gophers")
	for _, b := range []*workertest.Browser{ann, ben, cid} { // new members may post ten times an hour
		for i := range 10 {
			b.MustPost("/submit", "community", "gophers", "title", fmt.Sprint("A post ", i), "text", "x")
		}
	}
	require.Equal(t, http.StatusTooManyRequests, ann.Post("/submit", "community", "gophers", "title", "x", "text", "x").Code)
	deliver := func() {
		t.Helper()
		for _, body := range s.Queue.Messages[data.QueueEvents] {
			require.False(t, strings.HasPrefix(body, "hot"), body)
		}
		s.Deliver()
	}
	deliver()

	first := ann.Page("/c/gophers")
	next := html.UnescapeString(regexp.MustCompile(`/c/gophers/hot\?after=[^"]+`).FindString(first))
	require.NotEmpty(t, next)
	seen := append(workertest.Targets(first), workertest.Targets(ann.Page(next))...)
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(seen))), 30)
	last := seen[len(seen)-1]
	ann.MustPost("/vote", "target", last, "value", "1")
	ben.MustPost("/vote", "target", last, "value", "1")
	deliver()
	s.Now = s.Now.Add(data.ListingLife)
	for _, b := range []*workertest.Browser{ann, s.Visitor()} {
		for _, path := range []string{"/c/gophers", "/hot"} {
			require.Equal(t, last, workertest.Targets(b.Page(path))[0], path)
		}
	}
	cid.MustPost("/comment", "post", last, "body", "A comment")
	deliver()
	thread := s.Visitor().Page("/c/gophers/p/" + s.One("SELECT slug FROM posts WHERE comments = 1").(string))
	require.Contains(t, thread, "A comment")
	require.NotContains(t, thread, "data-view", "views are not counted")

	codes := map[int]int{}
	for range 125 {
		codes[cid.Post("/vote", "target", last, "value", "1").Code]++
	}
	require.Equal(t, map[int]int{http.StatusSeeOther: 120, http.StatusTooManyRequests: 5}, codes)
	clear(codes)
	for i := range 12 {
		b := &workertest.Browser{Site: s, Header: http.Header{}, Remote: fmt.Sprintf("198.51.100.%d:1", i)}
		codes[b.Post("/login", "login", "ann", "password", "wrong horse").Code]++
	}
	require.Equal(t, map[int]int{http.StatusUnauthorized: 10, http.StatusTooManyRequests: 2}, codes)

	retry, err := s.App.Consume(context.Background(), data.QueueEvents, []queue.Message{{Body: queue.HotMessage("gophers")}})
	require.NoError(t, err)
	require.Empty(t, retry, "a message from before the Redis was taken away")
	for minute := range 6 {
		require.NoError(t, s.App.Scheduled(context.Background(), s.Now.Truncate(time.Hour).Add(time.Duration(minute)*time.Minute)))
	}
	monitor := s.Visitor().WithHeader("Authorization", "Bearer a monitor's token")
	require.Contains(t, monitor.Get("/healthz").Body.String(), `"redis":{"none":true}`)
	require.Empty(t, log.String())
}
