package worker_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
)

func TestShortPosts(t *testing.T) {
	s := mustOpen(t)
	ann, ben := s.member("ann"), s.member("ben")
	ann.mustPost("/communities", "name", "gophers")
	ann.mustPost("/submit", "community", "gophers", "title", "In a community", "text", "x")
	require.Contains(t, ann.page("/u/ann"), `action="/post"`)
	require.NotContains(t, ben.page("/u/ann"), `action="/post"`)

	address := ann.mustPost("/post", "text", "  Hello, this is all.\n")
	page := ben.page(address)
	require.Contains(t, page, "<h1>Hello, this is all.</h1>")
	require.Contains(t, page, `href="/u/ann"`)
	require.NotContains(t, page, ">c/u-", "what is shown is the member")
	id := targets(page)[0]
	ben.mustPost("/comment", "post", id, "body", "Indeed")
	ben.mustPost("/vote", "target", id, "value", "1")
	s.deliver()
	require.Contains(t, ben.page(address), "Indeed")
	require.Equal(t, int64(2), s.one("SELECT score FROM posts WHERE title LIKE 'Hello%'"))

	long := ann.mustPost("/post", "text", "Look at [this](https://example.com), @ben\n\nand more of *it*.")
	require.Contains(t, ben.page(long), `href="https://example.com"`)
	require.Contains(t, ben.page(long), "<h1>Look at this, @ben and more of it.</h1>")

	t.Run("they are on the profile and in no listing of the site", func(t *testing.T) {
		require.Contains(t, s.visitor().page("/u/ann"), "Hello, this is all.")
		require.NotContains(t, s.visitor().page("/u/ann"), ">c/u-")
		s.visitor().page("/")
		s.deliver() // the hot set is made
		for _, list := range []string{"/", "/new", "/top?t=all", "/rising", "/comments?t=all", "/communities", "/communities?sort=new", "/communities?sort=growth"} {
			for _, who := range []*browser{s.visitor(), ben} {
				page := who.page(list)
				require.NotContains(t, page, "Hello, this is all.", list)
				require.NotContains(t, page, "/c/u-", list)
			}
		}
		require.Contains(t, s.visitor().page("/new"), "In a community")
	})
	t.Run("the place leads to the profile, and is nobody else's", func(t *testing.T) {
		place := strings.Split(address, "/")[2]
		require.True(t, data.IsProfile(place))
		for _, path := range []string{"/c/" + place, "/c/" + strings.ToUpper(place) + "/new"} {
			res := s.visitor().get(path)
			require.Equal(t, http.StatusFound, res.Code)
			require.Equal(t, "/u/ann", res.Header().Get("Location"))
		}
		require.Equal(t, http.StatusNotFound, s.visitor().get("/c/u-00000000000zz").Code)
		require.Equal(t, http.StatusNotFound, s.visitor().get("/c/u-nonsense").Code)
		require.Equal(t, http.StatusNotFound, ben.post("/submit", "community", place, "title", "Mine", "text", "x").Code)
		require.Equal(t, http.StatusNotFound, ben.post("/subscribe", "community", place, "on", "1").Code)
		require.Equal(t, http.StatusForbidden, ann.get("/c/"+place+"/settings").Code)
		require.Equal(t, int64(-1), s.one("SELECT members FROM communities WHERE name_key LIKE 'u-%' AND members < 0"))
		// Its member may post all that a community takes.
		own := ann.mustPost("/c/"+place+"/submit", "title", "A link of mine", "link", "https://example.org/mine")
		require.Contains(t, s.visitor().page(own), "A link of mine")
		require.Contains(t, ann.page("/u/ann"), "A link of mine")
	})
	t.Run("edit and delete work as everywhere", func(t *testing.T) {
		target := targets(ann.page(long))[0]
		ann.mustPost("/edit", "target", target, "text", "Other words", "revision", revisionIn(t, ann.page("/edit?target="+target)))
		require.Contains(t, ben.page(long), "Other words")
		to := ann.mustPost("/delete", "target", target)
		require.NotContains(t, s.visitor().page("/u/ann"), "Look at this")
		ann.page(to)
	})
	t.Run("one that is all title is edited whole", func(t *testing.T) {
		target := targets(ann.page(address))[0]
		again := s.member("cid").mustPost("/submit", "community", "gophers", "title", "Again", "crosspost", target)
		page := ann.page("/edit?target=" + target)
		require.Contains(t, page, ">Hello, this is all.</textarea>")
		fields := formOf(t, page, "/edit")
		require.Contains(t, fields, "short")
		for typed, shows := range map[string]string{
			"Hello again, this is all.":               "<h1>Hello again, this is all.</h1>",
			"Hello again,\n\nwith *more* to it, @ben": "<em>more</em>",
		} {
			page := ann.page("/edit?target=" + target)
			require.Equal(t, address, ann.mustPost("/edit", append(formOf(t, page, "/edit"), "text", typed)...))
			require.Contains(t, ben.page(address), shows)
		}
		require.Equal(t, http.StatusUnprocessableEntity, ann.post("/edit", append(formOf(t, ann.page("/edit?target="+target), "/edit"), "text", " ")...).Code)
		ann.mustPost("/edit", append(formOf(t, ann.page("/edit?target="+target), "/edit"), "text", "Something else")...)
		require.Contains(t, ben.page(address), "<h1>Something else</h1>")
		require.Contains(t, ben.page(again), "Something else", "so do its crossposts")
		require.Equal(t, http.StatusForbidden, ben.post("/edit", "target", target, "short", "1", "text", "Not mine").Code)
		inCommunity := targets(ann.page("/c/gophers/p/in-a-community"))[0]
		res := ann.post("/edit", "target", inCommunity, "short", "1", "text", "Another title", "revision", "0")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code, "in a community titles stay")
		require.Contains(t, s.visitor().page("/c/gophers/p/in-a-community"), "<h1>In a community</h1>")
	})
	t.Run("a form that is sent twice posts once", func(t *testing.T) {
		const token = "a-token-of-twenty-letters"
		first := ann.mustPost("/post", "text", "Once", "token", token)
		require.Equal(t, first, ann.mustPost("/post", "text", "Once", "token", token))
		res := ann.post("/post", "text", "Twice", "token", token)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "sent before")
	})
	t.Run("a form that can't be taken comes back", func(t *testing.T) {
		for text, says := range map[string]string{" \n": "Please write something first.", strings.Repeat("x", 1001): "at most 1,000 characters"} {
			res := ann.post("/post", "text", text)
			require.Equal(t, http.StatusUnprocessableEntity, res.Code)
			require.Contains(t, res.Body.String(), says)
		}
		res := s.visitor().post("/post", "text", "typed before logging in")
		require.Equal(t, http.StatusUnauthorized, res.Code)
		require.Contains(t, res.Body.String(), "typed before logging in")
	})
}
