package account_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

// TestClaim has somebody claim an account that came by an import.
func TestClaim(t *testing.T) {
	s := workertest.MustOpen(t)
	rita := s.Admin("rita")
	s.Exec("INSERT INTO users (id, username, username_key, password_hash, created_at, origin, unclaimed) VALUES (60, 'imported', " +
		"'imported', '', 1, 'reddit:Some_One', 1)")
	claim := func() (proof, link string) {
		page := s.Visitor().Page("/claim?user=imported")
		found := regexp.MustCompile(`<code>([^<]{43})</code>`).FindStringSubmatch(page)
		links := regexp.MustCompile(`<code>https://plaza\.example(/link\?token=[^<]+)</code>`).FindStringSubmatch(page)
		require.Len(t, found, 2)
		require.Len(t, links, 2)
		return found[1], links[1]
	}
	require.Contains(t, s.Visitor().Page("/u/imported"), `Imported from reddit, where it is by Some_One. <a href="/claim?user=imported"`)
	proof, link := claim()
	other, otherLink := claim()
	require.NotEqual(t, proof, other)

	use := func(b *workertest.Browser, password string) *httptest.ResponseRecorder {
		return b.Post("/link", append(workertest.FormOf(t, b.Page(link), "/link"), "password", password)...)
	}

	t.Run("nobody logs in before an administrator has looked", func(t *testing.T) {
		require.Equal(t, http.StatusUnprocessableEntity, s.Visitor().Post("/login", "login", "imported", "password", "").Code)
		require.Equal(t, http.StatusNotFound, s.Visitor().Get(link).Code)
		require.Equal(t, http.StatusUnprocessableEntity, s.Visitor().Post("/signup", "username", "imported", "password", "correct horse").Code)
	})
	t.Run("administrators are told where to look", func(t *testing.T) {
		v := s.Visitor()
		res := v.Post("/contact", append(workertest.FormOf(t, v.Page("/claim?user=imported"), "/contact"), "body",
			"I claim it. See https://reddit.example/x")...)
		require.Equal(t, http.StatusSeeOther, res.Code)
		require.Contains(t, rita.Page("/admin/messages"), "I claim it.")
	})
	t.Run("whoever has the secret of what they found chooses a password", func(t *testing.T) {
		require.Equal(t, http.StatusUnprocessableEntity, rita.Post("/admin/claim", "user", "imported", "proof", "what?").Code)
		require.Equal(t, http.StatusNotFound, rita.Post("/admin/claim", "user", "rita", "proof", proof).Code,
			"an account that did not come by an import")
		rita.MustPost("/admin/claim", "user", "Imported", "proof", " "+proof+" ")
		rita.MustPost("/admin/claim", "user", "imported", "proof", other)
		require.Equal(t, http.StatusUnprocessableEntity, use(s.Visitor(), "short").Code)
		b := s.Visitor()
		require.Equal(t, http.StatusSeeOther, use(b, "correct horse").Code)
		require.Contains(t, s.LogIn("imported", "").Page("/settings"), "imported")
		require.Contains(t, s.Visitor().Page("/log"), "handed over the account ")
	})
	t.Run("a text is of one account", func(t *testing.T) {
		s.Exec("INSERT INTO users (id, username, username_key, password_hash, created_at, origin, unclaimed) VALUES (61, 'second', 'second', " +
			"'', 1, 'forum.example:8443:Two', 1)")
		for _, used := range []string{proof, other} { // one was used, the other was let
			require.Equal(t, http.StatusUnprocessableEntity, rita.Post("/admin/claim", "user", "second", "proof", used).Code)
		}
		require.EqualValues(t, 2, s.One("SELECT count(*) FROM moderation_log WHERE action = 'claim'"))
		require.Contains(t, s.Visitor().Page("/u/second"), "Imported from forum.example:8443, where it is by Two.")
		require.Contains(t, s.Visitor().Page("/claim?user=second"), "I am Two at forum.example:8443")
	})
	t.Run("it can be claimed once", func(t *testing.T) {
		require.NotContains(t, s.Visitor().Page("/u/imported"), "Is it yours?")
		require.Equal(t, http.StatusNotFound, s.Visitor().Get("/claim?user=imported").Code)
		require.Equal(t, http.StatusNotFound, s.Visitor().Get("/claim?user=nobody").Code)
		require.Equal(t, http.StatusNotFound, s.Visitor().Get(otherLink).Code)
		require.Equal(t, http.StatusNotFound, rita.Post("/admin/claim", "user", "imported", "proof", other).Code)
	})
}
