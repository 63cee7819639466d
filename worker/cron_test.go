package worker_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
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
