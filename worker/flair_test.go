package worker_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFlair(t *testing.T) {
	s := mustOpen(t)
	ann, ben := s.member("ann"), s.member("ben")
	ann.mustPost("/communities", "name", "gophers")
	const form = "/c/gophers/mod/flair"
	require.NotContains(t, ben.page("/c/gophers/submit"), `name="flair"`)
	define := func(fields ...string) {
		t.Helper()
		ann.mustPost(form, append([]string{"revision", revisionIn(t, ann.page(form))}, fields...)...)
	}
	define("flair-1-text", "Question", "flair-1-colour", "blue", "flair-2-text", "News", "flair-2-place", "0", "flair-2-colour", "plain",
		"flair-3-text", "Answered", "flair-3-colour", "crimson", "flair-3-only", "1")
	submit := ben.page("/c/gophers/submit")
	require.Less(t, strings.Index(submit, ">News<"), strings.Index(submit, ">Question<"))
	require.NotContains(t, submit, "Answered")
	question := flairIDs(submit)["Question"]
	asked := ben.mustPost("/c/gophers/submit", "title", "Asked", "text", "x", "flair", question)
	news := ben.mustPost("/submit", "community", "gophers", "title", "Something new", "text", "x", "flair", flairIDs(submit)["News"])
	s.deliver()
	post := targets(ben.page(asked))[0]
	label := `<a class="mark" href="/c/gophers?flair=` + question + `" data-accent="blue">Question</a>`

	t.Run("shows wherever a post does, and lists its posts", func(t *testing.T) {
		for _, b := range []*browser{s.visitor(), ann} {
			for _, address := range []string{asked, "/new", "/c/gophers", "/c/gophers/new", "/u/ben"} {
				require.Contains(t, b.page(address), label, address)
			}
			for _, address := range []string{"/c/gophers?flair=" + question, "/c/gophers/hot?flair=" + question, "/c/gophers/new?flair=" + question, "/c/gophers/top?t=all&flair=" + question} {
				page := b.page(address)
				require.Contains(t, page, ">Asked</a>", address)
				require.NotContains(t, page, "Something new", address)
				require.Contains(t, page, `/c/gophers/top?flair=`+question, "the other orders keep it")
			}
			require.Equal(t, http.StatusNotFound, b.get("/c/gophers?flair="+post).Code)
			require.Equal(t, http.StatusBadRequest, b.get("/c/gophers?flair=x").Code)
		}
	})
	t.Run("comes back with what was typed, and can be needed", func(t *testing.T) {
		page := ann.page(form)
		ids := regexp.MustCompile(`name="flair-\d-id" value="(\w+)"`).FindAllStringSubmatch(page, -1)
		require.Len(t, ids, 3)
		res := ann.post(form, "revision", revisionIn(t, page), "flair-1-text", "Two", "flair-2-text", "two", "flair-3-text", "Typed", "flair-3-place", "x")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		for _, says := range []string{"two flairs with this text", "a whole number", `value="Typed"`} {
			require.Contains(t, res.Body.String(), says)
		}
		define("required", "1", "flair-1-id", ids[0][1], "flair-1-text", "News", "flair-1-colour", "plain", "flair-2-id", ids[1][1], "flair-2-text", "Questions", "flair-2-colour", "blue",
			"flair-3-id", ids[2][1], "flair-3-text", "Answered", "flair-3-colour", "crimson", "flair-3-only", "1")
		require.Contains(t, ann.page("/c/gophers/new"), ">Questions</a>")
		for _, address := range []string{"/submit", "/c/gophers/submit"} {
			res = ben.post(address, "community", "gophers", "title", "What I typed", "text", "x")
			require.Equal(t, http.StatusUnprocessableEntity, res.Code)
			require.Contains(t, res.Body.String(), "need a flair")
			require.Contains(t, res.Body.String(), `value="What I typed"`)
			require.Equal(t, question, flairIDs(res.Body.String())["Questions"], address)
		}
		again := ben.post("/c/gophers/submit", "title", "", "text", "x", "flair", question).Body.String()
		require.Contains(t, again, `<option value="`+question+`" selected>`)
		res = ben.post("/edit", "target", post, "text", "y", "flair", "", "revision", "0")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "need a flair")
		ben.mustPost("/edit", "target", post, "text", "y", "revision", "0")
		require.Contains(t, ben.page("/edit?target="+post), `<option value="`+question+`" selected>`)
	})
	t.Run("is given by moderators", func(t *testing.T) {
		give := "/c/gophers/mod/give-flair?target=" + post
		require.Contains(t, ann.page(asked), `href="`+give+`"`)
		answered := regexp.MustCompile(`name="flair" value="(\w+)"><span class="mark" data-accent="crimson">Answered`).FindStringSubmatch(ann.page(give))
		require.NotNil(t, answered)
		res := ann.post("/c/gophers/mod/give-flair", "target", post, "flair", post)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		ann.mustPost("/c/gophers/mod/give-flair", "target", post, "flair", answered[1])
		require.Contains(t, ben.page(asked), ">Answered</a>")
		require.Contains(t, s.visitor().page("/c/gophers/log"), "changed the flair of")
		require.Contains(t, s.visitor().page("/c/gophers/log"), "Flair: Answered")
		require.NotContains(t, ben.page("/edit?target="+post), `name="flair"`)
		ben.mustPost("/edit", "target", post, "text", "z", "revision", revisionIn(t, ben.page("/edit?target="+post)))
		require.Contains(t, ben.page(asked), ">Answered</a>")
	})
	t.Run("is given by automatic rules", func(t *testing.T) {
		const form = "/c/gophers/mod/rule"
		require.Contains(t, ann.page(form), `<option value="Answered">`)
		id := regexp.MustCompile(`name="rule" value="([^"]*)"`).FindStringSubmatch(ann.page(form))[1]
		rule := []string{"rule", id, "title", "Who helps", "words", "help", "do", "flair", "active", "1", "revision", "0"}
		res := ann.post(form, append(rule, "flair", "Nowhere", "then", "save")...)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "no flair “Nowhere”")
		require.Contains(t, ann.post(form, append(rule, "flair", "Answered", "then", "try")...).Body.String(), "flair: Answered")
		ann.mustPost(form, append(rule, "flair", "answered", "then", "save")...)
		helped := ben.mustPost("/c/gophers/submit", "title", "Help", "text", "x")
		require.Contains(t, ben.page(helped), ">Answered</a>")
		ben.mustPost("/comment", "post", targets(ben.page(helped))[0], "body", "Help")
		require.Contains(t, ann.page("/c/gophers/mod/rules"), "2 hits")
		define("flair-1-text", "Question", "flair-1-colour", "plain")
		require.NotContains(t, ben.page(ben.mustPost("/c/gophers/submit", "title", "Help again", "text", "x")), ">Answered</a>")
		ann.mustPost("/c/gophers/mod/rules", "do", "off "+id)
		require.Equal(t, http.StatusUnprocessableEntity, ann.post("/c/gophers/mod/rules", "do", "on "+id).Code)
	})
	t.Run("stays with its community", func(t *testing.T) {
		ann.mustPost("/communities", "name", "gardens")
		again := ben.mustPost("/submit", "community", "gardens", "title", "Shown again", "crosspost", targets(ben.page(news))[0])
		require.NotContains(t, ben.page(again), ">News</a>")
		require.NotContains(t, ben.page("/submit?crosspost="+post), ">Answered</a>")
		res := ben.post("/submit", "community", "gardens", "title", "Another", "text", "x", "flair", question)
		if res.Code == http.StatusSeeOther { // gardens has no flairs, so there is none to refuse
			require.NotContains(t, ben.page(res.Header().Get("Location")), ">Questions</a>")
		}
		define("flair-1-text", "Other", "flair-1-colour", "plain")
		require.NotContains(t, ben.page(news), ">News</a>")
	})
}
