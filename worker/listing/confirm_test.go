package listing_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/test/stacktest"
	"plaza/test/workertest"
	"plaza/worker/queue"
)

// TestNoPageWaitsForRedis shows pages of lists to members and visitors. Each is one request to a database and none to Redis. Once the page
// is shown, an instance asks Redis about a hot listing, once in two seconds.
func TestNoPageWaitsForRedis(t *testing.T) {
	stacktest.NeedRedis(t)
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	ben.MustPost("/subscribe", "community", "gophers", "on", "1")
	ben.MustPost("/follow", "user", "ann", "on", "1")
	for range 3 {
		ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "x")
	}
	ben.Page("/home") // that they are here is noted once a day
	s.Deliver()
	var after []func(context.Context)
	s.Config.Background = func(_ context.Context, task func(context.Context)) { after = append(after, task) }
	s.Restart(s.Config)
	show := func(b *workertest.Browser, path string) (asked int) {
		t.Helper()
		ctx, redis := upstash.WithMeter(context.Background())
		ctx, sql := hrana.WithMeter(ctx)
		res := b.Send(b.Request(path).WithContext(ctx))
		require.Equal(t, http.StatusOK, res.Code)
		require.Len(t, workertest.Targets(res.Body.String()), 3, path)
		require.Zero(t, redis.Requests(), path)
		require.LessOrEqual(t, sql.Requests(), s.MaxPageRequests(), path)
		ctx, redis = upstash.WithMeter(context.Background())
		for _, task := range after {
			task(ctx)
		}
		after = nil
		return redis.Requests()
	}
	lists := []struct {
		path            string
		member, visitor int // requests to Redis after the answer
	}{{"/c/gophers", 1, 1}, {"/hot", 1, 1}, {"/", 0, 1}, {"/home", 0, -1}, {"/c/gophers/new", 0, 0}, {"/u/ann", 1, 0}} // members' views of profiles are counted
	for _, of := range lists {
		t.Run(of.path, func(t *testing.T) {
			s.Restart(s.Config)
			require.Equal(t, of.member, show(ben, of.path))
			if of.visitor >= 0 {
				s.Restart(s.Config)
				require.Equal(t, of.visitor, show(s.Visitor(), of.path))
			}
		})
	}
	s.Restart(s.Config)
	s.Now = s.Now.Add(time.Minute)
	for i, asks := range []int{1, 0, 0} {
		require.Equal(t, asks, show(s.Visitor(), "/c/gophers"), "page %d", i)
	}
	s.Now = s.Now.Add(data.ListingLife)
	require.Equal(t, 1, show(s.Visitor(), "/c/gophers"))

	t.Run("a lost set is rebuilt", func(t *testing.T) {
		_, err := s.Redis.Do(context.Background(), upstash.Cmd{"FLUSHALL"})
		require.NoError(t, err)
		s.Queue.Take(data.QueueEvents)
		s.Now = s.Now.Add(time.Minute)
		show(s.Visitor(), "/c/gophers")
		require.Equal(t, []string{queue.HotMessage("gophers")}, s.Queue.Messages[data.QueueEvents])
	})
}
