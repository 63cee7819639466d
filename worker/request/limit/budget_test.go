package limit_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
	"plaza/test/workertest"
)

// A crawler that asks for new addresses without end costs no more than one reader may cost, a member or a network, and keeps nobody else
// from reading. It is served again after a while.
func TestACrawlerCostsBoundedRows(t *testing.T) {
	t.Parallel()
	s := workertest.MustOpen(t)
	thread := s.Thread(1500, 1)
	member := s.Member("crawler")
	// pause is how far apart the requests are: what an instance has read for all visitors (budget.go) is forgiven meanwhile.
	for name, pause := range map[string]time.Duration{"a member": 0, "a network": 200 * time.Millisecond} {
		strict := workertest.OpenSite(t, s.Sql, s.Redis, 1)
		b := &workertest.Browser{Site: strict, Remote: "192.0.2.9:1"}
		if name == "a member" {
			b.Cookie = member.Cookie
		}
		var few, many int64 // rows read for the first 250 addresses, and for all
		refused := 0
		for i := range 450 {
			if i == 250 {
				few = many
			}
			r := httptest.NewRequest(http.MethodGet, fmt.Sprintf("https://plaza.example%s?left=%d&x=%d", thread.URL(), i, i), nil)
			if b.Cookie != "" { // a member who keeps changing something, so that no thread comes from the cache
				changed := strconv.FormatInt(strict.Now.UnixMilli()+int64(i)+3_600_000, 36)
				b.Jar = map[string]string{"__Host-changed": changed + "-" + changed}
			}
			ctx, meter := hrana.WithMeter(r.Context())
			at := strict.Now
			w := b.Send(r.WithContext(ctx))
			strict.Now = at.Add(pause)
			many += meter.RowsRead()
			if w.Code == http.StatusTooManyRequests {
				refused++
				require.NotEmpty(t, w.Header().Get("Retry-After"))
			} else {
				require.Equal(t, http.StatusOK, w.Code)
			}
		}
		other := &workertest.Browser{Site: strict, Remote: "198.51.100.7:1"}
		require.Equal(t, http.StatusOK, other.Get(thread.URL()).Code, "another reader")
		later := int64((200 * pause).Minutes() * 30_000)
		require.InDelta(t, few+later, many, 5000, "%s: rows read depend on the time, not on how many addresses were asked for", name)
		require.LessOrEqual(t, few, int64(155_000)+int64((250*pause).Minutes()*30_000), name)
		require.Greater(t, refused, 100, name)
		require.Equal(t, http.StatusTooManyRequests, b.Get(thread.URL()).Code, name)
		strict.Now = strict.Now.Add(time.Minute)
		require.Equal(t, http.StatusOK, b.Get(thread.URL()).Code, name)
		t.Logf("%s: 450 addresses: %d rows, %d refused; 250 addresses: %d rows", name, many, refused, few)
	}
}

func TestVisitorsWithoutAnAddressHaveNoBudget(t *testing.T) {
	t.Parallel()
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
