package worker_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
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
}
