package moderation_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/accounts/suspensions"
	"plaza/test/workertest"
)

// appealsOfSuspensions has members appeal who can't log in. rita is an administrator.
func appealsOfSuspensions(t *testing.T, s *workertest.Site, rita *workertest.Browser) {
	s.Exec("DELETE FROM conversations")
	otto, sue, tim := s.Admin("otto"), s.Member("sue"), s.Member("tim")
	const users, mail = "/admin/users", "/admin/mail"
	judge := func(b *workertest.Browser, name, decision string, more ...string) {
		s.Helper()
		b.MustPost(users, append([]string{"user", name, "decision", decision, "rule", "Spam"}, more...)...)
		s.DeliverAll()
	}
	// appeal is the conversation of the newest one.
	appeal := func() string {
		s.Helper()
		return "/messages/" + data.ID(s.One("SELECT max(id) FROM conversations WHERE decision_id <> 0").(int64)).Text()
	}
	var link, at string

	t.Run("who logs in reads why and gets a link", func(t *testing.T) {
		s.T = t
		judge(rita, "sue", "suspend", "days", "3", "text", "Enough.")
		var page string
		page, link = s.Outside("sue")
		for _, says := range []string{"Your account is suspended", "sue", "Rule: Spam", "Enough.", s.Now.UTC().Add(3 * 24 * time.Hour).
			Format("2 January 2006")} {
			require.Contains(t, page, says)
		}
		program := s.Visitor().WithHeader("Accept", "application/json")
		var result struct {
			Error struct{ Appeal, Message string }
		}
		require.NoError(t, json.Unmarshal(program.Post("/login", "login", "sue", "password", "correct horse").Body.Bytes(), &result))
		require.Contains(t, result.Error.Message, "This account is suspended until ")
		require.Contains(t, s.Visitor().Page(result.Error.Appeal), `name="text"`)
		require.Equal(t, http.StatusUnauthorized, s.Visitor().Post("/login", "login", "sue", "password", "wrong horse").Code)
	})
	t.Run("a link that was changed, has run out or is another member's is refused", func(t *testing.T) {
		s.T = t
		judge(rita, "tim", "suspend")
		_, other := s.Outside("tim")
		mine, theirs := params(t, link), params(t, other)
		before := s.Everything()
		refused := func(link, why string) {
			t.Helper()
			for _, res := range []int{s.Visitor().Get(link).Code, s.Visitor().Post(link, "text", "Let me in").Code,
				sue.Post(link, "text", "Let me in").Code} {
				require.Equal(t, http.StatusForbidden, res, why)
			}
			require.Equal(t, before, s.Everything(), why)
		}
		for _, name := range []string{"member", "decision", "until", "key"} {
			for why, value := range map[string]string{"another's": theirs.Get(name), "none": "", "longer": mine.Get(name) + "0"} {
				if name == "until" && why == "another's" {
					value = "zzzzzzzz"
				}
				changed := params(t, link)
				changed.Set(name, value)
				refused("/suspension?"+changed.Encode(), name+": "+why)
			}
		}
		refused("/suspension", "nothing")
		s.Now = s.Now.Add(30 * time.Minute)
		refused(link, "run out")
		require.Contains(t, s.Visitor().Get(link).Body.String(), "It has expired.")
	})
	t.Run("appeals once, adds to it, and can do nothing else", func(t *testing.T) {
		s.T = t
		_, link = s.Outside("sue")
		b := s.Visitor()
		require.Equal(t, "private, no-store", b.Get(link).Header().Get("Cache-Control"))
		require.Equal(t, http.StatusUnprocessableEntity, b.Post(link, "text", "").Code)
		require.Contains(t, b.Post(link, "text", strings.Repeat("long ", 500)).Body.String(), "long long")
		for range 2 {
			require.Equal(t, link, b.MustPost(link, "text", "It was my cat."))
		}
		at = appeal()
		require.Contains(t, b.Page(link), "It was my cat.")
		b.MustPost(link, "text", "Really.")
		require.Equal(t, int64(2), s.One("SELECT count(*) FROM conversation_messages WHERE conversation_id = (SELECT max(id) FROM conversations)"))
		require.Empty(t, b.Cookie)
		require.Equal(t, http.StatusSeeOther, b.Get(at).Code, "to the login page")
		require.Equal(t, http.StatusUnauthorized, b.Post(at, "text", "x").Code)
	})
	t.Run("another administrator sees it first, and answers without the name", func(t *testing.T) {
		s.T = t
		require.Contains(t, otto.Page(mail), at)
		require.NotContains(t, rita.Page(mail), at)
		require.NotContains(t, rita.Page("/inbox/moderation"), at)
		require.Equal(t, http.StatusNotFound, rita.Post(at+"/verdict", "verdict", "overturned").Code)
		decision := regexp.MustCompile(`/decisions/\w+`).FindString(otto.Page(at))
		require.Contains(t, otto.Page(decision), "The account was suspended")
		otto.MustPost(at, "text", "A black one?")
		otto.MustPost(at, "text", "A likely story.", "do", "note")
		_, link = s.Outside("sue")
		page := s.Visitor().Page(link)
		require.Contains(t, page, "A black one?")
		require.NotContains(t, page, "A likely story.")
		require.NotRegexp(t, `\botto\b`, page)
	})
	t.Run("overturned: the member can log in, and the link leads nowhere any more", func(t *testing.T) {
		s.T = t
		otto.MustPost(at+"/verdict", "verdict", "overturned", "text", "Cats.")
		s.DeliverAll()
		require.Contains(t, s.Visitor().Page(link), "no longer applies")
		require.Equal(t, http.StatusUnauthorized, s.Visitor().Post(link, "text", "Thank you").Code)
		back := s.LogIn("sue", "")
		require.Contains(t, back.Page("/messages"), at)
		require.Contains(t, back.Page("/inbox"), "Your account is active again")
		require.Contains(t, s.Visitor().Page("/log"), "restored a member")
		require.NotNil(t, s.One("SELECT undone_by FROM moderation_log WHERE id = (SELECT max(id) FROM moderation_log WHERE action = 'suspend' "+
			"AND rule = 'Spam' AND note = 'Enough.')"))
	})
	t.Run("upheld: it stays, and the log says so", func(t *testing.T) {
		s.T = t
		judge(rita, "sue", "ban-site")
		_, link = s.Outside("sue")
		s.Visitor().MustPost(link, "text", "Again?")
		otto.MustPost(appeal()+"/verdict", "verdict", "upheld", "text", "Yes.")
		page, link := s.Outside("sue")
		require.Contains(t, page, "Your account is banned")
		page = s.Visitor().Page(link)
		require.Contains(t, page, "The decision was reviewed and upheld.")
		require.NotContains(t, page, `name="text"`)
		require.Equal(t, http.StatusUnprocessableEntity, s.Visitor().Post(link, "text", "But").Code)
		require.Contains(t, s.Visitor().Page("/log"), "reviewed and upheld the decision about a member")
	})
	t.Run("an appeal against an earlier decision does not lift the present one", func(t *testing.T) {
		s.T = t
		_, link = s.Outside("tim")
		s.Visitor().MustPost(link, "text", "Why?")
		at = appeal()
		judge(rita, "tim", "ban-site")
		require.Contains(t, s.Visitor().Page(link), "no longer applies")
		require.Equal(t, http.StatusUnauthorized, s.Visitor().Post(link, "text", "Hello?").Code)
		otto.MustPost(at+"/verdict", "verdict", "overturned")
		require.Equal(t, "banned", s.One("SELECT status FROM users WHERE username = 'tim'"))
		require.Equal(t, http.StatusUnauthorized, tim.Post("/follow", "user", "otto", "on", "1").Code)
	})
	t.Run("from the command line: all administrators see it", func(t *testing.T) {
		s.T = t
		s.Member("uwe")
		require.NoError(t, (&suspensions.Store{Base: data.Base{DB: s.Config.DB, Source: s.Config.Source}}).Suspend(t.Context(), "uwe"))
		_, link = s.Outside("uwe")
		s.Visitor().MustPost(link, "text", "Who was that?")
		at = appeal()
		require.Contains(t, otto.Page(mail), at)
		rita.MustPost(at+"/verdict", "verdict", "overturned")
		s.LogIn("uwe", "")
		require.Contains(t, s.Visitor().Page("/log"), "Whoever runs the site suspended a member")
	})
	t.Run("who was refused reads that, and appeals alike", func(t *testing.T) {
		s.T = t
		s.Member("vic")
		s.Exec("UPDATE users SET waiting = 'Hello' WHERE username = 'vic'")
		rita.MustPost("/admin/waiting", "newcomer", data.ID(s.One("SELECT id FROM users WHERE username = 'vic'").(int64)).Text(), "decision",
			"refuse")
		page, link := s.Outside("vic")
		require.Contains(t, page, "Your sign-up was refused")
		s.Visitor().MustPost(link, "text", "I can do better.")
		at = appeal()
		require.NotContains(t, rita.Page(mail), at)
		otto.MustPost(at+"/verdict", "verdict", "overturned")
		s.LogIn("vic", "").MustPost("/follow", "user", "otto", "on", "1")
		require.Contains(t, s.Visitor().Page("/log"), "refused an account")
	})
	t.Run("who has an authenticator app is told after its code", func(t *testing.T) {
		s.T = t
		yen := s.Member("yen")
		s.Authenticator(yen)
		judge(rita, "yen", "suspend")
		res := s.Visitor().Post("/login", "login", "yen", "password", "correct horse")
		require.Equal(t, http.StatusOK, res.Code)
		require.NotContains(t, res.Body.String(), "suspended")
	})
}

func params(t *testing.T, link string) url.Values {
	t.Helper()
	u, err := url.Parse(link)
	require.NoError(t, err)
	return u.Query()
}
