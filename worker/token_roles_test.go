package worker_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
)

// TestTokenRoles has programs act in the roles of their members, with every set of scopes.
func TestTokenRoles(t *testing.T) {
	s := mustOpen(t)
	ann, ben, eve := s.member("ann"), s.member("ben"), s.admin("eve")
	ann.mustPost("/communities", "name", "gophers")
	address := ben.mustPost("/submit", "community", "gophers", "title", "Of ben", "text", "a text that is removed")
	post := targets(ben.page(address))[0]
	asked := ben.mustPost("/messages", "community", "gophers", "title", "A question to moderators", "text", "what ben asks")
	toAdmins := ben.mustPost("/messages", "community", "", "title", "A question to administrators", "text", "what ben asks them")
	ann.mustPost("/c/gophers/mod/decide", "target", post, "decision", "remove", "rule", "Spam")
	decision := "/decisions/" + data.ID(s.one("SELECT id FROM moderation_log WHERE action = 'remove'").(int64)).Text()
	ann.mustPost("/c/gophers/moderators", "do", "invite", "user", "eve", "role", "moderator")
	read, write, moderate := program(s, ann.newToken("read")), program(s, ann.newToken("write")), program(s, ann.newToken("read", "write", "moderate"))
	messages := func() any { return s.one("SELECT count(*) FROM conversation_messages") }
	lacks := func(t *testing.T, b *browser, path string, fields ...string) {
		t.Helper()
		res := b.get(path)
		if len(fields) > 0 {
			res = b.post(path, fields...)
		}
		require.Equal(t, http.StatusForbidden, res.Code, res.Body.String())
		require.Equal(t, `Bearer error="insufficient_scope", scope="moderate"`, res.Header().Get("WWW-Authenticate"))
		require.NotContains(t, res.Body.String(), "ben asks")
	}

	t.Run("a conversation with the moderators is not read without the scope", func(t *testing.T) {
		lacks(t, read, asked+".json")
		lacks(t, read, asked)
		require.Contains(t, moderate.page(asked+".json"), "what ben asks")
		require.Contains(t, ann.page(asked), "what ben asks")
	})
	t.Run("nor answered, noted, closed or begun", func(t *testing.T) {
		before := messages()
		lacks(t, write, asked, "text", "an answer")
		lacks(t, write, asked, "text", "a note", "do", "note")
		lacks(t, write, asked, "do", "close")
		lacks(t, write, "/messages", "community", "gophers", "user", "ben", "title", "From moderators", "text", "text")
		require.Equal(t, before, messages())
		require.Equal(t, "open", s.one("SELECT status FROM conversations WHERE subject = 'A question to moderators'"))
		require.Equal(t, http.StatusOK, moderate.post(asked, "text", "a note", "do", "note").Code)
		require.Equal(t, http.StatusOK, moderate.post(asked, "text", "an answer").Code)
		require.Equal(t, http.StatusOK, moderate.post(asked, "do", "close").Code)
		require.Equal(t, http.StatusOK, moderate.post("/messages", "community", "gophers", "user", "ben", "title", "From moderators", "text", "text").Code)
	})
	t.Run("the member's own side takes no more than read and write", func(t *testing.T) {
		own := program(s, ben.newToken("read", "write"))
		require.Contains(t, own.page(toAdmins+".json"), "what ben asks them")
		require.Equal(t, http.StatusOK, own.post(toAdmins, "text", "and something more").Code)
		require.Equal(t, http.StatusOK, own.post("/messages", "community", "gophers", "title", "Another question", "text", "what ben asks too").Code)
		require.Equal(t, http.StatusOK, own.post(toAdmins, "do", "close").Code)
	})
	t.Run("an inbox says nothing of what it says", func(t *testing.T) {
		require.Contains(t, ann.page("/inbox.json"), "what ben asks")
		inbox := read.page("/inbox.json")
		require.NotContains(t, inbox, "what ben asks")
		require.NotContains(t, inbox, "A question to moderators")
		require.Contains(t, inbox, "wrote to the moderators of c/gophers")
		require.Contains(t, moderate.page("/inbox.json"), "what ben asks")
	})
	t.Run("what was removed, whose decisions and invitations are not shown", func(t *testing.T) {
		require.Contains(t, ann.page(address+".json"), "a text that is removed")
		require.NotContains(t, strings.ToLower(read.get(address+".json").Body.String()), "a text that is removed")
		require.Contains(t, moderate.page(address+".json"), "a text that is removed")
		require.Equal(t, http.StatusOK, ann.get(decision).Code)
		require.Equal(t, http.StatusNotFound, read.get(decision).Code)
		require.Equal(t, http.StatusOK, moderate.get(decision).Code)
		require.Contains(t, moderate.page("/c/gophers/moderators.json"), "eve")
		require.NotContains(t, read.page("/c/gophers/moderators.json"), "eve")
	})
	t.Run("no token acts for administrators", func(t *testing.T) {
		require.Contains(t, eve.page(toAdmins), "what ben asks them")
		all := program(s, eve.newToken("read", "write", "moderate"))
		for _, robot := range []*browser{all, program(s, eve.newToken("read", "write"))} {
			for _, res := range []int{robot.get(toAdmins + ".json").Code, robot.post(toAdmins, "text", "an answer").Code, robot.post(toAdmins, "do", "close").Code,
				robot.post("/messages", "community", "", "user", "ben", "title", "From us", "text", "text").Code} {
				require.Equal(t, http.StatusForbidden, res)
			}
		}
		require.NotContains(t, all.page("/inbox.json"), "what ben asks them")
		require.Contains(t, all.page(asked+".json"), "what ben asks", "an administrator moderates every community")
		eve.mustPost("/admin/settings", "name", "Plaza", "sign_up", "open", "founders", "administrators")
		require.Equal(t, http.StatusForbidden, all.post("/communities", "name", "byrobot").Code)
		eve.mustPost("/communities", "name", "byhand")
	})
}
