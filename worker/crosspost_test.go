package worker_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCrossposting(t *testing.T) {
	s := mustOpen(t)
	ann, ben := s.member("ann"), s.member("ben")
	ann.mustPost("/communities", "name", "gophers")
	ann.mustPost("/communities", "name", "cooks")
	address := ann.mustPost("/submit", "community", "gophers", "title", "A <i>question</i>", "text", "text")
	id := targets(ann.page(address))[0]
	form := "/submit?crosspost=" + id

	require.Contains(t, ben.page(address), `href="`+form+`"`)
	require.NotContains(t, s.visitor().page(address), form)
	page := ben.page(form)
	require.Contains(t, page, `value="A &lt;i&gt;question&lt;/i&gt;"`)
	require.Contains(t, page, "Crosspost from c/gophers, by ann")
	require.NotContains(t, page, `name="link"`)

	t.Run("keeps the original when it comes back", func(t *testing.T) {
		res := ben.post("/submit", "community", "nowhere", "title", "Look", "crosspost", id)
		require.Equal(t, http.StatusNotFound, res.Code)
		require.Contains(t, res.Body.String(), `name="crosspost" value="`+id+`"`)
		require.Contains(t, res.Body.String(), "Crosspost from c/gophers")
	})
	copied := ben.mustPost("/submit", "community", "cooks", "title", "Look", "crosspost", id)
	again := targets(ben.page(copied))[0]
	require.Equal(t, "/c/cooks/p/look", copied)
	t.Run("shows the original as a card, and leads to it from listings", func(t *testing.T) {
		page := s.visitor().page(copied)
		require.Contains(t, page, `<a class="linkcard again" href="`+address+`">`)
		require.Contains(t, page, "A &lt;i&gt;question&lt;/i&gt;")
		s.deliver()
		require.Contains(t, s.visitor().page("/c/cooks/new"), `<a class="mark" href="`+address+`">crosspost</a>`)
	})
	t.Run("is listed with the original", func(t *testing.T) {
		if s.sql.Home("gophers") == s.sql.Home("cooks") { // crossposts on other shards are listed, but not counted
			require.Contains(t, s.visitor().page(address), `<a href="/discussions?post=`+id+`">1 other discussion</a>`)
		}
		list := s.visitor().page("/discussions?post=" + id)
		require.Less(t, strings.Index(list, address), strings.Index(list, copied))
	})
	t.Run("of a crosspost is of the original", func(t *testing.T) {
		require.Contains(t, ann.page("/submit?crosspost="+again), "Crosspost from c/gophers, by ann")
		third := ann.mustPost("/submit", "community", "gophers", "title", "Full circle", "crosspost", again)
		require.Contains(t, s.visitor().page(third), `<a class="linkcard again" href="`+address+`">`)
	})
	t.Run("forgets what its author deletes", func(t *testing.T) {
		ann.mustPost("/delete", "target", id)
		page := s.visitor().page(copied)
		require.NotContains(t, page, "question&lt;")
		require.Contains(t, page, "[deleted]")
		require.Equal(t, http.StatusNotFound, ben.get(form).Code)
		require.Equal(t, http.StatusNotFound, ben.post("/submit", "community", "cooks", "title", "Look", "crosspost", id).Code)
	})
}
