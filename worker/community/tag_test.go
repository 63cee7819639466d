package community_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

func TestTags(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	post := ben.MustPost("/c/gophers/submit", "title", "Tagged", "text", "x", "tags", "#Wasm, go web-design")
	id := workertest.Targets(ben.Page(post))[0]
	shown := func(names ...string) {
		t.Helper()
		for _, b := range []*workertest.Browser{s.Visitor(), ann, ben} {
			for _, address := range []string{post, "/new", "/c/gophers/new", "/u/ben"} {
				page := b.Page(address)
				for _, name := range names {
					require.Contains(t, page, `href="/tag/`+name+`">#`+name+"<", address)
				}
			}
		}
	}

	t.Run("show with the post, in one spelling", func(t *testing.T) {
		shown("go", "wasm", "web-design")
		require.Contains(t, ben.Page("/edit?target="+id), `value="go wasm web-design"`)
	})
	t.Run("are changed by the form, and by programs only if they name them", func(t *testing.T) {
		form := "/edit?target=" + id
		ben.MustPost("/edit", "target", id, "revision", workertest.RevisionIn(t, ben.Page(form)), "text", "x", "tags", "go gophers")
		shown("go", "gophers")
		require.NotContains(t, ben.Page(post), "#wasm")
		response := ben.PostBody("/edit", "application/json", `{"target":"`+id+`","revision":`+workertest.RevisionIn(t, ben.Page(form))+
			`,"text":"y"}`)
		require.Equal(t, http.StatusSeeOther, response.Code, response.Body.String())
		shown("go", "gophers")
		ben.MustPost("/edit", "target", id, "revision", workertest.RevisionIn(t, ben.Page(form)), "text", "x", "tags", "")
		require.NotContains(t, ben.Page(post), "#go")
	})
	t.Run("come back with what is wrong", func(t *testing.T) {
		for _, address := range []string{"/c/gophers/submit", "/submit"} {
			w := ben.Post(address, "community", "gophers", "title", "Wrong", "text", "x", "tags", "c++ <i>")
			require.Equal(t, http.StatusUnprocessableEntity, w.Code)
			require.Contains(t, w.Body.String(), "A tag has letters, digits and hyphens")
			require.Contains(t, w.Body.String(), `value="c++ &lt;i&gt;"`)
		}
		w := ben.Post("/edit", "target", id, "revision", workertest.RevisionIn(t, ben.Page("/edit?target="+id)), "text", "x", "tags",
			"a b c d e f")
		require.Equal(t, http.StatusUnprocessableEntity, w.Code)
		require.Contains(t, w.Body.String(), "at most 5 tags")
		require.Contains(t, w.Body.String(), `value="a b c d e f"`)
	})
	t.Run("are kept in drafts, and published with them", func(t *testing.T) {
		draft := ben.MustPost("/c/gophers/submit", "title", "Later", "text", "x", "tags", "go", "status", "draft")
		target := regexp.MustCompile(`/draft\?target=(\w+)`).FindStringSubmatch(ben.Page("/drafts"))[1]
		require.Contains(t, ben.Page("/draft?target="+target), `name="tags" aria-describedby="tags-hint" autocomplete="off" `+
			`autocapitalize="none" maxlength="200"`)
		ben.MustPost("/draft", "target", target, "revision", workertest.RevisionIn(t, ben.Page("/draft?target="+target)), "title", "Later",
			"text", "x", "tags", "later go")
		require.Equal(t, http.StatusNotFound, s.Visitor().Get(draft).Code)
		published := ben.MustPost("/publish", "target", target)
		require.Contains(t, s.Visitor().Page(published), ">#later<")
		post = published
		shown("go", "later")
		ben.MustPost("/delete", "target", target)
		require.NotContains(t, ben.Page(post), "#later")
		require.Equal(t, "", s.One("SELECT tags FROM posts WHERE title = '[deleted]'"))
	})
	t.Run("list posts in all orders, alone and together", func(t *testing.T) {
		one := ben.MustPost("/c/gophers/submit", "title", "One of them", "text", "x", "tags", "big größe wasm")
		ben.MustPost("/c/gophers/submit", "title", "The other", "text", "x", "tags", "big go")
		ben.MustPost("/c/gophers/submit", "title", "A draft", "text", "x", "tags", "big", "status", "draft")
		ann.MustPost("/comment", "post", workertest.Targets(ann.Page(one))[0], "body", "first")
		ann.MustPost("/vote", "target", workertest.Targets(ann.Page(one))[0], "value", "-1")
		s.Deliver()
		for _, b := range []*workertest.Browser{s.Visitor(), ann} {
			for _, order := range []string{"", "/hot", "/new", "/top", "/top?t=all", "/rising"} {
				page := b.Page("/tag/big" + order)
				require.Contains(t, page, "The other", order)
				require.NotContains(t, page, "A draft")
				require.Contains(t, page, `href="/tag/big/new"`, "the other orders")
			}
			for _, address := range []string{"/tag/big+wasm", "/tag/big+gr%C3%B6%C3%9Fe+wasm/new", "/tag/big+gr%C3%B6%C3%9Fe/top?t=all",
				"/tag/big/comments", "/tag/big/controversial"} {
				page := b.Page(address)
				require.Contains(t, page, "One of them", address)
				require.NotContains(t, page, "The other", address)
			}
			require.Contains(t, b.Page("/tag/big"), `href="/tag/big+wasm">#wasm<`)
			require.Contains(t, b.Page("/tag/big+wasm"), `Without</span><a class="mark" href="/tag/wasm">#big<`)
			require.Contains(t, b.Page("/tag/nowhere"), "No posts yet.")
			require.Contains(t, b.Page("/tag/größe"), "<h1>#größe</h1>")
			require.Contains(t, b.Page("/tag/größe/top?t=year"), "<title>#größe: Top of the past year")
			for asked, want := range map[string]string{"/tag/Wasm+BIG/top?t=all": "/tag/big+wasm/top?t=all", "/tag/big+big": "/tag/big",
				"/tag/GRÖSSE": "/tag/gr%C3%B6sse", "/tag/Wasm+BIG/top.json?t=all": "/tag/big+wasm/top.json?t=all", "/tag/BIG.atom": "/tag/big.atom"} {
				w := b.Get(asked)
				require.Equal(t, http.StatusSeeOther, w.Code, asked)
				require.Equal(t, want, w.Header().Get("Location"))
			}
			w := b.Get("/tag/a+b+c+d")
			require.Equal(t, http.StatusBadRequest, w.Code)
			require.Contains(t, w.Body.String(), "at most 3 tags")
			require.Equal(t, http.StatusNotFound, b.Get("/tag/c++").Code)
		}
	})
	t.Run("are found by use and by their letters", func(t *testing.T) {
		for _, b := range []*workertest.Browser{s.Visitor(), ann} {
			all := b.Page("/tags")
			require.Contains(t, all, `<a href="/tag/big">#big</a></div><div class="muted"><span title="2 posts">2 posts`)
			require.Less(t, strings.Index(all, "#big"), strings.Index(all, "#wasm"))
			require.NotContains(t, all, "#later", "its only post is deleted")
			require.Contains(t, b.Page("/tags?q=%23Gr"), "#größe")
			require.NotContains(t, b.Page("/tags?q=gr"), "#big")
			require.Contains(t, b.Page("/tags?q=<b>"), "No tag begins like this.")
			require.Equal(t, `<option value="big"></option>`, b.Page("/tags/suggest?q=B"))
			require.Empty(t, b.Page("/tags/suggest"))
		}
	})
	t.Run("are followed, and their posts come into the timeline once", func(t *testing.T) {
		cid := s.Member("cid")
		require.NotContains(t, cid.Page("/home"), "The other")
		require.Equal(t, "/tag/big", cid.MustPost("/tags/follow", "tag", "big", "on", "1", "return", "/tag/big"))
		cid.MustPost("/tags/follow", "tag", "wasm", "on", "1")
		require.Contains(t, cid.Page("/tag/big"), ">Following<")
		require.Contains(t, cid.Page("/tags"), `You follow</span><a class="mark" href="/tag/big">#big</a>`)
		home := cid.Page("/home")
		require.Equal(t, 1, strings.Count(home, ">One of them</a></h2>"))
		require.Contains(t, home, "The other")
		require.NotContains(t, home, "A draft")
		cid.MustPost("/hide", "target", workertest.Targets(cid.Page("/tag/wasm"))[0], "on", "1")
		require.NotContains(t, cid.Page("/home"), ">One of them</a></h2>")
		ben.MustPost("/follow", "user", "ann", "on", "1")
		require.NotContains(t, ben.Page("/tag/big"), ">Following<")
		res := cid.WithHeader("HX-Request", "true").Post("/tags/follow", "tag", "big", "on", "0")
		cid.Header.Del("HX-Request")
		require.Contains(t, res.Body.String(), ">Follow<")
		require.NotContains(t, cid.Page("/home"), "The other")
		require.Equal(t, http.StatusNotFound, cid.Post("/tags/follow", "tag", "c++", "on", "1").Code)
		require.Equal(t, http.StatusUnprocessableEntity, cid.Post("/tags/follow", "tag", "big", "on", "yes").Code)
		s.Exec("INSERT INTO tag_follows (user_id, name, created_at) SELECT id, 't' || value, 1 FROM users, generate_series(1, 49) " +
			"WHERE username = 'cid'")
		require.Equal(t, http.StatusUnprocessableEntity, cid.Post("/tags/follow", "tag", "big", "on", "1").Code)
	})
	t.Run("are one in both forms of an accent", func(t *testing.T) {
		const composed, apart = "caf\u00e9", "cafe\u0301" // which look alike
		kept := func() any { return s.One("SELECT group_concat(DISTINCT tags) FROM posts WHERE title LIKE 'Coffee%'") }
		ben.MustPost("/c/gophers/submit", "title", "Coffee by the form", "text", "x", "tags", "#"+strings.ToUpper(apart)+" "+composed)
		response := ben.PostBody("/c/gophers/submit", "application/json", `{"title":"Coffee by a program","text":"x","tags":"`+apart+`"}`)
		require.Equal(t, http.StatusSeeOther, response.Code, response.Body.String())
		require.Equal(t, composed, kept())
		edited := workertest.Targets(ben.Page(response.Header().Get("Location")))[0]
		ben.MustPost("/edit", "target", edited, "revision", workertest.RevisionIn(t, ben.Page("/edit?target="+edited)), "text", "y", "tags",
			"cafe\u0301")
		ben.MustPost("/c/gophers/submit", "title", "Coffee later", "text", "x", "tags", "tea", "status", "draft")
		target := regexp.MustCompile(`/draft\?target=(\w+)`).FindStringSubmatch(ben.Page("/drafts"))[1]
		ben.MustPost("/draft", "target", target, "revision", workertest.RevisionIn(t, ben.Page("/draft?target="+target)), "title", "Coffee later",
			"text", "x", "tags", apart)
		require.Equal(t, composed, kept())
		for _, b := range []*workertest.Browser{s.Visitor(), ann} {
			for asked, want := range map[string]string{"/tag/" + apart: "/tag/caf%C3%A9",
				"/tag/go+" + apart + "/top.json?t=all": "/tag/caf%C3%A9+go/top.json?t=all"} {
				w := b.Get(asked)
				require.Equal(t, http.StatusSeeOther, w.Code)
				require.Equal(t, want, w.Header().Get("Location"))
			}
			for _, name := range []string{composed, apart} {
				for _, address := range []string{"/search?q=coffee&tag=" + name, "/search.json?q=tag:" + name, "/search?q=tag:%23" + name} {
					page := b.Page(address)
					require.Contains(t, page, "Coffee by the form", address)
					require.Contains(t, page, "Coffee by a program", address)
				}
				require.Contains(t, b.Page("/tags?q="+name), `href="/tag/caf%C3%A9"`)
				require.Contains(t, b.Page("/tags/suggest?q="+name), composed)
			}
		}
		dan := s.Member("dan")
		dan.MustPost("/tags/follow", "tag", apart, "on", "1")
		require.Contains(t, dan.Page("/tag/caf%C3%A9"), ">Following<")
		require.Equal(t, composed, s.One("SELECT group_concat(name) FROM tag_follows WHERE name LIKE 'caf%'"))
		dan.MustPost("/tags/follow", "tag", apart, "on", "0")
		require.NotContains(t, dan.Page("/tag/caf%C3%A9"), ">Following<")
	})
	t.Run("of what moderators remove are hidden", func(t *testing.T) {
		post = ben.MustPost("/c/gophers/submit", "title", "Taken away", "text", "x", "tags", "spam")
		target := workertest.Targets(ben.Page(post))[0]
		ann.MustPost("/c/gophers/mod/decide", "target", target, "decision", "remove", "rule", "Spam")
		require.NotContains(t, s.Visitor().Page(post), "#spam")
		require.NotContains(t, s.Visitor().Page("/tag/spam"), "Taken away")
		require.NotContains(t, s.Visitor().Page("/tags"), "#spam")
		require.Contains(t, ben.Page(post), "#spam")
	})
}
