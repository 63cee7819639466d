package worker_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/modmail"
)

// judged are the verdicts that nobody has carried out yet.
func (s *site) judged() [][]any {
	return s.sql.RowsOfAll("SELECT subject_id FROM outbox WHERE work = 'judged'")
}

func TestAppeals(t *testing.T) {
	s := mustOpen(t)
	ann, ben, mia, eve, rita := s.member("ann"), s.member("ben"), s.member("mia"), s.member("eve"), s.admin("rita")
	ann.mustPost("/communities", "name", "gophers")
	s.exec("INSERT INTO moderators (community_id, user_id, username, created_at) SELECT k.id, u.id, u.username, 1 FROM communities k, users u WHERE u.username = 'mia'")
	s.now = s.now.Add(time.Minute)
	const decide, bans, mail = "/c/gophers/mod/decide", "/c/gophers/mod/bans", "/c/gophers/mod/mail"
	post := targets(ben.page(ben.mustPost("/submit", "community", "gophers", "title", "Heavy words", "text", "Weighty")))[0]
	remove := func() string {
		s.Helper()
		ann.mustPost(decide, "target", post, "decision", "remove", "rule", "Spam")
		s.deliverAll()
		return s.lastDecision("remove")
	}
	status := func() any { return s.one("SELECT status FROM posts WHERE title = 'Heavy words'") }
	var at, removed string

	t.Run("the author of what was removed appeals once, on the decision's page", func(t *testing.T) {
		s.T = t
		removed = remove()
		require.Contains(t, ben.page(removed), `action="`+removed+`"`)
		require.NotContains(t, ann.page(removed), `action="`+removed+`"`)
		require.Equal(t, http.StatusNotFound, eve.post(removed, "text", "Mine").Code)
		res := ben.post(removed, "text", strings.Repeat("long ", 500))
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "long long")
		at = ben.mustPost(removed, "text", "It breaks no rule.")
		require.Equal(t, at, ben.mustPost(removed, "text", "It breaks no rule."), "a form that is sent twice")
		require.Contains(t, ben.post(removed, "text", "Once more").Body.String(), "You have appealed against this already.")
		require.Contains(t, ben.page(removed), at)
		require.Equal(t, int64(1), s.one("SELECT count(*) FROM conversations"))
	})
	t.Run("another moderator than who has decided sees it first", func(t *testing.T) {
		s.T = t
		require.Contains(t, mia.page(mail), at)
		require.Contains(t, mia.page("/inbox/moderation"), at)
		require.Contains(t, mia.page(at), removed)
		require.NotContains(t, ann.page(mail), at)
		require.NotContains(t, ann.page("/inbox/moderation"), at)
		require.Equal(t, http.StatusNotFound, ann.get(at).Code)
		require.Equal(t, http.StatusNotFound, ann.post(at, "text", "No.").Code)
		require.Equal(t, http.StatusNotFound, ann.post(at+"/verdict", "verdict", "upheld").Code)
		require.Contains(t, rita.page(at), "/verdict")
	})
	t.Run("nobody else decides about it, and not about other conversations", func(t *testing.T) {
		s.T = t
		for _, b := range []*browser{ben, eve} {
			require.Equal(t, http.StatusNotFound, b.post(at+"/verdict", "verdict", "overturned").Code)
		}
		require.Equal(t, http.StatusUnprocessableEntity, mia.post(at+"/verdict", "verdict", "perhaps").Code)
		other := ben.mustPost("/messages", "community", "gophers", "title", "A question", "text", "text")
		require.Equal(t, http.StatusNotFound, mia.post(other+"/verdict", "verdict", "overturned").Code)
		require.Equal(t, "removed", status())
	})
	t.Run("upheld: the member is told, the log says so, and it is final", func(t *testing.T) {
		s.T = t
		mia.mustPost(at+"/verdict", "verdict", "upheld", "text", "It is an advertisement.")
		require.Contains(t, ben.page("/inbox"), "The moderators of c/gophers wrote to you")
		page := ben.page(at)
		require.Contains(t, page, "It is an advertisement.")
		require.Contains(t, page, "The decision was looked at again, and stands.")
		require.Contains(t, ben.page(removed), "The decision was looked at again, and stands.")
		require.Contains(t, s.visitor().page("/c/gophers/log"), "looked again and upheld the decision about")
		require.Equal(t, http.StatusUnprocessableEntity, rita.post(at+"/verdict", "verdict", "overturned").Code)
		require.Equal(t, http.StatusUnprocessableEntity, ben.post(at, "text", "But").Code)
		require.Equal(t, "removed", status())
		require.Equal(t, int64(1), s.one("SELECT count(*) FROM moderation_log WHERE action = 'uphold'"))
		require.Contains(t, ann.page(at), "It is an advertisement.")
		require.Contains(t, ann.page(mail+"?show=closed"), "upheld")
	})
	t.Run("overturned: what was removed is back, and the log says undone", func(t *testing.T) {
		s.T = t
		ann.mustPost(decide, "target", post, "decision", "approve")
		require.Equal(t, http.StatusUnprocessableEntity, ben.post(removed, "text", "Again").Code)
		second := remove()
		at = ben.mustPost(second, "text", "It breaks no rule.")
		mia.mustPost(at+"/verdict", "verdict", "overturned")
		s.deliverAll()
		require.Equal(t, "published", status())
		require.Contains(t, ben.page(at), "have taken the decision back")
		require.Contains(t, ben.page(second), "taken back")
		require.Contains(t, s.visitor().page("/c/gophers/p/heavy-words"), "Weighty")
		require.NotNil(t, s.one("SELECT undone_by FROM moderation_log WHERE id = (SELECT max(id) FROM moderation_log WHERE action = 'remove')"))
	})
	t.Run("who is banned appeals, too, and may write nothing else", func(t *testing.T) {
		s.T = t
		mia.mustPost(bans, "user", "ben", "decision", "ban", "rule", "Spam")
		s.deliverAll()
		require.Equal(t, http.StatusForbidden, ben.post("/messages", "community", "gophers", "title", "Why?", "text", "Why?").Code)
		at = ben.mustPost(s.lastDecision("ban"), "text", "It was not me.")
		ben.mustPost(at, "text", "Really.")
		require.NotContains(t, mia.page(mail), at)
		ann.mustPost(at+"/verdict", "verdict", "overturned", "text", "Sorry.")
		s.deliverAll()
		ben.mustPost("/comment", "post", post, "body", "I am back")
		require.Contains(t, ben.page("/inbox"), "You are not banned from c/gophers any more")
	})
	t.Run("an appeal against an older ban does not lift the present one", func(t *testing.T) {
		s.T = t
		mia.mustPost(bans, "user", "ben", "decision", "ban", "rule", "Spam")
		at = ben.mustPost(s.lastDecision("ban"), "text", "It was not me.")
		s.now = s.now.Add(time.Minute)
		mia.mustPost(bans, "user", "ben", "decision", "mute", "rule", "Spam", "days", "3")
		ann.mustPost(at+"/verdict", "verdict", "overturned")
		require.Equal(t, int64(1), s.one("SELECT count(*) FROM bans"))
		require.Empty(t, s.judged())
	})
	t.Run("after two days who has decided finds it, too", func(t *testing.T) {
		s.T = t
		at = ben.mustPost(s.lastDecision("mute"), "text", "It was not me.")
		s.now = s.now.Add(47 * time.Hour)
		require.NotContains(t, mia.page(mail), at)
		s.now = s.now.Add(2 * time.Hour)
		require.Contains(t, mia.page(mail), at)
		mia.mustPost(at+"/verdict", "verdict", "overturned")
		require.Equal(t, int64(0), s.one("SELECT count(*) FROM bans"))
	})
	t.Run("of two who judge at once one wins, and what they have decided is done even if the process ends in between", func(t *testing.T) {
		s.T = t
		mail := &modmail.Store{DB: s.config.DB, Source: s.config.Source}
		actor := func(name string) data.Actor {
			return data.Actor{UserID: data.ID(s.one("SELECT id FROM users WHERE username = ?1", name).(int64)), Name: name, IssuedAt: s.now}
		}
		upheld := func() int64 { return s.one("SELECT count(*) FROM moderation_log WHERE action = 'uphold'").(int64) }
		before := upheld()
		for _, verdict := range []modmail.Verdict{modmail.Upheld, modmail.Overturned} {
			decision := remove()
			at = ben.mustPost(decision, "text", "It breaks no rule.")
			id, err := data.ParseID(strings.TrimPrefix(at, "/messages/"))
			require.NoError(t, err)
			for _, name := range []string{"mia", "rita"} { // both see that nobody has decided
				require.NoError(t, mail.MayJudge(t.Context(), actor(name), id))
			}
			other := map[modmail.Verdict]modmail.Verdict{modmail.Upheld: modmail.Overturned, modmail.Overturned: modmail.Upheld}[verdict]
			_, err = mail.Settle(t.Context(), actor("mia"), id, modmail.Judgement{Verdict: verdict})
			require.NoError(t, err)
			_, err = mail.Settle(t.Context(), actor("rita"), id, modmail.Judgement{Verdict: other})
			require.Equal(t, data.Conflict, data.ErrorCode(err))
			require.Equal(t, http.StatusUnprocessableEntity, rita.post(at+"/verdict", "verdict", string(other)).Code)
			s.deliverAll()
			require.Equal(t, "removed", status(), "nobody has carried it out")
			require.Len(t, s.judged(), 1)

			s.now = s.now.Add(2 * time.Minute)
			require.NoError(t, s.app.Scheduled(t.Context(), s.now))
			s.deliverAll()
			require.Empty(t, s.judged())
			require.Equal(t, before+1, upheld())
			require.Equal(t, map[bool]string{true: "removed", false: "published"}[verdict == modmail.Upheld], status())
			require.Equal(t, string(verdict), s.one("SELECT verdict FROM conversations WHERE id = ?1", int64(id)))
			if verdict == modmail.Upheld {
				ann.mustPost(decide, "target", post, "decision", "approve")
			} else {
				require.Contains(t, ben.page(decision), "taken back")
			}
		}
	})
	t.Run("at once where nobody else moderates", func(t *testing.T) {
		s.T = t
		s.exec("DELETE FROM moderators WHERE username = 'mia'")
		at = ben.mustPost(remove(), "text", "It breaks no rule.")
		require.Contains(t, ann.page(mail), at)
		require.Contains(t, ann.page("/inbox/moderation"), at)
	})
	t.Run("administrators read it where nobody moderates", func(t *testing.T) {
		s.T = t
		ann.mustPost(at+"/verdict", "verdict", "overturned")
		at = ben.mustPost(remove(), "text", "It breaks no rule.")
		s.exec("DELETE FROM moderators")
		s.exec("DELETE FROM conversations WHERE verdict = ''")
		at = ben.mustPost(s.lastDecision("remove"), "text", "It breaks no rule!")
		require.Contains(t, rita.page("/admin/mail"), at)
		rita.mustPost(at+"/verdict", "verdict", "overturned")
		require.Equal(t, "published", status())
	})
	appealsOfSuspensions(t, s, s.logIn("rita", ""))
}
