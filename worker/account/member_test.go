package account_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

func TestMembersPath(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben, visitor := s.Member("ann"), s.Member("ben"), s.Visitor()

	require.Equal(t, "/c/gophers", ann.MustPost("/communities", "name", "gophers", "title", "Gophers", "description", "About Go"))
	address := ann.MustPost("/c/gophers/submit", "title", "Hello, Plaza!", "text", "A *first* post")
	require.Equal(t, "/c/gophers/p/hello-plaza", address)
	require.Equal(t, "/c/gophers/p/a-link", ann.MustPost("/submit", "community", "gophers", "title", "A link", "link", "https://go.dev/blog"))
	require.Equal(t, "/c/gophers/p/an-image", ann.MustPost("/submit", "community", "gophers", "title", "An image", "image",
		"https://example.org/x.png"))

	t.Run("the post shows at once, with its Markdown and its author's vote", func(t *testing.T) {
		page := ann.Page(address)
		require.Contains(t, page, "<em>first</em>")
		require.Contains(t, page, `aria-pressed="true"`)
		require.Contains(t, ann.Page("/c/gophers/new"), "Hello, Plaza!")
		require.Contains(t, ann.Page("/c/gophers"), "go.dev")
	})

	id := workertest.Targets(ann.Page(address))[0]
	reply := ben.MustPost("/comment", "post", id, "body", "I **agree**")
	require.True(t, strings.HasPrefix(reply, address+"#c-"), reply)
	root := strings.TrimPrefix(reply, address+"#c-")
	nested := ann.MustPost("/comment", "parent", root, "body", "Thank you")
	require.True(t, strings.HasPrefix(nested, address+"#c-"), nested)

	t.Run("votes are seen by their voter at once and by all after the delta run", func(t *testing.T) {
		require.Equal(t, address, ben.MustPost("/vote", "target", id, "value", "1", "return", address))
		s.Deliver()
		require.Equal(t, int64(2), s.One("SELECT score FROM posts WHERE slug = 'hello-plaza'"))
		ben.MustPost("/vote", "target", id, "value", "-1", "return", address)
		require.Contains(t, ben.Page(address), `title="0 points`)
		require.Contains(t, visitor.Page(address), `title="2 points`)
		s.Deliver()
		require.Contains(t, visitor.Page(address), `title="0 points`)
		ben.MustPost("/vote", "target", id, "value", "0", "return", address)
		ben.MustPost("/vote", "target", root, "value", "0", "return", address)
		s.Deliver()
		require.Equal(t, int64(1), s.One("SELECT score FROM posts WHERE slug = 'hello-plaza'"))
		require.Equal(t, int64(2), s.One("SELECT comments FROM posts WHERE slug = 'hello-plaza'"))
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM vote_deltas"))
		require.Equal(t, int64(0), s.One(`SELECT count(*) FROM (SELECT id, ups, downs FROM posts UNION ALL SELECT id, ups, downs FROM comments) t
WHERE ups <> (SELECT count(*) FROM votes WHERE target_id = t.id AND value = 1) OR downs <> (SELECT count(*) FROM votes
  WHERE target_id = t.id AND value = -1)`))
	})

	t.Run("the thread and the permalink show who said what", func(t *testing.T) {
		page := visitor.Page(address)
		require.Less(t, strings.Index(page, "<strong>agree</strong>"), strings.Index(page, "Thank you"))
		permalink := visitor.Page(address + "/" + root)
		require.Contains(t, permalink, "<strong>agree</strong>")
		require.Contains(t, permalink, "Thank you")
	})

	t.Run("profiles list posts and comments", func(t *testing.T) {
		require.Contains(t, visitor.Page("/u/ANN"), "Hello, Plaza!")
		require.Contains(t, visitor.Page("/u/ben/comments"), "<strong>agree</strong>")
		require.Equal(t, http.StatusNotFound, visitor.Get("/u/nobody").Code)
	})

	t.Run("the script gets fragments", func(t *testing.T) {
		ben.Header.Set("HX-Request", "true")
		res := ben.Post("/vote", "target", id, "value", "1")
		require.Equal(t, http.StatusOK, res.Code)
		require.NotContains(t, res.Body.String(), "<html")
		require.Contains(t, res.Body.String(), `aria-pressed="true"`)
		res = ben.Post("/comment", "post", id, "body", "in place")
		require.Equal(t, http.StatusOK, res.Code)
		require.NotContains(t, res.Body.String(), "<html")
		require.Contains(t, res.Body.String(), "in place")
		ben.Header.Del("HX-Request")
	})

	t.Run("programs get JSON", func(t *testing.T) {
		ben.Header.Set("Accept", "application/json")
		res := ben.PostBody("/vote", "application/json", `{"target":"`+id+`","value":-1}`)
		require.Equal(t, http.StatusOK, res.Code)
		require.Contains(t, res.Body.String(), `"my_vote":-1`)
		res = ben.PostBody("/vote", "application/json", `{"target":"x","value":-1}`)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.JSONEq(t, `{"error":{"code":"invalid","field":"target","message":"That is not a post or comment of this site."}}`,
			res.Body.String())
		ben.Header.Del("Accept")
	})

	t.Run("logging out ends the session, also for a copy of its cookie", func(t *testing.T) {
		thief := &workertest.Browser{Site: s, Cookie: ben.Cookie, Header: http.Header{}}
		ben.MustPost("/logout")
		require.Empty(t, ben.Cookie)
		res := thief.Post("/vote", "target", id, "value", "1")
		require.Equal(t, http.StatusUnauthorized, res.Code)
		require.Equal(t, http.StatusSeeOther, thief.Get("/").Code)
		require.Empty(t, thief.Cookie, "the page took the dead cookie away")
	})

	t.Run("and logging in again works with what was forgotten in between", func(t *testing.T) {
		require.Equal(t, "/c/gophers", ben.MustPost("/login", "login", "BEN", "password", "correct horse", "next", "/c/gophers"))
		require.Contains(t, ben.Page("/"), "ben")
		require.Equal(t, http.StatusUnauthorized, s.Visitor().Post("/login", "login", "ben", "password", "wrong").Code)
	})
}
