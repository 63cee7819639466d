package moderation_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/moderation/modmail"
	"plaza/test/workertest"
)

// judged are the verdicts that nobody has carried out yet.
func judged(s *workertest.Site) [][]any {
	return s.Sql.RowsOfAll("SELECT subject_id FROM outbox WHERE job = 'verdict'")
}

func TestAppeals(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben, mia, eve, rita := s.Member("ann"), s.Member("ben"), s.Member("mia"), s.Member("eve"), s.Admin("rita")
	ann.MustPost("/communities", "name", "gophers")
	s.Exec("INSERT INTO moderators (community_id, user_id, username, created_at) SELECT k.id, u.id, u.username, 1 FROM communities k, users " +
		"u WHERE u.username = 'mia'")
	s.Now = s.Now.Add(time.Minute)
	const decide, bans, mail = "/c/gophers/mod/decide", "/c/gophers/mod/bans", "/c/gophers/mod/mail"
	post := workertest.Targets(ben.Page(ben.MustPost("/submit", "community", "gophers", "title", "Heavy words", "text", "Weighty")))[0]
	remove := func() string {
		s.Helper()
		ann.MustPost(decide, "target", post, "decision", "remove", "rule", "Spam")
		s.DeliverAll()
		return s.LastDecision("remove")
	}
	status := func() any { return s.One("SELECT status FROM posts WHERE title = 'Heavy words'") }
	var at, removed string

	t.Run("the author of what was removed appeals once, on the decision's page", func(t *testing.T) {
		s.T = t
		removed = remove()
		require.Contains(t, ben.Page(removed), `action="`+removed+`"`)
		require.NotContains(t, ann.Page(removed), `action="`+removed+`"`)
		require.Equal(t, http.StatusNotFound, eve.Post(removed, "text", "Mine").Code)
		res := ben.Post(removed, "text", strings.Repeat("long ", 500))
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "long long")
		at = ben.MustPost(removed, "text", "It breaks no rule.")
		require.Equal(t, at, ben.MustPost(removed, "text", "It breaks no rule."), "a form that is sent twice")
		require.Contains(t, ben.Post(removed, "text", "Once more").Body.String(), "You have already appealed this.")
		require.Contains(t, ben.Page(removed), at)
		require.Equal(t, int64(1), s.One("SELECT count(*) FROM conversations"))
	})
	t.Run("another moderator than who has decided sees it first", func(t *testing.T) {
		s.T = t
		require.Contains(t, mia.Page(mail), at)
		require.Contains(t, mia.Page("/inbox/moderation"), at)
		require.Contains(t, mia.Page(at), removed)
		require.NotContains(t, ann.Page(mail), at)
		require.NotContains(t, ann.Page("/inbox/moderation"), at)
		require.Equal(t, http.StatusNotFound, ann.Get(at).Code)
		require.Equal(t, http.StatusNotFound, ann.Post(at, "text", "No.").Code)
		require.Equal(t, http.StatusNotFound, ann.Post(at+"/verdict", "verdict", "upheld").Code)
		require.Contains(t, rita.Page(at), "/verdict")
	})
	t.Run("nobody else decides about it, and not about other conversations", func(t *testing.T) {
		s.T = t
		for _, b := range []*workertest.Browser{ben, eve} {
			require.Equal(t, http.StatusNotFound, b.Post(at+"/verdict", "verdict", "overturned").Code)
		}
		require.Equal(t, http.StatusUnprocessableEntity, mia.Post(at+"/verdict", "verdict", "perhaps").Code)
		other := ben.MustPost("/messages", "community", "gophers", "title", "A question", "text", "text")
		require.Equal(t, http.StatusNotFound, mia.Post(other+"/verdict", "verdict", "overturned").Code)
		require.Equal(t, "removed", status())
	})
	t.Run("upheld: the member is told, the log says so, and it is final", func(t *testing.T) {
		s.T = t
		mia.MustPost(at+"/verdict", "verdict", "upheld", "text", "It is an advertisement.")
		require.Contains(t, ben.Page("/inbox"), "The moderators of c/gophers wrote to you")
		page := ben.Page(at)
		require.Contains(t, page, "It is an advertisement.")
		require.Contains(t, page, "The decision was reviewed and upheld.")
		require.Contains(t, ben.Page(removed), "The decision was reviewed and upheld.")
		require.Contains(t, s.Visitor().Page("/c/gophers/log"), "reviewed and upheld the decision about")
		require.Equal(t, http.StatusUnprocessableEntity, rita.Post(at+"/verdict", "verdict", "overturned").Code)
		require.Equal(t, http.StatusUnprocessableEntity, ben.Post(at, "text", "But").Code)
		require.Equal(t, "removed", status())
		require.Equal(t, int64(1), s.One("SELECT count(*) FROM moderation_log WHERE action = 'uphold'"))
		require.Contains(t, ann.Page(at), "It is an advertisement.")
		require.Contains(t, ann.Page(mail+"?show=closed"), "upheld")
	})
	t.Run("overturned: what was removed is back, and the log says undone", func(t *testing.T) {
		s.T = t
		ann.MustPost(decide, "target", post, "decision", "approve")
		require.Equal(t, http.StatusUnprocessableEntity, ben.Post(removed, "text", "Again").Code)
		second := remove()
		at = ben.MustPost(second, "text", "It breaks no rule.")
		mia.MustPost(at+"/verdict", "verdict", "overturned")
		s.DeliverAll()
		require.Equal(t, "published", status())
		require.Contains(t, ben.Page(at), "have taken the decision back")
		require.Contains(t, ben.Page(second), "reviewed and overturned")
		require.Contains(t, s.Visitor().Page("/c/gophers/p/heavy-words"), "Weighty")
		require.NotNil(t, s.One("SELECT undone_by FROM moderation_log WHERE id = (SELECT max(id) FROM moderation_log WHERE action = 'remove')"))
	})
	t.Run("who is banned appeals, too, and may write nothing else", func(t *testing.T) {
		s.T = t
		mia.MustPost(bans, "user", "ben", "decision", "ban", "rule", "Spam")
		s.DeliverAll()
		require.Equal(t, http.StatusForbidden, ben.Post("/messages", "community", "gophers", "title", "Why?", "text", "Why?").Code)
		at = ben.MustPost(s.LastDecision("ban"), "text", "It was not me.")
		ben.MustPost(at, "text", "Really.")
		require.NotContains(t, mia.Page(mail), at)
		ann.MustPost(at+"/verdict", "verdict", "overturned", "text", "Sorry.")
		s.DeliverAll()
		ben.MustPost("/comment", "post", post, "body", "I am back")
		require.Contains(t, ben.Page("/inbox"), "You are not banned from c/gophers any more")
	})
	t.Run("an appeal against an older ban does not lift the present one", func(t *testing.T) {
		s.T = t
		mia.MustPost(bans, "user", "ben", "decision", "ban", "rule", "Spam")
		at = ben.MustPost(s.LastDecision("ban"), "text", "It was not me.")
		s.Now = s.Now.Add(time.Minute)
		mia.MustPost(bans, "user", "ben", "decision", "mute", "rule", "Spam", "days", "3")
		ann.MustPost(at+"/verdict", "verdict", "overturned")
		require.Equal(t, int64(1), s.One("SELECT count(*) FROM bans"))
		require.Empty(t, judged(s))
	})
	t.Run("after two days who has decided finds it, too", func(t *testing.T) {
		s.T = t
		at = ben.MustPost(s.LastDecision("mute"), "text", "It was not me.")
		s.Now = s.Now.Add(47 * time.Hour)
		require.NotContains(t, mia.Page(mail), at)
		s.Now = s.Now.Add(2 * time.Hour)
		require.Contains(t, mia.Page(mail), at)
		mia.MustPost(at+"/verdict", "verdict", "overturned")
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM bans"))
	})
	t.Run("of two who judge at once one wins, and what they have decided is done even if the process ends in between", func(t *testing.T) {
		s.T = t
		mail := &modmail.Store{Base: data.Base{DB: s.Config.DB, Source: s.Config.Source}}
		actor := func(name string) data.Actor {
			return data.Actor{UserID: data.ID(s.One("SELECT id FROM users WHERE username = ?1", name).(int64)), Name: name, IssuedAt: s.Now}
		}
		upheld := func() int64 { return s.One("SELECT count(*) FROM moderation_log WHERE action = 'uphold'").(int64) }
		before := upheld()
		for _, verdict := range []modmail.Verdict{modmail.Upheld, modmail.Overturned} {
			decision := remove()
			at = ben.MustPost(decision, "text", "It breaks no rule.")
			id, err := data.ParseID(strings.TrimPrefix(at, "/messages/"))
			require.NoError(t, err)
			for _, name := range []string{"mia", "rita"} { // both see that nobody has decided
				require.NoError(t, mail.MayDecide(t.Context(), actor(name), id))
			}
			other := map[modmail.Verdict]modmail.Verdict{modmail.Upheld: modmail.Overturned, modmail.Overturned: modmail.Upheld}[verdict]
			_, err = mail.DecideAppeal(t.Context(), actor("mia"), id, modmail.AppealDecision{Verdict: verdict})
			require.NoError(t, err)
			_, err = mail.DecideAppeal(t.Context(), actor("rita"), id, modmail.AppealDecision{Verdict: other})
			require.Equal(t, data.Conflict, data.ErrorCode(err))
			require.Equal(t, http.StatusUnprocessableEntity, rita.Post(at+"/verdict", "verdict", string(other)).Code)
			s.DeliverAll()
			require.Equal(t, "removed", status(), "nobody has carried it out")
			require.Len(t, judged(s), 1)

			// The verdict stands, whatever becomes of who gave it.
			s.Exec("UPDATE moderators SET username = 'gone', user_id = -user_id WHERE username = 'mia'")
			rita.MustPost("/admin/users", "user", "mia", "decision", "suspend", "rule", "Spam")
			s.DeliverAll()
			s.Now = s.Now.Add(2 * time.Minute)
			require.NoError(t, s.App.Scheduled(t.Context(), s.Now))
			s.DeliverAll()
			require.Empty(t, judged(s))
			require.Equal(t, before+1, upheld())
			require.Equal(t, map[bool]string{true: "removed", false: "published"}[verdict == modmail.Upheld], status())
			require.Equal(t, string(verdict), s.One("SELECT verdict FROM conversations WHERE id = ?1", int64(id)))
			rita.MustPost("/admin/users", "user", "mia", "decision", "restore", "rule", "Spam")
			s.Exec("UPDATE moderators SET username = 'mia', user_id = -user_id WHERE username = 'gone'")
			if verdict == modmail.Upheld {
				ann.MustPost(decide, "target", post, "decision", "approve")
			} else {
				require.Contains(t, ben.Page(decision), "reviewed and overturned")
			}
		}
	})
	t.Run("at once where nobody else moderates", func(t *testing.T) {
		s.T = t
		s.Exec("DELETE FROM moderators WHERE username = 'mia'")
		at = ben.MustPost(remove(), "text", "It breaks no rule.")
		require.Contains(t, ann.Page(mail), at)
		require.Contains(t, ann.Page("/inbox/moderation"), at)
	})
	t.Run("administrators read it where nobody moderates", func(t *testing.T) {
		s.T = t
		ann.MustPost(at+"/verdict", "verdict", "overturned")
		at = ben.MustPost(remove(), "text", "It breaks no rule.")
		s.Exec("DELETE FROM moderators")
		s.Exec("DELETE FROM conversations WHERE verdict = ''")
		at = ben.MustPost(s.LastDecision("remove"), "text", "It breaks no rule!")
		require.Contains(t, rita.Page("/admin/mail"), at)
		rita.MustPost(at+"/verdict", "verdict", "overturned")
		require.Equal(t, "published", status())
	})
	appealsOfSuspensions(t, s, s.LogIn("rita", ""))
}
