package post_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
)

func TestShortPosts(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	ann.MustPost("/submit", "community", "gophers", "title", "In a community", "text", "x")
	require.Contains(t, ann.Page("/u/ann"), `action="/post"`)
	require.NotContains(t, ben.Page("/u/ann"), `action="/post"`)

	address := ann.MustPost("/post", "text", "  Hello, this is all.\n")
	page := ben.Page(address)
	require.Contains(t, page, `">Hello, this is all.</h1>`)
	require.Contains(t, page, `href="/u/ann"`)
	require.NotContains(t, page, ">c/u-", "what is shown is the member")
	id := workertest.Targets(page)[0]
	ben.MustPost("/comment", "post", id, "body", "Indeed")
	ben.MustPost("/vote", "target", id, "value", "1")
	s.Deliver()
	require.Contains(t, ben.Page(address), "Indeed")
	require.Equal(t, int64(2), s.One("SELECT score FROM posts WHERE title LIKE 'Hello%'"))

	long := ann.MustPost("/post", "text", "Look at [this](https://example.com), @ben\n\nand more of *it*.")
	require.Contains(t, ben.Page(long), `href="https://example.com"`)
	require.Contains(t, ben.Page(long), `">Look at this, @ben and more of it.</h1>`)

	t.Run("they are on the profile and in no listing of the site", func(t *testing.T) {
		require.Contains(t, s.Visitor().Page("/u/ann"), "Hello, this is all.")
		require.NotContains(t, s.Visitor().Page("/u/ann"), ">c/u-")
		s.Visitor().Page("/")
		s.Deliver() // the hot set is made
		for _, list := range []string{"/", "/new", "/top?t=all", "/rising", "/comments?t=all", "/communities", "/communities?sort=new",
			"/communities?sort=growth"} {
			for _, who := range []*workertest.Browser{s.Visitor(), ben} {
				page := who.Page(list)
				require.NotContains(t, page, "Hello, this is all.", list)
				require.NotContains(t, page, "/c/u-", list)
			}
		}
		require.Contains(t, s.Visitor().Page("/new"), "In a community")
	})
	t.Run("the place leads to the profile, and is nobody else's", func(t *testing.T) {
		place := strings.Split(address, "/")[2]
		require.True(t, data.IsProfile(place))
		for _, path := range []string{"/c/" + place, "/c/" + strings.ToUpper(place) + "/new"} {
			res := s.Visitor().Get(path)
			require.Equal(t, http.StatusFound, res.Code)
			require.Equal(t, "/u/ann", res.Header().Get("Location"))
		}
		require.Equal(t, http.StatusNotFound, s.Visitor().Get("/c/u-00000000000zz").Code)
		require.Equal(t, http.StatusNotFound, s.Visitor().Get("/c/u-nonsense").Code)
		require.Equal(t, http.StatusNotFound, ben.Post("/submit", "community", place, "title", "Mine", "text", "x").Code)
		require.Equal(t, http.StatusNotFound, ben.Post("/subscribe", "community", place, "on", "1").Code)
		require.Equal(t, http.StatusForbidden, ann.Get("/c/"+place+"/settings").Code)
		require.Equal(t, "profile", s.One("SELECT kind FROM communities WHERE name_key LIKE 'u-%' AND members = 0"))
		// Its member may post all that a community takes.
		own := ann.MustPost("/c/"+place+"/submit", "title", "A link of mine", "link", "https://example.org/mine")
		require.Contains(t, s.Visitor().Page(own), "A link of mine")
		require.Contains(t, ann.Page("/u/ann"), "A link of mine")
	})
	t.Run("edit and delete work as everywhere", func(t *testing.T) {
		target := workertest.Targets(ann.Page(long))[0]
		ann.MustPost("/edit", "target", target, "text", "Other words", "revision", workertest.RevisionIn(t, ann.Page("/edit?target="+target)))
		require.Contains(t, ben.Page(long), "Other words")
		to := ann.MustPost("/delete", "target", target)
		require.NotContains(t, s.Visitor().Page("/u/ann"), "Look at this")
		ann.Page(to)
	})
	t.Run("one that is all title is edited whole", func(t *testing.T) {
		target := workertest.Targets(ann.Page(address))[0]
		again := s.Member("cid").MustPost("/submit", "community", "gophers", "title", "Again", "crosspost", target)
		page := ann.Page("/edit?target=" + target)
		require.Contains(t, page, ">Hello, this is all.</textarea>")
		fields := workertest.FormOf(t, page, "/edit")
		require.Contains(t, fields, "short")
		for typed, shows := range map[string]string{
			"Hello again, this is all.":               `">Hello again, this is all.</h1>`,
			"Hello again,\n\nwith *more* to it, @ben": "<em>more</em>",
		} {
			page := ann.Page("/edit?target=" + target)
			require.Equal(t, address, ann.MustPost("/edit", append(workertest.FormOf(t, page, "/edit"), "text", typed)...))
			require.Contains(t, ben.Page(address), shows)
		}
		require.Equal(t, http.StatusUnprocessableEntity, ann.Post("/edit", append(workertest.FormOf(t, ann.Page("/edit?target="+target), "/edit"),
			"text", " ")...).Code)
		ann.MustPost("/edit", append(workertest.FormOf(t, ann.Page("/edit?target="+target), "/edit"), "text", "Something else")...)
		require.Contains(t, ben.Page(address), `">Something else</h1>`)
		require.Contains(t, ben.Page(again), "Something else", "so do its crossposts")
		require.Equal(t, http.StatusForbidden, ben.Post("/edit", "target", target, "short", "1", "text", "Not mine").Code)
		inCommunity := workertest.Targets(ann.Page("/c/gophers/p/in-a-community"))[0]
		res := ann.Post("/edit", "target", inCommunity, "short", "1", "text", "Another title", "revision", "0")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code, "in a community titles stay")
		require.Contains(t, s.Visitor().Page("/c/gophers/p/in-a-community"), `">In a community</h1>`)
	})
	t.Run("a form that is sent twice posts once", func(t *testing.T) {
		const token = "a-token-of-twenty-letters"
		first := ann.MustPost("/post", "text", "Once", "token", token)
		require.Equal(t, first, ann.MustPost("/post", "text", "Once", "token", token))
		res := ann.Post("/post", "text", "Twice", "token", token)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "sent before")
	})
	t.Run("a form that can't be taken comes back", func(t *testing.T) {
		for text, says := range map[string]string{" \n": "Please write something first.", strings.Repeat("x", 1001): "at most 1,000 characters"} {
			res := ann.Post("/post", "text", text)
			require.Equal(t, http.StatusUnprocessableEntity, res.Code)
			require.Contains(t, res.Body.String(), says)
		}
		res := s.Visitor().Post("/post", "text", "typed before logging in")
		require.Equal(t, http.StatusUnauthorized, res.Code)
		require.Contains(t, res.Body.String(), "typed before logging in")
	})
}
