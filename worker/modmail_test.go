package worker_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
)

func TestModMail(t *testing.T) {
	s := mustOpen(t)
	ann, ben, mia, eve, rita := s.member("ann"), s.member("ben"), s.member("mia"), s.member("eve"), s.admin("rita")
	ann.mustPost("/communities", "name", "gophers")
	s.exec("INSERT INTO moderators (community_id, user_id, username, created_at) SELECT k.id, u.id, u.username, 1 FROM communities k, users u WHERE u.username = 'mia'")
	s.now = s.now.Add(time.Minute)
	post := targets(ben.page(ben.mustPost("/submit", "community", "gophers", "title", "Heavy words", "text", "Weighty")))[0]
	s.deliverAll()
	var at string
	messages := func() int64 { return s.one("SELECT count(*) FROM conversation_messages").(int64) }

	t.Run("a member writes to the moderators, all of whom are told", func(t *testing.T) {
		s.T = t
		require.Contains(t, ben.page("/messages/new?community=gophers&target="+post), "Heavy words")
		at = ben.mustPost("/messages", "community", "gophers", "target", post, "title", "A question", "text", "Which rule\nis it?")
		for _, b := range []*browser{ann, mia} {
			require.Equal(t, "1", b.unreadNow())
			require.Contains(t, b.page("/inbox/moderation"), "ben wrote to the moderators of c/gophers")
		}
		require.Contains(t, ann.page("/c/gophers/mod/mail"), at)
		page := ann.page(at)
		require.Contains(t, page, "Which rule\nis it?")
		require.Contains(t, page, "/c/gophers/p/heavy-words")
		require.Empty(t, ann.unreadNow())
		require.Equal(t, "1", mia.unreadNow())
	})
	t.Run("a moderator answers for all of them, without the name", func(t *testing.T) {
		s.T = t
		ann.mustPost(at, "text", "The first one.")
		require.Contains(t, ben.page("/inbox"), "The moderators of c/gophers wrote to you")
		page := ben.page(at)
		require.Contains(t, page, "The first one.")
		require.NotContains(t, page, ">ann<")
		require.Contains(t, mia.page(at), ">ann<")
		require.Contains(t, ann.page("/c/gophers/mod/mail?show=mine"), at)
		require.NotContains(t, mia.page("/c/gophers/mod/mail?show=mine"), at)
		require.Contains(t, mia.page("/c/gophers/mod/mail?show=answered"), at)
		require.NotContains(t, mia.page("/c/gophers/mod/mail"), at)
		require.Contains(t, ben.page("/messages"), at)
	})
	t.Run("members neither read notes nor are told of them", func(t *testing.T) {
		s.T = t
		before := s.one("SELECT count(*) FROM inbox")
		mia.mustPost(at, "text", "Not again, this one.", "do", "note")
		require.Contains(t, ann.page(at), "Not again, this one.")
		require.NotContains(t, ben.page(at), "Not again, this one.")
		require.Equal(t, before, s.one("SELECT count(*) FROM inbox"))
		require.Equal(t, http.StatusNotFound, ben.post(at, "text", "A note of mine", "do", "note").Code)
	})
	t.Run("a note can be sent to the member as well", func(t *testing.T) {
		s.T = t
		mia.mustPost(at, "text", "It is the second one.", "do", "note")
		mia.mustPost(at, "text", "It is the second one.")
		require.Contains(t, ben.page(at), "It is the second one.")
	})
	t.Run("a comment does not tell the title of its thread when that is removed", func(t *testing.T) {
		s.T = t
		gone := targets(ben.page(ben.mustPost("/submit", "community", "gophers", "title", "A secret of mine", "text", "x")))[0]
		ben.mustPost("/comment", "post", gone, "body", "Below it")
		comment := data.ID(s.one("SELECT c.id FROM comments c JOIN posts p ON p.id = c.post_id WHERE p.title = 'A secret of mine'").(int64)).Text()
		require.Contains(t, eve.page("/messages/new?community=gophers&target="+comment), "A secret of mine")
		ann.mustPost("/c/gophers/mod/decide", "target", gone, "decision", "remove", "rule", "Spam")
		require.NotContains(t, eve.page("/messages/new?community=gophers&target="+comment), "A secret of mine")
	})
	t.Run("nobody else reads or writes it", func(t *testing.T) {
		s.T = t
		before := messages()
		require.Equal(t, http.StatusNotFound, eve.get(at).Code)
		for _, do := range []string{"", "note", "close"} {
			require.Equal(t, http.StatusNotFound, eve.post(at, "text", "Hello", "do", do).Code)
		}
		require.Equal(t, before, messages())
	})
	t.Run("a moderator does not write first to somebody who blocks them", func(t *testing.T) {
		s.T = t
		before := messages()
		eve.mustPost("/block", "user", "mia", "on", "1")
		require.Equal(t, http.StatusForbidden, mia.post("/messages", "community", "gophers", "user", "eve", "title", "Hello", "text", "Again").Code)
		require.Equal(t, before, messages())
		eve.mustPost("/subscribe", "community", "gophers", "on", "1")
		ann.mustPost("/messages", "community", "gophers", "user", "eve", "title", "Hello", "text", "From another one")
		require.Equal(t, before+1, messages())
	})
	t.Run("the same text twice is one message", func(t *testing.T) {
		s.T = t
		before := messages()
		ben.mustPost(at, "text", "Thank you.")
		ben.mustPost(at, "text", "Thank you.")
		require.Equal(t, before+1, messages())
	})
	t.Run("messages are never changed, in no database", func(t *testing.T) {
		w := s.config.DB.Write(data.Directory)
		w.Do("UPDATE conversation_messages SET body = 'x'", nil)
		require.Error(t, w.Run(t.Context()))
	})
	t.Run("a mistake leaves what was typed", func(t *testing.T) {
		s.T = t
		res := ben.post(at, "text", strings.Repeat("long ", 500))
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "long long")
		res = ben.post("/messages", "community", "gophers", "title", "", "text", "typed")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "typed")
	})
	t.Run("what is closed is answered by moderators alone, which opens it", func(t *testing.T) {
		s.T = t
		ann.mustPost(at, "do", "close")
		ann.mustPost(at, "do", "close")
		require.Contains(t, ben.page(at), "have closed this conversation")
		require.Contains(t, ben.post(at, "text", "But").Body.String(), "You can begin another one.")
		require.Contains(t, mia.page("/c/gophers/mod/mail?show=closed"), at)
		mia.mustPost(at, "text", "One more thing.")
		ben.mustPost(at, "text", "Yes?")
	})
	t.Run("a member closes a conversation: moderators can add notes, and the member opens it again", func(t *testing.T) {
		s.T = t
		to := ben.mustPost("/messages", "community", "gophers", "title", "A remark", "text", "That is all.")
		mia.mustPost(to, "text", "Thanks.")
		ben.mustPost(to, "do", "close")
		ben.mustPost(to, "do", "close")
		before := s.one("SELECT count(*) FROM inbox")
		require.Contains(t, ann.post(to, "text", "One more thing.").Body.String(), "The member has closed this conversation.")
		mia.mustPost(to, "text", "Well.", "do", "note")
		require.Contains(t, ann.post(to, "text", "One more thing.").Body.String(), "The member has closed this conversation.")
		require.Equal(t, before, s.one("SELECT count(*) FROM inbox"))
		require.Contains(t, ann.page("/c/gophers/mod/mail?show=closed"), "closed by the member")
		require.Contains(t, ben.page(to), "You have closed this conversation.")
		ben.mustPost(to, "text", "One more thing.")
		mia.mustPost(to, "text", "Yes?")
		ann.mustPost(to, "do", "close")
		ben.mustPost(to, "do", "close")
		require.Contains(t, ben.post(to, "text", "But").Body.String(), "You can begin another one.", "it was not theirs to close")
	})
	t.Run("a moderator does not write to somebody who blocks them, nor in a conversation that has begun", func(t *testing.T) {
		s.T = t
		to := eve.mustPost("/messages", "community", "gophers", "title", "A question", "text", "Who?")
		require.Contains(t, mia.post(to, "text", "It is me.").Body.String(), "They block you.")
		mia.mustPost(to, "text", "It is me.", "do", "note")
		ann.mustPost(to, "text", "It is us.")
		require.NotContains(t, eve.page(to), "It is me.")
		mia.mustPost(to, "do", "close")
	})
	t.Run("moderators write to a member first, others don't", func(t *testing.T) {
		s.T = t
		s.now = s.now.Add(25 * time.Hour) // after the conversation that they have begun above
		to := ann.mustPost("/messages", "community", "gophers", "user", "eve", "title", "Welcome", "text", "Please read the rules.")
		require.Contains(t, eve.page("/inbox"), "The moderators of c/gophers wrote to you")
		eve.mustPost(to, "text", "I have.")
		require.Equal(t, http.StatusForbidden, eve.post("/messages", "community", "gophers", "user", "ben", "title", "Hello", "text", "Hello").Code)
		require.Equal(t, http.StatusNotFound, ann.post("/messages", "community", "gophers", "user", "nobody", "title", "Hello", "text", "Hello").Code)
	})
	t.Run("to the administrators", func(t *testing.T) {
		s.T = t
		to := ben.mustPost("/messages", "title", "The site", "text", "It is slow.")
		require.Contains(t, rita.page("/inbox"), "ben wrote to the administrators")
		require.Contains(t, rita.page("/admin/mail"), to)
		require.Equal(t, http.StatusNotFound, ann.get(to).Code)
		require.Equal(t, http.StatusForbidden, ann.get("/admin/mail").Code)
	})
	t.Run("five wait for an answer at most, and unknown communities have no moderators", func(t *testing.T) {
		s.T = t
		for range 4 {
			ben.mustPost("/messages", "community", "gophers", "title", "More", "text", "More")
		}
		require.Contains(t, ben.post("/messages", "community", "gophers", "title", "More", "text", "More").Body.String(), "Five of your conversations wait")
		require.Equal(t, http.StatusNotFound, ben.post("/messages", "community", "nowhere", "title", "More", "text", "More").Code)
		s.exec("DELETE FROM moderators")
		require.Contains(t, eve.post("/messages", "community", "gophers", "title", "More", "text", "More").Body.String(), "Nobody moderates this community.")
	})
}
