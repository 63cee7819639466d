package moderation_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
)

func TestMailCase(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben, eve := s.Member("ann"), s.Member("ben"), s.Member("eve")
	ann.MustPost("/communities", "name", "gophers")
	eve.MustPost("/communities", "name", "others")
	s.Now = s.Now.Add(time.Minute)
	publish := func(b *workertest.Browser, community, title string) string {
		return workertest.Targets(b.Page(b.MustPost("/submit", "community", community, "title", title, "text", "Text of "+title)))[0]
	}
	shown, gone, elsewhere := publish(ben, "gophers", "Heavy words"), publish(ben, "gophers", "Light words"), publish(eve, "others", "A secret")
	ann.MustPost("/c/gophers/mod/decide", "target", gone, "decision", "remove", "rule", "Spam")
	eve.MustPost("/c/others/mod/decide", "target", elsewhere, "decision", "remove", "rule", "Spam")
	s.DeliverAll()
	begin := func(b *workertest.Browser, fields ...string) string {
		s.Now = s.Now.Add(time.Second)
		return b.MustPost("/messages", append([]string{"community", "gophers", "text", "Please look."}, fields...)...)
	}
	about := begin(ben, "title", "About one", "target", shown)
	removed := begin(ben, "title", "About a removal", "target", gone)
	foreign := begin(eve, "title", "About another place", "target", elsewhere)

	t.Run("unread conversations say so, and what was written last", func(t *testing.T) {
		s.T = t
		page := ann.Page("/c/gophers/mod/mail")
		require.Equal(t, 3, strings.Count(page, `class="unread"`))
		require.Contains(t, page, "Please look.")
		require.Contains(t, page, "about a post")
	})
	t.Run("what a conversation is about stands beside it, and is decided from there", func(t *testing.T) {
		s.T = t
		page := ann.Page(about)
		require.Contains(t, page, "Text of Heavy words")
		require.Contains(t, page, `value="`+about+`"`)
		require.Equal(t, about, ann.MustPost("/c/gophers/mod/decide", "target", shown, "decision", "remove", "rule", "Spam", "return", about))
		require.Contains(t, ann.Page(about), "removed")
		require.Equal(t, removed, ann.MustPost("/c/gophers/mod/decide", "target", gone, "decision", "approve", "return", removed))
		require.NotContains(t, ben.Page(about), "/mod/decide")
	})
	t.Run("moderators see nothing of a post of another community", func(t *testing.T) {
		s.T = t
		page := ann.Page(foreign)
		require.NotContains(t, page, "A secret")
		require.NotContains(t, page, "/c/others/mod/decide")
	})
	t.Run("whoever answers or closes comes to the next, and to the list at the end", func(t *testing.T) {
		s.T = t
		require.Contains(t, ann.Page(foreign), `name="onward" value="`+removed+`"`)
		to := ann.MustPost(foreign, "do", "close", "onward", removed)
		require.True(t, strings.HasPrefix(to, removed+"?done="), to)
		page := ann.Page(to)
		require.Contains(t, page, "Closed.")
		require.Contains(t, page, `value="reopen"`)
		require.Contains(t, page, `name="onward" value="`+about+`"`)
		to = ann.MustPost(removed, "reply", "Thank you. We have taken care of it.", "onward", about)
		require.Contains(t, ann.Page(to), "Sent.")
		require.NotContains(t, ann.Page(to), `value="reopen"`)
		require.Contains(t, ben.Page(removed), "Thank you. We have taken care of it.")
		require.Contains(t, ann.Page(about), `name="onward" value="/c/gophers/mod/mail"`)
		to = ann.MustPost(about, "do", "close", "onward", "/c/gophers/mod/mail")
		require.Contains(t, ann.Page(to), `value="reopen"`)
		require.Equal(t, about, ann.MustPost(about, "text", "A note", "do", "note", "onward", "/c/gophers/mod/mail"), "a note stays")
		require.Equal(t, "/", strings.Split(ann.MustPost(about, "text", "Out", "onward", "//evil.example"), "?")[0])
	})
	t.Run("closing is taken back by whoever has closed, and by nobody else", func(t *testing.T) {
		s.T = t
		ann.MustPost(about, "do", "close")
		require.Equal(t, http.StatusNotFound, ben.Post(about, "do", "reopen").Code)
		require.Equal(t, http.StatusNotFound, eve.Post(about, "do", "reopen").Code)
		ann.MustPost(about, "do", "reopen")
		require.Contains(t, ann.Page("/c/gophers/mod/mail?show=answered"), about)
		ann.MustPost(foreign, "do", "reopen")
		require.Contains(t, ann.Page("/c/gophers/mod/mail"), foreign, "its member waits for an answer")
		eve.MustPost(foreign, "do", "close")
		require.Equal(t, http.StatusNotFound, ann.Post(foreign, "do", "reopen").Code)
	})
	t.Run("a ban is shortened with its rule and message, and never prolonged", func(t *testing.T) {
		s.T = t
		const bans = "/c/gophers/mod/bans"
		ann.MustPost(bans, "user", "ben", "decision", "mute", "rule", "Spam", "text", "Enough.", "days", "30")
		until := func() time.Time { return time.UnixMilli(s.One("SELECT until FROM bans").(int64)) }
		require.Contains(t, ann.Page(about), `value="shorten 7 ben"`)
		require.NotContains(t, ann.Page(bans), `value="shorten 30 ben"`)
		require.Equal(t, about, ann.MustPost(bans, "one", "shorten 3 ben", "return", about))
		require.WithinDuration(t, s.Now.AddDate(0, 0, 3), until(), time.Minute)
		page := ann.Page(bans)
		require.Contains(t, page, "Enough.")
		require.Contains(t, page, "muted until")
		for _, days := range []string{"7", "0", "-1", "x"} {
			require.NotEqual(t, http.StatusSeeOther, ann.Post(bans, "one", "shorten "+days+" ben").Code, days)
		}
		require.Equal(t, http.StatusForbidden, eve.Post(bans, "one", "shorten 1 ben").Code)
		require.WithinDuration(t, s.Now.AddDate(0, 0, 3), until(), time.Minute)
		ben := data.ID(s.One("SELECT id FROM users WHERE username = 'ben'").(int64)).Text()
		card := "/c/gophers/mod/member?user=" + ben + "&name=ben"
		require.Contains(t, ann.Page(card), `value="lift `+ben+`"`)
		require.Equal(t, card, ann.MustPost(bans, "one", "lift "+ben, "return", card))
		require.NotContains(t, ann.Page(card), `value="lift `+ben+`"`)
		require.Equal(t, http.StatusUnprocessableEntity, ann.Post(bans, "one", "shorten 1 ben").Code)
	})
}
