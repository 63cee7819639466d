package post_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/worker/workertest"
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
			require.Contains(t, s.Visitor().Page(address), `<a href="/discussions?post=`+id+`">1 other discussion</a>`)
		}
		list := s.Visitor().Page("/discussions?post=" + id)
		require.Less(t, strings.Index(list, address), strings.Index(list, copied))
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
