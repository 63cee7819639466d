package community_test

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
)

// flairIDs are the ids of the flairs on a page of links to them, by their texts.
func flairIDs(page string) map[string]string {
	ids := map[string]string{}
	for _, m := range regexp.MustCompile(`<option value="(\w+)"[^>]*>([^<]*)</option>`).FindAllStringSubmatch(page, -1) {
		ids[html.UnescapeString(m[2])] = m[1]
	}
	return ids
}

func TestFlair(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	const form = "/c/gophers/mod/flair"
	require.NotContains(t, ben.Page("/c/gophers/submit"), `name="flair"`)
	define := func(fields ...string) {
		t.Helper()
		ann.MustPost(form, append([]string{"revision", workertest.RevisionIn(t, ann.Page(form))}, fields...)...)
	}
	define("flair-1-text", "Question", "flair-1-colour", "blue", "flair-2-text", "News", "flair-2-place", "0", "flair-2-colour", "plain",
		"flair-3-text", "Answered", "flair-3-colour", "crimson", "flair-3-only", "1")
	submit := ben.Page("/c/gophers/submit")
	require.Less(t, strings.Index(submit, ">News<"), strings.Index(submit, ">Question<"))
	require.NotContains(t, submit, "Answered")
	question := flairIDs(submit)["Question"]
	asked := ben.MustPost("/c/gophers/submit", "title", "Asked", "text", "x", "flair", question)
	news := ben.MustPost("/submit", "community", "gophers", "title", "Something new", "text", "x", "flair",
		flairIDs(submit)["News"])
	s.Deliver()
	post := workertest.Targets(ben.Page(asked))[0]
	label := `<a class="mark" href="/c/gophers?flair=` + question + `" data-accent="blue">Question</a>`

	t.Run("shows wherever a post does, and lists its posts", func(t *testing.T) {
		for _, b := range []*workertest.Browser{s.Visitor(), ann} {
			for _, address := range []string{asked, "/new", "/c/gophers", "/c/gophers/new", "/u/ben"} {
				require.Contains(t, b.Page(address), label, address)
			}
			for _, address := range []string{"/c/gophers?flair=" + question, "/c/gophers/hot?flair=" + question, "/c/gophers/new?flair=" + question,
				"/c/gophers/top?t=all&flair=" + question} {
				page := b.Page(address)
				require.Contains(t, page, ">Asked</a>", address)
				require.NotContains(t, page, "Something new", address)
				require.Contains(t, page, `/c/gophers/top?flair=`+question, "the other orders keep it")
			}
			require.Equal(t, http.StatusNotFound, b.Get("/c/gophers?flair="+post).Code)
			require.Equal(t, http.StatusBadRequest, b.Get("/c/gophers?flair=x").Code)
		}
	})
	t.Run("comes back with what was typed, and can be needed", func(t *testing.T) {
		page := ann.Page(form)
		ids := regexp.MustCompile(`name="flair-\d-id" value="(\w+)"`).FindAllStringSubmatch(page, -1)
		require.Len(t, ids, 3)
		res := ann.Post(form, "revision", workertest.RevisionIn(t, page), "flair-1-text", "Two", "flair-2-text", "two", "flair-3-text", "Typed",
			"flair-3-place", "x")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		for _, says := range []string{"two flairs with this text", "a whole number", `value="Typed"`} {
			require.Contains(t, res.Body.String(), says)
		}
		define("required", "1", "flair-1-id", ids[0][1], "flair-1-text", "News", "flair-1-colour", "plain", "flair-2-id", ids[1][1],
			"flair-2-text", "Questions", "flair-2-colour", "blue",
			"flair-3-id", ids[2][1], "flair-3-text", "Answered", "flair-3-colour", "crimson", "flair-3-only", "1")
		require.Contains(t, ann.Page("/c/gophers/new"), ">Questions</a>")
		for _, address := range []string{"/submit", "/c/gophers/submit"} {
			res = ben.Post(address, "community", "gophers", "title", "What I typed", "text", "x")
			require.Equal(t, http.StatusUnprocessableEntity, res.Code)
			require.Contains(t, res.Body.String(), "need a flair")
			require.Contains(t, res.Body.String(), `value="What I typed"`)
			require.Equal(t, question, flairIDs(res.Body.String())["Questions"], address)
		}
		again := ben.Post("/c/gophers/submit", "title", "", "text", "x", "flair", question).Body.String()
		require.Contains(t, again, `<option value="`+question+`" selected>`)
		res = ben.Post("/edit", "target", post, "text", "y", "flair", "", "revision", "0")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "need a flair")
		ben.MustPost("/edit", "target", post, "text", "y", "revision", "0")
		require.Contains(t, ben.Page("/edit?target="+post), `<option value="`+question+`" selected>`)
	})
	t.Run("is given by moderators", func(t *testing.T) {
		give := "/c/gophers/mod/give-flair?target=" + post
		require.Contains(t, ann.Page(asked), `href="`+give+`"`)
		solved := regexp.MustCompile(`name="flair" value="(\w+)"><span class="mark" data-accent="crimson">Answered`).
			FindStringSubmatch(ann.Page(give))
		require.NotNil(t, solved)
		res := ann.Post("/c/gophers/mod/give-flair", "target", post, "flair", post)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		ann.MustPost("/c/gophers/mod/give-flair", "target", post, "flair", solved[1])
		require.Contains(t, ben.Page(asked), ">Answered</a>")
		require.Contains(t, s.Visitor().Page("/c/gophers/log"), "changed the flair of")
		require.Contains(t, s.Visitor().Page("/c/gophers/log"), "Flair: Answered")
		require.NotContains(t, ben.Page("/edit?target="+post), `name="flair"`)
		ben.MustPost("/edit", "target", post, "text", "z", "revision", workertest.RevisionIn(t, ben.Page("/edit?target="+post)))
		require.Contains(t, ben.Page(asked), ">Answered</a>")
	})
	t.Run("is given by automatic rules", func(t *testing.T) {
		const form = "/c/gophers/mod/rule"
		require.Contains(t, ann.Page(form), `<option value="Answered">`)
		id := regexp.MustCompile(`name="rule" value="([^"]*)"`).FindStringSubmatch(ann.Page(form))[1]
		rule := []string{"rule", id, "title", "Who helps", "words", "help", "do", "flair", "active", "1", "revision", "0"}
		res := ann.Post(form, append(rule, "flair", "Nowhere", "then", "save")...)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "no flair “Nowhere”")
		require.Contains(t, ann.Post(form, append(rule, "flair", "Answered", "then", "try")...).Body.String(), "flair: Answered")
		ann.MustPost(form, append(rule, "flair", "answered", "then", "save")...)
		helped := ben.MustPost("/c/gophers/submit", "title", "Help", "text", "x")
		require.Contains(t, ben.Page(helped), ">Answered</a>")
		ben.MustPost("/comment", "post", workertest.Targets(ben.Page(helped))[0], "body", "Help")
		require.Contains(t, ann.Page("/c/gophers/mod/rules"), "2 hits")
		define("flair-1-text", "Question", "flair-1-colour", "plain")
		require.NotContains(t, ben.Page(ben.MustPost("/c/gophers/submit", "title", "Help again", "text", "x")), ">Answered</a>")
		ann.MustPost("/c/gophers/mod/rules", "do", "off "+id)
		require.Equal(t, http.StatusUnprocessableEntity, ann.Post("/c/gophers/mod/rules", "do", "on "+id).Code)
	})
	t.Run("stays with its community", func(t *testing.T) {
		ann.MustPost("/communities", "name", "gardens")
		again := ben.MustPost("/submit", "community", "gardens", "title", "Shown again", "crosspost", workertest.Targets(ben.Page(news))[0])
		require.NotContains(t, ben.Page(again), ">News</a>")
		require.NotContains(t, ben.Page("/submit?crosspost="+post), ">Answered</a>")
		res := ben.Post("/submit", "community", "gardens", "title", "Another", "text", "x", "flair", question)
		if res.Code == http.StatusSeeOther { // gardens has no flairs, so there is none to refuse
			require.NotContains(t, ben.Page(res.Header().Get("Location")), ">Questions</a>")
		}
		define("flair-1-text", "Other", "flair-1-colour", "plain")
		require.NotContains(t, ben.Page(news), ">News</a>")
	})
}

// TestMemberFlair gives members flairs, by themselves and by moderators.
func TestMemberFlair(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	asked := ben.MustPost("/c/gophers/submit", "title", "Asked", "text", "x")
	ben.MustPost("/comment", "post", workertest.Targets(ben.Page(asked))[0], "body", "Mine")
	s.DeliverAll()
	require.NotContains(t, ben.Page("/c/gophers"), "your flair", "there is nothing to choose")

	const form = "/c/gophers/mod/flair"
	define := func(choose string) {
		ann.MustPost(form, "of", "members", "choose", choose, "flair-1-text", "Gopher", "flair-1-colour", "blue", "revision",
			workertest.RevisionIn(t, ann.Page(form+"?of=members")))
	}
	define("listed")
	ben.Now = ben.Now.Add(time.Minute) // what was kept in memory is over
	require.Contains(t, ben.Page("/c/gophers"), `<a href="/c/gophers/flair">Choose your flair</a>`)
	require.NotContains(t, s.Visitor().Page("/c/gophers"), "your flair")
	page := ben.Page("/c/gophers/flair")
	require.NotContains(t, page, `value="own"`)
	id := regexp.MustCompile(`name="flair" value="(\w{13})"`).FindStringSubmatch(page)[1]
	ben.MustPost("/c/gophers/flair", "flair", id)
	const label = `<span class="mark fl" data-accent="blue">Gopher</span>`
	for _, address := range []string{asked, "/c/gophers/new", "/u/ben/comments"} {
		require.Contains(t, ann.Page(address), label, address)
	}
	require.Contains(t, ben.Page("/c/gophers"), `Your flair: `+label)
	require.Contains(t, s.Visitor().Page(asked+".json"), `"author_flair":{"text":"Gopher","colour":"blue"}`)

	res := ben.Post("/c/gophers/flair", "flair", "own", "text", "What I typed")
	require.Equal(t, http.StatusUnprocessableEntity, res.Code)
	require.Contains(t, res.Body.String(), "This flair can&#39;t be chosen here")
	define("own")
	ben.MustPost("/c/gophers/flair", "flair", "own", "text", "<b>Mine</b>")
	require.Contains(t, ann.Page(asked), `<span class="mark fl">&lt;b&gt;Mine&lt;/b&gt;</span>`)
	id = regexp.MustCompile(`name="flair" value="(\w{13})"`).FindStringSubmatch(ben.Page("/c/gophers/flair"))[1]
	ben.MustPost("/c/gophers/flair", "flair", id, "was", "<b>Mine</b>", "text", "Typed")
	require.Contains(t, ann.Page(asked), `<span class="mark fl">Typed</span>`, "words that are typed count as chosen")
	ben.MustPost("/c/gophers/flair", "flair", id, "was", "Typed", "text", "Typed")
	require.Contains(t, ann.Page(asked), label, "words that the form came with don't")
	ben.MustPost("/c/gophers/flair", "flair", "own", "text", "<b>Mine</b>")
	res = ben.Post("/c/gophers/flair", "flair", "own", "text", strings.Repeat("x", 33))
	require.Equal(t, http.StatusUnprocessableEntity, res.Code)
	require.Contains(t, res.Body.String(), strings.Repeat("x", 33), "what was typed is still there")

	user := data.ID(s.One("SELECT id FROM users WHERE username = 'ben'").(int64)).Text()
	card := ann.Page("/c/gophers/mod/member?user=" + user + "&name=ben")
	require.Contains(t, card, `/c/gophers/mod/user-flair?user=`+user)
	require.Contains(t, ann.Page("/c/gophers/mod/user-flair?user="+user), `value="&lt;b&gt;Mine&lt;/b&gt;"`)
	id = regexp.MustCompile(`name="flair" value="(\w{13})"`).FindStringSubmatch(ann.Page("/c/gophers/mod/user-flair?user=" + user))[1]
	ann.MustPost("/c/gophers/mod/user-flair", "user", user, "flair", id, "fixed", "1")
	require.Contains(t, ann.Page(asked), label)
	ben.Now = ben.Now.Add(time.Minute)
	require.NotContains(t, ben.Page("/c/gophers"), "/c/gophers/flair", "the member can't change it")
	require.Contains(t, ann.Page("/c/gophers/log"), "changed the flair of a member")
	require.Equal(t, http.StatusNotFound, ben.Get("/c/u-ben/flair").Code)
}
