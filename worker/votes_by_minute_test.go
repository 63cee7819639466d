package worker_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/upstash"
	"plaza/worker/request"
	"plaza/worker/workertest"
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
	require.Empty(t, s.Queue.Take(request.QueueVotes))
	counted := func() []any { return []any{s.One("SELECT ups FROM posts"), s.One("SELECT comments FROM posts")} }
	require.Equal(t, []any{int64(1), int64(0)}, counted())
	require.NoError(t, s.App.Scheduled(t.Context(), s.Now))
	require.Empty(t, s.Queue.Take(request.QueueVotes))
	require.Equal(t, []any{int64(3), int64(1)}, counted())
	require.Contains(t, s.Visitor().Page("/hot"), "A post")

	t.Run("what is deleted or removed leaves hot listings at once", func(t *testing.T) {
		ann.MustPost("/submit", "community", "gophers", "title", "Another post", "text", "x")
		ben.MustPost("/submit", "community", "gophers", "title", "A third post", "text", "x")
		require.NoError(t, s.App.Scheduled(t.Context(), s.Now))
		s.Queue.Take(request.QueueEvents)
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
		messages := s.Queue.Take(request.QueueVotes)
		require.Len(t, messages, 2)
		retry, err := s.App.Consume(t.Context(), request.QueueVotes, messages)
		require.NoError(t, err)
		require.Empty(t, retry)
		listed(1)
		page := s.Visitor().Page("/hot")
		require.Contains(t, page, "Another post")
		require.NotContains(t, page, "A third post")
	})
}
