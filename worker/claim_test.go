package worker_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestClaim has somebody claim an account that came by an import.
func TestClaim(t *testing.T) {
	s := mustOpen(t)
	rita := s.admin("rita")
	s.exec("INSERT INTO users (id, username, username_key, password_hash, created_at, origin, unclaimed) VALUES (60, 'imported', 'imported', '', 1, 'reddit:Some_One', 1)")
	claim := func() (proof, link string) {
		page := s.visitor().page("/claim?user=imported")
		found := regexp.MustCompile(`<code>([^<]{43})</code>`).FindStringSubmatch(page)
		links := regexp.MustCompile(`<code>https://plaza\.example(/link\?token=[^<]+)</code>`).FindStringSubmatch(page)
		require.Len(t, found, 2)
		require.Len(t, links, 2)
		return found[1], links[1]
	}
	require.Contains(t, s.visitor().page("/u/imported"), `Brought from reddit, where it is by Some_One. <a href="/claim?user=imported"`)
	proof, link := claim()
	other, otherLink := claim()
	require.NotEqual(t, proof, other)

	use := func(b *browser, password string) *httptest.ResponseRecorder {
		return b.post("/link", append(formOf(t, b.page(link), "/link"), "password", password)...)
	}

	t.Run("nobody logs in before an administrator has looked", func(t *testing.T) {
		require.Equal(t, http.StatusUnprocessableEntity, s.visitor().post("/login", "login", "imported", "password", "").Code)
		require.Equal(t, http.StatusNotFound, s.visitor().get(link).Code)
		require.Equal(t, http.StatusUnprocessableEntity, s.visitor().post("/signup", "username", "imported", "password", "correct horse").Code)
	})
	t.Run("administrators are told where to look", func(t *testing.T) {
		v := s.visitor()
		res := v.post("/contact", append(formOf(t, v.page("/claim?user=imported"), "/contact"), "body", "I claim it. See https://reddit.example/x")...)
		require.Equal(t, http.StatusSeeOther, res.Code)
		require.Contains(t, rita.page("/admin/messages"), "I claim it.")
	})
	t.Run("whoever has the secret of what they found chooses a password", func(t *testing.T) {
		require.Equal(t, http.StatusUnprocessableEntity, rita.post("/admin/claim", "user", "imported", "proof", "what?").Code)
		require.Equal(t, http.StatusNotFound, rita.post("/admin/claim", "user", "rita", "proof", proof).Code, "an account that did not come by an import")
		rita.mustPost("/admin/claim", "user", "Imported", "proof", " "+proof+" ")
		rita.mustPost("/admin/claim", "user", "imported", "proof", other)
		require.Equal(t, http.StatusUnprocessableEntity, use(s.visitor(), "short").Code)
		b := s.visitor()
		require.Equal(t, http.StatusSeeOther, use(b, "correct horse").Code)
		require.Contains(t, s.logIn("imported", "").page("/settings"), "imported")
		require.Contains(t, s.visitor().page("/log"), "gave to its owner elsewhere the account ")
	})
	t.Run("a text is of one account", func(t *testing.T) {
		s.exec("INSERT INTO users (id, username, username_key, password_hash, created_at, origin, unclaimed) VALUES (61, 'second', 'second', '', 1, 'forum.example:8443:Two', 1)")
		for _, used := range []string{proof, other} { // one was used, the other was let
			require.Equal(t, http.StatusUnprocessableEntity, rita.post("/admin/claim", "user", "second", "proof", used).Code)
		}
		require.EqualValues(t, 2, s.one("SELECT count(*) FROM moderation_log WHERE action = 'claim'"))
		require.Contains(t, s.visitor().page("/u/second"), "Brought from forum.example:8443, where it is by Two.")
		require.Contains(t, s.visitor().page("/claim?user=second"), "I am Two at forum.example:8443")
	})
	t.Run("it can be claimed once", func(t *testing.T) {
		require.NotContains(t, s.visitor().page("/u/imported"), "Is it yours?")
		require.Equal(t, http.StatusNotFound, s.visitor().get("/claim?user=imported").Code)
		require.Equal(t, http.StatusNotFound, s.visitor().get("/claim?user=nobody").Code)
		require.Equal(t, http.StatusNotFound, s.visitor().get(otherLink).Code)
		require.Equal(t, http.StatusNotFound, rita.post("/admin/claim", "user", "imported", "proof", other).Code)
	})
}
