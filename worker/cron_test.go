package worker_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/events/outbox"
	"plaza/test/workertest"
	"plaza/worker/queue"
)

func TestAMinuteOfWhichOneJobFails(t *testing.T) {
	s := workertest.MustOpen(t)
	s.LosesMessages = true
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	at := s.Now.Add(time.Hour).UTC()
	ann.MustPost("/submit", "community", "gophers", "title", "Waits for the retry job", "text", "words")
	address := ann.MustPost("/submit", "community", "gophers", "title", "Due", "text", "words", "status", "scheduled", "publish_at",
		at.Format("2006-01-02T15:04"))
	s.Exec("INSERT INTO revocations (subject, before, expires_at) VALUES (7, 0, ?1)", s.Now.UnixMilli())

	s.Now = at.Add(time.Minute)
	s.Queue.Fail = errors.New("the queue is unavailable")
	err := s.App.Scheduled(context.Background(), time.Date(2026, 11, 21, 14, 0, 0, 0, time.UTC))
	require.ErrorIs(t, err, s.Queue.Fail)
	require.Equal(t, http.StatusOK, s.Visitor().Get(address).Code, "published all the same")
	require.Equal(t, int64(0), s.One("SELECT count(*) FROM revocations WHERE subject = 7"), "and what runs last has run, too")
}

// TestUnknownJob leaves a kind of work in the outbox that this version doesn't know.
func TestUnknownJob(t *testing.T) {
	t.Parallel()
	s := workertest.MustOpen(t)
	ctx := context.Background()
	post := bulkPost(s, 0)
	s.Exec("INSERT INTO outbox (subject_id, job, queued_at, due_at) VALUES (?1, 'dance', 1, 1), (?1, 'link', 1, 2)", int64(post))
	died := 0
	for minute := 0; minute < 120; minute += 5 {
		s.Now = s.Now.Add(5 * time.Minute)
		require.NoError(t, s.App.Scheduled(ctx, s.Now))
		batch := s.Queue.Take(data.QueueEvents)
		retry, err := s.App.Consume(ctx, data.QueueEvents, batch)
		require.NoError(t, err)
		for _, i := range retry {
			died++
			_, err := s.App.Consume(ctx, data.QueueEvents+"-dead", []queue.Message{{ID: fmt.Sprint(minute), Body: batch[i].Body}})
			require.NoError(t, err)
		}
	}
	require.Equal(t, 1, died, "messages in two hours")
	require.Equal(t, "dance "+post.Text(), s.One("SELECT group_concat(body) FROM dead_letters"))
	require.Equal(t, "dance", s.One("SELECT group_concat(job) FROM outbox"), "it waits for the version that knows it")
}

// TestEveryKindOfJobHasAConsumer gives the worker a message of each kind, about what is not there.
func TestEveryKindOfJobHasAConsumer(t *testing.T) {
	t.Parallel()
	s := workertest.MustOpen(t)
	for _, kind := range append(outbox.Kinds, outbox.Kind{Job: "dance"}) {
		retry, err := s.App.Consume(t.Context(), data.QueueEvents,
			[]queue.Message{{ID: "1", Body: data.Message(string(kind.Job), data.ID(2<<22)), Attempts: 1}})
		require.NoError(t, err, kind.Job)
		require.Equal(t, kind.Job == "dance", len(retry) > 0, "%s waits for a version that knows it", kind.Job)
	}
}
