package worker_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/test/workertest"
	"plaza/worker"
	"plaza/worker/api"
)

// TestEveryJSONIsItsPage walks the table. What a program reads is what the page at the same address shows to the same person, made from
// the same view model, at the same cost. The page itself is read as a browser reads it.
func TestEveryJSONIsItsPage(t *testing.T) {
	s := workertest.MustOpen(t)
	things := somethingOfEverything(s)
	people := map[string]*workertest.Browser{"visitor": s.Visitor(), "moderator": s.LogIn("ann", ""), "member": s.LogIn("eve", "")}
	var view any
	defer worker.Watch(func(v any) { view = v })()
	document := readOpenAPI(t)
	shown := map[string]int{}
	for _, rt := range worker.Routes() {
		if !slices.Contains(rt.Formats, ".json") || rt.Pattern == "/api" { // whose JSON is for machines
			continue
		}
		require.Equal(t, http.MethodGet, rt.Method)
		path := pathOf(rt.Pattern, things)
		paths := []string{path}
		switch rt.Pattern {
		case "/discussions":
			paths = []string{path + "?url=https://example.com/"}
		case "/search":
			paths = []string{path + "?q=post", path + "?q=ann&type=people", path + "?q=reply&type=comments", path + "?q=gophers&type=communities"}
		case "/u/{user}":
			paths = append(paths, "/u/imported")
		case "/c/{community}/top":
			paths = append(paths, path+"?t=all")
		case "/c/{community}/p/{slug}":
			paths = append(paths, "/c/gophers/p/deleted", "/c/gophers/p/removed", "/c/gophers/p/shown-again", path+"?sort=new")
		}
		for name, who := range people {
			if rt.Member && name == "visitor" {
				res := who.Get(path + ".json")
				require.Equal(t, http.StatusUnauthorized, res.Code)
				require.JSONEq(t, `{"error": {"code": "unauthenticated", "message": "You are logged out. Please log in again."}}`, res.Body.String())
				continue
			}
			for _, path := range paths {
				t.Run(name+" "+path, func(t *testing.T) {
					whole := *who // reads nothing from the caches, whose HTML JSON does not have
					whole.Jar = map[string]string{"__Host-changed": "zzzzzzzz-zzzzzzzz"}
					page := whole.Get(path)
					require.Equal(t, http.StatusOK, page.Code)
					same, err := api.Encode(view)
					require.NoError(t, err)
					r := who.Request(api.Address(path, ".json"))
					ctx, redisMeter := upstash.WithMeter(r.Context())
					ctx, sqlMeter := hrana.WithMeter(ctx)
					res := who.Send(r.WithContext(ctx))
					require.Equal(t, http.StatusOK, res.Code, res.Body.String())
					require.LessOrEqual(t, redisMeter.Requests(), 1)
					require.LessOrEqual(t, sqlMeter.Requests(), s.MaxPageRequests())
					require.Equal(t, "application/json", res.Header().Get("Content-Type"))
					require.Equal(t, "*", res.Header().Get("Access-Control-Allow-Origin"))
					require.Equal(t, "noindex", res.Header().Get("X-Robots-Tag"))

					require.Equal(t, page.Header().Get("Cache-Control"), res.Header().Get("Cache-Control"))
					require.JSONEq(t, string(same), res.Body.String())
					var said any
					require.NoError(t, json.Unmarshal(res.Body.Bytes(), &said))
					response := document.Paths[strings.TrimSuffix(rt.Pattern, "{$}")+".json"]["get"].Responses["200"].Content["application/json"].Schema
					require.NotEmpty(t, response.Ref)
					document.holds(t, response, said, "answer")
					for kind, n := range comparePage(t, page.Body.String(), res.Body.String()) {
						shown[kind] += n
					}
				})
			}
		}
	}
	for _, kind := range []string{"posts", "stories", "comments", "communities", "tags", "people", "inbox", "decisions", "own", "found comments",
		"found communities", "brought"} {
		require.NotZero(t, shown[kind], kind)
	}
}

// TestAddressesOfFormats: what is no page, or has no such format, is an error in that format, and a redirect keeps the format.
func TestAddressesOfFormats(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	for path, status := range map[string]int{"/nothing.json": 404, "/c/nowhere.json": 404, "/c/gophers/p/x.json": 404, "/login.json": 404,
		"/robots.txt.json": 404, "/c/gophers/new.json?after=!": 400, "/home.json": 401} {
		res := s.Visitor().Get(path)
		require.Equal(t, status, res.Code, path)
		require.Equal(t, "application/json", res.Header().Get("Content-Type"), path)
		require.Equal(t, "*", res.Header().Get("Access-Control-Allow-Origin"), path)
		require.Contains(t, res.Body.String(), `{"error":{"code":"`)
	}
	require.Equal(t, "public, max-age=0, s-maxage=10", s.Visitor().Get("/c/nowhere.json").Header().Get("Cache-Control"))
	require.Equal(t, http.StatusNotFound, ann.Post("/vote.json", "target", "1", "value", "1").Code)
	for from, to := range map[string]string{"/c/gophers/.json": "/c/gophers.json",
		"/c/gophers/new/.json?after=1": "/c/gophers/new.json?after=1"} {
		res := s.Visitor().Get(from)
		require.Equal(t, http.StatusPermanentRedirect, res.Code)
		require.Equal(t, to, res.Header().Get("Location"))
	}
	ann.MustPost("/post", "text", "To my profile")
	place := s.One("SELECT community_name FROM posts").(string)
	require.Equal(t, "/u/ann.json", s.Visitor().Get("/c/"+place+".json").Header().Get("Location"))

	asks := httptest.NewRequest(http.MethodOptions, "https://plaza.example/new.json", nil)
	asks.Header.Set("Origin", "https://elsewhere.example")
	asks.Header.Set("Access-Control-Request-Headers", "authorization")
	res := s.Visitor().Send(asks)
	require.Equal(t, http.StatusNoContent, res.Code)
	require.Contains(t, res.Header().Get("Access-Control-Allow-Headers"), "Authorization")
	require.Empty(t, res.Header().Get("Access-Control-Allow-Credentials"))
	require.Empty(t, s.Visitor().Get("/new").Header().Get("Access-Control-Allow-Origin"))
}

// TestRateLimitHeaders: an action says how much of its limit is left, and so does what a member reads as JSON. What the edge keeps for
// everybody says nothing of anybody.
func TestRateLimitHeaders(t *testing.T) {
	s := workertest.MustOpen(t)
	strict := workertest.OpenSite(t, s.Sql, s.Redis, 1)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	b := &workertest.Browser{Site: strict, Cookie: ann.Cookie, Header: http.Header{}}
	for remaining := 59; remaining > 56; remaining-- {
		h := b.Post("/subscribe", "community", "gophers", "on", "1").Header()
		require.Equal(t, `"subscribe";q=60;w=60`, h.Get("RateLimit-Policy"))
		require.Regexp(t, fmt.Sprintf(`^"subscribe";r=%d;t=\d+$`, remaining), h.Get("RateLimit"))
	}
	b.Get("/c/gophers.json")
	h := b.Get("/c/gophers.json").Header()
	require.Equal(t, `"reading";q=150000;w=300`, h.Get("RateLimit-Policy"))
	require.Regexp(t, `^"reading";r=149\d\d\d;t=1$`, h.Get("RateLimit"))
	require.Empty(t, s.Visitor().Get("/c/gophers.json").Header().Get("RateLimit"))
	require.Contains(t, s.Visitor().Get("/api.json").Body.String(), `"openapi": "3.1.0"`)
	require.NotContains(t, s.Visitor().Get("/api").Header().Get("Cache-Control"), "s-maxage=3600", "a page names the style sheet of its build")
}

// somethingOfEverything is a site whose community gophers, of ann, has posts and comments of all kinds. It returns what fills
// the patterns of routes.
func somethingOfEverything(s *workertest.Site) map[string]string {
	ann, eve := s.Member("ann"), s.Member("eve")
	ann.MustPost("/communities", "name", "gophers", "title", `Go & "friends"`, "description", "What <b> burrows")
	ann.MustPost("/communities", "name", "moles")
	submit := func(b *workertest.Browser, title string, fields ...string) string {
		return workertest.Targets(b.Page(b.MustPost("/submit", append([]string{"community", "gophers", "title", title, "anyway", "1"},
			fields...)...)))[0]
	}
	submit(eve, "A draft", "text", "Perhaps", "status", "draft")
	conversation := eve.MustPost("/messages", "community", "gophers", "title", "A question", "text", "May I?")
	post := submit(ann, "A post", "tags", "go café", "text", "Some *words* & </script>\n\n> said")
	link := submit(eve, `<b>Linked</b> "é"`, "link", "https://example.com/", "nsfw", "1")
	submit(ann, "Shown again", "crosspost", link)
	submit(eve, "The same", "link", "https://example.com/", "spoiler", "1", "text", "It was the butler")
	deleted, removed := submit(eve, "Deleted", "text", "gone text"), submit(eve, "Removed", "text", "removed text")
	ann.MustPost("/post", "text", "To my own profile")
	ann.MustPost("/c/gophers/mod/page", "title", `Words & <b>rules</b>`, "page", "", "text", "Be *kind*.")
	comment := func(b *workertest.Browser, field, target, body string) string {
		res := b.WithHeader("Accept", "application/json").Post("/comment", field, target, "body", body)
		b.Header.Del("Accept")
		var created struct{ ID string }
		require.NoError(s, json.Unmarshal(res.Body.Bytes(), &created), res.Body.String())
		n, err := strconv.ParseInt(created.ID, 10, 64)
		require.NoError(s, err)
		return data.ID(n).Text()
	}
	first := comment(ann, "post", post, "First, & *best*")
	reply := comment(eve, "parent", first, "A reply")
	comment(ann, "parent", reply, "And an answer")
	gone := comment(eve, "post", post, "gone words")
	bad := comment(eve, "post", post, "removed words")
	for _, b := range []*workertest.Browser{ann, eve} {
		for _, target := range []string{post, link, first} {
			b.MustPost("/vote", "target", target, "value", "1")
		}
	}
	eve.MustPost("/save", "target", post, "on", "1")
	eve.MustPost("/save", "target", first, "on", "1")
	ann.MustPost("/hide", "target", link, "on", "1")
	eve.MustPost("/subscribe", "community", "gophers", "on", "1")
	eve.MustPost("/follow", "user", "ann", "on", "1")
	ann.MustPost("/follow", "user", "eve", "on", "1")
	eve.MustPost("/delete", "target", deleted)
	eve.MustPost("/delete", "target", gone)
	for _, target := range []string{removed, bad} {
		ann.MustPost("/c/gophers/mod/decide", "target", target, "decision", "remove", "rule", "Spam", "text", "Not here.")
	}
	ann.MustPost("/c/gophers/mod/decide", "target", post, "decision", "pin")
	s.Exec("INSERT INTO users (id, username, username_key, password_hash, created_at, origin, unclaimed) VALUES (60, 'imported', " +
		"'imported', '', 1, 'reddit:Some_One', 1)")
	s.Deliver()
	for _, b := range []*workertest.Browser{ann, eve, s.Visitor()} { // so that hot sets are whole, and visits noted
		b.Page("/")
		b.Page("/c/gophers")
		b.Page("/c/gophers/p/a-post")
	}
	s.Deliver()
	for _, b := range []*workertest.Browser{ann, eve} { // nothing is unread, so pages have nothing to note
		b.MustPost("/inbox/read", "newest", regexp.MustCompile(`name="newest" value="([0-9a-z]+)"`).FindStringSubmatch(b.Page("/inbox"))[1])
	}
	day, half := s.Edition(reply, post, link)
	return map[string]string{"community": "gophers", "slug": "a-post", "comment": reply, "user": "ann", "day": day, "half": half,
		"conversation": strings.TrimPrefix(conversation, "/messages/"), "tags": "go", "page": "words-b-rules-b"}
}
