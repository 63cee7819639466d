package worker_test

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
	"plaza/worker"
)

// TestEveryAnswerIsSecured walks answers that no page makes: the mux's own, errors, and
// the files that the platform serves. (e2e/edge/headers.test.mjs has the shim's.)
func TestEveryAnswerIsSecured(t *testing.T) {
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
