package worker_test

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/worker"
)

// TestEveryAnswerIsSecured walks answers that no page makes: the mux's own, errors, and
// the files that the platform serves. (e2e/edge/headers.test.mjs has the shim's.)
func TestEveryAnswerIsSecured(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	ann.mustPost("/communities", "name", "gophers")
	for path, status := range map[string]int{
		"/c//gophers": http.StatusTemporaryRedirect, "/x/../c/gophers": http.StatusTemporaryRedirect, "/nothing": 404, "/c/gophers?after=!": 400,
		"/submit": 303, "/c/gophers": 200, "/healthz": 200, "/robots.txt": 200, "/.well-known/security.txt": 404, "/admin/dead-letters": 303,
	} {
		res := s.visitor().get(path)
		require.Equal(t, status, res.Code, path)
		for _, header := range worker.SecureHeaders() {
			require.Equal(t, header[1], res.Header().Get(header[0]), "%s of %s", header[0], path)
		}
		require.Contains(t, res.Header().Get("Content-Security-Policy"), "default-src 'none'", path)
		require.NotEmpty(t, res.Header().Get("Cache-Control"), path)
	}
	static, err := os.ReadFile("../public/_headers")
	require.NoError(t, err)
	everywhere, _, _ := strings.Cut(string(static), "\n\n")
	for _, header := range worker.SecureHeaders() {
		require.Contains(t, everywhere, "\n  "+header[0]+": "+header[1]+"\n", "public/_headers")
	}
}
