package request_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
	"plaza/test/workertest"
)

// TestVisitorsGetCachedPagesOnly has administrators turn the switch on and off again.
func TestVisitorsGetCachedPagesOnly(t *testing.T) {
	s := workertest.MustOpen(t)
	root, ann := s.Admin("rita"), s.Member("annabel")
	ann.MustPost("/communities", "name", "gophers")
	address := ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")
	id := workertest.Targets(ann.Page(address))[0]
	require.Equal(t, http.StatusUnprocessableEntity, root.Post(workertest.SiteSettings, "visitors", "perhaps").Code)
	require.Equal(t, http.StatusOK, s.Visitor().Get("/u/annabel").Code)
	root.MustPost(workertest.SiteSettings, "visitors", "cached")

	read := func(path string, renews bool) (res *httptest.ResponseRecorder, rows int64) {
		r := s.Visitor().Request(path)
		if renews {
			r.Header.Set("X-Plaza-Renewal", "1")
		}
		ctx, meter := hrana.WithMeter(r.Context())
		res = s.Visitor().Send(r.WithContext(ctx))
		return res, meter.RowsRead()
	}
	refused := func(path string) {
		t.Helper()
		res, rows := read(path, false)
		require.Equal(t, http.StatusTooManyRequests, res.Code, path)
		require.LessOrEqual(t, rows, int64(6), path)
		require.Equal(t, "3600", res.Header().Get("Retry-After"))
	}

	t.Run("a visitor is told where to log in", func(t *testing.T) {
		res, rows := read("/u/annabel?sort=top", false)
		require.Equal(t, http.StatusTooManyRequests, res.Code)
		require.Zero(t, rows)
		require.Contains(t, res.Body.String(), "Only for members right now")
		require.Contains(t, res.Body.String(), `<a class="button" href="/login?next=%2Fu%2Fannabel%3Fsort%3Dtop">Log in</a>`)
		require.Contains(t, res.Body.String(), `<meta name="robots" content="noindex">`)
	})
	t.Run("a program gets the code, with a token as a member the page", func(t *testing.T) {
		res, _ := read("/u/annabel.json", false)
		require.Equal(t, http.StatusTooManyRequests, res.Code)
		require.Contains(t, res.Body.String(), `"code":"cached_only"`)
		program := s.Visitor().WithHeader("Authorization", "Bearer "+ann.NewToken("read"))
		require.Equal(t, http.StatusOK, program.Get("/u/annabel.json").Code)
	})
	t.Run("members read everything", func(t *testing.T) {
		for _, path := range []string{"/u/annabel?sort=top", "/search?q=post", address + "?sort=new"} {
			require.Equal(t, http.StatusOK, ann.Get(path).Code, path)
		}
	})
	t.Run("a forged cookie is a visitor's", func(t *testing.T) {
		require.Equal(t, http.StatusTooManyRequests, ann.Forger().Get("/u/annabel").Code)
	})
	t.Run("the edge renews what it has", func(t *testing.T) {
		res, _ := read("/u/annabel?sort=top", true)
		require.Equal(t, http.StatusOK, res.Code)
		require.Contains(t, res.Header().Get("Cache-Control"), "s-maxage=10")
	})
	t.Run("first pages and recent threads are made", func(t *testing.T) {
		for _, path := range []string{"/", "/new", "/c/gophers/top", "/c/gophers.atom", address, "/img/card/" + id} {
			res, _ := read(path, false)
			require.Equal(t, http.StatusOK, res.Code, path)
		}
		require.Equal(t, http.StatusFound, s.Visitor().Get("/p/"+id).Code)
		refused("/top?t=all")
		refused(address + "?sort=new")
		refused(address + "/" + id)
	})
	t.Run("a thread of an old post is refused for few rows, and renewed", func(t *testing.T) {
		was := s.Now
		s.Now = s.Now.Add(7*24*time.Hour + time.Minute)
		defer func() { s.Now = was }()
		refused(address)
		refused(address + ".json")
		refused("/p/" + id)
		refused("/img/card/" + id)
		res, _ := read(address, true)
		require.Equal(t, http.StatusOK, res.Code)
		require.Equal(t, http.StatusNotFound, s.Visitor().Get("/c/gophers/p/no-such-post").Code)
	})
	t.Run("an instance that refuses learns that it is over", func(t *testing.T) {
		other := workertest.OpenSite(t, s.Sql, s.Redis, 100)
		other.Now = s.Now.Add(time.Minute)
		require.Equal(t, http.StatusOK, other.Visitor().Get("/").Code) // it knows the settings
		require.Equal(t, http.StatusTooManyRequests, other.Visitor().Get("/u/annabel").Code)
		root.MustPost(workertest.SiteSettings, "visitors", "all")
		other.Now = other.Now.Add(time.Minute)
		require.Equal(t, http.StatusOK, other.Visitor().Get("/u/annabel").Code)
	})
}
