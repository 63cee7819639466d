package community_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

// TestWiki has moderators write pages of a community, and everybody read them.
func TestWiki(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	const form, list = "/c/gophers/mod/page", "/c/gophers/pages"
	t.Run("is only linked where there are pages", func(t *testing.T) {
		require.NotContains(t, s.Visitor().Page("/c/gophers"), list)
		require.Contains(t, ann.Page("/c/gophers"), `href="`+list+`"`)
		require.Contains(t, ann.Page(list), `href="`+form+`"`)
		require.Contains(t, s.Visitor().Page(list), "has no pages yet")
		require.NotContains(t, ben.Page(list), form)
	})
	page := ann.MustPost(form, "title", "Getting <started>", "text", "# Hello\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n<script>alert(1)</script>")
	require.Equal(t, list+"/getting-started", page)
	s.Now = s.Now.Add(time.Minute) // what was kept in memory is over
	t.Run("shows to everybody, also as JSON", func(t *testing.T) {
		for _, b := range []*workertest.Browser{s.Visitor(), ben, ann} {
			text := b.Page(page)
			require.Contains(t, text, "<h1>Getting &lt;started&gt;</h1>")
			require.Contains(t, text, "<td>1</td>")
			require.NotContains(t, text, "<script>alert")
			require.Contains(t, b.Page("/c/gophers"), `href="`+page+`"`)
			require.Contains(t, b.Page("/c/gophers/moderators"), `href="`+page+`"`)
			require.Contains(t, b.Page(list), `href="`+page+`"`)
			require.Contains(t, b.Page(list+".json"), `"permalink":"`)
			require.Contains(t, b.Page(page+".json"), `"revision":1`)
		}
		require.NotContains(t, ben.Page(page), form)
		require.Contains(t, s.Visitor().Page("/sitemap/main"), page)
		require.Equal(t, http.StatusNotFound, ben.Get(list+"/other").Code)
		require.Equal(t, http.StatusNotFound, ben.Get("/c/u-ben/pages").Code)
	})
	t.Run("is edited by one moderator after the other", func(t *testing.T) {
		old := workertest.RevisionIn(t, ann.Page(form+"?page=getting-started"))
		ann.MustPost(form, "page", "getting-started", "revision", old, "title", "Getting started", "text", "What ann wrote")
		res := ann.Post(form, "page", "getting-started", "revision", old, "title", "Begin", "text", "What I typed")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		for _, says := range []string{"Somebody else changed this page", "What I typed", `value="Begin"`, "What ann wrote"} {
			require.Contains(t, res.Body.String(), says)
		}
		require.Equal(t, page, ann.MustPost(form, "page", "getting-started", "revision", workertest.RevisionIn(t, res.Body.String()), "title",
			"Begin", "text", "What I typed"), "the address stays")
		require.Contains(t, ben.Page(page), "What I typed")
		res = ann.Post(form, "page", "getting-started", "revision", "3", "title", "", "text", strings.Repeat("x", 20001))
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), `id="title-error"`)
		require.Contains(t, res.Body.String(), `id="text-error"`)
		require.Contains(t, res.Body.String(), "at most 20,000 characters")
		require.Equal(t, http.StatusForbidden, ben.Post(form, "title", "Mine", "text", "Mine").Code)
		require.Equal(t, http.StatusForbidden, ben.Get(form).Code)
	})
	t.Run("has a history that everybody can read", func(t *testing.T) {
		history := s.Visitor().Page(page + "/history")
		for _, says := range []string{page + "/history/1", "Revision 3: Begin", "Revision 2: Getting started", "/u/ann", `content="noindex`} {
			require.Contains(t, history, says)
		}
		second := s.Visitor().Page(page + "/history/2")
		for _, says := range []string{"The title was “Getting &lt;started&gt;”.", "</span>What ann wrote</ins>", "</span># Hello</del>", "What ann wrote</pre>"} {
			require.Contains(t, second, says)
		}
		require.NotContains(t, second, "Restore this revision")
		for _, wrong := range []string{"0", "4", "01", "x"} {
			require.Equal(t, http.StatusNotFound, s.Visitor().Get(page+"/history/"+wrong).Code, wrong)
		}
		require.Contains(t, ann.Page(page+"/history/2"), "Restore this revision")
		ann.MustPost(form+"/restore", "page", "getting-started", "number", "2", "revision", "3")
		require.Contains(t, ben.Page(page), "What ann wrote")
		require.Contains(t, ben.Page(page+"/history"), "restores revision 2")
		res := ann.Post(form+"/restore", "page", "getting-started", "number", "1", "revision", "3")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "Somebody else changed this page")
		require.Equal(t, http.StatusForbidden, ben.Post(form+"/restore", "page", "getting-started", "number", "1", "revision", "4").Code)
		require.Equal(t, http.StatusNotFound, ann.Post(form+"/restore", "page", "getting-started", "number", "9", "revision", "4").Code)
	})
	t.Run("is deleted, and can be restored", func(t *testing.T) {
		require.Equal(t, http.StatusForbidden, ben.Post(form+"/delete", "page", "getting-started").Code)
		require.Equal(t, list, ann.MustPost(form+"/delete", "page", "getting-started"))
		s.Now = s.Now.Add(time.Minute)
		for _, address := range []string{page, page + "/history", page + "/history/1"} {
			require.Equal(t, http.StatusNotFound, ben.Get(address).Code, address)
		}
		require.NotContains(t, ben.Page("/c/gophers"), page)
		require.NotContains(t, ben.Page(list), "Getting started")
		require.NotContains(t, ben.Page("/c/gophers/log"), "Getting started")
		require.Contains(t, ann.Page(list), page+"/history")
		require.Contains(t, ann.Page(page+"/history"), "This page is deleted")
		require.Equal(t, http.StatusNotFound, ann.Get(form+"?page=getting-started").Code)
		ann.MustPost(form+"/restore", "page", "getting-started", "number", "4", "revision", "4")
		require.Contains(t, ben.Page(page), "What ann wrote")
	})
	t.Run("is in the log", func(t *testing.T) {
		log := s.Visitor().Page("/c/gophers/log")
		for _, says := range []string{"wrote the page", "changed the page", "deleted the page", "restored the page",
			`<a href="` + page + `">Getting started</a>`} {
			require.Contains(t, log, says)
		}
		require.Contains(t, s.Visitor().Page("/c/gophers/log/numbers"), "2 pages restored")
	})
	t.Run("keeps its author's revisions when they leave", func(t *testing.T) {
		s.Exec("UPDATE users SET username = '' WHERE username = 'ann'")
		require.Contains(t, s.Visitor().Page(page), "[deleted]")
	})
}
