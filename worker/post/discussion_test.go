package post_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

func TestPostingALinkAgain(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	ann.MustPost("/communities", "name", "cooks")
	const link = "https://example.org/a?utm_source=x"
	first := ann.MustPost("/submit", "community", "gophers", "title", "First", "link", link)
	s.Deliver()
	require.NotContains(t, s.Visitor().Page(first), "other discussion")

	res := ben.Post("/submit", "community", "gophers", "title", "Second", "link", "http://www.example.org/a", "text", "typed")
	t.Run("asks, with what is there and what was typed", func(t *testing.T) {
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		page := res.Body.String()
		for _, text := range []string{"Post it anyway?", `href="` + first + `"`, "Post anyway", "typed</textarea>",
			`name="anyway" value="http://www.example.org/a"`} {
			require.Contains(t, page, text)
		}
	})
	t.Run("asks again for another link", func(t *testing.T) {
		ann.MustPost("/submit", "community", "gophers", "title", "Other", "link", "https://example.org/other")
		require.Equal(t, http.StatusUnprocessableEntity,
			ben.Post("/submit", "community", "gophers", "title", "x", "link", "https://example.org/other", "anyway",
				"http://www.example.org/a").Code)
	})
	ben.MustPost("/submit", "community", "gophers", "title", "Second", "link", "http://www.example.org/a", "anyway",
		"http://www.example.org/a")
	ben.MustPost("/submit", "community", "cooks", "title", "Third", "link", "http://www.example.org/a#x")
	t.Run("counts and lists the other discussions", func(t *testing.T) {
		page := s.Visitor().Page(first)
		list := "/discussions?url=" + url.QueryEscape(link)
		others := "2 other discussions"
		if len(s.Sql.Shards) > 1 {
			others = "Other discussions" // which no shard counts
		}
		require.Contains(t, page, `<a href="`+list+`&amp;but=`+workertest.Targets(page)[0]+`">`+others+`</a>`)
		page = s.Visitor().Page(list)
		require.Less(t, strings.Index(page, "Third"), strings.Index(page, "Second"))
		require.Less(t, strings.Index(page, "Second"), strings.Index(page, "First"))
		require.Contains(t, s.Visitor().Page("/discussions?url=https://nobody.example/"), "Nobody has posted this yet")
	})
	t.Run("refuses what is no address", func(t *testing.T) {
		for _, path := range []string{"/discussions", "/discussions?url=javascript:alert(1)", "/discussions?post=x",
			"/discussions?url=https://example.org/a&after=x"} {
			require.Equal(t, http.StatusBadRequest, s.Visitor().Get(path).Code, path)
		}
		require.Equal(t, http.StatusNotFound, s.Visitor().Get("/discussions?post=00000000000zw").Code)
	})
	t.Run("programs say anyway", func(t *testing.T) {
		ben.Header.Set("Accept", "application/json")
		defer ben.Header.Del("Accept")
		res := ben.PostBody("/submit", "application/json", `{"community":"gophers","title":"Fourth","link":"`+link+`"}`)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), `"field":"link"`)
		require.Equal(t, http.StatusOK, ben.PostBody("/submit", "application/json", `{"community":"gophers","title":"Fourth","link":"`+link+
			`","anyway":true}`).Code)
	})
}
