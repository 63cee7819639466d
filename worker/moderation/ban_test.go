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

// TestBan has a moderator ban a member, who reads why wherever there is something to write, until it ends.
func TestBan(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "Gophers")
	address := ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")
	post := workertest.Targets(ann.Page(address))[0]
	ben.MustPost("/comment", "post", post, "body", "A comment")
	comment := data.ID(s.One("SELECT max(id) FROM comments").(int64)).Text()
	const list = "/c/Gophers/mod/bans"
	until := s.Now.UTC().Truncate(time.Minute).Add(3*24*time.Hour).Format("2 January 2006, 15:04") + " UTC"
	why := "You are banned from this community until " + until + ". Rule: Spam. The moderators say: Enough &lt;b&gt;."

	t.Run("the way there", func(t *testing.T) {
		require.Contains(t, ann.Page(address), `<a href="`+list+`?user=ben">Ban</a>`)
		require.Contains(t, ann.Page("/u/ben"), `<a href="`+list+`?user=ben">from c/Gophers</a>`)
		require.NotContains(t, ben.Page(address), "mod/bans")
		require.NotContains(t, ben.Page("/u/ann"), "mod/bans")
		require.Contains(t, ann.Page(list+"?user=ben"), `value="ben"`)
		require.Equal(t, http.StatusForbidden, ben.Get(list).Code)
		require.Equal(t, http.StatusNotFound, s.Admin("rita").Get("/c/nowhere/mod/bans").Code)
	})
	t.Run("a mistake comes back with what was typed", func(t *testing.T) {
		res := ann.Post(list, "user", "ben", "decision", "ban", "text", "Typed <i>")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "Please choose the rule that they have broken.")
		require.Contains(t, res.Body.String(), "Typed &lt;i&gt;")
		res = ann.Post(list, "user", "nobody", "decision", "ban", "rule", "Spam", "days", "x")
		require.Contains(t, res.Body.String(), "between 1 and 3,650 days")
		res = ann.Post(list, "user", "nobody", "decision", "ban", "rule", "Spam")
		require.Equal(t, http.StatusNotFound, res.Code)
		require.Contains(t, res.Body.String(), "There is no member of that name.")
	})
	t.Run("who is banned reads why, and writes nothing", func(t *testing.T) {
		require.Equal(t, list, ann.MustPost(list, "user", "ben", "decision", "ban", "rule", "Spam", "days", "3", "text", "Enough <b>."))
		require.Contains(t, ann.Page(list), "banned until "+until)
		require.Contains(t, ann.Page(list+"?user=BEN"), "What you decide now replaces that.")
		s.Now = s.Now.Add(data.MemberCacheTTL + time.Second)
		page := ben.Page(address)
		require.Contains(t, page, why)
		require.NotContains(t, page, `action="/comment"`)
		appeal := `<a href="/decisions/` + data.ID(s.One("SELECT id FROM bans").(int64)).Text() + `">See the decision or appeal</a>`
		require.Contains(t, page, appeal)
		require.Contains(t, ben.Page(strings.Split(appeal, `"`)[1]), "Appeal")
		for _, path := range []string{"/c/gophers/submit", "/reply?to=" + post, "/reply?to=" + comment} {
			res := ben.Get(path)
			require.Equal(t, http.StatusForbidden, res.Code, path)
			require.Contains(t, res.Body.String(), why, path)
			require.Contains(t, res.Body.String(), `href="`+strings.Split(appeal, `"`)[1]+`"`, path)
		}
		for path, fields := range map[string][]string{
			"/comment": {"post", post, "body", "typed"},
			"/submit":  {"community", "gophers", "title", "typed", "text", "typed"},
			"/edit":    {"target", comment, "body", "typed", "revision", "0"},
			"/vote":    {"target", post, "value", "1"},
			"/report":  {"target", post, "reason", "Spam", "text", "typed"},
		} {
			res := ben.Post(path, fields...)
			require.Equal(t, http.StatusForbidden, res.Code, path)
			require.Contains(t, res.Body.String(), why, path)
			if path != "/vote" {
				require.Contains(t, res.Body.String(), "typed", path)
			}
		}
		require.Contains(t, ben.Page(ben.MustPost("/post", "text", "My own")), "My own", "one's profile is another place")
		log := s.Visitor().Page("/c/gophers/log")
		require.Contains(t, log, "banned a member until <time")
		require.NotRegexp(t, `\bben\b`, log)
		require.NotContains(t, log, "Enough")
	})
	t.Run("it ends by itself", func(t *testing.T) {
		s.Now = s.Now.Add(3*24*time.Hour + time.Minute)
		require.Contains(t, ben.Page(address), `action="/comment"`)
		ben.MustPost("/comment", "post", post, "body", "Back")
		require.Contains(t, ann.Page(list), "Nobody is banned or muted.")
	})
	t.Run("what they wrote is removed with it", func(t *testing.T) {
		ben.MustPost("/comment", "post", post, "body", "Bought here")
		res := ann.Post(list, "user", "ben", "decision", "ban", "rule", "Spam", "clear", "2")
		require.Contains(t, res.Body.String(), "for the last 1, 7 or 30 days")
		ann.MustPost(list, "user", "ben", "decision", "ban", "rule", "Spam", "clear", "1")
		s.Deliver()
		require.NotContains(t, s.Visitor().Page(address), "Bought here")
		require.Contains(t, s.Visitor().Page("/c/gophers/log"), "removed")
		require.Contains(t, ann.Page(address), "Bought here", "moderators read it")
	})
	t.Run("drafts can be saved and not published, and what is scheduled becomes a draft", func(t *testing.T) {
		ann.MustPost(list, "user", "ben", "decision", "lift")
		ben.MustPost("/submit", "community", "gophers", "title", "Soon", "text", "x", "status", "scheduled", "publish_at", s.Now.Add(time.Hour).
			UTC().Format("2006-01-02T15:04"))
		ann.MustPost(list, "user", "ben", "decision", "ban", "rule", "Spam", "days", "3")
		until := s.Now.UTC().Truncate(time.Minute).Add(3*24*time.Hour).Format("2 January 2006, 15:04") + " UTC"
		s.Pass(2 * time.Hour)
		require.Regexp(t, `href="/c/Gophers/p/soon">(<i>.*?</i>)?<strong>Your scheduled post was not published, and is a draft again</strong>`,
			ben.Page("/inbox/moderation"))
		unread := s.One("SELECT unread FROM users WHERE username = 'ben'").(int64)
		page := ben.Page("/c/gophers/p/soon")
		require.Contains(t, page, "It can&#39;t be posted now. You are banned from this community until "+until)
		require.NotContains(t, page, "Post now")
		require.Equal(t, unread-1, s.One("SELECT unread FROM users WHERE username = 'ben'"))
		draft := workertest.Targets(page)[0]
		page = ben.Page("/draft?target=" + draft)
		require.Contains(t, page, "You can save this draft, but not post it. You are banned from this community until "+until)
		require.NotContains(t, page, ">Post</button>")
		require.Equal(t, http.StatusForbidden, ben.Post("/publish", "target", draft).Code)
		fields := []string{"target", draft, "title", "Soon", "text", "Better", "revision", workertest.RevisionIn(t, page)}
		require.Equal(t, http.StatusForbidden, ben.Post("/publish", fields...).Code)
		ben.MustPost("/draft", fields...)
		s.Pass(3 * 24 * time.Hour)
		require.Contains(t, ben.Page("/c/gophers/p/soon"), "Post now")
		ben.MustPost("/publish", "target", draft)
		require.Contains(t, s.Visitor().Page("/c/gophers/p/soon"), "Better")
	})
	t.Run("the members of one decision are on one page", func(t *testing.T) {
		gophers := s.One("SELECT id FROM communities WHERE name_key = 'gophers'").(int64)
		s.Sql.ExecAt(data.ID(gophers), "INSERT INTO bans (id, community_id, user_id, kind, username, until) SELECT value, ?1, value, "+
			"'mute', 'user' || value, 1 << 52 FROM generate_series(1, 110)", gophers)
		require.Contains(t, ann.Page(list), `rel="next"`)
		page := ann.Page(list + "?first=" + data.ID(1).Text() + "&last=" + data.ID(110).Text())
		require.Contains(t, page, "user100")
		require.NotContains(t, page, `rel="next"`, "it would lead into the list of all")
		s.Exec("DELETE FROM bans WHERE id <= 110")
	})
	t.Run("a mute, and its end by a moderator", func(t *testing.T) {
		ann.MustPost(list, "user", "ben", "decision", "mute", "rule", "Spam")
		s.Now = s.Now.Add(data.MemberCacheTTL + time.Second)
		require.Contains(t, ben.Page(address), "You may read and vote in this community, but not write. Rule: Spam.")
		ben.MustPost("/vote", "target", post, "value", "1")
		require.Contains(t, ann.Page(list), "muted permanently")
		ann.MustPost(list, "user", "ben", "decision", "lift")
		s.Now = s.Now.Add(data.MemberCacheTTL + time.Second)
		require.NotContains(t, ben.Page(address), "but not write")
		res := ann.Post(list, "user", "ben", "decision", "lift")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "They are neither banned nor muted.")
	})
}
