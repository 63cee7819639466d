package worker_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/hrana"
	"plaza/worker"
)

// The edge's list of addresses is made from the routes table.
func TestTheEdgeKnowsTheTable(t *testing.T) {
	const name = "edge/shim/table.mjs"
	if os.Getenv("PLAZA_UPDATE") != "" {
		require.NoError(t, os.WriteFile(name, []byte(worker.EdgeTable()), 0o644))
	}
	b, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, worker.EdgeTable(), string(b), "run PLAZA_UPDATE=1 go test ./worker -run TestTheEdgeKnowsTheTable")
}

func TestAPageDoesNotSeeUnknownParameters(t *testing.T) {
	s := mustOpen(t)
	s.member("ann").mustPost("/communities", "name", "gophers")
	page := s.visitor().page("/c/gophers/top?x=1&t=week&utm_source=y&t=day&__variant=json")
	require.NotContains(t, page, "utm_source")
	require.NotContains(t, page, "x=1")
	require.Contains(t, page, `<link rel="canonical" href="https://plaza.example/c/gophers/top?t=week">`)
}

func TestMissingPagesAreCachedForAMoment(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	ann.mustPost("/communities", "name", "gophers")
	for path, status := range map[string]int{"/c/nowhere": 404, "/c/gophers/p/nothing": 404, "/c/gophers?after=!": 400, "/c/gophers/top?t=!": 400} {
		res := s.visitor().get(path)
		require.Equal(t, status, res.Code, path)
		require.Equal(t, "public, max-age=0, s-maxage=10", res.Header().Get("Cache-Control"), path)
		require.Equal(t, "private, no-store", ann.get(path).Header().Get("Cache-Control"), path)
	}
}

// A crawler that asks for ever new addresses costs what one reader may cost, however many
// it asks for; others read on.
func TestACrawlerCostsBoundedRows(t *testing.T) {
	s := mustOpen(t)
	thread := s.thread(1500, 1)
	crawl := func(n int, from string) (rows int64, refused int) {
		strict := openOn(t, s.sql, s.redis, 1)
		for i := range n {
			r := httptest.NewRequest(http.MethodGet, fmt.Sprintf("https://plaza.example%s?left=%d&x=%d", thread.URL(), i, i), nil)
			ctx, meter := hrana.WithMeter(r.Context())
			r = r.WithContext(ctx)
			r.RemoteAddr = from
			w := httptest.NewRecorder()
			strict.app.ServeHTTP(w, r)
			rows += meter.RowsRead()
			if w.Code == http.StatusTooManyRequests {
				refused++
				require.NotEmpty(t, w.Header().Get("Retry-After"))
			} else {
				require.Equal(t, http.StatusOK, w.Code)
			}
		}
		r := httptest.NewRequest(http.MethodGet, "https://plaza.example"+thread.URL(), nil)
		r.RemoteAddr = "198.51.100.7:1"
		w := httptest.NewRecorder()
		strict.app.ServeHTTP(w, r)
		require.Equal(t, http.StatusOK, w.Code, "another reader")
		return rows, refused
	}
	few, _ := crawl(100, "192.0.2.9:1")
	many, refused := crawl(1000, "192.0.2.9:1")
	require.InDelta(t, few, many, 5000, "rows read do not depend on how many addresses were asked for")
	require.LessOrEqual(t, many, int64(160_000))
	require.Greater(t, refused, 900)
	t.Logf("1,000 addresses: %d rows, %d refused; 100 addresses: %d rows", many, refused, few)
}

func TestVisitorsWhoCannotBeToldApartHaveNoBudget(t *testing.T) {
	s := mustOpen(t)
	thread := s.thread(1500, 1)
	strict := openOn(t, s.sql, s.redis, 1)
	for range 100 {
		r := httptest.NewRequest(http.MethodGet, "https://plaza.example"+thread.URL(), nil)
		r.RemoteAddr = ""
		w := httptest.NewRecorder()
		strict.app.ServeHTTP(w, r)
		require.Equal(t, http.StatusOK, w.Code)
	}
}

func TestAReaderIsServedAgainAfterAWhile(t *testing.T) {
	s := mustOpen(t)
	thread := s.thread(1500, 1)
	strict := openOn(t, s.sql, s.redis, 1)
	b := &browser{site: strict, header: http.Header{}}
	for n := 0; b.get(thread.URL()).Code == http.StatusOK; n++ {
		require.Less(t, n, 200)
	}
	strict.now = strict.now.Add(time.Minute)
	require.Equal(t, http.StatusOK, b.get(thread.URL()).Code)
}
