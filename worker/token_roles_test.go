package worker_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
)

// TestTokenRoles has programs act in the roles of their members, with every set of scopes.
func TestTokenRoles(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben, eve := s.Member("ann"), s.Member("ben"), s.Admin("eve")
	ann.MustPost("/communities", "name", "gophers")
	address := ben.MustPost("/submit", "community", "gophers", "title", "Of ben", "text", "a text that is removed")
	post := workertest.Targets(ben.Page(address))[0]
	asked := ben.MustPost("/messages", "community", "gophers", "title", "A question to moderators", "text", "what ben asks")
	toAdmins := ben.MustPost("/messages", "community", "", "title", "A question to administrators", "text", "what ben asks them")
	ann.MustPost("/c/gophers/mod/decide", "target", post, "decision", "remove", "rule", "Spam")
	decision := "/decisions/" + data.ID(s.One("SELECT id FROM moderation_log WHERE action = 'remove'").(int64)).Text()
	ann.MustPost("/c/gophers/moderators", "do", "invite", "user", "eve", "role", "moderator")
	read, write, moderate := workertest.Program(s, ann.NewToken("read")), workertest.Program(s, ann.NewToken("write")),
		workertest.Program(s, ann.NewToken("read", "write", "moderate"))
	messages := func() any { return s.One("SELECT count(*) FROM conversation_messages") }
	lacks := func(t *testing.T, b *workertest.Browser, path string, fields ...string) {
		t.Helper()
		res := b.Get(path)
		if len(fields) > 0 {
			res = b.Post(path, fields...)
		}
		require.Equal(t, http.StatusForbidden, res.Code, res.Body.String())
		require.Equal(t, `Bearer error="insufficient_scope", scope="moderate"`, res.Header().Get("WWW-Authenticate"))
		require.NotContains(t, res.Body.String(), "ben asks")
	}

	t.Run("a conversation with the moderators is not read without the scope", func(t *testing.T) {
		lacks(t, read, asked+".json")
		lacks(t, read, asked)
		require.Contains(t, moderate.Page(asked+".json"), "what ben asks")
		require.Contains(t, ann.Page(asked), "what ben asks")
	})
	t.Run("nor answered, noted, closed or begun", func(t *testing.T) {
		before := messages()
		lacks(t, write, asked, "text", "an answer")
		lacks(t, write, asked, "text", "a note", "do", "note")
		lacks(t, write, asked, "do", "close")
		lacks(t, write, "/messages", "community", "gophers", "user", "ben", "title", "From moderators", "text", "text")
		require.Equal(t, before, messages())
		require.Equal(t, "open", s.One("SELECT status FROM conversations WHERE subject = 'A question to moderators'"))
		require.Equal(t, http.StatusOK, moderate.Post(asked, "text", "a note", "do", "note").Code)
		require.Equal(t, http.StatusOK, moderate.Post(asked, "text", "an answer").Code)
		require.Equal(t, http.StatusOK, moderate.Post(asked, "do", "close").Code)
		require.Equal(t, http.StatusOK, moderate.Post("/messages", "community", "gophers", "user", "ben", "title", "From moderators", "text",
			"text").Code)
	})
	t.Run("the member's own side takes no more than read and write", func(t *testing.T) {
		own := workertest.Program(s, ben.NewToken("read", "write"))
		require.Contains(t, own.Page(toAdmins+".json"), "what ben asks them")
		require.Equal(t, http.StatusOK, own.Post(toAdmins, "text", "and something more").Code)
		require.Equal(t, http.StatusOK, own.Post("/messages", "community", "gophers", "title", "Another question", "text",
			"what ben asks too").Code)
		require.Equal(t, http.StatusOK, own.Post(toAdmins, "do", "close").Code)
	})
	t.Run("an inbox says nothing of what it says", func(t *testing.T) {
		require.Contains(t, ann.Page("/inbox.json"), "what ben asks")
		inbox := read.Page("/inbox.json")
		require.NotContains(t, inbox, "what ben asks")
		require.NotContains(t, inbox, "A question to moderators")
		require.Contains(t, inbox, "wrote to the moderators of c/gophers")
		require.Contains(t, moderate.Page("/inbox.json"), "what ben asks")
	})
	t.Run("what was removed, whose decisions and invitations are not shown", func(t *testing.T) {
		require.Contains(t, ann.Page(address+".json"), "a text that is removed")
		require.NotContains(t, strings.ToLower(read.Get(address+".json").Body.String()), "a text that is removed")
		require.Contains(t, moderate.Page(address+".json"), "a text that is removed")
		require.Equal(t, http.StatusOK, ann.Get(decision).Code)
		require.Equal(t, http.StatusNotFound, read.Get(decision).Code)
		require.Equal(t, http.StatusOK, moderate.Get(decision).Code)
		require.Contains(t, moderate.Page("/c/gophers/moderators.json"), "eve")
		require.NotRegexp(t, `\beve\b`, read.Page("/c/gophers/moderators.json"))
	})
	t.Run("no token acts for administrators", func(t *testing.T) {
		require.Contains(t, eve.Page(toAdmins), "what ben asks them")
		all := workertest.Program(s, eve.NewToken("read", "write", "moderate"))
		for _, robot := range []*workertest.Browser{all, workertest.Program(s, eve.NewToken("read", "write"))} {
			for _, res := range []int{robot.Get(toAdmins + ".json").Code, robot.Post(toAdmins, "text", "an answer").Code,
				robot.Post(toAdmins, "do", "close").Code,
				robot.Post("/messages", "community", "", "user", "ben", "title", "From us", "text", "text").Code} {
				require.Equal(t, http.StatusForbidden, res)
			}
		}
		require.NotContains(t, all.Page("/inbox.json"), "what ben asks them")
		require.Contains(t, all.Page(asked+".json"), "what ben asks", "an administrator moderates every community")
		eve.MustPost("/admin/settings", "name", "Plaza", "sign_up", "open", "founders", "administrators")
		require.Equal(t, http.StatusForbidden, all.Post("/communities", "name", "byrobot").Code)
		eve.MustPost("/communities", "name", "byhand")
	})
}
