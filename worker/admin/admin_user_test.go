package admin_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

// TestJudge has an administrator suspend, ban and restore a member, of whose cookie somebody keeps a copy.
func TestJudge(t *testing.T) {
	s := workertest.MustOpen(t)
	rita, ann, ben := s.Admin("rita"), s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	post := workertest.Targets(ann.Page(ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")))[0]
	const list = "/admin/users"
	says := func(b *workertest.Browser) int { return b.Post("/comment", "post", post, "body", "said").Code }
	logIn := func() (int, string) {
		res := s.Visitor().Post("/login", "login", "ben", "password", "correct horse")
		return res.Code, res.Body.String()
	}

	t.Run("is for administrators, and not about them", func(t *testing.T) {
		require.Contains(t, rita.Page(list), `href="/u/ben"`)
		require.Contains(t, rita.Page("/u/ben"), `href="/admin/users?user=ben"`)
		require.NotContains(t, ann.Page("/u/ben"), "/admin/users")
		require.Equal(t, http.StatusForbidden, ann.Get(list).Code)
		require.Contains(t, rita.Post(list, "user", "rita", "decision", "suspend", "rule", "Spam").Body.String(),
			"Administrators can&#39;t be suspended.")
		require.Contains(t, rita.Post(list, "user", "ben", "decision", "suspend", "text", "Typed").Body.String(),
			"Please choose the rule that they have broken.")
		require.Equal(t, http.StatusNotFound, rita.Post(list, "user", "nobody", "decision", "suspend", "rule", "Spam").Code)
		require.Contains(t, rita.Post(list, "user", "ben", "decision", "restore").Body.String(), "They are neither suspended nor banned.")
		require.Equal(t, http.StatusSeeOther, says(ben))
	})
	t.Run("lists members by karma, too", func(t *testing.T) {
		rita.MustPost("/vote?target="+post, "value", "1")
		s.Deliver()
		require.NoError(t, s.App.Scheduled(s.Context(), s.Now))
		page := rita.Page(list + "?by=rating")
		require.Less(t, strings.Index(page, `href="/u/ann"`), strings.Index(page, `href="/u/ben"`))
		require.Contains(t, page, "1 karma")
		require.Contains(t, page, `href="/admin/users?by=rating&amp;status=banned"`)
		require.Equal(t, http.StatusBadRequest, rita.Get(list+"?by=rating&after=x").Code)
	})
	t.Run("a suspension says why, and ends by itself", func(t *testing.T) {
		until := s.Now.UTC().Truncate(time.Minute).Add(3*24*time.Hour).Format("2 January 2006, 15:04") + " UTC"
		for range 2 {
			require.Equal(t, list+"?status=suspended", rita.MustPost(list, "user", "ben", "decision", "suspend", "rule", "Spam", "days", "3", "text",
				"Enough."))
		}
		require.Equal(t, int64(1), s.One("SELECT count(*) FROM moderation_log WHERE action = 'suspend'"))
		require.Equal(t, http.StatusUnauthorized, says(ben))
		code, page := logIn()
		require.Equal(t, http.StatusForbidden, code)
		for _, says := range []string{"Your account is suspended", until, "Rule: Spam", "The administrators wrote: Enough."} {
			require.Contains(t, page, says)
		}
		require.Contains(t, rita.Page(list+"?status=suspended"), `href="/u/ben"`)
		require.NotContains(t, rita.Page(list), `href="/u/ben"`)
		require.Contains(t, s.Visitor().Page("/log"), "suspended a member until <time")

		s.Now = s.Now.Add(3*24*time.Hour - time.Hour)
		require.NoError(t, s.App.Scheduled(s.Context(), s.Now))
		code, _ = logIn()
		require.Equal(t, http.StatusForbidden, code)
		s.Now = s.Now.Add(2 * time.Hour)
		require.NoError(t, s.App.Scheduled(s.Context(), s.Now))
		require.Equal(t, http.StatusUnauthorized, says(ben), "the session from before stays void")
		require.Equal(t, http.StatusSeeOther, says(s.LogIn("ben", "")))
		require.Contains(t, rita.Page(list+"?status=suspended"), "Nobody is suspended.")
	})
	t.Run("a ban lasts until it is taken back", func(t *testing.T) {
		again := s.LogIn("ben", "")
		rita.MustPost(list, "user", "ben", "decision", "ban-site", "rule", "Breaks the law")
		s.Now = s.Now.Add(25 * 24 * time.Hour)
		require.NoError(t, s.App.Scheduled(s.Context(), s.Now))
		code, page := logIn()
		require.Equal(t, http.StatusForbidden, code)
		require.Contains(t, page, "Your account is banned")
		require.Contains(t, page, "Rule: Breaks the law")
		rita = s.LogIn("rita", "")
		require.Contains(t, rita.Page(list+"?status=banned"), `href="/u/ben"`)
		rita.MustPost(list, "user", "ben", "decision", "restore")
		require.Equal(t, http.StatusUnauthorized, says(again))
		require.Equal(t, http.StatusSeeOther, says(s.LogIn("ben", "")))
		require.Equal(t, [][]any{{"suspend", int64(0)}, {"ban-site", int64(1)}, {"restore", int64(0)}},
			s.Sql.Rows("SELECT action, undone_by IS NOT NULL FROM moderation_log WHERE community_id = 0 ORDER BY id"))
	})
}
