package worker_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
)

// TestBan has a moderator ban a member, who reads why wherever there is something to write, until it ends.
func TestBan(t *testing.T) {
	s := mustOpen(t)
	ann, ben := s.member("ann"), s.member("ben")
	ann.mustPost("/communities", "name", "Gophers")
	address := ann.mustPost("/submit", "community", "gophers", "title", "A post", "text", "text")
	post := targets(ann.page(address))[0]
	ben.mustPost("/comment", "post", post, "body", "A comment")
	comment := data.ID(s.one("SELECT max(id) FROM comments").(int64)).Text()
	const list = "/c/Gophers/mod/bans"
	until := s.now.UTC().Truncate(time.Minute).Add(3*24*time.Hour).Format("2 January 2006, 15:04") + " UTC"
	why := "You are banned from this community until " + until + ". Rule: Spam. The moderators say: Enough &lt;b&gt;."

	t.Run("the way there", func(t *testing.T) {
		require.Contains(t, ann.page(address), `<a href="`+list+`?user=ben">Ban</a>`)
		require.Contains(t, ann.page("/u/ben"), `<a href="`+list+`?user=ben">from c/Gophers</a>`)
		require.NotContains(t, ben.page(address), "mod/bans")
		require.NotContains(t, ben.page("/u/ann"), "mod/bans")
		require.Contains(t, ann.page(list+"?user=ben"), `value="ben"`)
		require.Equal(t, http.StatusForbidden, ben.get(list).Code)
		require.Equal(t, http.StatusNotFound, s.admin("rita").get("/c/nowhere/mod/bans").Code)
	})
	t.Run("a mistake comes back with what was typed", func(t *testing.T) {
		res := ann.post(list, "user", "ben", "decision", "ban", "text", "Typed <i>")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "Please choose the rule that they have broken.")
		require.Contains(t, res.Body.String(), "Typed &lt;i&gt;")
		res = ann.post(list, "user", "nobody", "decision", "ban", "rule", "Spam", "days", "x")
		require.Contains(t, res.Body.String(), "between 1 and 3,650 days")
		res = ann.post(list, "user", "nobody", "decision", "ban", "rule", "Spam")
		require.Equal(t, http.StatusNotFound, res.Code)
		require.Contains(t, res.Body.String(), "There is nobody of that name here.")
	})
	t.Run("who is banned reads why, and writes nothing", func(t *testing.T) {
		require.Equal(t, list, ann.mustPost(list, "user", "ben", "decision", "ban", "rule", "Spam", "days", "3", "text", "Enough <b>."))
		require.Contains(t, ann.page(list), "banned until "+until)
		require.Contains(t, ann.page(list+"?user=BEN"), "What you decide now replaces that.")
		s.now = s.now.Add(data.OwnLife + time.Second)
		page := ben.page(address)
		require.Contains(t, page, why)
		require.NotContains(t, page, `action="/comment"`)
		for _, path := range []string{"/c/gophers/submit", "/reply?to=" + post, "/reply?to=" + comment} {
			res := ben.get(path)
			require.Equal(t, http.StatusForbidden, res.Code, path)
			require.Contains(t, res.Body.String(), why, path)
		}
		for path, fields := range map[string][]string{
			"/comment": {"post", post, "body", "typed"},
			"/submit":  {"community", "gophers", "title", "typed", "text", "typed"},
			"/edit":    {"target", comment, "body", "typed", "revision", "0"},
			"/vote":    {"target", post, "value", "1"},
			"/report":  {"target", post, "reason", "Spam", "text", "typed"},
		} {
			res := ben.post(path, fields...)
			require.Equal(t, http.StatusForbidden, res.Code, path)
			require.Contains(t, res.Body.String(), why, path)
			if path != "/vote" {
				require.Contains(t, res.Body.String(), "typed", path)
			}
		}
		require.Contains(t, ben.page(ben.mustPost("/post", "text", "My own")), "My own", "one's profile is another place")
		log := s.visitor().page("/c/gophers/log")
		require.Contains(t, log, "banned a member until <time")
		require.NotContains(t, log, "ben")
		require.NotContains(t, log, "Enough")
	})
	t.Run("it ends by itself", func(t *testing.T) {
		s.now = s.now.Add(3*24*time.Hour + time.Minute)
		require.Contains(t, ben.page(address), `action="/comment"`)
		ben.mustPost("/comment", "post", post, "body", "Back")
		require.Contains(t, ann.page(list), "Nobody is banned or muted.")
	})
	t.Run("what they wrote is removed with it", func(t *testing.T) {
		ben.mustPost("/comment", "post", post, "body", "Bought here")
		res := ann.post(list, "user", "ben", "decision", "ban", "rule", "Spam", "clear", "2")
		require.Contains(t, res.Body.String(), "for the last 1, 7 or 30 days")
		ann.mustPost(list, "user", "ben", "decision", "ban", "rule", "Spam", "clear", "1")
		s.deliver()
		require.NotContains(t, s.visitor().page(address), "Bought here")
		require.Contains(t, s.visitor().page("/c/gophers/log"), "removed")
		require.Contains(t, ann.page(address), "Bought here", "moderators read it")
	})
	t.Run("drafts can be saved and not published, and what is scheduled becomes a draft", func(t *testing.T) {
		ann.mustPost(list, "user", "ben", "decision", "lift")
		ben.mustPost("/submit", "community", "gophers", "title", "Soon", "text", "x", "status", "scheduled", "publish_at", s.now.Add(time.Hour).UTC().Format("2006-01-02T15:04"))
		ann.mustPost(list, "user", "ben", "decision", "ban", "rule", "Spam", "days", "3")
		until := s.now.UTC().Truncate(time.Minute).Add(3*24*time.Hour).Format("2 January 2006, 15:04") + " UTC"
		s.pass(2 * time.Hour)
		require.Contains(t, ben.page("/inbox/moderation"), `href="/c/Gophers/p/soon">Your scheduled post was not published, and is a draft again</a>`)
		unread := s.one("SELECT unread FROM users WHERE username = 'ben'").(int64)
		page := ben.page("/c/gophers/p/soon")
		require.Contains(t, page, "It can&#39;t be published now. You are banned from this community until "+until)
		require.NotContains(t, page, "Publish now")
		require.Equal(t, unread-1, s.one("SELECT unread FROM users WHERE username = 'ben'"))
		draft := targets(page)[0]
		page = ben.page("/draft?target=" + draft)
		require.Contains(t, page, "You can save this draft, but not publish it. You are banned from this community until "+until)
		require.NotContains(t, page, ">Publish<")
		require.Equal(t, http.StatusForbidden, ben.post("/publish", "target", draft).Code)
		fields := []string{"target", draft, "title", "Soon", "text", "Better", "revision", revisionIn(t, page)}
		require.Equal(t, http.StatusForbidden, ben.post("/publish", fields...).Code)
		ben.mustPost("/draft", fields...)
		s.pass(3 * 24 * time.Hour)
		require.Contains(t, ben.page("/c/gophers/p/soon"), "Publish now")
		ben.mustPost("/publish", "target", draft)
		require.Contains(t, s.visitor().page("/c/gophers/p/soon"), "Better")
	})
	t.Run("a mute, and its end by a moderator", func(t *testing.T) {
		ann.mustPost(list, "user", "ben", "decision", "mute", "rule", "Spam")
		s.now = s.now.Add(data.OwnLife + time.Second)
		require.Contains(t, ben.page(address), "You may read and vote in this community, but not write. Rule: Spam.")
		ben.mustPost("/vote", "target", post, "value", "1")
		require.Contains(t, ann.page(list), "muted for good")
		ann.mustPost(list, "user", "ben", "decision", "lift")
		s.now = s.now.Add(data.OwnLife + time.Second)
		require.NotContains(t, ben.page(address), "but not write")
		res := ann.post(list, "user", "ben", "decision", "lift")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "They are neither banned nor muted.")
	})
}
