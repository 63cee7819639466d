package worker_test

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
	"plaza/worker"
)

// TestAddressesThatAreNoText asks for every address of the table with bytes that are no characters, which is always answered by 404.
func TestAddressesThatAreNoText(t *testing.T) {
	t.Parallel()
	s := workertest.MustOpen(t)
	var log strings.Builder
	c := s.Config
	c.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	s.Restart(c)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	ask := func(method, path string) {
		t.Helper()
		for _, who := range []*workertest.Browser{s.Visitor(), ann} {
			res := who.Get(path)
			if method == http.MethodPost {
				res = who.Post(path, "title", "x", "text", "x")
			}
			require.Equal(t, http.StatusNotFound, res.Code, "%s %s", method, path)
			require.Contains(t, res.Body.String(), "There is no page at this address.")
		}
	}
	for _, rt := range worker.Routes() {
		for _, bad := range []string{"%ff", "a%C3", "%00", "%ed%a0%80"} {
			if i := strings.IndexByte(rt.Pattern, '{'); i >= 0 && rt.Pattern != "/{$}" {
				path := rt.Pattern
				for strings.Contains(path, "{") {
					from, to := strings.IndexByte(path, '{'), strings.IndexByte(path, '}')
					path = path[:from] + bad + path[to+1:]
				}
				ask(rt.Method, path)
				continue
			}
			path := strings.TrimSuffix(rt.Pattern, "{$}")
			for _, name := range []string{"after", "t", "sort", "q", "url", "community", "next"} {
				ask(rt.Method, path+"?"+name+"="+bad)
			}
			ask(rt.Method, path+"?"+bad+"=1")
		}
	}
	require.Empty(t, log.String())
	ann.Page("/?t=%C3%A9") // characters, though not known
}
