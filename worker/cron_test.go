package worker_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAMinuteOfWhichOneJobFails(t *testing.T) {
	s := mustOpen(t)
	s.losesMessages = true
	ann := s.member("ann")
	ann.mustPost("/communities", "name", "gophers")
	at := s.now.Add(time.Hour).UTC()
	ann.mustPost("/submit", "community", "gophers", "title", "Waits for the sweep", "text", "words")
	address := ann.mustPost("/submit", "community", "gophers", "title", "Due", "text", "words", "status", "scheduled", "publish_at", at.Format("2006-01-02T15:04"))
	s.exec("INSERT INTO revocations (subject, before, expires_at) VALUES (7, 0, ?1)", s.now.UnixMilli())

	s.now = at.Add(time.Minute)
	s.queue.fail = errors.New("the queue is away")
	err := s.app.Scheduled(context.Background(), time.Date(2026, 11, 21, 14, 0, 0, 0, time.UTC))
	require.ErrorIs(t, err, s.queue.fail)
	require.Equal(t, http.StatusOK, s.visitor().get(address).Code, "published all the same")
	require.Equal(t, int64(0), s.one("SELECT count(*) FROM revocations WHERE subject = 7"), "and what runs last has run, too")
}
