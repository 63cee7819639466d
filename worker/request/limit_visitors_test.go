package request_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/stack/stacktest"
	"plaza/worker/workertest"
)

// slow is the way to a database that answers nothing as long as it is shut.
type slow struct {
	http hrana.Doer
	mu   sync.Mutex
	open chan struct{} // nil: it answers at once
	held int           // calls that wait
}

func (w *slow) Do(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	open := w.open
	if open != nil {
		w.held++
	}
	w.mu.Unlock()
	if open != nil { // for as long as it takes on a busy machine
		<-open
		r = r.WithContext(context.WithoutCancel(r.Context()))
	}
	return w.http.Do(r)
}

func (w *slow) waiting() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.held
}

// TestScrapersDontCrowdMembersOut has visitors come from many networks at once, each for another page.
func TestScrapersDontCrowdMembersOut(t *testing.T) {
	url, client := stacktest.OpenSchemaDB(t)
	s := workertest.OpenOn(t, hrana.New(hrana.Options{URL: url, HTTP: client}), stacktest.OpenRedis(t), 1)
	ann := s.Member("annabel")
	ann.MustPost("/communities", "name", "gophers", "title", "Gophers")
	way := &slow{http: client}
	s.Config.DB = data.NewDB(hrana.New(hrana.Options{URL: url, HTTP: way}))
	s.Config.Sleep = func(context.Context, time.Duration) error { return nil }
	s.Restart(s.Config)
	ann.Page("/c/gophers/new") // the instance knows the session and the settings

	way.open = make(chan struct{})
	var mu sync.Mutex
	answers := map[int]int{}
	var retry string
	var all sync.WaitGroup
	for i := range 300 {
		all.Go(func() {
			r := httptest.NewRequest(http.MethodGet, fmt.Sprintf("https://plaza.example/c/gophers/new?t=%d", i), nil)
			r.RemoteAddr = fmt.Sprintf("10.%d.%d.7:1", i/250, i%250)
			w := httptest.NewRecorder()
			s.App.ServeHTTP(w, r)
			mu.Lock()
			defer mu.Unlock()
			answers[w.Code]++
			if w.Code == http.StatusTooManyRequests {
				retry = w.Header().Get("Retry-After")
			}
		})
	}
	refused := func() int {
		mu.Lock()
		defer mu.Unlock()
		return answers[http.StatusTooManyRequests]
	}
	require.Eventually(t, func() bool { return refused() == 276 && way.waiting() == 24 }, 30*time.Second, time.Millisecond,
		"24 pages are made, the others are refused at once")
	require.Equal(t, "1", retry)
	for range 30 { // as many members as come
		all.Go(func() {
			w := ann.Get("/c/gophers/new")
			mu.Lock()
			defer mu.Unlock()
			answers[w.Code]++
		})
	}
	require.Eventually(t, func() bool { return way.waiting() == 54 }, 30*time.Second, time.Millisecond, "members are not bounded")
	close(way.open)
	all.Wait()
	require.Equal(t, map[int]int{http.StatusOK: 54, http.StatusTooManyRequests: 276}, answers)
	way.open = nil
	for range 100 { // one after the other, places are free again
		require.Equal(t, http.StatusOK, s.Visitor().Get("/c/gophers/new").Code)
	}
}
