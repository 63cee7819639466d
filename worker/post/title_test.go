package post_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/worker/workertest"
)

func TestPageTitle(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	s.Web.Page("go.dev", `<title>The Go  Blog &amp; more</title>`)
	s.Web.Page("long.dev", `<title>`+strings.Repeat("ü", 400)+`</title>`)
	s.Web.Page("plain.dev", `<p>no title</p>`)
	ask := func(link string) string { return ann.Post("/title", "link", link).Body.String() }
	require.JSONEq(t, `{"title": "The Go Blog & more"}`, ask("https://go.dev/blog"))
	require.JSONEq(t, `{"title": "`+strings.Repeat("ü", 299)+`…"}`, ask("https://long.dev/"))
	for _, link := range []string{"https://plain.dev/", "https://nowhere.dev/", "https://127.0.0.1/", "http://10.0.0.1:6379/", s.App.SiteURL + "/login"} {
		require.Contains(t, ask(link), "The title of this page can&#39;t be read.", link)
	}
	require.Contains(t, ask(""), "Please write the address of a page first.")
	require.Contains(t, ask("http://localhost/"), "Please write the address of a page first.")
	require.Contains(t, ask("javascript:alert(1)"), "Please write the address of a page first.")
	require.Equal(t, http.StatusSeeOther, s.Visitor().Post("/title", "link", "https://go.dev/").Code, "members only")
	ben := s.Member("ben")
	s.Strict(s.Redis)
	for range 20 {
		require.Equal(t, http.StatusOK, ben.Post("/title", "link", "https://go.dev/blog").Code)
	}
	require.Equal(t, http.StatusTooManyRequests, ben.Post("/title", "link", "https://go.dev/blog").Code)
}
