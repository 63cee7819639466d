package workertest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"

	"github.com/stretchr/testify/require"

	"plaza/worker/oidc"
)

// GitHub configures the provider GitHub, and the web answers for it as GitHub's documentation says. verifier is the last one sent.
func (s *Site) GitHub() (verifier *string) {
	s.Helper()
	env := map[string]string{"AUTH_PROVIDERS": "github", "AUTH_GITHUB_ID": "plaza", "AUTH_GITHUB_SECRET": "secret"}
	list, err := oidc.Configure(func(name string) string { return env[name] })
	require.NoError(s, err)
	s.Config.Providers = list
	s.Restart(s.Config)
	verifier = new(string)
	s.Web.On("github.com", func(w http.ResponseWriter, r *http.Request) {
		require.Equal(s, "application/json", r.Header.Get("Accept"))
		*verifier = r.FormValue("code_verifier")
		body := `{"access_token":"gho_x","scope":"","token_type":"bearer"}`
		if r.FormValue("code") != "good" || r.FormValue("client_secret") != "secret" {
			body = `{"error":"bad_verification_code"}`
		}
		_, _ = io.WriteString(w, body)
	})
	s.Web.On("api.github.com", func(w http.ResponseWriter, r *http.Request) {
		require.Equal(s, "Bearer gho_x", r.Header.Get("Authorization"))
		require.NotEmpty(s, r.Header.Get("User-Agent"), "GitHub refuses requests without one")
		_, _ = io.WriteString(w, `{"login":"octocat","id":583231,"email":null}`)
	})
	return verifier
}

// FromGitHub logs in at GitHub and comes back with a code. to is the address that the site redirected to.
func (b *Browser) FromGitHub(code string) (to *url.URL, res *httptest.ResponseRecorder) {
	b.Helper()
	to, err := url.Parse(b.Get("/auth/github?next=/communities").Header().Get("Location"))
	require.NoError(b, err)
	require.Equal(b, "github.com/login/oauth/authorize", to.Host+to.Path)
	return to, b.Get("/auth/github/callback?code=" + code + "&state=" + to.Query().Get("state"))
}

// Jarred is a visitor's browser that keeps all cookies.
func (s *Site) Jarred() *Browser {
	b := s.Visitor()
	b.Jar = map[string]string{}
	return b
}
