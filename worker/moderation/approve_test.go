package moderation_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
)

// TestApproval has newcomers wait for an administrator, whichever way they sign up.
func TestApproval(t *testing.T) {
	s := workertest.MustOpen(t)
	rita, ann := s.Admin("rita"), s.Member("ann")
	const list = "/admin/waiting"
	ann.MustPost("/communities", "name", "gophers")
	post := workertest.Targets(ann.Page(ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")))[0]
	says := func(b *workertest.Browser) int { return b.Post("/comment", "post", post, "body", "said").Code }
	id := func(name string) string {
		return data.ID(s.One("SELECT id FROM users WHERE username = ?1", name).(int64)).Text()
	}
	require.Equal(t, http.StatusUnprocessableEntity, rita.Post(workertest.SiteSettings, "sign_up", "approval").Code, "it needs a question")
	rita.MustPost(workertest.SiteSettings, "sign_up", "approval", "question", "What brings you here?")

	t.Run("a newcomer answers, reads, and does not write", func(t *testing.T) {
		require.Contains(t, s.Visitor().Page("/signup"), "What brings you here?")
		require.Equal(t, http.StatusUnprocessableEntity, s.Visitor().Post("/signup", "username", "ben", "password", "correct horse").Code)
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM users WHERE username = 'ben'"))
		ben := s.Visitor()
		ben.MustPost("/signup", "username", "ben", "password", "correct horse", "answer", "Gophers.")
		for _, b := range []*workertest.Browser{ben, s.LogIn("ben", "")} {
			require.Contains(t, b.Page("/c/gophers"), "Your account waits for an administrator.")
			for path, fields := range map[string][]string{"/comment": {"post", post, "body", "said"}, "/vote": {"target", post, "value", "1"},
				"/communities": {"name", "bens"},
				"/submit":      {"community", "gophers", "title", "Ben's", "text", "text"}, "/report": {"target", post, "reason", "Spam"},
				"/settings/tokens": {"name", "x", "write", "1"}} {
				require.Equal(t, http.StatusForbidden, b.Post(path, fields...).Code, path)
			}
		}
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM comments"))
		require.Equal(t, http.StatusSeeOther, says(ann), "who was here before need not wait")
	})
	t.Run("who comes from a provider waits, too", func(t *testing.T) {
		s.GitHub()
		b := s.Visitor()
		b.Jar = map[string]string{}
		b.FromGitHub("good")
		require.Contains(t, b.Page("/auth/new"), "What brings you here?")
		require.Equal(t, http.StatusUnprocessableEntity, b.Post("/auth/new", "username", "octocat").Code)
		b.MustPost("/auth/new", "username", "octocat", "answer", "Octopuses.")
		require.Equal(t, http.StatusForbidden, says(b))
	})
	t.Run("administrators approve and refuse, several at once", func(t *testing.T) {
		for _, name := range []string{"carl", "dora"} {
			s.Visitor().MustPost("/signup", "username", name, "password", "correct horse", "answer", "Hello <there>")
		}
		ben, carl := s.LogIn("ben", ""), s.LogIn("carl", "")
		require.Contains(t, rita.Page("/admin"), `Waiting for approval</a><strong>4 waiting`)
		require.Contains(t, rita.Page(list), "Hello &lt;there&gt;")
		require.Equal(t, http.StatusForbidden, ann.Get(list).Code)
		require.Equal(t, http.StatusForbidden, ben.Post(list, "newcomer", id("ben"), "decision", "approve").Code)
		decide := func(decision string, names ...string) string {
			form := url.Values{"decision": {decision}}
			for _, name := range names {
				form.Add("newcomer", id(name))
			}
			return rita.PostBody(list, "application/x-www-form-urlencoded", form.Encode()).Header().Get("Location")
		}
		require.Contains(t, ben.Page("/welcome"), "Until then you can read everything")
		require.NotContains(t, ben.Page("/welcome"), "Join all")
		require.Equal(t, list+"?decided=2", decide("approve", "ben", "dora"))
		require.Contains(t, s.Visitor().Page("/log"), `approved the account <a href="/u/ben"`)
		require.Contains(t, s.Visitor().Page("/log/numbers"), "2 accounts approved")
		require.Equal(t, list+"?decided=0", decide("refuse", "ben", "ann"), "they don't wait")
		require.Equal(t, list+"?decided=1", rita.MustPost(list, "newcomer", id("carl"), "decision", "refuse"))
		require.Equal(t, http.StatusForbidden, says(ben), "the session does not know yet")
		s.Now = s.Now.Add(data.MemberCacheTTL + time.Second)
		require.NotContains(t, ben.Page("/c/gophers"), "waits for an administrator")
		require.Equal(t, http.StatusSeeOther, says(ben))
		require.Equal(t, http.StatusForbidden, says(carl))
		require.Equal(t, http.StatusForbidden, s.Visitor().Post("/login", "login", "carl", "password", "correct horse").Code)
		require.Equal(t, http.StatusSeeOther, says(s.LogIn("dora", "")))
		require.NotRegexp(t, `\bcarl\b`, rita.Page(list))
	})
}
