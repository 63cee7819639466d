package post_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

func TestWhatIsWrongWithAnAddress(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
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
			res := ann.Post("/c/gophers/submit", "title", "A post", field, address)
			require.Equal(t, http.StatusUnprocessableEntity, res.Code, address)
			require.Regexp(t, `id="`+field+`-error">[^<]*`+says, res.Body.String(), address)
		}
	}
}

func TestADuplicateLinkIsAQuestion(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	ann.MustPost("/submit", "community", "gophers", "title", "First", "link", "https://example.com/article")
	res := ann.Post("/submit", "community", "gophers", "title", "Again", "link", "https://example.com/article")
	require.Equal(t, http.StatusUnprocessableEntity, res.Code)
	page := res.Body.String()
	require.NotContains(t, page, `class="wrong`)
	require.NotContains(t, page, "aria-invalid")
	require.Contains(t, page, `role="status"`)
	require.Contains(t, page, "Post it anyway?")
	require.Contains(t, page, "/p/first")
	require.Contains(t, page, "Post anyway</button>")
}
