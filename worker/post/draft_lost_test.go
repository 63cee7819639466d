package post_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

// TestNothingTypedIsLost sends forms of drafts and communities that were changed or deleted elsewhere meanwhile: each answer has what was
// typed.
func TestNothingTypedIsLost(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	ann.MustPost("/subscribe", "community", "gophers", "on", "1")

	for _, action := range []string{"/draft", "/publish"} {
		t.Run("when a draft was deleted in another tab, "+action, func(t *testing.T) {
			id := workertest.Targets(ann.Page(ann.MustPost("/submit", "community", "gophers", "title", "An idea", "text", "x", "status",
				"draft")))[0]
			ann.MustPost("/delete", "target", id)
			fields := []string{"target", id, "title", "My title", "text", "an hour's work", "spoiler", "1", "revision", "0"}
			res := ann.Post(action, fields...)
			require.Equal(t, http.StatusNotFound, res.Code)
			for _, text := range []string{"This draft is not there any more", `value="My title"`, "an hour&#39;s work</textarea>",
				`action="/submit"`,
				`name="spoiler" value="1" checked`, `id="community-error"`, `<option value="gophers">`} {
				require.Contains(t, res.Body.String(), text)
			}
			ann.Header.Set("Accept", "application/json")
			defer ann.Header.Del("Accept")
			res = ann.Post(action, fields...)
			require.Equal(t, http.StatusNotFound, res.Code)
			require.Contains(t, res.Body.String(), `"code":"not_found"`)
		})
	}
	for _, address := range []string{"/submit", "/c/rustaceans/submit"} {
		t.Run("when the community is gone, "+address, func(t *testing.T) {
			fields := []string{"community", "rustaceans", "title", "My title", "text", "an hour's work"}
			if address != "/submit" {
				fields = fields[2:]
			}
			res := ann.Post(address, fields...)
			require.Equal(t, http.StatusNotFound, res.Code)
			for _, text := range []string{"There is no community of that name.", `value="My title"`, "an hour&#39;s work</textarea>",
				`id="community-error"`, `value="rustaceans"`, `action="/submit"`} {
				require.Contains(t, res.Body.String(), text)
			}
			ann.Header.Set("Accept", "application/json")
			defer ann.Header.Del("Accept")
			res = ann.Post(address, fields...)
			require.Equal(t, http.StatusNotFound, res.Code)
			require.Contains(t, res.Body.String(), `"field":"community"`)
		})
	}
}
