package worker_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// The button above a draft sends nothing of it. Where it is refused, the form has the draft
// in it: an empty one would take its place when it is saved.
func TestADraftThatIsNotPublishedAsItIsFillsItsForm(t *testing.T) {
	first := mustOpen(t)
	s := openOn(t, first.sql, first.redis, 1)
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
		require.Contains(t, res.Body.String(), "That was a lot in a short time")
		check(t, res.Body.String())
		res = s.member("ben").post("/publish", "target", draft)
		require.NotContains(t, res.Body.String(), "words of it")
	})
}
