package moderation_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

func TestPicturesAreBlockedWithTheirPost(t *testing.T) {
	s := workertest.MustOpen(t)
	root, founder, ann := s.Admin("rita"), s.Member("founder"), s.Member("ann")
	root.MustPost("/admin/settings", "uploads", "everybody")
	founder.MustPost("/communities", "name", "gophers")
	founder.MustPost("/communities", "name", "gardens")
	post := func(community, title, sum string) string {
		t.Helper()
		return workertest.Targets(ann.Page(ann.MustPost("/submit", "community", community, "title", title, "picture-1", sum, "alt-1",
			"A rose")))[0]
	}
	sum := ann.Upload(1)
	first, second, elsewhere := post("gophers", "First", sum), post("gophers", "Second", sum), post("gardens", "Elsewhere", sum)
	s.Member("bob").MustPost("/report", "target", first, "reason", "Spam")

	t.Run("the queue shows pictures of a case, which is blocked with its removal", func(t *testing.T) {
		page := founder.Page("/c/gophers/mod/queue")
		require.Contains(t, page, `<details class="shots"><summary><span class="vh">1 picture: show it clearly </span><img src="/picture/`+sum+
			`/small" alt="" width="800" height="600" loading="lazy" decoding="async"></summary>`)
		require.Contains(t, page, `<li><a href="/picture/`+sum+`">Picture 1<img src="/picture/`+sum+`" alt="" loading="lazy" decoding="async"></a>`,
			"and what it is, because a small version can show something else")
		require.Contains(t, page, `name="block-`+first+`" value="community"`)
		require.NotContains(t, page, `value="site"`, "who is no administrator")
		require.Contains(t, root.Page("/mod/queue"), `name="block-`+first+`" value="site"`)
		res := founder.Post("/c/gophers/mod/queue", "one", "remove "+first+" Spam", "block-"+first, "site")
		require.Equal(t, http.StatusForbidden, res.Code)
		require.Contains(t, founder.Page("/c/gophers/mod/queue"), first, "so it is not removed, either")
		founder.MustPost("/c/gophers/mod/queue", "one", "remove "+first+" Spam", "block-"+first, "community")
	})
	t.Run("posts with the same picture wait", func(t *testing.T) {
		page := founder.Page("/c/gophers/mod/queue")
		require.NotContains(t, page, "q-"+first)
		require.Contains(t, page, "q-"+second)
		require.Contains(t, page, "Blocked picture")
		require.NotContains(t, root.Page("/mod/queue"), "q-"+elsewhere)
	})
	t.Run("it does not come again there", func(t *testing.T) {
		res := ann.Post("/submit", "community", "gophers", "title", "Third", "picture-1", sum)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "Picture 1 was removed here.")
		require.Contains(t, res.Body.String(), `value="`+sum+`"`, "what was typed is there")
		post("gardens", "Third", sum)
	})
	t.Run("what looks like it comes, and waits for a decision", func(t *testing.T) {
		like := post("gophers", "Like it", ann.Upload(2)) // all that Upload makes have the same hash
		require.Contains(t, s.Visitor().Page("/c/gophers/new"), "Like it")
		_, waits, _ := strings.Cut(founder.Page("/c/gophers/mod/queue"), "q-"+like)
		require.Contains(t, waits, "Blocked picture")
	})
	t.Run("an administrator blocks it on the site, by the form of a post", func(t *testing.T) {
		form := root.Page("/c/gardens/mod/decide?target=" + elsewhere)
		require.Contains(t, form, `name="block" value="site"`)
		root.MustPost("/c/gardens/mod/decide", "target", elsewhere, "decision", "remove", "rule", "Spam", "block", "site")
		res := ann.Post("/submit", "community", "gardens", "title", "Fourth", "picture-1", sum)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, root.Page("/mod/queue"), "Third")
	})
	t.Run("the lists say what reaches how far, and take it back", func(t *testing.T) {
		page := founder.Page("/c/gophers/mod/pictures")
		require.Contains(t, page, "Nobody can post these pictures in c/gophers.")
		require.Contains(t, page, `<img src="/picture/`+sum+`"`)
		require.Contains(t, page, `href="/p/`+first+`"`)
		require.Contains(t, s.Visitor().Page("/c/gophers/log"), "blocked a picture")
		require.Contains(t, root.Page("/log"), "blocked a picture")
		require.Equal(t, http.StatusForbidden, founder.Get("/admin/blocked-pictures").Code)
		alike := "/admin/pictures?like=" + sum
		require.Contains(t, root.Page("/admin/blocked-pictures"), `href="`+alike+`"`)
		require.NotContains(t, page, alike, "which is for administrators")
		require.Contains(t, root.Page(alike), workertest.Sum(2))
		root.Upload(3)
		s.Exec("UPDATE pictures SET hash = 1 WHERE sum = ?1", workertest.Sum(3))
		require.NotContains(t, root.Page(alike), workertest.Sum(3))
		for address, by := range map[string]*workertest.Browser{"/c/gophers/mod/pictures": founder, "/admin/blocked-pictures": root} {
			_, block, _ := strings.Cut(by.Page(address), `name="block" value="`)
			block, _, _ = strings.Cut(block, `"`)
			require.NotEmpty(t, block)
			by.MustPost(address, "block", block)
			require.Contains(t, by.Page(address), "No picture is blocked.")
		}
		post("gophers", "Fifth", sum)
	})
	t.Run("undo takes the block back with the removal", func(t *testing.T) {
		founder.MustPost("/c/gophers/mod/queue", "one", "remove "+second+" Spam", "block-"+second, "community")
		require.NotContains(t, founder.Page("/c/gophers/mod/pictures"), "No picture is blocked.")
		founder.MustPost("/c/gophers/mod/queue", "one", "undo "+second)
		require.Contains(t, founder.Page("/c/gophers/mod/pictures"), "No picture is blocked.")
		require.Contains(t, founder.Page("/c/gophers/mod/queue"), "q-"+second)
	})
}
