package worker_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// The button "Publish now" above a draft sends no field of the draft. When publishing is refused, the form that is shown has to hold the
// stored draft: an empty form would replace it when it is saved.
func TestADraftThatIsNotPublishedAsItIsFillsItsForm(t *testing.T) {
	first := mustOpen(t)
	s := openSite(t, first.sql, first.redis, 1)
	ann := s.member("ann")
	ann.mustPost("/communities", "name", "gophers")
	draft := targets(ann.page(ann.mustPost("/c/gophers/submit", "title", "Half done", "text", "words of it", "status", "draft")))[0]
	check := func(t *testing.T, page string) {
		fields := formOf(t, page, "/publish")
		require.Contains(t, fields, "Half done")
		require.Contains(t, fields, "words of it")
	}

	t.Run("by a visitor", func(t *testing.T) {
		b := s.visitor()
		res := b.post("/publish", "target", draft)
		require.Equal(t, http.StatusUnauthorized, res.Code)
		require.NotContains(t, res.Body.String(), "words of it")
		res = b.post("/login", append(formOf(t, res.Body.String(), "/login"), "login", "ann", "password", "correct horse")...)
		require.Equal(t, http.StatusOK, res.Code)
		check(t, res.Body.String())
	})
	t.Run("by somebody else", func(t *testing.T) {
		s.member("eve")
		b := s.visitor()
		res := b.post("/publish", "target", draft)
		res = b.post("/login", append(formOf(t, res.Body.String(), "/login"), "login", "eve", "password", "correct horse")...)
		require.NotContains(t, res.Body.String(), "words of it")
		require.NotContains(t, res.Body.String(), "Half done")
	})
	t.Run("too often", func(t *testing.T) {
		for ann.post("/c/gophers/submit", "title", "").Code != http.StatusTooManyRequests {
		}
		res := ann.post("/publish", "target", draft)
		require.Equal(t, http.StatusTooManyRequests, res.Code)
		require.Contains(t, res.Body.String(), "New members may post 10 times an hour")
		check(t, res.Body.String())
		res = s.member("ben").post("/publish", "target", draft)
		require.NotContains(t, res.Body.String(), "words of it")
	})
}

func TestPublishingALinkThatWasPosted(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	ann.mustPost("/communities", "name", "gophers")
	ann.mustPost("/submit", "community", "gophers", "title", "The first", "link", "https://example.org/a")
	draft := func() string {
		return targets(ann.page(ann.mustPost("/submit", "community", "gophers", "title", "Mine", "link", "https://example.org/a", "status", "draft")))[0]
	}
	id := draft()
	res := ann.post("/publish", "target", id)
	require.Equal(t, http.StatusUnprocessableEntity, res.Code)
	for _, text := range []string{"Publish it anyway?", "The first", "Publish anyway", `value="Mine"`, `name="anyway" value="https://example.org/a"`} {
		require.Contains(t, res.Body.String(), text)
	}
	require.NotContains(t, res.Body.String(), "Saved in the meantime")
	fields := []string{"target", id, "title", "Mine, with words", "link", "https://example.org/a", "text", "typed text", "revision", revisionIn(t, res.Body.String())}
	res = ann.post("/publish", fields...)
	require.Equal(t, http.StatusUnprocessableEntity, res.Code)
	require.Contains(t, res.Body.String(), "typed text</textarea>")
	require.Equal(t, fields[9], revisionIn(t, res.Body.String()))
	require.Equal(t, "/c/gophers/p/mine-with-words", ann.mustPost("/publish", append(fields, "anyway", "https://example.org/a")...))

	id = draft()
	ann.header.Set("Accept", "application/json")
	res = ann.post("/publish", "target", id)
	require.Equal(t, http.StatusUnprocessableEntity, res.Code)
	require.Contains(t, res.Body.String(), `"field":"link"`)
	require.Equal(t, http.StatusOK, ann.post("/publish", "target", id, "anyway", "1").Code)
	ann.header.Del("Accept")

	// A crosspost has no field for the link by which it was found.
	ann.mustPost("/communities", "name", "rustaceans")
	ann.mustPost("/submit", "community", "rustaceans", "title", "There already", "link", "https://example.org/a")
	original := s.one("SELECT id FROM posts WHERE slug = 'the-first'").(int64)
	cross := []string{"community", "rustaceans", "title", "Again", "crosspost", jsonNumber(original)}
	res = ann.post("/submit", cross...)
	require.Equal(t, http.StatusUnprocessableEntity, res.Code)
	require.Contains(t, res.Body.String(), `name="anyway" value="`+jsonNumber(original)+`"`)
	ann.mustPost("/submit", append(cross, "anyway", jsonNumber(original))...)
}
