package request_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
	"plaza/worker/workertest"
)

// A crawler that asks for new addresses without end costs no more than one reader may cost, and keeps nobody else from reading.
func TestACrawlerCostsBoundedRows(t *testing.T) {
	s := workertest.MustOpen(t)
	thread := s.Thread(1500, 1)
	crawl := func(n int, from string) (rows int64, refused int) {
		strict := workertest.OpenSite(t, s.Sql, s.Redis, 1)
		for i := range n {
			r := httptest.NewRequest(http.MethodGet, fmt.Sprintf("https://plaza.example%s?left=%d&x=%d", thread.URL(), i, i), nil)
			ctx, meter := hrana.WithMeter(r.Context())
			r = r.WithContext(ctx)
			r.RemoteAddr = from
			w := httptest.NewRecorder()
			strict.App.ServeHTTP(w, r)
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
		strict.App.ServeHTTP(w, r)
		require.Equal(t, http.StatusOK, w.Code, "another reader")
		return rows, refused
	}
	few, _ := crawl(300, "192.0.2.9:1")
	many, refused := crawl(1000, "192.0.2.9:1")
	require.InDelta(t, few, many, 5000, "rows read do not depend on how many addresses were asked for")
	require.LessOrEqual(t, many, int64(160_000))
	require.Greater(t, refused, 750)
	t.Logf("1,000 addresses: %d rows, %d refused; 300 addresses: %d rows", many, refused, few)
}

func TestVisitorsWhoCannotBeToldApartHaveNoBudget(t *testing.T) {
	s := workertest.MustOpen(t)
	thread := s.Thread(1500, 1)
	strict := workertest.OpenSite(t, s.Sql, s.Redis, 1)
	for range 100 {
		r := httptest.NewRequest(http.MethodGet, "https://plaza.example"+thread.URL(), nil)
		r.RemoteAddr = ""
		w := httptest.NewRecorder()
		strict.App.ServeHTTP(w, r)
		require.Equal(t, http.StatusOK, w.Code)
	}
}

func TestAReaderIsServedAgainAfterAWhile(t *testing.T) {
	s := workertest.MustOpen(t)
	thread := s.Thread(1500, 1)
	strict := workertest.OpenSite(t, s.Sql, s.Redis, 1)
	b := &workertest.Browser{Site: strict, Header: http.Header{}}
	for n := 0; b.Get(thread.URL()).Code == http.StatusOK; n++ {
		require.Less(t, n, 200)
	}
	strict.Now = strict.Now.Add(time.Minute)
	require.Equal(t, http.StatusOK, b.Get(thread.URL()).Code)
}
