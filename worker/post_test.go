package worker_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAllPartsOfAPostAreShown(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	ann.mustPost("/communities", "name", "gophers")
	s.web.file("pics.org", "image/gif", tinyGIF)
	address := ann.mustPost("/submit", "community", "gophers", "title", "Everything", "link", "https://example.com/article",
		"image", "https://pics.org/cat.gif", "text", "Some *words*")
	s.deliver()
	page := ann.page(address)
	id := targets(page)[0]

	t.Run("on its own page", func(t *testing.T) {
		require.Contains(t, page, `href="https://example.com/article"`)
		require.Contains(t, page, `href="https://pics.org/cat.gif"`)
		require.Contains(t, page, `<img src="/img/`+id+`" alt="Everything"`)
		require.Contains(t, page, "<em>words</em>")
	})
	t.Run("in listings, where the title leads to the link", func(t *testing.T) {
		list := ann.page("/c/gophers/new")
		require.Regexp(t, `<h2><a href="https://example.com/article"[^>]*>Everything</a> <span class="dom">example.com</span> <span class="dom img">pics.org</span></h2>`, list)
		require.Contains(t, list, `<p class="ex">Some words</p>`)
	})
	t.Run("its picture is its own", func(t *testing.T) {
		res := s.visitor().get("/img/" + id)
		require.Equal(t, http.StatusOK, res.Code)
		require.Equal(t, "image/gif", res.Header().Get("Content-Type"))
	})
	t.Run("a link and a text, an image and a text", func(t *testing.T) {
		page := ann.page(ann.mustPost("/submit", "community", "gophers", "title", "Two", "link", "https://example.com/2", "text", "Some *words*"))
		require.Contains(t, page, `href="https://example.com/2"`)
		require.Contains(t, page, "<em>words</em>")
		page = ann.page(ann.mustPost("/submit", "community", "gophers", "title", "Three", "image", "https://pics.org/3.gif", "text", "Some *words*"))
		require.Contains(t, page, `href="https://pics.org/3.gif"`)
		require.Contains(t, page, "<em>words</em>")
	})
	t.Run("in the preview of the form", func(t *testing.T) {
		res := ann.post("/preview", "preview", "post", "title", "Everything", "link", "https://example.com/article", "image", "https://pics.org/cat.gif", "text", "Some *words*")
		require.Equal(t, http.StatusOK, res.Code)
		_, preview, _ := strings.Cut(res.Body.String(), `class="preview"`)
		for _, part := range []string{`href="https://example.com/article"`, `href="https://pics.org/cat.gif"`, "<em>words</em>"} {
			require.Contains(t, preview, part)
		}
	})
}

func TestAllMistakesOfAFormAreTold(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	ann.mustPost("/communities", "name", "gophers")
	long := strings.Repeat("x", 101)
	for path, test := range map[string]struct{ fields, says []string }{
		"/c/gophers/submit": {
			[]string{"title", " ", "link", "ftp://example.org", "image", "picture", "status", "scheduled", "text", "typed"},
			[]string{"A post needs a title.", `id="link-error"`, `id="image-error"`, "When is it to be published?", "typed</textarea>"}},
		"/signup":             {[]string{"username", "x", "email", "nobody", "password", "short"}, []string{"3 to 20 characters", "look like an email address", `id="password-error"`}},
		"/communities":        {[]string{"name", "x", "title", long}, []string{"3 to 21 characters", "A title has at most 100 characters."}},
		"/c/gophers/settings": {[]string{"title", long, "colour", "red", "rule-1-text", "typed rule"}, []string{"A title has at most 100 characters.", "Please choose one of the colours.", "A rule needs a title."}},
	} {
		t.Run(path, func(t *testing.T) {
			before := s.rows()
			res := ann.post(path, test.fields...)
			require.Equal(t, http.StatusUnprocessableEntity, res.Code)
			for _, says := range test.says {
				require.Contains(t, res.Body.String(), says)
			}
			require.Equal(t, 1, strings.Count(res.Body.String(), " autofocus"), "the first is in focus")
			require.Equal(t, before, s.rows())
		})
	}
	t.Run("programs are told the first, and all in a list", func(t *testing.T) {
		ann.header.Set("Accept", "application/json")
		defer ann.header.Del("Accept")
		res := ann.post("/c/gophers/submit", "text", "x", "link", "ftp://example.org")
		require.JSONEq(t, `{"error":{"code":"invalid","field":"title","message":"A post needs a title.","mistakes":[
{"field":"title","message":"A post needs a title."},
{"field":"link","message":"This link must be a full web address that begins with http:// or https://."}]}}`, res.Body.String())
		res = ann.post("/c/gophers/submit", "text", "x")
		require.JSONEq(t, `{"error":{"code":"invalid","field":"title","message":"A post needs a title."}}`, res.Body.String())
	})
}

func TestWhatIsWrongWithAnAddress(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	ann.mustPost("/communities", "name", "gophers")
	for address, says := range map[string]string{
		"https://example.org/" + strings.Repeat("x", 2048): "too long: at most 2,048 characters",
		"https://ann:secret@example.org/":                  "has a user name or a password in it",
		"https://localhost/":                               "names no site",
		"https://":                                         "names no site",
		"https://example.org/a b":                          "a space or another character",
		"ftp://example.org/":                               "begins with http:// or https://",
		"example.org":                                      "begins with http:// or https://",
	} {
		for _, field := range []string{"link", "image"} {
			res := ann.post("/c/gophers/submit", "title", "A post", field, address)
			require.Equal(t, http.StatusUnprocessableEntity, res.Code, address)
			require.Regexp(t, `id="`+field+`-error">[^<]*`+says, res.Body.String(), address)
		}
	}
}

func TestADuplicateLinkIsAQuestion(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	ann.mustPost("/communities", "name", "gophers")
	ann.mustPost("/submit", "community", "gophers", "title", "First", "link", "https://example.com/article")
	res := ann.post("/submit", "community", "gophers", "title", "Again", "link", "https://example.com/article")
	require.Equal(t, http.StatusUnprocessableEntity, res.Code)
	page := res.Body.String()
	require.NotContains(t, page, `class="wrong`)
	require.NotContains(t, page, "aria-invalid")
	require.Contains(t, page, `role="status"`)
	require.Contains(t, page, "Publish it anyway?")
	require.Contains(t, page, "/p/first")
	require.Contains(t, page, "Publish anyway</button>")
}
