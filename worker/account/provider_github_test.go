package account_test

import (
	"crypto/sha256"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

// TestGitHub goes through the flow; there is no GitHub to be had that could answer itself.
func TestGitHub(t *testing.T) {
	s := workertest.MustOpen(t)
	verifier := s.GitHub()
	come := func(b *workertest.Browser, code string) *httptest.ResponseRecorder {
		to, res := b.FromGitHub(code)
		sum := sha256.Sum256([]byte(*verifier))
		require.Equal(t, to.Query().Get("code_challenge"), workertest.B64(sum[:]))
		return res
	}
	b := s.Jarred()
	require.Equal(t, "/auth/new?next=%2Fcommunities", come(b, "good").Header().Get("Location"))
	require.Contains(t, b.Page("/auth/new"), `value="octocat"`)
	b.MustPost("/auth/new", "username", "octocat")
	require.Equal(t, "583231", s.One("SELECT subject FROM identities"))
	again := s.Jarred()
	require.Equal(t, "/communities", come(again, "good").Header().Get("Location"))
	require.NotEmpty(t, again.Cookie)
	require.Equal(t, http.StatusUnauthorized, come(s.Jarred(), "bad").Code)
}
