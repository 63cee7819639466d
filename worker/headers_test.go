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

func TestSecurityText(t *testing.T) {
	s := mustOpen(t)
	require.Equal(t, http.StatusNotFound, s.visitor().get("/.well-known/security.txt").Code)
	for contact, shown := range map[string]string{
		"security@plaza.example": "mailto:security@plaza.example", "https://plaza.example/contact": "https://plaza.example/contact",
		" a@b.c\nExpires: never ": "a@b.cExpires:never", // one line, whatever the setting
	} {
		c := s.config
		c.SecurityContact = contact
		s.restart(c)
		res := s.visitor().get("/.well-known/security.txt")
		require.Equal(t, http.StatusOK, res.Code)
		require.Equal(t, "text/plain; charset=utf-8", res.Header().Get("Content-Type"))
		expires := s.now.UTC().AddDate(0, 0, 180).Format("2006-01-02") + "T00:00:00Z"
		require.Equal(t, "Contact: "+shown+"\nExpires: "+expires+"\nPreferred-Languages: en\nCanonical: https://plaza.example/.well-known/security.txt\n", res.Body.String())
	}
}
