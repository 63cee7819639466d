package worker_test

import (
	"crypto/sha256"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGitHub goes through the flow; there is no GitHub to be had that could answer itself.
func TestGitHub(t *testing.T) {
	s := mustOpen(t)
	verifier := s.gitHub()
	come := func(b *browser, code string) *httptest.ResponseRecorder {
		to, res := b.fromGitHub(code)
		sum := sha256.Sum256([]byte(*verifier))
		require.Equal(t, to.Query().Get("code_challenge"), b64(sum[:]))
		return res
	}
	b := s.jarred()
	require.Equal(t, "/auth/new?next=%2Fcommunities", come(b, "good").Header().Get("Location"))
	require.Contains(t, b.page("/auth/new"), `value="octocat"`)
	b.mustPost("/auth/new", "username", "octocat")
	require.Equal(t, "583231", s.one("SELECT subject FROM identities"))
	again := s.jarred()
	require.Equal(t, "/communities", come(again, "good").Header().Get("Location"))
	require.NotEmpty(t, again.cookie)
	require.Equal(t, http.StatusUnauthorized, come(s.jarred(), "bad").Code)
}
