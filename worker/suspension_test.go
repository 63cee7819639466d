package worker_test

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
	"plaza/data/people"
)

// appealsOfSuspensions has members appeal who can't log in. rita is an administrator.
func appealsOfSuspensions(t *testing.T, s *site, rita *browser) {
	s.exec("DELETE FROM conversations")
	otto, sue, tim := s.admin("otto"), s.member("sue"), s.member("tim")
	const users, mail = "/admin/users", "/admin/mail"
	judge := func(b *browser, name, decision string, more ...string) {
		s.Helper()
		b.mustPost(users, append([]string{"user", name, "decision", decision, "rule", "Spam"}, more...)...)
		s.deliverAll()
	}
	// appeal is the conversation of the newest one.
	appeal := func() string {
		s.Helper()
		return "/messages/" + data.ID(s.one("SELECT max(id) FROM conversations WHERE decision_id <> 0").(int64)).Text()
	}
	var link, at string

	t.Run("who logs in reads why and gets a link", func(t *testing.T) {
		s.T = t
		judge(rita, "sue", "suspend", "days", "3", "text", "Enough.")
		var page string
		page, link = s.outside("sue")
		for _, says := range []string{"Your account is suspended", "sue", "Rule: Spam", "Enough.", s.now.UTC().Add(3 * 24 * time.Hour).Format("2 January 2006")} {
			require.Contains(t, page, says)
		}
		program := s.visitor().withHeader("Accept", "application/json")
		var answer struct {
			Error struct{ Appeal, Message string }
		}
		require.NoError(t, json.Unmarshal(program.post("/login", "login", "sue", "password", "correct horse").Body.Bytes(), &answer))
		require.Contains(t, answer.Error.Message, "This account is suspended until ")
		require.Contains(t, s.visitor().page(answer.Error.Appeal), `name="text"`)
		require.Equal(t, http.StatusUnauthorized, s.visitor().post("/login", "login", "sue", "password", "wrong horse").Code)
	})
	t.Run("a link that was changed, has run out or is another member's is refused", func(t *testing.T) {
		s.T = t
		judge(rita, "tim", "suspend")
		_, other := s.outside("tim")
		mine, theirs := params(t, link), params(t, other)
		before := s.everything()
		refused := func(link, why string) {
			t.Helper()
			for _, res := range []int{s.visitor().get(link).Code, s.visitor().post(link, "text", "Let me in").Code, sue.post(link, "text", "Let me in").Code} {
				require.Equal(t, http.StatusForbidden, res, why)
			}
			require.Equal(t, before, s.everything(), why)
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
		s.now = s.now.Add(30 * time.Minute)
		refused(link, "run out")
		require.Contains(t, s.visitor().get(link).Body.String(), "It was for half an hour.")
	})
	t.Run("appeals once, adds to it, and can do nothing else", func(t *testing.T) {
		s.T = t
		_, link = s.outside("sue")
		b := s.visitor()
		require.Equal(t, "private, no-store", b.get(link).Header().Get("Cache-Control"))
		require.Equal(t, http.StatusUnprocessableEntity, b.post(link, "text", "").Code)
		require.Contains(t, b.post(link, "text", strings.Repeat("long ", 500)).Body.String(), "long long")
		for range 2 {
			require.Equal(t, link, b.mustPost(link, "text", "It was my cat."))
		}
		at = appeal()
		require.Contains(t, b.page(link), "It was my cat.")
		b.mustPost(link, "text", "Really.")
		require.Equal(t, int64(2), s.one("SELECT count(*) FROM conversation_messages WHERE conversation_id = (SELECT max(id) FROM conversations)"))
		require.Empty(t, b.cookie)
		require.Equal(t, http.StatusSeeOther, b.get(at).Code, "to the login page")
		require.Equal(t, http.StatusUnauthorized, b.post(at, "text", "x").Code)
	})
	t.Run("another administrator sees it first, and answers without the name", func(t *testing.T) {
		s.T = t
		require.Contains(t, otto.page(mail), at)
		require.NotContains(t, rita.page(mail), at)
		require.NotContains(t, rita.page("/inbox/moderation"), at)
		require.Equal(t, http.StatusNotFound, rita.post(at+"/verdict", "verdict", "overturned").Code)
		decision := regexp.MustCompile(`/decisions/\w+`).FindString(otto.page(at))
		require.Contains(t, otto.page(decision), "The account was suspended")
		otto.mustPost(at, "text", "A black one?")
		otto.mustPost(at, "text", "A likely story.", "do", "note")
		_, link = s.outside("sue")
		page := s.visitor().page(link)
		require.Contains(t, page, "A black one?")
		require.NotContains(t, page, "A likely story.")
		require.NotContains(t, page, "otto")
	})
	t.Run("overturned: the member can log in, and the link leads nowhere any more", func(t *testing.T) {
		s.T = t
		otto.mustPost(at+"/verdict", "verdict", "overturned", "text", "Cats.")
		s.deliverAll()
		require.Contains(t, s.visitor().page(link), "does not stand any more")
		require.Equal(t, http.StatusUnauthorized, s.visitor().post(link, "text", "Thank you").Code)
		back := s.logIn("sue", "")
		require.Contains(t, back.page("/messages"), at)
		require.Contains(t, back.page("/inbox"), "Your account is active again")
		require.Contains(t, s.visitor().page("/log"), "restored a member")
		require.NotNil(t, s.one("SELECT undone_by FROM moderation_log WHERE id = (SELECT max(id) FROM moderation_log WHERE action = 'suspend' AND rule = 'Spam' AND note = 'Enough.')"))
	})
	t.Run("upheld: it stays, and the log says so", func(t *testing.T) {
		s.T = t
		judge(rita, "sue", "ban-site")
		_, link = s.outside("sue")
		s.visitor().mustPost(link, "text", "Again?")
		otto.mustPost(appeal()+"/verdict", "verdict", "upheld", "text", "Yes.")
		page, link := s.outside("sue")
		require.Contains(t, page, "Your account is banned")
		page = s.visitor().page(link)
		require.Contains(t, page, "The decision was looked at again, and stands.")
		require.NotContains(t, page, `name="text"`)
		require.Equal(t, http.StatusUnprocessableEntity, s.visitor().post(link, "text", "But").Code)
		require.Contains(t, s.visitor().page("/log"), "looked again and upheld the decision about a member")
	})
	t.Run("an appeal against an earlier decision does not lift the present one", func(t *testing.T) {
		s.T = t
		_, link = s.outside("tim")
		s.visitor().mustPost(link, "text", "Why?")
		at = appeal()
		judge(rita, "tim", "ban-site")
		require.Contains(t, s.visitor().page(link), "does not stand any more")
		require.Equal(t, http.StatusUnauthorized, s.visitor().post(link, "text", "Hello?").Code)
		otto.mustPost(at+"/verdict", "verdict", "overturned")
		require.Equal(t, "banned", s.one("SELECT status FROM users WHERE username = 'tim'"))
		require.Equal(t, http.StatusUnauthorized, tim.post("/follow", "user", "otto", "on", "1").Code)
	})
	t.Run("from the command line: all administrators see it", func(t *testing.T) {
		s.T = t
		s.member("uwe")
		require.NoError(t, (&people.Store{DB: s.config.DB, Source: s.config.Source}).Suspend(t.Context(), "uwe"))
		_, link = s.outside("uwe")
		s.visitor().mustPost(link, "text", "Who was that?")
		at = appeal()
		require.Contains(t, otto.page(mail), at)
		rita.mustPost(at+"/verdict", "verdict", "overturned")
		s.logIn("uwe", "")
		require.Contains(t, s.visitor().page("/log"), "Whoever runs the site suspended a member")
	})
	t.Run("who was refused reads that, and appeals alike", func(t *testing.T) {
		s.T = t
		s.member("vic")
		s.exec("UPDATE users SET waiting = 'Hello' WHERE username = 'vic'")
		rita.mustPost("/admin/waiting", "newcomer", data.ID(s.one("SELECT id FROM users WHERE username = 'vic'").(int64)).Text(), "decision", "refuse")
		page, link := s.outside("vic")
		require.Contains(t, page, "Your application was refused")
		s.visitor().mustPost(link, "text", "I can do better.")
		at = appeal()
		require.NotContains(t, rita.page(mail), at)
		otto.mustPost(at+"/verdict", "verdict", "overturned")
		s.logIn("vic", "").mustPost("/follow", "user", "otto", "on", "1")
		require.Contains(t, s.visitor().page("/log"), "refused a newcomer")
	})
	t.Run("who has an authenticator app is told after its code", func(t *testing.T) {
		s.T = t
		yen := s.member("yen")
		s.authenticator(yen)
		judge(rita, "yen", "suspend")
		res := s.visitor().post("/login", "login", "yen", "password", "correct horse")
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
