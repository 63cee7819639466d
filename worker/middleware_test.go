package worker_test

import (
	"log/slog"
	"net/http"
	"os"
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

// TestEveryResponseIsSecured walks answers that no page makes: the mux's own, errors, and
// the files that the platform serves. (e2e/edge/headers.test.mjs has the shim's.)
func TestEveryResponseIsSecured(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	// What other sites may load.
	open := map[string]bool{"/c/gophers.json": true, "/c/gophers/new.atom": true, "/img/card/site": true, "/img/card/c/gophers": true,
		"/oembed?url=x": true}
	for path, status := range map[string]int{
		"/c/gophers.json": 200, "/c/gophers/new.atom": 200, "/img/card/site": 200, "/img/card/c/gophers": 200, "/oembed?url=x": 404,
		"/img/00000000000zw": 404,
		"/c//gophers":        http.StatusTemporaryRedirect, "/x/../c/gophers": http.StatusTemporaryRedirect, "/nothing": 404,
		"/c/gophers?after=!": 400,
		"/submit":            303, "/c/gophers": 200, "/healthz": 200, "/robots.txt": 200, "/manifest.webmanifest": 200, "/.well-known/security.txt": 404,
		"/admin/dead-letters": 303,
	} {
		res := s.Visitor().Get(path)
		require.Equal(t, status, res.Code, path)
		for _, header := range worker.SecureHeaders() {
			if header[0] == "Cross-Origin-Resource-Policy" && strings.HasPrefix(header[1], "same") && open[path] {
				header[1] = "cross-origin"
			}
			require.Equal(t, header[1], res.Header().Get(header[0]), "%s of %s", header[0], path)
		}
		require.Contains(t, res.Header().Get("Content-Security-Policy"), "default-src 'none'", path)
		require.NotEmpty(t, res.Header().Get("Cache-Control"), path)
	}
	static, err := os.ReadFile("../public/_headers")
	require.NoError(t, err)
	require.NotContains(t, string(static), "unsafe-inline")
	everywhere, _, _ := strings.Cut(string(static), "\n\n")
	for _, header := range worker.SecureHeaders() {
		require.Contains(t, everywhere, "\n  "+header[0]+": "+header[1]+"\n", "public/_headers")
	}
}
