package moderation_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
)

func TestModMail(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben, mia, eve, rita := s.Member("ann"), s.Member("ben"), s.Member("mia"), s.Member("eve"), s.Admin("rita")
	ann.MustPost("/communities", "name", "gophers")
	s.Exec("INSERT INTO moderators (community_id, user_id, username, created_at) SELECT k.id, u.id, u.username, 1 FROM communities k, users " +
		"u WHERE u.username = 'mia'")
	s.Now = s.Now.Add(time.Minute)
	post := workertest.Targets(ben.Page(ben.MustPost("/submit", "community", "gophers", "title", "Heavy words", "text", "Weighty")))[0]
	s.DeliverAll()
	var at string
	messages := func() int64 { return s.One("SELECT count(*) FROM conversation_messages").(int64) }

	t.Run("a member writes to the moderators, all of whom are told", func(t *testing.T) {
		s.T = t
		require.Contains(t, ben.Page("/messages/new?community=gophers&target="+post), "Heavy words")
		at = ben.MustPost("/messages", "community", "gophers", "target", post, "title", "A question", "text", "Which rule\nis it?")
		for _, b := range []*workertest.Browser{ann, mia} {
			require.Equal(t, "1", unreadNow(b))
			require.Contains(t, b.Page("/inbox/moderation"), "ben wrote to the moderators of c/gophers")
		}
		require.Contains(t, ann.Page("/c/gophers/mod/mail"), at)
		page := ann.Page(at)
		require.Contains(t, page, "Which rule\nis it?")
		require.Contains(t, page, "/c/gophers/p/heavy-words")
		require.Empty(t, unreadNow(ann))
		require.Equal(t, "1", unreadNow(mia))
	})
	t.Run("a moderator answers for all of them, without the name", func(t *testing.T) {
		s.T = t
		ann.MustPost(at, "text", "The first one.")
		require.Contains(t, ben.Page("/inbox"), "The moderators of c/gophers wrote to you")
		page := ben.Page(at)
		require.Contains(t, page, "The first one.")
		require.NotContains(t, page, ">ann<")
		require.Contains(t, mia.Page(at), ">ann<")
		require.Contains(t, ann.Page("/c/gophers/mod/mail?show=mine"), at)
		require.NotContains(t, mia.Page("/c/gophers/mod/mail?show=mine"), at)
		require.Contains(t, mia.Page("/c/gophers/mod/mail?show=answered"), at)
		require.NotContains(t, mia.Page("/c/gophers/mod/mail"), at)
		require.Contains(t, ben.Page("/messages"), at)
	})
	t.Run("an answer comes after what is answered, also by an instance whose clock is an hour behind", func(t *testing.T) {
		s.T = t
		at := ben.MustPost("/messages", "community", "gophers", "title", "Clocks", "text", "The question.")
		s.Now = s.Now.Add(-time.Hour)
		before := messages()
		for range 2 {
			ann.MustPost(at, "text", "The answer.")
		}
		require.Equal(t, before+1, messages(), "the form was sent twice")
		page := ben.Page(at)
		require.Less(t, strings.Index(page, "The question."), strings.Index(page, "The answer."))
		s.Now = s.Now.Add(time.Hour)
		ann.MustPost(at, "do", "close")
	})
	t.Run("a form that is sent twice begins one conversation, until somebody answers in it", func(t *testing.T) {
		s.T = t
		begin := func() string {
			return ben.MustPost("/messages", "community", "gophers", "title", "Please approve", "text", "My post waits.")
		}
		first := begin()
		require.Equal(t, first, begin())
		ann.MustPost(first, "text", "Done.")
		second := begin()
		require.NotEqual(t, first, second, "it is about another post")
		require.Contains(t, ann.Page("/c/gophers/mod/mail"), second)
		s.Now = s.Now.Add(2 * time.Hour)
		third := begin()
		require.NotEqual(t, second, third)
		for _, at := range []string{first, second, third} {
			ann.MustPost(at, "do", "close")
		}
	})
	t.Run("members neither read notes nor are told of them", func(t *testing.T) {
		s.T = t
		before := s.One("SELECT count(*) FROM inbox")
		mia.MustPost(at, "text", "Not again, this one.", "do", "note")
		require.Contains(t, ann.Page(at), "Not again, this one.")
		require.NotContains(t, ben.Page(at), "Not again, this one.")
		require.Equal(t, before, s.One("SELECT count(*) FROM inbox"))
		require.Equal(t, http.StatusNotFound, ben.Post(at, "text", "A note of mine", "do", "note").Code)
	})
	t.Run("a note can be sent to the member as well", func(t *testing.T) {
		s.T = t
		mia.MustPost(at, "text", "It is the second one.", "do", "note")
		mia.MustPost(at, "text", "It is the second one.")
		require.Contains(t, ben.Page(at), "It is the second one.")
	})
	t.Run("a comment does not tell the title of its thread when that is removed", func(t *testing.T) {
		s.T = t
		gone := workertest.Targets(ben.Page(ben.MustPost("/submit", "community", "gophers", "title", "A secret of mine", "text", "x")))[0]
		ben.MustPost("/comment", "post", gone, "body", "Below it")
		comment := data.ID(s.One("SELECT c.id FROM comments c JOIN posts p ON p.id = c.post_id WHERE p.title = 'A secret of mine'").(int64)).
			Text()
		require.Contains(t, eve.Page("/messages/new?community=gophers&target="+comment), "A secret of mine")
		ann.MustPost("/c/gophers/mod/decide", "target", gone, "decision", "remove", "rule", "Spam")
		require.NotContains(t, eve.Page("/messages/new?community=gophers&target="+comment), "A secret of mine")
	})
	t.Run("nobody else reads or writes it", func(t *testing.T) {
		s.T = t
		before := messages()
		require.Equal(t, http.StatusNotFound, eve.Get(at).Code)
		for _, do := range []string{"", "note", "close"} {
			require.Equal(t, http.StatusNotFound, eve.Post(at, "text", "Hello", "do", do).Code)
		}
		require.Equal(t, before, messages())
	})
	t.Run("a moderator does not write first to somebody who blocks them", func(t *testing.T) {
		s.T = t
		before := messages()
		eve.MustPost("/block", "user", "mia", "on", "1")
		require.Equal(t, http.StatusForbidden, mia.Post("/messages", "community", "gophers", "user", "eve", "title", "Hello", "text",
			"Again").Code)
		require.Equal(t, before, messages())
		eve.MustPost("/subscribe", "community", "gophers", "on", "1")
		ann.MustPost("/messages", "community", "gophers", "user", "eve", "title", "Hello", "text", "From another one")
		require.Equal(t, before+1, messages())
	})
	t.Run("the same text twice is one message", func(t *testing.T) {
		s.T = t
		before := messages()
		ben.MustPost(at, "text", "Thank you.")
		ben.MustPost(at, "text", "Thank you.")
		require.Equal(t, before+1, messages())
	})
	t.Run("messages are never changed, in no database", func(t *testing.T) {
		w := s.Config.DB.Write()
		w.Do("UPDATE conversation_messages SET body = 'x'", nil)
		require.Error(t, w.Run(t.Context()))
	})
	t.Run("a mistake leaves what was typed", func(t *testing.T) {
		s.T = t
		res := ben.Post(at, "text", strings.Repeat("long ", 500))
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "long long")
		res = ben.Post("/messages", "community", "gophers", "title", "", "text", "typed")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "typed")
	})
	t.Run("what is closed is answered by moderators alone, which opens it", func(t *testing.T) {
		s.T = t
		ann.MustPost(at, "do", "close")
		ann.MustPost(at, "do", "close")
		require.Contains(t, ben.Page(at), "have closed this conversation")
		require.Contains(t, ben.Post(at, "text", "But").Body.String(), "You can begin another one.")
		require.Contains(t, mia.Page("/c/gophers/mod/mail?show=closed"), at)
		mia.MustPost(at, "text", "One more thing.")
		ben.MustPost(at, "text", "Yes?")
	})
	t.Run("a member closes a conversation: moderators can add notes, and the member opens it again", func(t *testing.T) {
		s.T = t
		to := ben.MustPost("/messages", "community", "gophers", "title", "A remark", "text", "That is all.")
		mia.MustPost(to, "text", "Thanks.")
		ben.MustPost(to, "do", "close")
		ben.MustPost(to, "do", "close")
		before := s.One("SELECT count(*) FROM inbox")
		require.Contains(t, ann.Post(to, "text", "One more thing.").Body.String(), "The member has closed this conversation.")
		mia.MustPost(to, "text", "Well.", "do", "note")
		require.Contains(t, ann.Post(to, "text", "One more thing.").Body.String(), "The member has closed this conversation.")
		require.Equal(t, before, s.One("SELECT count(*) FROM inbox"))
		require.Contains(t, ann.Page("/c/gophers/mod/mail?show=closed"), "closed by the member")
		require.Contains(t, ben.Page(to), "You have closed this conversation.")
		ben.MustPost(to, "text", "One more thing.")
		mia.MustPost(to, "text", "Yes?")
		ann.MustPost(to, "do", "close")
		ben.MustPost(to, "do", "close")
		require.Contains(t, ben.Post(to, "text", "But").Body.String(), "You can begin another one.", "it was not theirs to close")
	})
	t.Run("a moderator does not write to somebody who blocks them, nor in a conversation that has begun", func(t *testing.T) {
		s.T = t
		to := eve.MustPost("/messages", "community", "gophers", "title", "A question", "text", "Who?")
		require.Contains(t, mia.Post(to, "text", "It is me.").Body.String(), "They block you.")
		mia.MustPost(to, "text", "It is me.", "do", "note")
		ann.MustPost(to, "text", "It is us.")
		require.NotContains(t, eve.Page(to), "It is me.")
		mia.MustPost(to, "do", "close")
	})
	t.Run("moderators write to a member first, others don't", func(t *testing.T) {
		s.T = t
		s.Now = s.Now.Add(25 * time.Hour) // after the conversation that they have begun above
		to := ann.MustPost("/messages", "community", "gophers", "user", "eve", "title", "Welcome", "text", "Please read the rules.")
		require.Contains(t, eve.Page("/inbox"), "The moderators of c/gophers wrote to you")
		eve.MustPost(to, "text", "I have.")
		require.Equal(t, http.StatusForbidden, eve.Post("/messages", "community", "gophers", "user", "ben", "title", "Hello", "text",
			"Hello").Code)
		require.Equal(t, http.StatusNotFound, ann.Post("/messages", "community", "gophers", "user", "nobody", "title", "Hello", "text",
			"Hello").Code)
	})
	t.Run("to the administrators", func(t *testing.T) {
		s.T = t
		to := ben.MustPost("/messages", "title", "The site", "text", "It is slow.")
		require.Contains(t, rita.Page("/inbox"), "ben wrote to the administrators")
		require.Contains(t, rita.Page("/admin/mail"), to)
		require.Equal(t, http.StatusNotFound, ann.Get(to).Code)
		require.Equal(t, http.StatusForbidden, ann.Get("/admin/mail").Code)
	})
	t.Run("five wait for an answer at most, and unknown communities have no moderators", func(t *testing.T) {
		s.T = t
		for i := range 4 {
			ben.MustPost("/messages", "community", "gophers", "title", "More", "text", fmt.Sprint("More ", i))
		}
		require.Contains(t, ben.Post("/messages", "community", "gophers", "title", "More", "text", "More").Body.String(),
			"Five of your conversations wait")
		require.Equal(t, http.StatusNotFound, ben.Post("/messages", "community", "nowhere", "title", "More", "text", "More").Code)
		s.Exec("DELETE FROM moderators")
		require.Contains(t, eve.Post("/messages", "community", "gophers", "title", "More", "text", "More").Body.String(),
			"Nobody moderates this community.")
	})
}
