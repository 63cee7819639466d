package views_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/lists/views"
	"plaza/data/wire/upstash"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// TestManyViewed measures the job after views of 100,000 posts: each run adds the views of 2,000 of them.
func TestManyViewed(t *testing.T) {
	stacktest.NeedRedis(t)
	if os.Getenv("PLAZA_SLOW") == "" {
		t.Skip("PLAZA_SLOW=1 runs it, for a minute")
	}
	const n = 100_000
	s := storetest.Open(t)
	s.CommunityOn(0, s.Member("ann"), "many")
	for from := 1; from < n; from += 20_000 {
		s.ExecAt(data.ID(s.CommunityID("many")), `INSERT INTO posts (id, community_id, community_name, author_name, tags, slug, kind, title, hot,
  created_at)
SELECT value << 22, (SELECT id FROM communities), 'many', '', iif(value % 4, '', 'go wasm'), 'p' || value, 'text', 'A title', value,
  1767225600000 + value FROM generate_series(?1, ?2)`, from, from+19_999)
	}
	v := &views.Store{Base: s.Posts.Base, Redis: s.Redis}
	week := views.Week(s.Posts.Source.Now())
	for from := 1; from <= n; from += 1000 {
		seen := upstash.Cmd{"SADD", "views:changed"}
		var cmds []upstash.Cmd
		for i := from; i < from+1000; i++ {
			subject := fmt.Sprint(week, ":", views.Subject{Post: data.ID(int64(i) << 22)})
			seen, cmds = append(seen, subject), append(cmds, upstash.Cmd{"PFADD", "views:" + subject, "a", "b"})
		}
		replies, err := s.Redis.Pipeline(storetest.Ctx, append(cmds, seen)...)
		require.NoError(t, err)
		require.NoError(t, upstash.FirstError(replies))
	}
	runs, longest, written := 0, time.Duration(0), int64(0)
	for ; s.RedisInt("EXISTS", "views:changed", "views:counting") > 0; runs++ {
		metered, meter := s.Metered()
		began := time.Now()
		require.NoError(t, v.Flush(metered))
		longest, written = max(longest, time.Since(began)), max(written, meter.RowsWritten())
		require.LessOrEqual(t, meter.Requests(), int64(4), "a transaction for each 500")
	}
	t.Logf("%d runs; the longest took %s; %d rows written at most", runs, longest.Round(time.Millisecond), written)
	require.Equal(t, n/2000, runs)
	require.Equal(t, int64(2*n), s.One("SELECT sum(views) FROM posts"))
}
