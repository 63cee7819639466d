package worker_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
	"plaza/worker"
)

// The edge's list of addresses is made from the routes table.
func TestTheEdgeKnowsTheTable(t *testing.T) {
	for _, rt := range worker.APIRoutes() {
		for _, name := range rt.Parameters {
			require.NotEmpty(t, worker.Shapes()[name], "the edge needs a shape of %s, of %s", name, rt.Pattern)
		}
	}
	const name = "edge/shim/table.mjs"
	if os.Getenv("PLAZA_UPDATE") != "" {
		require.NoError(t, os.WriteFile(name, []byte(worker.EdgeTable()), 0o644))
	}
	b, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, worker.EdgeTable(), string(b), "run PLAZA_UPDATE=1 go test ./worker -run TestTheEdgeKnowsTheTable")
}

// TestTheEdgeKnowsAllCursors: the edge takes what no shape fits for an address that leads nowhere.
func TestTheEdgeKnowsAllCursors(t *testing.T) {
	shape := regexp.MustCompile("^(?:" + worker.Shapes()["after"] + ")$")
	for _, o := range slices.Concat(data.ListingOrders, data.ThreadOrders, data.ProfilePostOrders, data.ProfileCommentOrders) {
		for _, value := range []float64{0, 1, -1e300, 1.75e12} {
			cursor := data.Cursor{Order: byte(o.Order), Value: value, ID: data.NewID(time.Now(), 0, data.KindPost, 1)}.String()
			require.Regexp(t, shape, cursor, o.Name)
		}
	}
}

func TestAPageDoesNotSeeUnknownParameters(t *testing.T) {
	s := workertest.MustOpen(t)
	s.Member("ann").MustPost("/communities", "name", "gophers")
	page := s.Visitor().Page("/c/gophers/top?x=1&t=week&utm_source=y&t=day&__variant=json")
	require.NotContains(t, page, "utm_source")
	require.NotContains(t, page, "x=1")
	require.Contains(t, page, `<link rel="canonical" href="https://plaza.example/c/gophers/top?t=week">`)
}

func TestMissingPagesAreCachedForAMoment(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	for path, status := range map[string]int{"/c/nowhere": 404, "/c/gophers/p/nothing": 404, "/c/gophers?after=!": 400,
		"/c/gophers/top.json?t=!": 400} {
		res := s.Visitor().Get(path)
		require.Equal(t, status, res.Code, path)
		require.Equal(t, "public, max-age=0, s-maxage=10", res.Header().Get("Cache-Control"), path)
		require.Equal(t, "private, no-store", ann.Get(path).Header().Get("Cache-Control"), path)
	}
}

// TestUnknownOrders walks through all pages that have an order or a time. A page shows the same with a value that it doesn't know as
// without one; a program is told.
func TestUnknownOrders(t *testing.T) {
	t.Parallel()
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	post := ann.MustPost("/c/gophers/submit", "title", "Tagged words", "text", "x", "tags", "go")
	ann.MustPost("/comment", "post", workertest.Targets(ann.Page(post))[0], "body", "first")
	comment := workertest.Targets(ann.Page(post))[1]
	fill := strings.NewReplacer("{$}", "", "{community}", "gophers", "{slug}", post[strings.LastIndex(post, "/")+1:], "{comment}", comment,
		"{user}", "ann", "{tags}", "go")
	// Forms and the ways to log in lead back to the address, so pages are not the same to the letter.
	says := regexp.MustCompile(`<link rel="canonical"[^>]*>|<title>[^<]*|<a [^>]*aria-current="page"[^>]*>[^<]*|<h2[^>]*>.*?</h2>`)
	shown := func(b *workertest.Browser, address string) string {
		return strings.Join(says.FindAllString(b.Page(address), -1), "\n")
	}
	walked := 0
	for _, rt := range worker.APIRoutes() {
		for _, name := range []string{"sort", "t"} {
			if rt.Method != "GET" || !slices.Contains(rt.Parameters, name) {
				continue
			}
			walked++
			address, and := fill.Replace(rt.Pattern), "?"
			program := address + ".json?"
			if rt.Pattern == "/search" {
				address, and, program = "/search?q=words", "&", "/search.json?q=words&"
			}
			readers := []*workertest.Browser{s.Visitor(), ann}
			if rt.Member {
				readers = readers[1:]
			}
			for _, b := range readers {
				plain := shown(b, address)
				for _, v := range []string{"nonsense", "!", "HOT", "a%20b", "new'--"} {
					require.Equal(t, plain, shown(b, address+and+name+"="+v), "%s of %s", v, rt.Pattern)
					w := b.Get(program + name + "=" + v)
					require.Equal(t, http.StatusBadRequest, w.Code, "%s of %s", v, program)
					require.Contains(t, w.Body.String(), `{"error":{"code":"invalid","field":"`+name+`","message":"`, program)
				}
				asJSON := b.WithHeader("Accept", "application/json").Get(address + and + name + "=nonsense")
				b.Header.Del("Accept")
				require.Equal(t, http.StatusBadRequest, asJSON.Code, address)
			}
		}
	}
	require.Greater(t, walked, 15)
	require.Equal(t, http.StatusOK, s.Visitor().Get("/u/ann.atom?sort=nonsense").Code, "a feed reader follows old addresses, too")
	for _, known := range []string{"/search.json?q=words&sort=relevance", "/communities.json?sort=members", "/u/ann.json?sort=views",
		post + ".json?sort=qa"} {
		s.Visitor().Page(known)
	}
}

func TestSlashesAtTheEnd(t *testing.T) {
	s := workertest.MustOpen(t)
	s.Member("ann").MustPost("/communities", "name", "golang")
	for path, to := range map[string]string{
		"/c/golang/": "/c/golang", "/c/golang/new/": "/c/golang/new", "/c/golang/top/?t=week": "/c/golang/top?t=week",
		"/communities/":          "/communities",
		"/c/golang/p/caf%C3%A9/": "/c/golang/p/caf%C3%A9", "/login/": "/login",
	} {
		res := s.Visitor().Get(path)
		require.Equal(t, http.StatusPermanentRedirect, res.Code, path)
		require.Equal(t, to, res.Header().Get("Location"))
		require.Contains(t, res.Header().Get("Cache-Control"), "public, max-age=")
	}
	for _, path := range []string{"/nothing/", "/c/", "/c/golang/p/"} {
		require.Equal(t, http.StatusNotFound, s.Visitor().Get(path).Code, path)
	}
	for _, path := range []string{"//evil.org/", "//evil.org/communities/", "/%2Fevil.org/", "/\\evil.org/"} {
		r := httptest.NewRequest(http.MethodGet, "https://plaza.example/", nil)
		r.URL = &url.URL{Scheme: "https", Host: "plaza.example", Path: strings.ReplaceAll(path, "%2F", "/"), RawPath: path}
		res := s.Visitor().Send(r)
		require.False(t, strings.HasPrefix(res.Header().Get("Location"), "//"), "%s leads to %s", path, res.Header().Get("Location"))
	}
	require.Equal(t, http.StatusNotFound, s.Visitor().Post("/c/golang/submit/", "title", "x").Code)
}
