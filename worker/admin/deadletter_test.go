package admin_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
	"plaza/worker/queue"
)

func TestAllDeadLetters(t *testing.T) {
	s := workertest.MustOpen(t)
	root, eve := s.Member("rita"), s.Member("eve")
	s.Exec("UPDATE users SET admin = 1 WHERE username = 'rita'")
	ctx := context.Background()
	die := func(name string, from, to int) {
		t.Helper()
		var batch []queue.Message
		for i := from; i < to; i++ {
			batch = append(batch, queue.Message{ID: fmt.Sprint("m", i), Body: fmt.Sprint("letter ", i)})
		}
		_, err := s.App.Consume(ctx, name+"-dead", batch)
		require.NoError(t, err)
	}
	newest := regexp.MustCompile(`name="id" value="([0-9a-z]{13})"><button[^>]*value="replay-all"`)
	const address = "/admin/dead-letters"

	die(data.QueueVotes, 0, 90)
	die(data.QueueEvents, 90, 130)
	m := newest.FindStringSubmatch(root.Page(address))
	require.NotNil(t, m, "the page has a button for all")
	die(data.QueueEvents, 130, 131) // after the page was made

	t.Run("are replayed by an administrator alone", func(t *testing.T) {
		for _, action := range []string{"replay-all", "delete-all"} {
			require.Equal(t, http.StatusForbidden, eve.Post(address, "id", m[1], "action", action).Code)
		}
		require.Equal(t, int64(131), s.One("SELECT count(*) FROM dead_letters WHERE replayed_at IS NULL"))
	})
	t.Run("while the queue is unavailable they wait", func(t *testing.T) {
		s.Queue.Fail = context.DeadlineExceeded
		require.Equal(t, http.StatusServiceUnavailable, root.Post(address, "id", m[1], "action", "replay-all").Code)
		require.Equal(t, int64(131), s.One("SELECT count(*) FROM dead_letters WHERE replayed_at IS NULL"))
		s.Queue.Fail = nil
	})
	t.Run("a hundred at a time, each to its queue, the oldest first, and none that came since the page", func(t *testing.T) {
		root.Header.Set("Accept", "application/json")
		defer root.Header.Del("Accept")
		for i, want := range []struct {
			result        string
			votes, events int
		}{{`{"more":true,"replayed":100}`, 90, 10}, {`{"more":false,"replayed":30}`, 0, 30}, {`{"more":false,"replayed":0}`, 0, 0}} {
			res := root.Post(address, "id", m[1], "action", "replay-all")
			require.JSONEq(t, want.result, res.Body.String())
			votes, events := s.Queue.Take(data.QueueVotes), s.Queue.Take(data.QueueEvents)
			require.Len(t, votes, want.votes)
			require.Len(t, events, want.events)
			if i == 0 {
				require.Equal(t, "letter 0", votes[0].Body)
			}
		}
	})
	t.Run("and are deleted, but for those that came since", func(t *testing.T) {
		require.Equal(t, address, root.MustPost(address, "id", m[1], "action", "delete-all"))
		require.Equal(t, "letter 130", s.One("SELECT group_concat(body) FROM dead_letters"))
	})
	t.Run("go by themselves after thirty days, however many", func(t *testing.T) {
		s.Exec(`INSERT INTO dead_letters (id, queue, message_id, body, failed_at, last_at)
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500) SELECT i, 'q', i, i, 1, 1 FROM n`)
		hour := time.Date(2026, 11, 21, 14, 0, 0, 0, time.UTC)
		require.NoError(t, s.App.Scheduled(ctx, hour))
		require.Equal(t, int64(1), s.One("SELECT count(*) FROM dead_letters"))
		s.Now = s.Now.Add(29 * 24 * time.Hour)
		require.NoError(t, s.App.Scheduled(ctx, hour))
		require.Equal(t, int64(1), s.One("SELECT count(*) FROM dead_letters"))
		s.Now = s.Now.Add(2 * 24 * time.Hour)
		require.NoError(t, s.App.Scheduled(ctx, hour))
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM dead_letters"))
	})
}

func TestDeadLetters(t *testing.T) {
	s := workertest.MustOpen(t)
	root := s.Member("rita")
	s.Exec("UPDATE users SET admin = 1 WHERE username = 'rita'")
	ctx := context.Background()

	t.Run("what no consumer understands is delivered again until it is a dead letter", func(t *testing.T) {
		retry, err := s.App.Consume(ctx, data.QueueVotes, []queue.Message{{ID: "1", Body: "vote <script>"}, {ID: "2", Body: "dance"}})
		require.NoError(t, err)
		require.Equal(t, []int{0, 1}, retry)
		retry, err = s.App.Consume(ctx, data.QueueEvents, []queue.Message{{ID: "1", Body: "dance"}})
		require.NoError(t, err)
		require.Equal(t, []int{0}, retry)
		_, err = s.App.Consume(ctx, "plaza-unknown", nil)
		require.Error(t, err)
	})

	t.Run("dead letters are kept once each", func(t *testing.T) {
		batch := []queue.Message{{ID: "m1", Body: "vote 01kcd4y2m8a02", Attempts: 1}, {ID: "m2", Body: "a\x00b\xff<script>alert(1)</script>",
			Attempts: 2}}
		for range 2 {
			retry, err := s.App.Consume(ctx, data.QueueVotes+"-dead", batch)
			require.NoError(t, err)
			require.Empty(t, retry)
		}
		_, err := s.App.Consume(ctx, data.QueueEvents+"-dead", []queue.Message{{ID: "m1", Body: "hot gophers", Attempts: 1}})
		require.NoError(t, err)
		require.Equal(t, int64(3), s.One("SELECT count(*) FROM dead_letters"))
		page := root.Page("/admin/dead-letters")
		require.Contains(t, page, "vote 01kcd4y2m8a02")
		require.Contains(t, page, "hot gophers")
		require.NotContains(t, page, "<script>alert")
		require.Contains(t, root.Page("/admin"), "/admin/dead-letters")
	})

	t.Run("a message that could not be stored is not acknowledged", func(t *testing.T) {
		s.Exec("ALTER TABLE dead_letters RENAME TO gone")
		_, err := s.App.Consume(ctx, data.QueueVotes+"-dead", []queue.Message{{ID: "m3", Body: "x"}})
		require.Error(t, err)
		s.Exec("ALTER TABLE gone RENAME TO dead_letters")
	})

	deadLetterID := func(body string) string {
		n := s.One("SELECT id FROM dead_letters WHERE body = ?1", body).(int64)
		return fmt.Sprint(n)
	}
	t.Run("an administrator replays one, which is marked when the queue has it", func(t *testing.T) {
		id := deadLetterID("hot gophers")
		s.Queue.Fail = context.DeadlineExceeded
		require.Equal(t, http.StatusServiceUnavailable, root.Post("/admin/dead-letters", "id", id, "action", "replay").Code)
		require.Nil(t, s.One("SELECT replayed_at FROM dead_letters WHERE id = CAST(?1 AS INTEGER)", id))
		s.Queue.Fail = nil
		require.Equal(t, "/admin/dead-letters", root.MustPost("/admin/dead-letters", "id", id, "action", "replay"))
		messages := s.Queue.Take(data.QueueEvents)
		require.Len(t, messages, 1)
		require.Equal(t, "hot gophers", messages[0].Body)
		require.NotNil(t, s.One("SELECT replayed_at FROM dead_letters WHERE id = CAST(?1 AS INTEGER)", id))
		require.Contains(t, root.Page("/admin/dead-letters"), "· replayed")
		_, err := s.App.Consume(ctx, data.QueueEvents+"-dead", []queue.Message{{ID: "m1", Body: "hot gophers"}})
		require.NoError(t, err)
		require.Contains(t, root.Page("/admin/dead-letters"), "· replayed", "the delivery that was replayed comes twice")
		_, err = s.App.Consume(ctx, data.QueueEvents+"-dead", []queue.Message{{ID: "m9", Body: "hot gophers"}})
		require.NoError(t, err)
		require.NotContains(t, root.Page("/admin/dead-letters"), "· replayed", "failed again: it waits again")
		require.Contains(t, root.Page("/admin/dead-letters"), "· again")
		require.Equal(t, int64(3), s.One("SELECT count(*) FROM dead_letters"))
	})

	t.Run("or deletes one; nobody else does either", func(t *testing.T) {
		id := deadLetterID("vote 01kcd4y2m8a02")
		eve := s.Member("eve")
		for _, action := range []string{"replay", "delete"} {
			require.Equal(t, http.StatusForbidden, eve.Post("/admin/dead-letters", "id", id, "action", action).Code)
		}
		require.Empty(t, s.Queue.Take(data.QueueVotes))
		require.Equal(t, http.StatusUnprocessableEntity, root.Post("/admin/dead-letters", "id", id, "action", "burn").Code)
		require.Equal(t, http.StatusUnprocessableEntity, root.Post("/admin/dead-letters", "id", "x", "action", "delete").Code)
		require.Equal(t, int64(3), s.One("SELECT count(*) FROM dead_letters"))
		root.MustPost("/admin/dead-letters", "id", id, "action", "delete")
		require.Equal(t, int64(2), s.One("SELECT count(*) FROM dead_letters"))
		require.Equal(t, http.StatusNotFound, root.Post("/admin/dead-letters", "id", id, "action", "replay").Code)
	})

	t.Run("pages are turned by the last letter", func(t *testing.T) {
		var batch []queue.Message
		for i := range 60 {
			batch = append(batch, queue.Message{ID: fmt.Sprint("n", i), Body: fmt.Sprint("letter ", i)})
		}
		_, err := s.App.Consume(ctx, data.QueueVotes+"-dead", batch)
		require.NoError(t, err)
		first := root.Page("/admin/dead-letters")
		_, rest, ok := strings.Cut(first, `/admin/dead-letters?before=`)
		require.True(t, ok)
		cursor, _, _ := strings.Cut(rest, `"`)
		second := root.Page("/admin/dead-letters?before=" + cursor)
		for i := range 60 {
			item := fmt.Sprintf(">letter %d<", i)
			require.True(t, strings.Contains(first, item) != strings.Contains(second, item), item)
		}
	})
}
