package post_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

// The button "Post now" above a draft sends no field of the draft. When publishing is refused, the form that is shown has to hold the
// stored draft: an empty form would replace it when it is saved.
func TestADraftThatIsNotPublishedAsItIsFillsItsForm(t *testing.T) {
	first := workertest.MustOpen(t)
	s := workertest.OpenSite(t, first.Sql, first.Redis, 1)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	draft := workertest.Targets(ann.Page(ann.MustPost("/c/gophers/submit", "title", "Half done", "text", "words of it", "status", "draft")))[0]
	check := func(t *testing.T, page string) {
		fields := workertest.FormOf(t, page, "/publish")
		require.Contains(t, fields, "Half done")
		require.Contains(t, fields, "words of it")
	}

	t.Run("by a visitor", func(t *testing.T) {
		b := s.Visitor()
		res := b.Post("/publish", "target", draft)
		require.Equal(t, http.StatusUnauthorized, res.Code)
		require.NotContains(t, res.Body.String(), "words of it")
		res = b.Post("/login", append(workertest.FormOf(t, res.Body.String(), "/login"), "login", "ann", "password", "correct horse")...)
		require.Equal(t, http.StatusOK, res.Code)
		check(t, res.Body.String())
	})
	t.Run("by somebody else", func(t *testing.T) {
		s.Member("eve")
		b := s.Visitor()
		res := b.Post("/publish", "target", draft)
		res = b.Post("/login", append(workertest.FormOf(t, res.Body.String(), "/login"), "login", "eve", "password", "correct horse")...)
		require.NotContains(t, res.Body.String(), "words of it")
		require.NotContains(t, res.Body.String(), "Half done")
	})
	t.Run("too often", func(t *testing.T) {
		for ann.Post("/c/gophers/submit", "title", "").Code != http.StatusTooManyRequests {
		}
		res := ann.Post("/publish", "target", draft)
		require.Equal(t, http.StatusTooManyRequests, res.Code)
		require.Contains(t, res.Body.String(), "New members may post 10 times an hour")
		check(t, res.Body.String())
		res = s.Member("ben").Post("/publish", "target", draft)
		require.NotContains(t, res.Body.String(), "words of it")
	})
}

func TestPublishingALinkThatWasPosted(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	ann.MustPost("/submit", "community", "gophers", "title", "The first", "link", "https://example.org/a")
	draft := func() string {
		return workertest.Targets(ann.Page(ann.MustPost("/submit", "community", "gophers", "title", "Mine", "link", "https://example.org/a",
			"status", "draft")))[0]
	}
	id := draft()
	res := ann.Post("/publish", "target", id)
	require.Equal(t, http.StatusUnprocessableEntity, res.Code)
	for _, text := range []string{"Post it anyway?", "The first", "Post anyway", `value="Mine"`,
		`name="anyway" value="https://example.org/a"`} {
		require.Contains(t, res.Body.String(), text)
	}
	require.NotContains(t, res.Body.String(), "Saved in the meantime")
	fields := []string{"target", id, "title", "Mine, with words", "link", "https://example.org/a", "text", "typed text", "revision",
		workertest.RevisionIn(t, res.Body.String())}
	res = ann.Post("/publish", fields...)
	require.Equal(t, http.StatusUnprocessableEntity, res.Code)
	require.Contains(t, res.Body.String(), "typed text</textarea>")
	require.Equal(t, fields[9], workertest.RevisionIn(t, res.Body.String()))
	require.Equal(t, "/c/gophers/p/mine-with-words", ann.MustPost("/publish", append(fields, "anyway", "https://example.org/a")...))

	id = draft()
	ann.Header.Set("Accept", "application/json")
	res = ann.Post("/publish", "target", id)
	require.Equal(t, http.StatusUnprocessableEntity, res.Code)
	require.Contains(t, res.Body.String(), `"field":"link"`)
	require.Equal(t, http.StatusOK, ann.Post("/publish", "target", id, "anyway", "1").Code)
	ann.Header.Del("Accept")

	// A crosspost has no field for the link by which it was found.
	ann.MustPost("/communities", "name", "rustaceans")
	ann.MustPost("/submit", "community", "rustaceans", "title", "There already", "link", "https://example.org/a")
	original := s.One("SELECT id FROM posts WHERE slug = 'the-first'").(int64)
	cross := []string{"community", "rustaceans", "title", "Again", "crosspost", jsonNumber(original)}
	res = ann.Post("/submit", cross...)
	require.Equal(t, http.StatusUnprocessableEntity, res.Code)
	require.Contains(t, res.Body.String(), `name="anyway" value="`+jsonNumber(original)+`"`)
	ann.MustPost("/submit", append(cross, "anyway", jsonNumber(original))...)
}
