package worker_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMembersPath(t *testing.T) {
	s := mustOpen(t)
	ann, ben, visitor := s.member("ann"), s.member("ben"), s.visitor()

	require.Equal(t, "/c/gophers", ann.mustPost("/communities", "name", "gophers", "title", "Gophers", "description", "About Go"))
	address := ann.mustPost("/c/gophers/submit", "title", "Hello, Plaza!", "text", "A *first* post")
	require.Equal(t, "/c/gophers/p/hello-plaza", address)
	require.Equal(t, "/c/gophers/p/a-link", ann.mustPost("/submit", "community", "gophers", "title", "A link", "link", "https://go.dev/blog"))
	require.Equal(t, "/c/gophers/p/an-image", ann.mustPost("/submit", "community", "gophers", "title", "An image", "image", "https://example.org/x.png"))

	t.Run("the post shows at once, with its Markdown and its author's vote", func(t *testing.T) {
		page := ann.page(address)
		require.Contains(t, page, "<em>first</em>")
		require.Contains(t, page, `aria-pressed="true"`)
		require.Contains(t, ann.page("/c/gophers/new"), "Hello, Plaza!")
		require.Contains(t, ann.page("/c/gophers"), "go.dev")
	})

	id := targets(ann.page(address))[0]
	reply := ben.mustPost("/comment", "post", id, "body", "I **agree**")
	require.True(t, strings.HasPrefix(reply, address+"#c-"), reply)
	root := strings.TrimPrefix(reply, address+"#c-")
	nested := ann.mustPost("/comment", "parent", root, "body", "Thank you")
	require.True(t, strings.HasPrefix(nested, address+"#c-"), nested)

	t.Run("votes are seen by their voter at once and by all after the fold", func(t *testing.T) {
		require.Equal(t, address, ben.mustPost("/vote", "target", id, "value", "1", "return", address))
		s.deliver()
		require.Equal(t, int64(2), s.one("SELECT score FROM posts WHERE slug = 'hello-plaza'"))
		ben.mustPost("/vote", "target", id, "value", "-1", "return", address)
		require.Contains(t, ben.page(address), `title="0 points`)
		require.Contains(t, visitor.page(address), `title="2 points`)
		s.deliver()
		require.Contains(t, visitor.page(address), `title="0 points`)
		ben.mustPost("/vote", "target", id, "value", "0", "return", address)
		ben.mustPost("/vote", "target", root, "value", "0", "return", address)
		s.deliver()
		require.Equal(t, int64(1), s.one("SELECT score FROM posts WHERE slug = 'hello-plaza'"))
		require.Equal(t, int64(2), s.one("SELECT comments FROM posts WHERE slug = 'hello-plaza'"))
		require.Equal(t, int64(0), s.one("SELECT count(*) FROM vote_deltas"))
		require.Equal(t, int64(0), s.one(`SELECT count(*) FROM (SELECT id, ups, downs FROM posts UNION ALL SELECT id, ups, downs FROM comments) t
WHERE ups <> (SELECT count(*) FROM votes WHERE target_id = t.id AND value = 1) OR downs <> (SELECT count(*) FROM votes WHERE target_id = t.id AND value = -1)`))
	})

	t.Run("the thread and the permalink show who said what", func(t *testing.T) {
		page := visitor.page(address)
		require.Less(t, strings.Index(page, "<strong>agree</strong>"), strings.Index(page, "Thank you"))
		permalink := visitor.page(address + "/" + root)
		require.Contains(t, permalink, "<strong>agree</strong>")
		require.Contains(t, permalink, "Thank you")
	})

	t.Run("profiles list posts and comments", func(t *testing.T) {
		require.Contains(t, visitor.page("/u/ANN"), "Hello, Plaza!")
		require.Contains(t, visitor.page("/u/ben/comments"), "<strong>agree</strong>")
		require.Equal(t, http.StatusNotFound, visitor.get("/u/nobody").Code)
	})

	t.Run("the script gets fragments", func(t *testing.T) {
		ben.header.Set("HX-Request", "true")
		res := ben.post("/vote", "target", id, "value", "1")
		require.Equal(t, http.StatusOK, res.Code)
		require.NotContains(t, res.Body.String(), "<html")
		require.Contains(t, res.Body.String(), `aria-pressed="true"`)
		res = ben.post("/comment", "post", id, "body", "in place")
		require.Equal(t, http.StatusOK, res.Code)
		require.NotContains(t, res.Body.String(), "<html")
		require.Contains(t, res.Body.String(), "in place")
		ben.header.Del("HX-Request")
	})

	t.Run("programs get JSON", func(t *testing.T) {
		ben.header.Set("Accept", "application/json")
		res := ben.postBody("/vote", "application/json", `{"target":"`+id+`","value":-1}`)
		require.Equal(t, http.StatusOK, res.Code)
		require.Contains(t, res.Body.String(), `"my_vote":-1`)
		res = ben.postBody("/vote", "application/json", `{"target":"x","value":-1}`)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.JSONEq(t, `{"error":{"code":"invalid","field":"target","message":"That is not a post or comment of this site."}}`, res.Body.String())
		ben.header.Del("Accept")
	})

	t.Run("logging out ends the session, also for a copy of its cookie", func(t *testing.T) {
		thief := &browser{site: s, cookie: ben.cookie, header: http.Header{}}
		ben.mustPost("/logout")
		require.Empty(t, ben.cookie)
		res := thief.post("/vote", "target", id, "value", "1")
		require.Equal(t, http.StatusUnauthorized, res.Code)
		require.Equal(t, http.StatusSeeOther, thief.get("/").Code)
		require.Empty(t, thief.cookie, "the page took the dead cookie away")
	})

	t.Run("and logging in again works with what was forgotten in between", func(t *testing.T) {
		require.Equal(t, "/c/gophers", ben.mustPost("/login", "login", "BEN", "password", "correct horse", "next", "/c/gophers"))
		require.Contains(t, ben.page("/"), "ben")
		require.Equal(t, http.StatusUnauthorized, s.visitor().post("/login", "login", "ben", "password", "wrong").Code)
	})
}
