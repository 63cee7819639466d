package queue

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"plaza/data"
)

// sending is a queue that is a function.
type sending func(queue string, bodies []string) error

func (s sending) Send(_ context.Context, queue string, bodies ...string) error {
	return s(queue, bodies)
}

// TestDeduplicate checks that a message is left out only if an equal one is delivered after the commit.
func TestDeduplicate(t *testing.T) {
	start := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	deduplicate := func(now *time.Time, send sending) *deduplicated {
		q := Deduplicate(send, VotesDelay).(*deduplicated)
		q.now = func() time.Time { return *now }
		return q
	}
	t.Run("each commit is followed by a delivery", rapid.MakeCheck(func(t *rapid.T) {
		now := start
		delivered := map[string]time.Time{} // the last delivery of each message that was sent
		q := deduplicate(&now, func(_ string, bodies []string) error {
			now = now.Add(time.Duration(rapid.IntRange(0, 500).Draw(t, "until the queue has it")) * time.Millisecond)
			for _, body := range bodies {
				delivered[body] = now.Add(VotesDelay)
			}
			return nil
		})
		commits := rapid.SliceOfN(rapid.IntRange(0, 800), 1, 200).Draw(t, "milliseconds between commits")
		for i, after := range commits {
			committed := now.Add(time.Duration(after) * time.Millisecond)
			now = committed.Add(time.Duration(rapid.IntRange(0, 300).Draw(t, "until it is asked")) * time.Millisecond)
			body := fmt.Sprint("vote ", i%3)
			require.NoError(t, q.Send(t.Context(), data.QueueVotes, body))
			require.True(t, delivered[body].After(committed), "nothing applies what was committed at %v", committed)
		}
	}))
	now := start
	var sent []string
	var fails error
	taken := func(_ string, bodies []string) error {
		if fails == nil {
			sent = append(sent, bodies...)
		}
		return fails
	}
	send := func(q Queue, queue string, bodies ...string) []string {
		sent = nil
		require.Equal(t, fails, q.Send(t.Context(), queue, bodies...))
		return sent
	}
	t.Run("one message in the time, for each target", func(t *testing.T) {
		q, all := deduplicate(&now, taken), 0
		for range 1000 {
			all += len(send(q, data.QueueVotes, "vote a", "vote b"))
			now = now.Add(10 * time.Millisecond)
		}
		require.Equal(t, 20, all, "two targets, ten seconds")
		require.Equal(t, []string{"vote c"}, send(q, data.QueueVotes, "vote c"))
		require.Equal(t, []string{"vote d"}, send(q, data.QueueVotes, "vote c", "vote d"))
	})
	t.Run("other queues keep no message so long", func(t *testing.T) {
		q := deduplicate(&now, taken)
		require.Len(t, send(q, data.QueueEvents, "push a"), 1)
		require.Len(t, send(q, data.QueueEvents, "push a"), 1)
	})
	t.Run("what the queue did not take is sent again", func(t *testing.T) {
		q := deduplicate(&now, taken)
		fails = errors.New("unavailable")
		require.Empty(t, send(q, data.QueueVotes, "vote a"))
		fails = nil
		require.Len(t, send(q, data.QueueVotes, "vote a"), 1)
	})
	t.Run("after the clock was set back", func(t *testing.T) {
		q := deduplicate(&now, taken)
		require.Len(t, send(q, data.QueueVotes, "vote a"), 1)
		now = now.Add(-time.Hour)
		require.Len(t, send(q, data.QueueVotes, "vote a"), 1)
	})
	t.Run("forgets what is too old", func(t *testing.T) {
		q := deduplicate(&now, taken)
		for i := range 10_000 {
			send(q, data.QueueVotes, fmt.Sprint("vote ", i))
			require.LessOrEqual(t, len(q.sent), 201)
			now = now.Add(10 * time.Millisecond)
		}
	})
}
