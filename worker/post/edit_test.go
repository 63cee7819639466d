package post_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

func jsonNumber(n int64) string { return strconv.FormatInt(n, 10) }

func TestEditingAPost(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	address := ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "The *bygone* text")
	id := workertest.Targets(ann.Page(address))[0]
	form := "/edit?target=" + id

	t.Run("is offered to the author alone", func(t *testing.T) {
		require.Contains(t, ann.Page(address), `href="`+form+`"`)
		require.NotContains(t, ben.Page(address), "/edit?")
		require.NotContains(t, s.Visitor().Page(address), "/edit?")
		res := ben.Get(form)
		require.Equal(t, http.StatusForbidden, res.Code)
		require.NotContains(t, res.Body.String(), "bygone")
		require.Equal(t, http.StatusNotFound, ann.Get("/edit?target=00000000000zw").Code)
		require.Equal(t, http.StatusForbidden, ben.Post("/edit", "target", id, "text", "ben's").Code)
	})
	page := ann.Page(form)
	require.Contains(t, page, "The *bygone* text</textarea>")
	require.Equal(t, address, ann.MustPost("/edit", "target", id, "text", "A **new** text", "spoiler", "1", "revision",
		workertest.RevisionIn(t, page)))

	t.Run("shows the new text, its marks and that it was edited", func(t *testing.T) {
		page := s.Visitor().Page(address)
		require.Contains(t, page, "<strong>new</strong>")
		require.NotContains(t, page, "bygone")
		require.Contains(t, page, "edited <time")
		require.Contains(t, page, ">spoiler<")
		require.Regexp(t, `name="spoiler" value="1" checked`, ann.Page(form))
	})
	t.Run("comes back with both texts when it was changed elsewhere", func(t *testing.T) {
		res := ann.Post("/edit", "target", id, "text", "typed in an old form", "revision", workertest.RevisionIn(t, page))
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		again := res.Body.String()
		require.Contains(t, again, "changed this elsewhere")
		require.Contains(t, again, "typed in an old form</textarea>")
		require.Contains(t, again, "A **new** text</textarea>")
		ann.MustPost("/edit", "target", id, "text", "typed in an old form", "revision", workertest.RevisionIn(t, again))
		require.Contains(t, s.Visitor().Page(address), "typed in an old form")
	})
	t.Run("comes back with what was typed when it says nothing", func(t *testing.T) {
		res := ann.Post("/edit", "target", id, "text", " ", "nsfw", "1", "revision", workertest.RevisionIn(t, ann.Page(form)))
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "A post needs a text")
		require.Regexp(t, `name="nsfw" value="1" checked`, res.Body.String())
	})
	t.Run("is refused in a locked thread, with what was typed", func(t *testing.T) {
		s.Exec("UPDATE posts SET locked = 1")
		defer s.Exec("UPDATE posts SET locked = 0")
		require.NotContains(t, ann.Page(address), form)
		require.Equal(t, http.StatusForbidden, ann.Get(form).Code)
		res := ann.Post("/edit", "target", id, "text", "typed too late")
		require.Equal(t, http.StatusForbidden, res.Code)
		require.Contains(t, res.Body.String(), "This thread is locked")
		require.Contains(t, res.Body.String(), "typed too late")
	})
	t.Run("answers programs", func(t *testing.T) {
		ann.Header.Set("Accept", "application/json")
		defer ann.Header.Del("Accept")
		revision := s.One("SELECT edited_at FROM posts").(int64)
		res := ann.PostBody("/edit", "application/json", `{"target":"`+id+`","text":"by a program","nsfw":false,"revision":`+jsonNumber(revision)+
			`}`)
		require.Equal(t, http.StatusOK, res.Code, res.Body.String())
		require.Contains(t, res.Body.String(), `"permalink":"`+address+`"`)
		res = ann.PostBody("/edit", "application/json", `{"target":"`+id+`","text":"by a slow program","revision":`+jsonNumber(revision)+`}`)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), `"code":"conflict"`)
	})
}

func TestEditingAndDeletingAComment(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	address := ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")
	post := workertest.Targets(ann.Page(address))[0]
	place := ben.MustPost("/comment", "post", post, "body", "The *bygone* words")
	id := place[strings.LastIndex(place, "#c-")+3:]
	ann.MustPost("/comment", "parent", id, "body", "A reply that stays")
	form := "/edit?target=" + id

	require.Contains(t, ben.Page(address), `href="`+form+`"`)
	require.NotContains(t, ann.Page(address), form)
	require.Equal(t, http.StatusForbidden, ann.Get(form).Code)
	page := ben.Page(form)
	require.Contains(t, page, "The *bygone* words</textarea>")
	require.Equal(t, address+"/"+id, ben.MustPost("/edit", "target", id, "body", "The **new** words", "revision",
		workertest.RevisionIn(t, page)))
	require.Contains(t, s.Visitor().Page(address), "<strong>new</strong>")
	require.Contains(t, s.Visitor().Page(address), "edited <time")

	t.Run("in place", func(t *testing.T) {
		ben.Header.Set("HX-Request", "true")
		defer ben.Header.Del("HX-Request")
		fragment := ben.Page(form + "&fragment=1")
		require.NotContains(t, fragment, "<html")
		require.Contains(t, fragment, `hx-post="/edit"`)
		res := ben.Post("/edit", "target", id, "body", "typed in an old form", "revision", workertest.RevisionIn(t, page))
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.NotContains(t, res.Body.String(), "<html")
		require.Contains(t, res.Body.String(), "typed in an old form</textarea>")
		require.Contains(t, res.Body.String(), "The **new** words</textarea>")
		res = ben.Post("/edit", "target", id, "body", "The _newest_ words", "revision", workertest.RevisionIn(t, res.Body.String()))
		require.Equal(t, http.StatusOK, res.Code)
		require.NotContains(t, res.Body.String(), "<html")
		require.Contains(t, res.Body.String(), "<em>newest</em>")
	})

	t.Run("deleted, only the replies stay", func(t *testing.T) {
		require.Contains(t, ben.Page("/delete?target="+id), "The _newest_ words")
		require.Equal(t, http.StatusForbidden, ann.Post("/delete", "target", id).Code)
		ben.Header.Set("HX-Request", "true")
		res := ben.Post("/delete", "target", id)
		ben.Header.Del("HX-Request")
		require.Equal(t, http.StatusOK, res.Code)
		require.Contains(t, res.Body.String(), "[deleted]")
		require.NotContains(t, res.Body.String(), `class="acts"`)
		for _, path := range []string{address, address + "/" + id} {
			page := s.Visitor().Page(path)
			require.Contains(t, page, "A reply that stays")
			require.Contains(t, page, "[deleted]")
			require.NotContains(t, page, "newest")
			require.NotContains(t, page, "/u/ben")
		}
		require.Equal(t, http.StatusForbidden, ann.Post("/vote", "target", id, "value", "1").Code)
		require.Equal(t, http.StatusForbidden, ann.Post("/comment", "parent", id, "body", "x").Code)
		require.NotContains(t, s.Visitor().Page("/u/ben/comments"), "words")
	})
}
