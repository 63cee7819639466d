package worker_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNothingTypedIsLost sends forms of drafts and communities that were changed or deleted elsewhere meanwhile: each answer has what was
// typed.
func TestNothingTypedIsLost(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	ann.mustPost("/communities", "name", "gophers")
	ann.mustPost("/subscribe", "community", "gophers", "on", "1")

	for _, action := range []string{"/draft", "/publish"} {
		t.Run("when a draft was deleted in another tab, "+action, func(t *testing.T) {
			id := targets(ann.page(ann.mustPost("/submit", "community", "gophers", "title", "An idea", "text", "x", "status", "draft")))[0]
			ann.mustPost("/delete", "target", id)
			fields := []string{"target", id, "title", "My title", "text", "an hour's work", "spoiler", "1", "revision", "0"}
			res := ann.post(action, fields...)
			require.Equal(t, http.StatusNotFound, res.Code)
			for _, text := range []string{"This draft is not there any more", `value="My title"`, "an hour&#39;s work</textarea>", `action="/submit"`,
				`name="spoiler" value="1" checked`, `id="community-error"`, `<option value="gophers">`} {
				require.Contains(t, res.Body.String(), text)
			}
			ann.header.Set("Accept", "application/json")
			defer ann.header.Del("Accept")
			res = ann.post(action, fields...)
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
			res := ann.post(address, fields...)
			require.Equal(t, http.StatusNotFound, res.Code)
			for _, text := range []string{"There is no community of that name.", `value="My title"`, "an hour&#39;s work</textarea>",
				`id="community-error"`, `value="rustaceans"`, `action="/submit"`} {
				require.Contains(t, res.Body.String(), text)
			}
			ann.header.Set("Accept", "application/json")
			defer ann.header.Del("Accept")
			res = ann.post(address, fields...)
			require.Equal(t, http.StatusNotFound, res.Code)
			require.Contains(t, res.Body.String(), `"field":"community"`)
		})
	}
}
