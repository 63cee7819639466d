package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestForwarderCounts sends requests as workers do, and looks at what the forwarder says of them.
func TestForwarderCounts(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, `{"results":[{"rows_read":40,"rows_written":3},{"rows_read":2,"rows_written":0}]}`)
	}))
	defer server.Close()
	target, err := url.Parse(server.URL)
	require.NoError(t, err)
	f := newForwarder(target, target)
	send := func(host, path, body string) int {
		r := httptest.NewRequest(http.MethodPost, "http://"+host+path, strings.NewReader(body))
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		return w.Code
	}
	f.set(command{Count: true, Record: true})
	require.Equal(t, http.StatusOK, send("sqld.bench", "/v3/pipeline", "{}"))
	require.Equal(t, http.StatusOK, send(redisHost, "/", `["GET","[x"]`))
	require.Equal(t, http.StatusOK, send(redisHost, "/pipeline", `[["GET","x"],["INCR","y"],["EXPIRE","y",1]]`))
	passed := f.set(command{})
	require.Equal(t, []int64{1, 2, 42, 3, 4}, []int64{passed.Database, passed.Redis, passed.Read, passed.Written, passed.Commands})
	require.Len(t, passed.Recorded, 3)
	require.Zero(t, f.set(command{}).Database, "a command begins anew")
}

func TestCacheKeepsWhatWasPut(t *testing.T) {
	c := &cache{responses: map[string][]byte{}}
	ask := func(method, body string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		c.ServeHTTP(w, httptest.NewRequest(method, "http://plaza.bench/c/x?y=1", strings.NewReader(body)))
		return w
	}
	require.Equal(t, "MISS", ask(http.MethodGet, "").Header().Get(cacheStatus))
	ask(http.MethodPut, "HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Length: 4\r\n\r\npage")
	found := ask(http.MethodGet, "")
	require.Equal(t, []string{"HIT", "b", "page"}, []string{found.Header().Get(cacheStatus), found.Header().Get("X-A"), found.Body.String()})
	c.empty()
	require.Equal(t, "MISS", ask(http.MethodGet, "").Header().Get(cacheStatus))
}
