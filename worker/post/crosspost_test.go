package post_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

func TestCrossposting(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	ann.MustPost("/communities", "name", "cooks")
	address := ann.MustPost("/submit", "community", "gophers", "title", "A <i>question</i>", "text", "text")
	id := workertest.Targets(ann.Page(address))[0]
	form := "/submit?crosspost=" + id

	require.Contains(t, ben.Page(address), `href="`+form+`"`)
	require.NotContains(t, s.Visitor().Page(address), form)
	page := ben.Page(form)
	require.Contains(t, page, `value="A &lt;i&gt;question&lt;/i&gt;"`)
	require.Contains(t, page, "Crosspost from c/gophers, by ann")
	require.NotContains(t, page, `name="link"`)

	t.Run("keeps the original when it comes back", func(t *testing.T) {
		res := ben.Post("/submit", "community", "nowhere", "title", "Look", "crosspost", id)
		require.Equal(t, http.StatusNotFound, res.Code)
		require.Contains(t, res.Body.String(), `name="crosspost" value="`+id+`"`)
		require.Contains(t, res.Body.String(), "Crosspost from c/gophers")
	})
	copied := ben.MustPost("/submit", "community", "cooks", "title", "Look", "crosspost", id)
	again := workertest.Targets(ben.Page(copied))[0]
	require.Equal(t, "/c/cooks/p/look", copied)
	t.Run("shows the original as a card, and leads to it from listings", func(t *testing.T) {
		page := s.Visitor().Page(copied)
		require.Contains(t, page, `<a class="linkcard again" href="`+address+`">`)
		require.Contains(t, page, "A &lt;i&gt;question&lt;/i&gt;")
		s.Deliver()
		require.Contains(t, s.Visitor().Page("/c/cooks/new"), `<a class="mark" href="`+address+`">crosspost</a>`)
	})
	t.Run("is listed with the original", func(t *testing.T) {
		if s.Sql.Home("gophers") == s.Sql.Home("cooks") { // crossposts on other shards are listed, but not counted
			require.Contains(t, s.Visitor().Page(address), `<a href="/discussions?post=`+id+`&amp;but=`+id+`">1 other discussion</a>`)
		}
		list := s.Visitor().Page("/discussions?post=" + id)
		require.Less(t, strings.Index(list, address), strings.Index(list, copied))
	})
	t.Run("opens below the thread, without what the viewer does not want", func(t *testing.T) {
		fragment := func(b *workertest.Browser, address string) string {
			b.Header.Set("HX-Request", "true")
			defer b.Header.Del("HX-Request")
			return b.Page(address)
		}
		elsewhere := "/discussions?post=" + id + "&but=" + again
		require.Contains(t, s.Visitor().Page(copied), `<a class="more" href="/discussions?post=`+id+`&amp;but=`+again+`">Discussions elsewhere</a>`)
		require.Contains(t, s.Visitor().Page(elsewhere), address)
		require.NotContains(t, s.Visitor().Page(elsewhere), `href="`+copied+`"`)
		list := fragment(s.Visitor(), elsewhere)
		require.NotContains(t, list, "<html")
		require.Contains(t, list, `<a class="cc" href="`+address+`"`)
		require.NotContains(t, list, "Show the first comments", "there are none")
		for _, said := range []string{"One", "Two", "Three", "Four"} {
			ben.MustPost("/comment", "post", id, "body", said)
		}
		s.DeliverAll()
		require.Contains(t, fragment(s.Visitor(), elsewhere), `<a class="more" href="`+address+`">`)
		top := fragment(s.Visitor(), address)
		require.Equal(t, 3, strings.Count(top, `<article class="comment`))
		require.Contains(t, top, `<a class="more away" href="`+address+`">`)
		for _, fields := range [][]string{{"/block", "user", "ann"}, {"/settings/filters", "kind", "community", "value", "gophers"}} {
			ben.MustPost(fields[0], append(fields[1:], "on", "1")...)
			require.Contains(t, fragment(ben, elsewhere), "There are none that you can see.", fields[0])
			ben.MustPost(fields[0], append(fields[1:], "on", "0")...)
		}
		require.NotContains(t, fragment(ben, elsewhere), "There are none")
	})
	t.Run("of a crosspost is of the original", func(t *testing.T) {
		require.Contains(t, ann.Page("/submit?crosspost="+again), "Crosspost from c/gophers, by ann")
		third := ann.MustPost("/submit", "community", "gophers", "title", "Full circle", "crosspost", again)
		require.Contains(t, s.Visitor().Page(third), `<a class="linkcard again" href="`+address+`">`)
	})
	t.Run("forgets what its author deletes", func(t *testing.T) {
		ann.MustPost("/delete", "target", id)
		page := s.Visitor().Page(copied)
		require.NotContains(t, page, "question&lt;")
		require.Contains(t, page, "[deleted]")
		require.Equal(t, http.StatusNotFound, ben.Get(form).Code)
		require.Equal(t, http.StatusNotFound, ben.Post("/submit", "community", "cooks", "title", "Look", "crosspost", id).Code)
	})
}
