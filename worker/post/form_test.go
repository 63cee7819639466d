package post_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

func TestAFormListsAllMistakes(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	long := strings.Repeat("x", 101)
	for path, test := range map[string]struct{ fields, says []string }{
		"/c/gophers/submit": {
			[]string{"title", " ", "link", "ftp://example.org", "image", "picture", "status", "scheduled", "text", "typed"},
			[]string{"A post needs a title.", `id="link-error"`, `id="image-error"`, "Please choose a day and a time.", "typed</textarea>"}},
		"/signup": {[]string{"username", "x", "email", "nobody", "password", "short"},
			[]string{"3 to 20 characters", "look like an email address", `id="password-error"`}},
		"/communities": {[]string{"name", "x", "title", long}, []string{"3 to 21 characters", "A title has at most 100 characters."}},
		"/c/gophers/settings": {[]string{"title", long, "colour", "red", "rule-1-text", "typed rule"},
			[]string{"A title has at most 100 characters.", "Please choose one of the colours.", "A rule needs a title."}},
	} {
		t.Run(path, func(t *testing.T) {
			before := s.Rows()
			res := ann.Post(path, test.fields...)
			require.Equal(t, http.StatusUnprocessableEntity, res.Code)
			for _, says := range test.says {
				require.Contains(t, res.Body.String(), says)
			}
			require.Equal(t, 1, strings.Count(res.Body.String(), " autofocus"), "the first is in focus")
			require.Equal(t, before, s.Rows())
		})
	}
	t.Run("programs are told the first, and all in a list", func(t *testing.T) {
		ann.Header.Set("Accept", "application/json")
		defer ann.Header.Del("Accept")
		res := ann.Post("/c/gophers/submit", "text", "x", "link", "ftp://example.org")
		require.JSONEq(t, `{"error":{"code":"invalid","field":"title","message":"A post needs a title.","mistakes":[
{"field":"title","message":"A post needs a title."},
{"field":"link","message":"This link must be a full web address that begins with http:// or https://."}]}}`, res.Body.String())
		res = ann.Post("/c/gophers/submit", "text", "x")
		require.JSONEq(t, `{"error":{"code":"invalid","field":"title","message":"A post needs a title."}}`, res.Body.String())
	})
}

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

// Many apps share an address as a text, alone or after its title.
func TestWhatAnotherAppSharesFillsTheForm(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	for shared, filled := range map[string][3]string{ // title, link, text
		"shared=https://example.org/a":                    {"", "https://example.org/a", ""},
		"shared=A+page%0Ahttps://example.org/a":           {"A page", "https://example.org/a", ""},
		"title=A+page&shared=A+page+https://example.org/": {"A page", "https://example.org/", ""},
		"title=A+page&shared=A+quote+https://example.org": {"A page", "https://example.org", "A quote"},
		"shared=A%0Aquote+https://example.org":            {"", "https://example.org", "A\nquote"},
		"link=https://example.org&shared=A+quote":         {"", "https://example.org", "A quote"},
		"shared=Only+a+thought":                           {"", "", "Only a thought"},
		"shared=javascript:alert(1)":                      {"", "", "javascript:alert(1)"},
		"title=A+title&text=https://example.org":          {"A title", "", "https://example.org"},
	} {
		fields := map[string]string{}
		for form := workertest.FormOf(t, ann.Page("/submit?"+shared), "/submit"); len(form) > 0; form = form[2:] {
			fields[form[0]] = form[1]
		}
		require.Equal(t, filled, [3]string{fields["title"], fields["link"], fields["text"]}, shared)
	}
	res := s.Visitor().Get("/submit?shared=https://example.org/a")
	require.Equal(t, "/login?next=%2Fsubmit%3Fshared%3Dhttps%3A%2F%2Fexample.org%2Fa", res.Header().Get("Location"), "after logging in, too")
}
