package mover_test

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/pace/deadline"
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
	"plaza/test/storetest"
	"plaza/test/workertest"
	"plaza/tools/mover"
)

// TestMembersDuringAMove reads a community's pages at each step of its move. What is written while it is closed waits and is done, or says
// that it was not, with what was typed. What was written before is counted afterwards.
func TestMembersDuringAMove(t *testing.T) {
	stacktest.ByNight(t, liveMove)
	url, client := stacktest.OpenSchemaDB(t)
	patient := &waiters{all: make(chan struct{})}
	directory := hrana.New(hrana.Options{URL: url, HTTP: client, Sleep: patient.sleep, ReadTime: stacktest.ReadTime,
		WorkTime: time.Minute})
	sql := storetest.DatabasesOf(t, directory, stacktest.OpenSchema(t), stacktest.OpenSchema(t))
	s := workertest.OpenSite(t, sql, stacktest.OpenRedisIfAny(t), 1000)
	s.FirstShard = true
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	thread := ann.MustPost("/submit", "community", "gophers", "title", "A burrow", "text", "deep")
	post := workertest.Targets(ann.Page(thread))[0]
	s.Deliver()
	community := data.ID(sql.Rows("SELECT id FROM communities WHERE name_key = 'gophers'")[0][0].(int64))
	require.Zero(t, sql.Number(community))

	stop := errors.New("stopped")
	move := func(until string) error {
		m := &mover.Move{Directory: sql.Directory, Shards: sql.Shards, Sleep: func(context.Context, time.Duration) error { return nil },
			After: func(step string, whole bool) error {
				for _, path := range []string{"/c/gophers", thread} {
					require.Contains(t, ben.Page(path), "A burrow", step)
				}
				if whole && step == until {
					return stop
				}
				return nil
			}}
		return m.Run(t.Context(), community.Slot(), 1)
	}
	require.ErrorIs(t, move(mover.StepCopy), stop)
	ben.MustPost("/comment", "post", post, "body", "between the copies")
	ben.MustPost("/vote", "target", post, "value", "1")
	require.ErrorIs(t, move(mover.StepClose), stop)

	// The copy of what waits to be counted is counted once.
	messages := s.Queue.Take("plaza-votes")
	retry, err := s.App.Consume(t.Context(), "plaza-votes", messages)
	require.NoError(t, err)
	require.NotEmpty(t, retry, "the source refuses to count it")

	res := ben.Post("/comment", "post", post, "body", "typed in vain")
	require.Equal(t, http.StatusServiceUnavailable, res.Code)
	require.Equal(t, "5", res.Header().Get("Retry-After"))
	require.Contains(t, res.Body.String(), "typed in vain")
	require.Contains(t, res.Body.String(), "The community is moving to another database. That usually takes seconds. Please try again in a moment.")

	type answer struct {
		code int
		body string
	}
	waiting := make(chan answer, 3)
	patient.left.Store(3)
	for _, form := range [][]string{{"/comment", "post", post, "body", "it waits"}, {"/vote", "target", post, "value", "-1"},
		{"/submit", "community", "gophers", "title", "Another burrow", "text", "deeper"}} {
		writer := *ben
		go func() {
			res := writer.Post(form[0], form[1:]...)
			waiting <- answer{res.Code, res.Body.String()}
		}()
	}
	select {
	case <-patient.all:
	case <-time.After(time.Minute):
		require.Fail(t, "they don't wait")
	}
	require.Empty(t, waiting)
	require.NoError(t, move(""))
	for range 3 {
		a := <-waiting
		require.Equal(t, http.StatusSeeOther, a.code, a.body)
	}
	require.Equal(t, 1, sql.Number(community))
	s.Queue.Take("plaza-votes")
	retry, err = s.App.Consume(t.Context(), "plaza-votes", messages)
	require.NoError(t, err)
	require.Empty(t, retry)
	page := ann.Page(thread)
	for _, said := range []string{"between the copies", "it waits"} {
		require.Contains(t, page, said)
	}
	require.NotContains(t, page, "typed in vain")
	require.Contains(t, ann.Page("/c/gophers"), "Another burrow")
	require.Equal(t, int64(2), s.One("SELECT comments FROM posts WHERE title = 'A burrow'"))
	require.Equal(t, []any{int64(1), int64(1)}, s.Sql.Rows("SELECT ups, downs FROM posts WHERE title = 'A burrow'")[0])
}

// waiters holds the first requests that wait until all of them do.
type waiters struct {
	left atomic.Int64
	all  chan struct{}
}

func (w *waiters) sleep(ctx context.Context, d time.Duration) error {
	switch left := w.left.Add(-1); {
	case left == 0:
		close(w.all)
	case left > 0:
		<-w.all
	}
	return deadline.DefaultSleep(ctx, d)
}
