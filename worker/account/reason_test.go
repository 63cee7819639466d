package account_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

// The login pages say why a visitor is there, and promise nothing that may not come true.
func TestReasonToLogIn(t *testing.T) {
	s := workertest.MustOpen(t)
	rita := s.Admin("rita")
	rita.MustPost("/communities", "name", "gophers")
	id := workertest.Targets(rita.Page(rita.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")))[0]
	press := func(path string, fields ...string) *workertest.Browser {
		visitor := s.Visitor()
		visitor.Jar = map[string]string{}
		require.Equal(t, "/login?next=%2Fc%2Fgophers", visitor.MustPost(path, append(fields, "return", "/c/gophers")...))
		return visitor
	}
	const login, signup = "/login?next=%2Fc%2Fgophers", "/signup?next=%2Fc%2Fgophers"

	t.Run("says what was pressed, and that it is kept", func(t *testing.T) {
		visitor := press("/vote", "target", id, "value", "1")
		for _, page := range []string{login, signup} {
			require.Contains(t, visitor.Page(page), "Log in or sign up to vote. Your vote is kept.")
			require.NotContains(t, visitor.Page(page+"x"), "to vote", "which was not pressed there")
		}
		res := visitor.Post("/login", "login", "rita", "password", "wrong horse", "next", "/c/gophers")
		require.Equal(t, http.StatusUnauthorized, res.Code)
		require.Contains(t, res.Body.String(), "Your vote is kept.")
		require.NotContains(t, s.Visitor().Page(login), "Log in or sign up")
		require.Contains(t, press("/subscribe", "community", "gophers", "on", "1").Page(login),
			"Log in or sign up to join c/gophers. It is done once you are logged in.")
		require.Contains(t, press("/follow", "user", "rita", "on", "1").Page(login), "sign up to follow rita.")
		require.Contains(t, press("/tags/follow", "tag", "go", "on", "1").Page(login), "sign up to follow #go.")
	})

	t.Run("says for which page it is", func(t *testing.T) {
		for path, says := range map[string]string{"/submit": "to post.", "/c/gophers/submit": "to post.", "/reply?post=" + id: "to comment.",
			"/communities/new": "to create a community.", "/messages/new?community=gophers": "to write to the moderators."} {
			to := s.Visitor().Get(path).Header().Get("Location")
			require.Contains(t, s.Visitor().Page(to), "Log in or sign up "+says, path)
		}
	})

	t.Run("promises nothing that may be dropped", func(t *testing.T) {
		visitor := press("/vote", "target", id, "value", "1")
		kept := func(atLogin, atSignup bool, settings ...string) {
			rita.MustPost(workertest.SiteSettings, settings...)
			later(s)
			for page, want := range map[string]bool{login: atLogin, signup: atSignup} {
				require.Contains(t, visitor.Page(page), "Log in or sign up to vote.")
				require.Equal(t, want, strings.Contains(visitor.Page(page), "Your vote is kept."), page)
			}
		}
		kept(false, true, "terms", "1") // which newcomers accept while they sign up
		kept(false, true, "terms", "0", "min_age", "16")
		kept(false, false, "min_age", "0", "sign_up", "approval", "question", "Why?")
		kept(true, true, "sign_up", "open")
	})

	t.Run("is kept by a newcomer who signs up on the front page", func(t *testing.T) {
		visitor := s.Visitor()
		visitor.Jar = map[string]string{}
		visitor.MustPost("/subscribe", "community", "gophers", "on", "1", "return", "/")
		require.Equal(t, "/", visitor.MustPost("/signup", "username", "dan", "password", "correct horse", "next", "/"))
		require.EqualValues(t, 1, s.One("SELECT count(*) FROM subscriptions WHERE user_id = (SELECT id FROM users WHERE username = 'dan')"))
		require.Equal(t, "/welcome", s.Visitor().MustPost("/signup", "username", "eve", "password", "correct horse", "next", "/"))
	})
}
