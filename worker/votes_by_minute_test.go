package worker_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/upstash"
	"plaza/test/stacktest"
	"plaza/test/storetest"
	"plaza/test/workertest"
)

// TestVotesByMinute runs a site whose votes and comments are counted by the job of each minute.
func TestVotesByMinute(t *testing.T) {
	s := workertest.MustOpen(t)
	s.LosesMessages = true
	s.Config.VotesByMinute = true
	s.Restart(s.Config)
	ann, ben, cleo := s.Member("ann"), s.Member("ben"), s.Member("cleo")
	ann.MustPost("/communities", "name", "gophers")
	ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "x")
	post := data.ID(s.One("SELECT id FROM posts").(int64))
	for _, voter := range []*workertest.Browser{ben, cleo} {
		voter.MustPost("/vote", "target", post.Text(), "value", "1")
	}
	ben.MustPost("/comment", "post", post.Text(), "body", "A comment")
	require.Empty(t, s.Queue.Take(data.QueueVotes))
	counted := func() []any { return []any{s.One("SELECT ups FROM posts"), s.One("SELECT comments FROM posts")} }
	require.Equal(t, []any{int64(1), int64(0)}, counted())
	require.NoError(t, s.App.Scheduled(t.Context(), s.Now))
	require.Empty(t, s.Queue.Take(data.QueueVotes))
	require.Equal(t, []any{int64(3), int64(1)}, counted())
	require.Contains(t, s.Visitor().Page("/hot"), "A post")

	t.Run("what is deleted or removed leaves hot listings at once", func(t *testing.T) {
		ann.MustPost("/submit", "community", "gophers", "title", "Another post", "text", "x")
		ben.MustPost("/submit", "community", "gophers", "title", "A third post", "text", "x")
		require.NoError(t, s.App.Scheduled(t.Context(), s.Now))
		s.Queue.Take(data.QueueEvents)
		listed := func(want int64) {
			t.Helper()
			for _, set := range []string{"hot:site", "hot:c:gophers"} {
				reply, err := s.Redis.Do(t.Context(), upstash.Cmd{"ZCARD", set})
				require.NoError(t, err)
				n, err := reply.Int()
				require.NoError(t, err)
				require.Equal(t, want, n, set)
			}
		}
		listed(3)
		ann.MustPost("/delete", "target", post.Text())
		third := data.ID(s.One("SELECT id FROM posts WHERE title = 'A third post'").(int64))
		ann.MustPost("/c/gophers/mod/decide", "target", third.Text(), "decision", "remove", "rule", "Spam")
		messages := s.Queue.Take(data.QueueVotes)
		require.Len(t, messages, 2)
		retry, err := s.App.Consume(t.Context(), data.QueueVotes, messages)
		require.NoError(t, err)
		require.Empty(t, retry)
		listed(1)
		page := s.Visitor().Page("/hot")
		require.Contains(t, page, "Another post")
		require.NotContains(t, page, "A third post")
	})
}

// TestVotesByMinuteGoesOn counts more votes than one round finds, while the database refuses two posts and Redis is unavailable.
func TestVotesByMinuteGoesOn(t *testing.T) {
	t.Parallel()
	transport := &storetest.Transport{Http: http.DefaultClient}
	redisURL, token := stacktest.OpenRedisURL(t)
	s := workertest.OpenOn(t, stacktest.OpenSchema(t), upstash.New(upstash.Options{URL: redisURL, Token: token, HTTP: transport}), 100)
	s.LosesMessages = true
	s.Config.VotesByMinute = true
	s.Restart(s.Config)
	const n = 2500
	s.Exec(`INSERT INTO posts (id, community_id, community_name, author_name, slug, kind, title, hot, created_at)
SELECT (?1 + value) << 22, 1, 'bulk', '', 'p' || value, 'text', 'A post', 0, ?1 FROM generate_series(1, ?2)`, s.Now.UnixMilli()-n, n)
	s.Exec("INSERT INTO votes (target_id, user_id, value, updated_at) SELECT id, 1, 1, created_at FROM posts")
	for _, place := range []int{0, 1200} { // one of the first round, and one of the second
		poison(s, "posts", data.ID(s.One("SELECT id FROM posts ORDER BY id DESC LIMIT 1 OFFSET ?1", place).(int64)))
	}
	transport.Cut.Store(true)
	require.Error(t, s.App.Scheduled(t.Context(), s.Now))
	require.Equal(t, int64(n-2), s.One("SELECT sum(ups) FROM posts"))
	require.Equal(t, int64(2), s.One("SELECT count(*) FROM vote_deltas"))
}
