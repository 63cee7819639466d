package worker_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/worker"
)

func TestAllDeadLetters(t *testing.T) {
	s := mustOpen(t)
	root, eve := s.member("rita"), s.member("eve")
	s.exec("UPDATE users SET admin = 1 WHERE username = 'rita'")
	ctx := context.Background()
	die := func(queue string, from, to int) {
		t.Helper()
		var batch []worker.Message
		for i := from; i < to; i++ {
			batch = append(batch, worker.Message{ID: fmt.Sprint("m", i), Body: fmt.Sprint("letter ", i)})
		}
		_, err := s.app.Consume(ctx, queue+"-dead", batch)
		require.NoError(t, err)
	}
	newest := regexp.MustCompile(`name="id" value="([0-9a-z]{13})"><button[^>]*value="replay-all"`)
	const address = "/admin/dead-letters"

	die(worker.QueueVotes, 0, 90)
	die(worker.QueueEvents, 90, 130)
	m := newest.FindStringSubmatch(root.page(address))
	require.NotNil(t, m, "the page has a button for all")
	die(worker.QueueEvents, 130, 131) // after the page was made

	t.Run("are replayed by an administrator alone", func(t *testing.T) {
		for _, action := range []string{"replay-all", "delete-all"} {
			require.Equal(t, http.StatusForbidden, eve.post(address, "id", m[1], "action", action).Code)
		}
		require.Equal(t, int64(131), s.one("SELECT count(*) FROM dead_letters WHERE replayed_at IS NULL"))
	})
	t.Run("while the queue is away they wait", func(t *testing.T) {
		s.queue.fail = context.DeadlineExceeded
		require.Equal(t, http.StatusServiceUnavailable, root.post(address, "id", m[1], "action", "replay-all").Code)
		require.Equal(t, int64(131), s.one("SELECT count(*) FROM dead_letters WHERE replayed_at IS NULL"))
		s.queue.fail = nil
	})
	t.Run("a hundred at a time, each to its queue, the oldest first, and none that came since the page", func(t *testing.T) {
		root.header.Set("Accept", "application/json")
		defer root.header.Del("Accept")
		for i, want := range []struct {
			answer        string
			votes, events int
		}{{`{"more":true,"replayed":100}`, 90, 10}, {`{"more":false,"replayed":30}`, 0, 30}, {`{"more":false,"replayed":0}`, 0, 0}} {
			res := root.post(address, "id", m[1], "action", "replay-all")
			require.JSONEq(t, want.answer, res.Body.String())
			votes, events := s.queue.take(worker.QueueVotes), s.queue.take(worker.QueueEvents)
			require.Len(t, votes, want.votes)
			require.Len(t, events, want.events)
			if i == 0 {
				require.Equal(t, "letter 0", votes[0].Body)
			}
		}
	})
	t.Run("and are deleted, but for those that came since", func(t *testing.T) {
		require.Equal(t, address, root.mustPost(address, "id", m[1], "action", "delete-all"))
		require.Equal(t, "letter 130", s.one("SELECT group_concat(body) FROM dead_letters"))
	})
	t.Run("go by themselves after thirty days, however many", func(t *testing.T) {
		s.exec(`INSERT INTO dead_letters (id, queue, message_id, body, failed_at, last_at)
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500) SELECT i, 'q', i, i, 1, 1 FROM n`)
		hour := time.Date(2026, 11, 21, 14, 0, 0, 0, time.UTC)
		require.NoError(t, s.app.Scheduled(ctx, hour))
		require.Equal(t, int64(1), s.one("SELECT count(*) FROM dead_letters"))
		s.now = s.now.Add(29 * 24 * time.Hour)
		require.NoError(t, s.app.Scheduled(ctx, hour))
		require.Equal(t, int64(1), s.one("SELECT count(*) FROM dead_letters"))
		s.now = s.now.Add(2 * 24 * time.Hour)
		require.NoError(t, s.app.Scheduled(ctx, hour))
		require.Equal(t, int64(0), s.one("SELECT count(*) FROM dead_letters"))
	})
}

// TestUnknownWork has the outbox hold what another version has left there.
func TestUnknownWork(t *testing.T) {
	s := mustOpen(t)
	ctx := context.Background()
	post := s.bulkPost(0)
	s.exec("INSERT INTO outbox (subject_id, work, queued_at, due_at) VALUES (?1, 'dance', 1, 1), (?1, 'link', 1, 2)", int64(post))
	died := 0
	for minute := range 120 {
		s.now = s.now.Add(time.Minute)
		require.NoError(t, s.app.Scheduled(ctx, s.now))
		batch := s.queue.take(worker.QueueEvents)
		retry, err := s.app.Consume(ctx, worker.QueueEvents, batch)
		require.NoError(t, err)
		for _, i := range retry {
			died++
			_, err := s.app.Consume(ctx, worker.QueueEvents+"-dead", []worker.Message{{ID: fmt.Sprint(minute), Body: batch[i].Body}})
			require.NoError(t, err)
		}
	}
	require.Equal(t, 1, died, "messages in two hours")
	require.Equal(t, "dance "+post.Text(), s.one("SELECT group_concat(body) FROM dead_letters"))
	require.Equal(t, "dance", s.one("SELECT group_concat(work) FROM outbox"), "it waits for the version that knows it")
}
