package limit_test

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
	"plaza/test/stacktest"
	"plaza/test/workertest"
)

// slow is the way to a database that answers nothing as long as it is shut.
type slow struct {
	http         hrana.Doer
	mu           sync.Mutex
	open         chan struct{} // nil: it answers at once
	waitingCalls int           // calls that wait
}

func (w *slow) Do(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	open := w.open
	if open != nil {
		w.waitingCalls++
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
	return w.waitingCalls
}

// TestScrapersDontStarveMembers has visitors come from many networks at once, each for another page.
func TestScrapersDontStarveMembers(t *testing.T) {
	url, client := stacktest.OpenSchemaDB(t)
	s := workertest.OpenOn(t, hrana.New(hrana.Options{URL: url, HTTP: client}), stacktest.OpenRedis(t), 1)
	ann := s.Member("annabel")
	ann.MustPost("/communities", "name", "gophers", "title", "Gophers")
	way := &slow{http: client}
	s.Config.DB = data.NewDB(hrana.New(hrana.Options{URL: url, HTTP: way, ReadTime: stacktest.ReadTime}))
	s.Config.Sleep = func(context.Context, time.Duration) error { return nil }
	s.Restart(s.Config)
	ann.Page("/c/gophers/new") // the instance knows the session and the settings

	way.open = make(chan struct{})
	var mu sync.Mutex
	statuses := map[int]int{}
	var retry string
	var all sync.WaitGroup
	networks := 0
	come := func(n int, path string, renews bool) {
		for i := range n {
			networks++
			r := httptest.NewRequest(http.MethodGet, fmt.Sprintf("https://plaza.example%s%d", path, i), nil)
			r.RemoteAddr = fmt.Sprintf("10.%d.%d.7:1", networks/250, networks%250)
			if renews {
				r.Header.Set("X-Plaza-Renewal", "1")
			}
			all.Go(func() {
				w := httptest.NewRecorder()
				s.App.ServeHTTP(w, r)
				mu.Lock()
				defer mu.Unlock()
				statuses[w.Code]++
				if w.Code == http.StatusTooManyRequests {
					retry = w.Header().Get("Retry-After")
				}
			})
		}
	}
	come(300, "/c/gophers/new?t=", false)
	refused := func() int {
		mu.Lock()
		defer mu.Unlock()
		return statuses[http.StatusTooManyRequests]
	}
	require.Eventually(t, func() bool { return refused() == 294 && way.waiting() == 6 }, 30*time.Second, time.Millisecond,
		"6 pages are made, the others are refused at once")
	require.Equal(t, "1", retry)
	come(10, "/c/gophers/top?t=", true)
	require.Eventually(t, func() bool { return refused() == 298 && way.waiting() == 12 }, 30*time.Second, time.Millisecond,
		"renewals of copies have places of their own")
	come(10, "/search?q=word", false)
	require.Eventually(t, func() bool { return refused() == 306 && way.waiting() == 14 }, 30*time.Second, time.Millisecond,
		"so have searches")
	for range 30 { // as many members as come
		all.Go(func() {
			w := ann.Get("/c/gophers/new")
			mu.Lock()
			defer mu.Unlock()
			statuses[w.Code]++
		})
	}
	require.Eventually(t, func() bool { return way.waiting() == 44 }, 30*time.Second, time.Millisecond, "members are not bounded")
	close(way.open)
	all.Wait()
	require.Equal(t, map[int]int{http.StatusOK: 44, http.StatusTooManyRequests: 306}, statuses)
	way.open = nil
	for range 100 { // one after the other, places are free again
		s.Now = s.Now.Add(time.Second)
		require.Equal(t, http.StatusOK, s.Visitor().Get("/c/gophers/new").Code)
	}
}

// TestVisitorsTogetherReadBoundedRows has visitors come one after the other, each for another page. However many come, and from wherever,
// an instance has the same rows read for them.
func TestVisitorsTogetherReadBoundedRows(t *testing.T) {
	t.Parallel()
	s := workertest.MustOpen(t)
	thread := s.Thread(1500, 1)
	member := s.Member("reader")
	var waits []time.Duration
	meanwhile := func() {} // what happens while a page waits; pages that it asks for don't wait
	waiting := false
	open := func() *workertest.Site {
		on := workertest.OpenSite(t, s.Sql, s.Redis, 1)
		on.Config.Sleep = func(_ context.Context, wait time.Duration) error {
			waits = append(waits, wait)
			if !waiting {
				waiting = true
				meanwhile()
				waiting = false
			}
			return nil
		}
		on.Restart(on.Config)
		waits = nil
		return on
	}
	networks := 0
	visitor := func(on *workertest.Site) *workertest.Browser {
		b := on.Visitor()
		networks++
		b.Remote = fmt.Sprintf("10.%d.%d.7:1", networks/250, networks%250)
		return b
	}
	walk := func(n int, from func() *workertest.Browser, path string) (created, refused int, rows int64) {
		for i := range n {
			b := from()
			at := b.Now // the clock stands still, so that nothing is forgiven
			r := b.Request(fmt.Sprintf("%s?left=%d", path, i))
			ctx, meter := hrana.WithMeter(r.Context())
			res := b.Send(r.WithContext(ctx))
			rows += meter.RowsRead()
			b.Now = at
			if res.Code == http.StatusTooManyRequests {
				refused++
				require.NotEmpty(t, res.Header().Get("Retry-After"))
				continue
			}
			require.Equal(t, http.StatusOK, res.Code)
			created++
		}
		return created, refused, rows
	}
	t.Run("of pages that cost little, from a network each", func(t *testing.T) {
		on := open()
		each := func() *workertest.Browser { return visitor(on) }
		created, _, _ := walk(600, each, "/c/gophers/new")
		require.Equal(t, 31, created, "15,500 rows, at 500 a page")
		total := time.Duration(0)
		for _, wait := range waits {
			total += wait
		}
		require.InDelta(t, 43.5, total.Seconds(), 0.5, "two pages are made at once, then one in 100 ms: 0.1, 0.2, … 2.9")
		require.Equal(t, http.StatusOK, (&workertest.Browser{Site: on, Cookie: member.Cookie}).Get("/c/gophers/new").Code, "members")
		require.Equal(t, http.StatusOK, visitor(on).Get("/login").Code)
		_, refused, _ := walk(10, each, "/search")
		require.GreaterOrEqual(t, refused, 8, "searches too; some milliseconds have passed")
		res := visitor(on).Get("/c/gophers/new")
		require.Equal(t, http.StatusTooManyRequests, res.Code)
		require.Equal(t, "1", res.Header().Get("Retry-After"))
		require.Contains(t, res.Body.String(), `<a class="button" href="/login?next=%2Fc%2Fgophers%2Fnew">Log in</a>`)
		before := len(waits)
		renewed, _, _ := walk(30, func() *workertest.Browser { return visitor(on).WithHeader("X-Plaza-Renewal", "1") }, "/c/gophers/new")
		require.Equal(t, 30, renewed, "renewals go before")
		require.Len(t, waits, before, "and wait for nothing")
		on.Now = on.Now.Add(time.Minute)
		require.Equal(t, http.StatusOK, visitor(on).Get("/c/gophers/new").Code)
	})
	t.Run("of pages that cost much, from a network each", func(t *testing.T) {
		on := open()
		created, refused, rows := walk(400, func() *workertest.Browser { return visitor(on) }, thread.URL())
		require.Less(t, rows, int64(19_000), "the last page is not known before it is read")
		require.Equal(t, 400, created+refused)
	})
	t.Run("of pages that cost much, at the same time", func(t *testing.T) {
		on := open()
		visit := func(path string) int {
			at := on.Now
			defer func() { on.Now = at }()
			return visitor(on).Get(path).Code
		}
		for range 2 {
			require.Equal(t, http.StatusOK, visit("/c/gophers/new"))
		}
		meanwhile = func() { require.Equal(t, http.StatusOK, visit(thread.URL())) }
		require.Equal(t, http.StatusOK, visit("/c/gophers/new"))
		require.Len(t, waits, 2)
		require.InDelta(t, 0.1, waits[0].Seconds(), 0.09, "some milliseconds have passed")
		require.InDelta(t, 0.2, waits[1].Seconds(), 0.15, "the thread's own")
		meanwhile = func() {
			renewed, _, _ := walk(25, func() *workertest.Browser { return visitor(on).WithHeader("X-Plaza-Renewal", "1") }, thread.URL())
			require.Equal(t, 25, renewed)
		}
		waits = nil
		require.Equal(t, http.StatusTooManyRequests, visit("/c/gophers/new"), "meanwhile visitors have had read more than they may")
		require.Len(t, waits, 1)
		meanwhile = func() {}
	})
	t.Run("of a visitor who goes away", func(t *testing.T) {
		on := open()
		on.Config.Sleep = func(context.Context, time.Duration) error { return context.Canceled }
		on.Restart(on.Config)
		created, refused, _ := walk(60, func() *workertest.Browser { return visitor(on) }, "/c/gophers/new")
		require.Equal(t, [2]int{2, 58}, [2]int{created, refused})
		on.Config.Sleep = func(context.Context, time.Duration) error { return nil }
	})
	t.Run("one network leaves half of it to the others", func(t *testing.T) {
		on := open()
		crawler := visitor(on)
		_, _, rows := walk(100, func() *workertest.Browser { return crawler }, thread.URL())
		require.Less(t, rows, int64(11_000))
		created, _, _ := walk(5, func() *workertest.Browser { return visitor(on) }, thread.URL())
		require.Equal(t, 5, created)
	})
	t.Run("also one that asks for what is not there", func(t *testing.T) {
		on := open()
		crawler, missing := visitor(on), 0
		for i := range 100 {
			at := on.Now
			if crawler.Get(fmt.Sprintf("/c/none-%d", i)).Code == http.StatusNotFound {
				missing++
			}
			on.Now = at
		}
		require.Equal(t, 16, missing, "7,750 rows, at 500 a page")
		created, _, _ := walk(5, func() *workertest.Browser { return visitor(on) }, "/c/gophers/new")
		require.Equal(t, 5, created)
		renewed, _, _ := walk(40, func() *workertest.Browser { return crawler.WithHeader("X-Plaza-Renewal", "1") }, "/c/gophers/new")
		require.Equal(t, 10, renewed, "and with renewals it takes no more than other visitors")
	})
}
