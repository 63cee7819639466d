package post_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

// tokenOf is the token of a page's form, "" where it has none.
func tokenOf(page string) string {
	m := regexp.MustCompile(`name="token" value="([^"]*)"`).FindStringSubmatch(page)
	if m == nil {
		return ""
	}
	return m[1]
}

func TestFormsAreSentAgain(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	address := ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")
	post := workertest.Targets(ann.Page(address))[0]
	ann.MustPost("/comment", "post", post, "body", "a comment")
	comment := workertest.Targets(ann.Page(address))[1]

	forms := map[string]struct {
		page, action string
		fields       []string // the last is changed
		count        string
	}{
		"a post": {"/c/gophers/submit", "/c/gophers/submit", []string{"title", "Once", "text", "words"}, "SELECT count(*) FROM posts"},
		"a draft": {"/submit", "/submit", []string{"community", "gophers", "status", "draft", "title", "Once more"},
			"SELECT count(*) FROM posts"},
		"a comment":   {address, "/comment", []string{"post", post, "body", "words"}, "SELECT count(*) FROM comments"},
		"a reply":     {"/reply?to=" + comment, "/comment", []string{"parent", comment, "body", "words"}, "SELECT count(*) FROM comments"},
		"a community": {"/communities/new", "/communities", []string{"name", "snakes"}, "SELECT count(*) FROM communities"},
	}
	for name, f := range forms {
		t.Run(name, func(t *testing.T) {
			token := tokenOf(ann.Page(f.page))
			require.Regexp(t, `^[A-Za-z0-9_-]{22}$`, token, "128 bits")
			require.NotEqual(t, token, tokenOf(ann.Page(f.page)))
			before := s.One(f.count).(int64)
			fields := append([]string{"token", token}, f.fields...)
			created := ann.MustPost(f.action, fields...)
			require.Equal(t, created, ann.MustPost(f.action, fields...))
			require.Equal(t, before+1, s.One(f.count))

			fields[len(fields)-1] += "_and_more"
			res := ann.Post(f.action, fields...)
			require.Equal(t, http.StatusUnprocessableEntity, res.Code)
			page := res.Body.String()
			require.Contains(t, page, "_and_more", "what was typed")
			require.Contains(t, page, "This form was sent before")
			to := strings.Replace(created, "#c-", "/", 1)
			require.Contains(t, page, `<a href="`+to+`">See the result</a>`)
			fresh := tokenOf(page)
			require.NotEqual(t, token, fresh)
			require.Equal(t, before+1, s.One(f.count))
			fields[1] = fresh
			require.NotEqual(t, created, ann.MustPost(f.action, fields...))
			require.Equal(t, before+2, s.One(f.count))
		})
	}
	t.Run("an account", func(t *testing.T) {
		eve := s.Visitor()
		token := tokenOf(eve.Page("/signup"))
		require.NotEmpty(t, token)
		for range 2 {
			eve.Cookie = ""
			eve.MustPost("/signup", "token", token, "username", "eve", "password", "correct horse")
			require.NotEmpty(t, eve.Cookie)
		}
		require.Equal(t, int64(1), s.One("SELECT count(*) FROM users WHERE username = 'eve'"))
		other := s.Visitor()
		res := other.Post("/signup", "token", token, "username", "eve", "password", "another horse")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), `<a href="/login">Log in</a>`)
		require.Empty(t, other.Cookie)
	})
	t.Run("what was refused keeps its token, and nothing was made", func(t *testing.T) {
		token := tokenOf(ann.Page("/c/gophers/submit"))
		res := ann.Post("/c/gophers/submit", "token", token, "title", "", "text", "words")
		require.Equal(t, token, tokenOf(res.Body.String()))
		res = ann.Post("/preview", "token", token, "preview", "reply", "parent", comment, "body", "words")
		require.Equal(t, token, tokenOf(res.Body.String()))
	})
	t.Run("a token that is none is said, and replaced", func(t *testing.T) {
		for _, bad := range []string{"short", strings.Repeat("x", 65), "sixteen or more \"><script>"} {
			res := ann.Post("/comment", "token", bad, "post", post, "body", "typed words")
			require.Equal(t, http.StatusUnprocessableEntity, res.Code)
			require.Contains(t, res.Body.String(), "typed words")
			require.Regexp(t, `^[A-Za-z0-9_-]{22}$`, tokenOf(res.Body.String()))
		}
	})
	t.Run("no address hands out tokens of somebody's choice", func(t *testing.T) {
		require.NotEqual(t, "chosen-by-somebody", tokenOf(ann.Page("/submit?token=chosen-by-somebody")))
	})
	t.Run("visitors' pages carry none", func(t *testing.T) {
		require.Empty(t, tokenOf(s.Visitor().Page(address)))
	})
	t.Run("a thread carries one", func(t *testing.T) {
		require.Equal(t, 1, strings.Count(ann.Page(address), `name="token"`))
	})
}

func TestIdempotencyKey(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	ann.Header.Set("Accept", "application/json")
	ann.Header.Set("Idempotency-Key", `"8e03978e-40d5-43e8-bc93-6894a57f9324"`)
	send := func(text string) (int, string) {
		res := ann.Post("/c/gophers/submit", "title", "By a program", "text", text)
		return res.Code, res.Body.String()
	}
	status, first := send("words")
	require.Equal(t, http.StatusOK, status, first)
	status, second := send("words")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, first, second)
	ann.Header.Set("Idempotency-Key", "8e03978e-40d5-43e8-bc93-6894a57f9324") // the same, as many programs write it
	status, third := send("other words")
	require.Equal(t, http.StatusUnprocessableEntity, status)
	require.Contains(t, third, `"code":"already_sent"`)
	require.Contains(t, third, `"permalink":"/c/gophers/p/by-a-program"`)
	require.Equal(t, int64(1), s.One("SELECT count(*) FROM posts"))
	ann.Header.Set("Idempotency-Key", "no key")
	status, bad := send("words")
	require.Equal(t, http.StatusUnprocessableEntity, status)
	require.Contains(t, bad, `"code":"invalid"`)
}
