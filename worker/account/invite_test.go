package account_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

// TestInvitations has people sign up by invitation, by every way of making an account.
func TestInvitations(t *testing.T) {
	s := workertest.MustOpen(t)
	rita, ann := s.Admin("rita"), s.Member("ann")
	const invites, tree = "/settings/invites", "/admin/invites"
	signUp := func(name, code string) (int, string) {
		res := s.Visitor().Post("/signup", "username", name, "password", "correct horse", "invite", code)
		return res.Code, res.Body.String()
	}
	newest := func() string { return s.One("SELECT code FROM invites ORDER BY id DESC LIMIT 1").(string) }
	invite := func(b *workertest.Browser, uses string) string {
		require.Equal(t, invites, b.MustPost(invites, "uses", uses, "days", "7"))
		return newest()
	}

	t.Run("nobody invites where sign-up is open", func(t *testing.T) {
		require.Equal(t, http.StatusForbidden, rita.Post(invites, "uses", "1", "days", "1").Code)
		require.NotContains(t, s.Visitor().Page("/signup"), "invitation")
		require.NotContains(t, rita.Page("/settings"), invites)
		code, _ := signUp("early", "")
		require.Equal(t, http.StatusSeeOther, code)
	})
	rita.MustPost(workertest.SiteSettings, "sign_up", "invitation")
	t.Run("without a code there is no account", func(t *testing.T) {
		before := s.One("SELECT count(*) FROM users")
		for _, code := range []string{"", "wrong"} {
			status, page := signUp("ben", code)
			require.Equal(t, http.StatusUnprocessableEntity, status)
			require.Contains(t, page, "invitation")
		}
		require.Equal(t, http.StatusUnprocessableEntity, s.Visitor().Post("/passkeys/challenge", "for", "sign-up", "username", "ben").Code)
		require.Equal(t, before, s.One("SELECT count(*) FROM users"))
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM sign_in_networks n WHERE NOT EXISTS (SELECT 1 FROM users u WHERE u.id = n.user_id)"))
	})
	t.Run("administrators invite, members if they may", func(t *testing.T) {
		require.Equal(t, http.StatusForbidden, ann.Post(invites, "uses", "1", "days", "1").Code)
		require.NotContains(t, ann.Page("/settings"), invites)
		require.Contains(t, rita.Page("/settings"), invites)
		for _, wrong := range [][]string{{"uses", "0", "days", "1"}, {"uses", "26", "days", "1"}, {"uses", "1", "days", "31"}, {"uses", "1"}} {
			require.Equal(t, http.StatusUnprocessableEntity, rita.Post(invites, wrong...).Code)
		}
		code := invite(rita, "1")
		require.Contains(t, rita.Page(invites), "/signup?invite="+code)
		require.NotContains(t, ann.Page(invites), code)
		visitor := s.Visitor()
		visitor.Jar = map[string]string{}
		require.Contains(t, visitor.Page("/signup?invite="+code), `value="`+code+`"`)
		require.Contains(t, visitor.Page("/signup"), `value="`+code+`"`, "on the way back from elsewhere")
		require.Equal(t, http.StatusOK, s.Visitor().Post("/passkeys/challenge", "for", "sign-up", "username", "ben", "invite", code).Code)
		status, _ := signUp("ben", code)
		require.Equal(t, http.StatusSeeOther, status)
		status, _ = signUp("ben2", code)
		require.Equal(t, http.StatusUnprocessableEntity, status, "it was for one")
		rita.MustPost(workertest.SiteSettings, "inviters", "members")
		s.Now = s.Now.Add(time.Minute)
		require.Contains(t, ann.Page("/settings"), invites)
	})
	ben := s.LogIn("ben", "")
	t.Run("it is sent twice and made once, ends, and runs out", func(t *testing.T) {
		form := []string{"uses", "5", "days", "1", "token", "0123456789abcdef0123"}
		ben.MustPost(invites, form...)
		ben.MustPost(invites, form...)
		require.Equal(t, int64(2), s.One("SELECT count(*) FROM invites"))
		code := newest()
		status, _ := signUp("carl", code)
		require.Equal(t, http.StatusSeeOther, status)
		id := strings.Split(strings.Split(ben.Page(invites), `name="id" value="`)[1], `"`)[0]
		ann.MustPost(invites, "do", "end", "id", id)
		status, _ = signUp("dora", code)
		require.Equal(t, http.StatusSeeOther, status, "it is not Ann's to end")
		ben.MustPost(invites, "do", "end", "id", id)
		status, _ = signUp("eve", code)
		require.Equal(t, http.StatusUnprocessableEntity, status)
		code = invite(ben, "5")
		s.Now = s.Now.Add(7*24*time.Hour + time.Second)
		status, _ = signUp("eve", code)
		require.Equal(t, http.StatusUnprocessableEntity, status)
		code = invite(ben, "5")
		s.Exec("UPDATE users SET status = 'suspended' WHERE username = 'ben'")
		status, _ = signUp("eve", code)
		require.Equal(t, http.StatusUnprocessableEntity, status, "who was suspended invites nobody")
		s.Exec("UPDATE users SET status = 'active' WHERE username = 'ben'")
	})
	t.Run("the tree is for administrators", func(t *testing.T) {
		code := invite(s.LogIn("carl", ""), "2")
		status, _ := signUp("finn", code)
		require.Equal(t, http.StatusSeeOther, status)
		require.Equal(t, http.StatusForbidden, ann.Get(tree).Code)
		require.Contains(t, rita.Page(tree), "by carl")
		names := func(page string) (list []string) {
			for _, part := range strings.Split(page, `href="/admin/invites?user=`)[1:] {
				list = append(list, part[:strings.Index(part, `"`)])
			}
			return list
		}
		require.Equal(t, []string{"ben", "carl", "finn", "dora"}, names(rita.Page(tree+"?user=Rita")), "each behind who has invited them")
		require.Equal(t, []string{"carl", "ben", "rita"}, names(rita.Page(tree+"?user=finn")), "who has invited them")
		require.Equal(t, http.StatusNotFound, rita.Get(tree+"?user=nobody").Code)
	})
	t.Run("all below a member are suspended, and restored", func(t *testing.T) {
		require.Contains(t, rita.Page(tree+"?user=ben"), "3 are below: 3 active, 0 suspended, 0 banned.")
		require.Equal(t, http.StatusForbidden, ann.Post(tree, "user", "ben", "decision", "suspend", "rule", "Spam").Code)
		require.Contains(t, rita.Post(tree, "user", "ben", "decision", "suspend", "text", "Typed").Body.String(),
			"Please choose the rule that they have broken.")
		require.Equal(t, http.StatusNotFound, rita.Post(tree, "user", "nobody", "decision", "suspend", "rule", "Spam").Code)
		finn := s.LogIn("finn", "")
		to := rita.MustPost(tree, "user", "ben", "decision", "suspend", "rule", "Spam", "days", "1")
		require.Contains(t, rita.Page(to), "3 of them will be changed")
		require.Contains(t, rita.Page(tree), "Suspending all below ben: 3 left. By rita")
		s.Deliver()
		require.Contains(t, rita.Page(tree+"?user=ben"), "3 are below: 0 active, 3 suspended, 0 banned.")
		require.Equal(t, http.StatusUnauthorized, finn.Post("/communities", "name", "finns").Code)
		require.NotContains(t, rita.Page(tree), "Suspending all")
		s.DeliverAll()
		require.Zero(t, s.One("SELECT count(*) FROM outbox WHERE job = 'decided'"), "they are told without the retry job")
		require.Contains(t, rita.Page(rita.MustPost(tree, "user", "ben", "decision", "suspend", "rule", "Spam", "days", "1")), "Nothing to change")
		rita.MustPost(tree, "user", "ben", "decision", "restore")
		s.Deliver()
		require.Equal(t, http.StatusUnauthorized, finn.Post("/communities", "name", "finns").Code)
		require.Equal(t, http.StatusSeeOther, s.LogIn("finn", "").Post("/communities", "name", "finns").Code)
	})
	t.Run("who comes from a provider needs one, too", func(t *testing.T) {
		code := invite(rita, "1")
		s.GitHub()
		b := s.Visitor()
		b.Jar = map[string]string{}
		b.Page("/signup?invite=" + code)
		b.FromGitHub("good")
		require.Contains(t, b.Page("/auth/new"), `value="`+code+`"`)
		require.Equal(t, http.StatusUnprocessableEntity, b.Post("/auth/new", "username", "octocat").Code)
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM identities"))
		b.MustPost("/auth/new", "username", "octocat", "invite", code)
		require.Equal(t, int64(1), s.One("SELECT count(*) FROM identities"))
	})
	t.Run("twenty at a time", func(t *testing.T) {
		s.Exec("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20) INSERT INTO invites (id, code, user_id, uses, "+
			"expires_at) SELECT i, i, u.id, 1, ?1 FROM n, users u WHERE u.username = 'ann'",
			s.Now.Add(time.Hour).UnixMilli())
		require.Contains(t, s.LogIn("ann", "").Post(invites, "uses", "1", "days", "1").Body.String(), "You have 20 invitations")
	})
}
