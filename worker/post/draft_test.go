package post_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
)

func TestDrafts(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	address := ann.MustPost("/submit", "community", "gophers", "title", "An idea", "text", "Not *quite* done", "status", "draft")
	id := workertest.Targets(ann.Page(address))[0]
	form := "/draft?target=" + id

	t.Run("only the author sees it, with what to do about it", func(t *testing.T) {
		page := ann.Page(address)
		for _, text := range []string{"This is a draft.", "<em>quite</em>", `action="/publish"`, `href="` + form + `"`,
			`href="/delete?target=` + id + `"`} {
			require.Contains(t, page, text)
		}
		require.NotContains(t, page, `action="/save?`)
		require.NotContains(t, page, `action="/comment"`)
		for _, who := range []*workertest.Browser{ben, s.Visitor()} {
			require.Equal(t, http.StatusNotFound, who.Get(address).Code)
			for _, path := range []string{"/", "/new", "/c/gophers", "/c/gophers/new", "/u/ann"} {
				require.NotContains(t, who.Page(path), "An idea", path)
			}
		}
		require.Equal(t, http.StatusNotFound, ben.Get(form).Code)
		for path, fields := range map[string][]string{
			"/publish": nil, "/draft": {"title", "ben's", "text", "x"}, "/edit": {"text", "x"}, "/delete": nil,
			"/preview": {"preview", "draft", "text", "x"},
		} {
			fields = append(fields, "token", "a-token-of-some-form") // a form's own is another each time
			theirs, nothing := ben.Post(path, append(fields, "target", id)...), ben.Post(path, append(fields, "target", "00000000000zw")...)
			require.Equal(t, http.StatusNotFound, theirs.Code, path)
			require.Equal(t, strings.ReplaceAll(nothing.Body.String(), "00000000000zw", id), theirs.Body.String(),
				"%s answers as for nothing at all", path)
		}
		require.Equal(t, ben.Post("/draft", "target", "00000000000zw", "title", "").Code, ben.Post("/draft", "target", id, "title", "").Code)
		require.NotContains(t, ben.Post("/draft", "target", id, "title", "").Body.String(), "quite")
		require.Equal(t, http.StatusNotFound, ben.Get("/delete?target="+id).Code)
		require.Equal(t, http.StatusNotFound, ben.Get("/edit?target="+id).Code)
		require.Regexp(t, `/an-idea-\d{3}$`, ben.MustPost("/submit", "community", "gophers", "title", "An idea", "text", "ben's own", "status",
			"draft"))
		require.Equal(t, http.StatusNotFound, ben.Get("/discussions?post="+id).Code)
		require.Empty(t, s.Queue.Messages[data.QueueVotes], "nothing is sent before it is published")
	})
	page := ann.Page(form)
	require.Contains(t, page, "Not *quite* done</textarea>")
	require.Contains(t, page, `value="An idea"`)
	require.Equal(t, form, ann.Get("/edit?target="+id).Header().Get("Location"), "the other form leads here")

	t.Run("is changed as a whole", func(t *testing.T) {
		to := ann.MustPost("/draft", "target", id, "title", "A better idea", "text", "", "link", "https://example.org/a", "revision",
			workertest.RevisionIn(t, page))
		require.Equal(t, "/c/gophers/p/a-better-idea", to)
		require.Equal(t, http.StatusNotFound, ann.Get(address).Code)
		address = to
		require.Contains(t, ann.Page(address), "example.org")
	})
	t.Run("comes back with what was typed", func(t *testing.T) {
		res := ann.Post("/draft", "target", id, "title", "From an old form", "text", "typed text", "revision", workertest.RevisionIn(t, page))
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		for _, text := range []string{"changed this elsewhere", `value="From an old form"`, "typed text</textarea>", `action="/publish"`} {
			require.Contains(t, res.Body.String(), text)
		}
		res = ann.Post("/publish", "target", id, "title", "", "text", "typed text", "revision", workertest.RevisionIn(t, ann.Page(form)))
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "A post needs a title.")
		require.Contains(t, res.Body.String(), "typed text</textarea>")
		res = ann.Post("/preview", "preview", "draft", "target", id, "title", "Looked at", "text", "**bold**", "revision", "7")
		require.Equal(t, http.StatusOK, res.Code)
		require.Contains(t, res.Body.String(), "<strong>bold</strong>")
		require.Contains(t, res.Body.String(), `name="revision" value="7"`)
	})
	t.Run("published, everybody sees it", func(t *testing.T) {
		require.Equal(t, address, ann.MustPost("/publish", "target", id))
		require.Equal(t, []string{"vote " + id}, s.Queue.Messages[data.QueueVotes])
		require.Contains(t, s.Queue.Messages[data.QueueEvents], "link "+id)
		s.Queue.Take(data.QueueEvents)
		s.Deliver()
		for _, path := range []string{address, "/new", "/c/gophers/new", "/u/ann"} {
			require.Contains(t, s.Visitor().Page(path), "A better idea", path)
		}
		require.NotContains(t, ann.Page(address), "This is a draft.")
		require.Equal(t, address, ann.MustPost("/publish", "target", id), "its answer may have been lost")
		require.Equal(t, "/edit?target="+id, ann.Get(form).Header().Get("Location"))
	})
	t.Run("with nothing to show, it is not published as it is", func(t *testing.T) {
		empty := ann.MustPost("/c/gophers/submit", "title", "Empty", "status", "draft")
		id := workertest.Targets(ann.Page(empty))[0]
		res := ann.Post("/publish", "target", id)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "A post needs a text, a link or an image.")
		require.Contains(t, res.Body.String(), `value="Empty"`)
		for range 2 {
			require.Equal(t, "/c/gophers", ann.MustPost("/delete", "target", id), "pressed twice")
		}
		require.Equal(t, http.StatusNotFound, ann.Get(empty).Code)
	})
}

// TestDraftsAreSavedWhileTheyAreWritten does what web/autosave.js does.
func TestDraftsAreSavedWhileTheyAreWritten(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	program := s.Visitor().WithHeader("Accept", "application/json")
	program.Cookie = ann.Cookie
	save := func(path string, fields ...string) (status int, saved struct{ ID, Revision string }) {
		t.Helper()
		res := program.Post(path, fields...)
		var response struct {
			ID       string
			Revision json.Number
		}
		require.NoError(t, json.Unmarshal(res.Body.Bytes(), &response))
		saved.ID, saved.Revision = response.ID, response.Revision.String()
		return res.Code, saved
	}
	require.Contains(t, ann.Page("/c/gophers/submit"), `data-save="/drafts"`)
	const token = "a-token-of-this-form-alone"
	first := []string{"community", "gophers", "title", "Begun", "text", "A few", "token", token}
	status, draft := save("/drafts", first...)
	require.Equal(t, http.StatusOK, status)
	_, again := save("/drafts", first...)
	require.Equal(t, draft.ID, again.ID, "its answer may have been lost")
	form := ann.Page("/draft?target=" + draft.ID)
	require.Contains(t, form, `data-save="/draft"`)

	_, more := save("/draft", "target", draft.ID, "revision", workertest.RevisionIn(t, form), "title", "Begun", "text", "A few more words")
	require.Contains(t, ann.Page("/draft?target="+draft.ID), "A few more words</textarea>")
	require.Contains(t, program.Post("/draft", "target", draft.ID, "revision", workertest.RevisionIn(t, form), "title", "Begun", "text",
		"From another device").Body.String(), `"code":"conflict"`)
	ann.MustPost("/publish", "target", draft.ID, "revision", more.Revision, "title", "Begun", "text", "Done", "status", "scheduled",
		"publish_at", "2026-12-24T18:00")
	require.Contains(t, ann.Page("/draft?target="+draft.ID), `data-save=""`, "what is scheduled is not to be published half written")
	require.Equal(t, int64(1), s.One("SELECT count(*) FROM posts"))
	require.Equal(t, http.StatusNotFound, s.Visitor().Get("/c/gophers/p/begun").Code)
}

func TestScheduling(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	at := s.Now.Add(90 * time.Minute).UTC()

	for text, says := range map[string]string{"": "Please choose a day", "soon": "not a day and time", "2020-01-01T00:00": "has passed"} {
		res := ann.Post("/submit", "community", "gophers", "title", "Later", "text", "typed text", "status", "scheduled", "publish_at", text)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), says)
		require.Contains(t, res.Body.String(), "typed text</textarea>")
	}
	address := ann.MustPost("/submit", "community", "gophers", "title", "Later", "text", "words", "status", "scheduled", "publish_at",
		at.Format("2006-01-02T15:04"))
	require.Contains(t, ann.Page(address), "This will be posted on "+at.Format("2 Jan 2006, 15:04")+" UTC")
	require.Contains(t, ann.Page("/draft?target="+workertest.Targets(ann.Page(address))[0]), `value="`+at.Format("2006-01-02T15:04")+`"`)
	require.NoError(t, s.App.Scheduled(context.Background(), s.Now))
	require.Equal(t, http.StatusNotFound, s.Visitor().Get(address).Code)

	s.Now = at.Add(time.Minute)
	require.NoError(t, s.App.Scheduled(context.Background(), s.Now))
	s.Deliver()
	require.Contains(t, s.Visitor().Page(address), "words")
	require.Contains(t, s.Visitor().Page("/c/gophers"), "/p/later")
	require.Equal(t, int64(1), s.One("SELECT score FROM posts"))
}
