package worker_test

import (
	"net/http"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTags(t *testing.T) {
	s := mustOpen(t)
	ann, ben := s.member("ann"), s.member("ben")
	ann.mustPost("/communities", "name", "gophers")
	post := ben.mustPost("/c/gophers/submit", "title", "Tagged", "text", "x", "tags", "#Wasm, go web-design")
	id := targets(ben.page(post))[0]
	shown := func(names ...string) {
		t.Helper()
		for _, b := range []*browser{s.visitor(), ann, ben} {
			for _, address := range []string{post, "/new", "/c/gophers/new", "/u/ben"} {
				page := b.page(address)
				for _, name := range names {
					require.Contains(t, page, ">#"+name+"<", address)
				}
			}
		}
	}

	t.Run("show with the post, in one spelling", func(t *testing.T) {
		shown("go", "wasm", "web-design")
		require.Contains(t, ben.page("/edit?target="+id), `value="go wasm web-design"`)
	})
	t.Run("are changed by the form, and by programs only if they name them", func(t *testing.T) {
		form := "/edit?target=" + id
		ben.mustPost("/edit", "target", id, "revision", revisionIn(t, ben.page(form)), "text", "x", "tags", "go gophers")
		shown("go", "gophers")
		require.NotContains(t, ben.page(post), "#wasm")
		answer := ben.postBody("/edit", "application/json", `{"target":"`+id+`","revision":`+revisionIn(t, ben.page(form))+`,"text":"y"}`)
		require.Equal(t, http.StatusSeeOther, answer.Code, answer.Body.String())
		shown("go", "gophers")
		ben.mustPost("/edit", "target", id, "revision", revisionIn(t, ben.page(form)), "text", "x", "tags", "")
		require.NotContains(t, ben.page(post), "#go")
	})
	t.Run("come back with what is wrong", func(t *testing.T) {
		for _, address := range []string{"/c/gophers/submit", "/submit"} {
			w := ben.post(address, "community", "gophers", "title", "Wrong", "text", "x", "tags", "c++ <i>")
			require.Equal(t, http.StatusUnprocessableEntity, w.Code)
			require.Contains(t, w.Body.String(), "A tag has letters, digits and hyphens")
			require.Contains(t, w.Body.String(), `value="c++ &lt;i&gt;"`)
		}
		w := ben.post("/edit", "target", id, "revision", revisionIn(t, ben.page("/edit?target="+id)), "text", "x", "tags", "a b c d e f")
		require.Equal(t, http.StatusUnprocessableEntity, w.Code)
		require.Contains(t, w.Body.String(), "at most 5 tags")
		require.Contains(t, w.Body.String(), `value="a b c d e f"`)
	})
	t.Run("are kept in drafts, and published with them", func(t *testing.T) {
		draft := ben.mustPost("/c/gophers/submit", "title", "Later", "text", "x", "tags", "go", "status", "draft")
		target := regexp.MustCompile(`/draft\?target=(\w+)`).FindStringSubmatch(ben.page("/drafts"))[1]
		require.Contains(t, ben.page("/draft?target="+target), `name="tags" aria-describedby="tags-hint" autocomplete="off" autocapitalize="none" maxlength="200"`)
		ben.mustPost("/draft", "target", target, "revision", revisionIn(t, ben.page("/draft?target="+target)), "title", "Later", "text", "x", "tags", "later go")
		require.Equal(t, http.StatusNotFound, s.visitor().get(draft).Code)
		published := ben.mustPost("/publish", "target", target)
		require.Contains(t, s.visitor().page(published), ">#later<")
		post = published
		shown("go", "later")
		ben.mustPost("/delete", "target", target)
		require.NotContains(t, ben.page(post), "#later")
		require.Equal(t, "", s.one("SELECT tags FROM posts WHERE title = '[deleted]'"))
	})
	t.Run("of what moderators remove are hidden", func(t *testing.T) {
		post = ben.mustPost("/c/gophers/submit", "title", "Taken away", "text", "x", "tags", "spam")
		target := targets(ben.page(post))[0]
		ann.mustPost("/c/gophers/mod/decide", "target", target, "decision", "remove", "rule", "Spam")
		require.NotContains(t, s.visitor().page(post), "#spam")
		require.Contains(t, ben.page(post), "#spam")
	})
}
