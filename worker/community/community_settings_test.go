package community_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/content/communities"
	"plaza/data/wire/hrana"
	"plaza/test/workertest"
)

func TestSettings(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "Gophers", "title", "Gophers")
	ben.MustPost("/communities", "name", "cooks")
	ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "x")
	s.Deliver()
	const path = "/c/gophers/settings"
	good := []string{"title", "About gophers", "description", "They dig.", "sidebar", "Be **kind**", "colour", "#b3261e", "revision", "0",
		"rule-1-title", "First <rule>", "rule-1-text", "Dig", "rule-3-title", "Second"}
	with := func(changes ...string) []string { return append(append([]string{}, good...), changes...) }

	t.Run("are a form with what is there, for its moderators", func(t *testing.T) {
		page := ann.Page(path)
		require.Contains(t, page, `value="Gophers"`)
		require.Contains(t, page, `name="rule-3-text"`)
		require.NotContains(t, page, `name="rule-4-text"`)
		require.Contains(t, ann.Page("/c/gophers"), "/c/Gophers/settings", "their way there")
		require.NotContains(t, ben.Page("/c/gophers"), "/c/Gophers/settings")
		require.Equal(t, http.StatusForbidden, ben.Get(path).Code)
		require.Equal(t, "/login?next=%2Fc%2Fgophers%2Fsettings", s.Visitor().Get(path).Header().Get("Location"))
	})
	t.Run("have a field for each column, because what a form lacks is emptied", func(t *testing.T) {
		page := ann.Page(path)
		for _, column := range communities.SettingColumns {
			if column != "rules" {
				require.Contains(t, page, `name="`+column+`"`)
			}
		}
	})
	t.Run("show once saved, on the next page, of any instance, in every list", func(t *testing.T) {
		red := regexp.MustCompile(`(?s)href="/c/Gophers">[^a-z]*<svg[^>]*>[^a-z]*<rect fill="#b3261e"`)
		other := workertest.OpenSite(t, s.Sql, s.Redis, 100)
		cid := &workertest.Browser{Site: other, Cookie: ben.Cookie}
		require.NotRegexp(t, red, cid.Page("/hot"))
		require.Equal(t, "/c/gophers", ann.MustPost(path, good...))
		for _, b := range []*workertest.Browser{ann, cid} {
			page := b.Page("/c/gophers")
			for _, says := range []string{"About gophers", "They dig.", "Be <strong>kind</strong>", "First &lt;rule&gt;", "Second", "/b3261e/gophers"} {
				require.Contains(t, page, says)
			}
			require.NotContains(t, page, "<rule>")
			for _, list := range []string{"/hot", "/new", "/"} {
				if list != "/" || b == ann {
					require.Regexp(t, red, b.Page(list), list)
				}
			}
			require.Contains(t, b.Page("/communities"), "/b3261e/gophers")
		}
		require.Contains(t, ann.Page(path), `name="rule-5-text"`, "two rules and three empty rows")
	})
	for name, test := range map[string]struct {
		changes []string
		says    string
	}{
		"an empty title":      {[]string{"title", " "}, "A community needs a title."},
		"a long sidebar":      {[]string{"sidebar", strings.Repeat("x", 10001)}, "A sidebar has at most 10,000 characters."},
		"a colour of its own": {[]string{"colour", "red"}, "Please choose one of the colours."},
		"an untitled rule":    {[]string{"rule-2-text", "typed rule"}, "A rule needs a title."},
	} {
		t.Run("are refused with "+name+", which is named, and what was typed stays", func(t *testing.T) {
			before := s.One("SELECT group_concat(title || sidebar || rules || revision) FROM communities")
			res := ann.Post(path, with(append(test.changes, "description", "typed description", "revision", "1")...)...)
			require.Equal(t, http.StatusUnprocessableEntity, res.Code)
			for _, says := range []string{test.says, "typed description", `aria-invalid="true"`, "First &lt;rule&gt;", `name="revision" value="1"`} {
				if says != `aria-invalid="true"` || name != "a colour of its own" {
					require.Contains(t, res.Body.String(), says)
				}
			}
			require.Equal(t, before, s.One("SELECT group_concat(title || sidebar || rules || revision) FROM communities"))
		})
	}
	t.Run("that somebody else changed meanwhile are not overwritten unawares", func(t *testing.T) {
		res := ann.Post(path, with("title", "typed title", "revision", "0")...)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "Somebody else changed these settings")
		require.Contains(t, res.Body.String(), "typed title")
		require.Contains(t, res.Body.String(), `name="revision" value="1"`)
		ann.MustPost(path, with("title", "typed title", "revision", "1")...)
		require.Contains(t, ann.Page("/c/gophers"), "typed title")
	})
	t.Run("are nobody else's", func(t *testing.T) {
		before := s.One("SELECT group_concat(title || revision) FROM communities WHERE revision IS NOT NULL")
		res := ben.Post(path, with("title", "typed title")...)
		require.Equal(t, http.StatusForbidden, res.Code)
		require.Contains(t, res.Body.String(), "typed title")
		res = s.Visitor().Post(path, with("title", "typed title")...)
		require.Equal(t, http.StatusUnauthorized, res.Code)
		require.Contains(t, res.Body.String(), "typed title")
		require.Equal(t, http.StatusNotFound, ann.Post("/c/nowhere/settings", good...).Code)
		require.Equal(t, before, s.One("SELECT group_concat(title || revision) FROM communities WHERE revision IS NOT NULL"))
	})
	t.Run("come back when the database is unavailable", func(t *testing.T) {
		dead := workertest.OpenOn(t, hrana.New(hrana.Options{URL: "http://127.0.0.1:1", Attempts: 1}), s.Redis, 100)
		dead.LosesMessages = true
		res := (&workertest.Browser{Site: dead, Cookie: ann.Cookie}).Post(path, with("title", "typed title")...)
		require.Equal(t, http.StatusServiceUnavailable, res.Code)
		require.Contains(t, res.Body.String(), "typed title")
	})
	t.Run("can be set by programs", func(t *testing.T) {
		ann.Header.Set("Accept", "application/json")
		defer ann.Header.Del("Accept")
		res := ann.PostBody(path, "application/json", `{"title":"By program","colour":"#455a64","rule-1-title":"Only"}`)
		require.Equal(t, http.StatusOK, res.Code, res.Body.String())
		res = ann.PostBody(path, "application/json", `{"title":"","colour":"#455a64"}`)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), `"field":"title"`)
	})
}
