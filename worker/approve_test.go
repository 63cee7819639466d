package worker_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
)

// TestApproval has newcomers wait for an administrator, whichever way they sign up.
func TestApproval(t *testing.T) {
	s := mustOpen(t)
	rita, ann := s.admin("rita"), s.member("ann")
	const list = "/admin/waiting"
	ann.mustPost("/communities", "name", "gophers")
	post := targets(ann.page(ann.mustPost("/submit", "community", "gophers", "title", "A post", "text", "text")))[0]
	says := func(b *browser) int { return b.post("/comment", "post", post, "body", "said").Code }
	id := func(name string) string {
		return data.ID(s.one("SELECT id FROM users WHERE username = ?1", name).(int64)).Text()
	}
	require.Equal(t, http.StatusUnprocessableEntity, rita.post(siteSettings, "sign_up", "approval").Code, "it needs a question")
	rita.mustPost(siteSettings, "sign_up", "approval", "question", "What brings you here?")

	t.Run("a newcomer answers, reads, and does not write", func(t *testing.T) {
		require.Contains(t, s.visitor().page("/signup"), "What brings you here?")
		require.Equal(t, http.StatusUnprocessableEntity, s.visitor().post("/signup", "username", "ben", "password", "correct horse").Code)
		require.Equal(t, int64(0), s.one("SELECT count(*) FROM users WHERE username = 'ben'"))
		ben := s.visitor()
		ben.mustPost("/signup", "username", "ben", "password", "correct horse", "answer", "Gophers.")
		for _, b := range []*browser{ben, s.logIn("ben", "")} {
			require.Contains(t, b.page("/c/gophers"), "Your account waits for an administrator.")
			for path, fields := range map[string][]string{"/comment": {"post", post, "body", "said"}, "/vote": {"target", post, "value", "1"}, "/communities": {"name", "bens"},
				"/submit": {"community", "gophers", "title", "Ben's", "text", "text"}, "/report": {"target", post, "reason", "Spam"}, "/settings/tokens": {"name", "x", "write", "1"}} {
				require.Equal(t, http.StatusForbidden, b.post(path, fields...).Code, path)
			}
		}
		require.Equal(t, int64(0), s.one("SELECT count(*) FROM comments"))
		require.Equal(t, http.StatusSeeOther, says(ann), "who was here before need not wait")
	})
	t.Run("who comes from a provider waits, too", func(t *testing.T) {
		s.gitHub()
		b := s.visitor()
		b.jar = map[string]string{}
		b.fromGitHub("good")
		require.Contains(t, b.page("/auth/new"), "What brings you here?")
		require.Equal(t, http.StatusUnprocessableEntity, b.post("/auth/new", "username", "octocat").Code)
		b.mustPost("/auth/new", "username", "octocat", "answer", "Octopuses.")
		require.Equal(t, http.StatusForbidden, says(b))
	})
	t.Run("administrators approve and refuse, several at once", func(t *testing.T) {
		for _, name := range []string{"carl", "dora"} {
			s.visitor().mustPost("/signup", "username", name, "password", "correct horse", "answer", "Hello <there>")
		}
		ben, carl := s.logIn("ben", ""), s.logIn("carl", "")
		require.Contains(t, rita.page("/admin"), `Newcomers</a><span class="muted">4 waiting`)
		require.Contains(t, rita.page(list), "Hello &lt;there&gt;")
		require.Equal(t, http.StatusForbidden, ann.get(list).Code)
		require.Equal(t, http.StatusForbidden, ben.post(list, "newcomer", id("ben"), "decision", "approve").Code)
		decide := func(decision string, names ...string) string {
			form := url.Values{"decision": {decision}}
			for _, name := range names {
				form.Add("newcomer", id(name))
			}
			return rita.postBody(list, "application/x-www-form-urlencoded", form.Encode()).Header().Get("Location")
		}
		require.Contains(t, ben.page("/welcome"), "Until then you can read everything")
		require.NotContains(t, ben.page("/welcome"), "Subscribe to all")
		require.Equal(t, list+"?decided=2", decide("approve", "ben", "dora"))
		require.Contains(t, s.visitor().page("/log"), `approved the newcomer <a href="/u/ben"`)
		require.Contains(t, s.visitor().page("/log/numbers"), "2 newcomers approved")
		require.Equal(t, list+"?decided=0", decide("refuse", "ben", "ann"), "they don't wait")
		require.Equal(t, list+"?decided=1", rita.mustPost(list, "newcomer", id("carl"), "decision", "refuse"))
		require.Equal(t, http.StatusForbidden, says(ben), "the session does not know yet")
		s.now = s.now.Add(data.OwnLife + time.Second)
		require.NotContains(t, ben.page("/c/gophers"), "waits for an administrator")
		require.Equal(t, http.StatusSeeOther, says(ben))
		require.Equal(t, http.StatusForbidden, says(carl))
		require.Equal(t, http.StatusForbidden, s.visitor().post("/login", "login", "carl", "password", "correct horse").Code)
		require.Equal(t, http.StatusSeeOther, says(s.logIn("dora", "")))
		require.NotContains(t, rita.page(list), "carl")
	})
}
