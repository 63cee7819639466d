package post_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

func TestAllPartsOfAPostAreShown(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	s.Web.File("pics.org", "image/gif", workertest.TinyGIF)
	address := ann.MustPost("/submit", "community", "gophers", "title", "Everything", "link", "https://example.com/article",
		"image", "https://pics.org/cat.gif", "text", "Some *words*")
	s.Deliver()
	page := ann.Page(address)
	id := workertest.Targets(page)[0]

	t.Run("on its own page", func(t *testing.T) {
		require.Contains(t, page, `href="https://example.com/article"`)
		require.Contains(t, page, `href="https://pics.org/cat.gif"`)
		require.Contains(t, page, `<img src="/img/`+id+`" alt="Everything"`)
		require.Contains(t, page, "<em>words</em>")
	})
	t.Run("in listings, where the title leads to the link", func(t *testing.T) {
		list := ann.Page("/c/gophers/new")
		require.Regexp(t, `<h2 [^>]*><a href="https://example.com/article"[^>]*>Everything</a></h2>`, list)
		require.Contains(t, list, `<span class="dom">example.com</span> <span class="dom img">pics.org</span>`)
		require.Contains(t, list, `<img src="/img/small/`+id+`" alt="" loading="lazy">`)
		require.NotContains(t, list, "Some words", "the first words of a text are on its own page")
	})
	t.Run("its picture is its own", func(t *testing.T) {
		res := s.Visitor().Get("/img/" + id)
		require.Equal(t, http.StatusOK, res.Code)
		require.Equal(t, "image/gif", res.Header().Get("Content-Type"))
	})
	t.Run("a link and a text, an image and a text", func(t *testing.T) {
		page := ann.Page(ann.MustPost("/submit", "community", "gophers", "title", "Two", "link", "https://example.com/2", "text", "Some *words*"))
		require.Contains(t, page, `href="https://example.com/2"`)
		require.Contains(t, page, "<em>words</em>")
		page = ann.Page(ann.MustPost("/submit", "community", "gophers", "title", "Three", "image", "https://pics.org/3.gif", "text",
			"Some *words*"))
		require.Contains(t, page, `href="https://pics.org/3.gif"`)
		require.Contains(t, page, "<em>words</em>")
	})
	t.Run("in the preview of the form", func(t *testing.T) {
		res := ann.Post("/preview", "preview", "post", "title", "Everything", "link", "https://example.com/article", "image",
			"https://pics.org/cat.gif", "text", "Some *words*")
		require.Equal(t, http.StatusOK, res.Code)
		_, preview, _ := strings.Cut(res.Body.String(), `class="preview"`)
		for _, part := range []string{`href="https://example.com/article"`, `href="https://pics.org/cat.gif"`, "<em>words</em>"} {
			require.Contains(t, preview, part)
		}
	})
}
