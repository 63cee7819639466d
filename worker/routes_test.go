package worker_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/names"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/test/workertest"
	"plaza/worker"
	"plaza/worker/request"
)

// pathOf puts real things into a route's pattern.
func pathOf(pattern string, things map[string]string) string {
	for name, value := range things {
		pattern = strings.ReplaceAll(pattern, "{"+name+"}", value)
	}
	return strings.ReplaceAll(pattern, "{$}", "")
}

// TestRoutes walks the table: what a new route must have, it must have here.
func TestRoutes(t *testing.T) {
	t.Parallel()
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	address := ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text", "tags", "go gophers")
	id := workertest.Targets(ann.Page(address))[0]
	for range 3 {
		ann.MustPost("/comment", "post", id, "body", "a comment")
	}
	comment := workertest.Targets(ann.Page(address))[1]
	draft := workertest.Targets(ann.Page(ann.MustPost("/submit", "community", "gophers", "title", "A draft", "status", "draft")))[0]
	s.Deliver()
	ann.Page("/")
	ann.Page("/c/gophers")
	s.Deliver() // the hot sets are whole
	root, eve := s.Member("rita"), s.Member("eve")
	s.Exec("UPDATE users SET email = 'ann@example.org', email_key = 'ann@example.org', email_confirmed_at = 1 WHERE username = 'ann'")
	s.Exec("UPDATE users SET admin = 1 WHERE username = 'rita'")
	s.GitHub()
	s.Config.SecurityContact = "security@plaza.example"
	s.Restart(s.Config)
	s.Web.File("pics.org", "image/gif", workertest.TinyGIF)
	root.Page("/") // only the first time is it written down that she was here, after the answer
	picture := workertest.Targets(ann.Page(ann.MustPost("/submit", "community", "gophers", "title", "A picture", "image",
		"https://pics.org/")))[0]
	require.Equal(t, http.StatusOK, s.Visitor().Get("/img/"+picture).Code) // only the first time is its size written down, after the answer
	mailed := &workertest.Mailed{Site: s, Box: s.Mailbox()}
	s.Visitor().Post("/login/link", "login", "ann")
	root.MustPost(workertest.SiteSettings, "logo", "https://pics.org/a.gif")
	ann.MustPost("/c/gophers/mod/decide", "target", picture, "decision", "remove", "rule", "Spam")
	ann.MustPost("/c/gophers/mod/decide", "target", picture, "decision", "approve")
	decision := data.ID(s.One("SELECT max(id) FROM moderation_log WHERE action = 'approve'").(int64)).Text()
	ann.MustPost("/c/gophers/mod/page", "title", "About", "text", "text")
	things := map[string]string{"revision": "1", "token": ann.NewToken("feed"), "tags": "go", "part": s.Now.Format("2006-01-02"),
		"conversation": strings.TrimPrefix(ann.MustPost("/messages", "title", "A question", "text", "text"), "/messages/"),
		"sum":          "88eabc99cdd4e003", "page": "about", "post": picture, "decision": decision, "community": "gophers", "slug": "a-post",
		"comment": comment, "user": "ann", "provider": "github", "kind": "comments", "version": "1", "colour": "2f6b2f"}
	things["day"], things["half"] = s.Edition("", id)

	s.Visitor().Get("/feed/" + things["token"]) // only the first time of a day is its use written down, after the answer

	for _, rt := range worker.Routes() {
		path := pathOf(rt.Pattern, things)
		if rt.Pattern == "/reply" {
			path += "?to=" + comment
		}
		if rt.Pattern == "/oembed" {
			path += "?url=" + url.QueryEscape("https://plaza.example"+address)
		}
		if rt.Pattern == "/discussions" {
			path += "?post=" + id
		}
		if rt.Pattern == "/c/{community}/mod/member" || rt.Pattern == "/c/{community}/mod/user-flair" {
			path += "?user=" + data.ID(s.One("SELECT id FROM users WHERE username = 'ann'").(int64)).Text() + "&name=ann"
		}
		if rt.Pattern == "/c/{community}/mod/decide" || rt.Pattern == "/c/{community}/mod/give-flair" ||
			rt.Pattern == "/c/{community}/mod/title" || rt.Pattern == "/admin/erase" {
			path += "?target=" + id
		}
		if rt.Pattern == "/edit" || rt.Pattern == "/delete" {
			path += "?target=" + comment
		}
		if rt.Pattern == "/link" && rt.Method == http.MethodGet {
			path = mailed.Link("ann@example.org", "Log in")
		}
		if rt.Pattern == "/suspension" && rt.Method == http.MethodGet {
			s.Member("sue")
			root.MustPost("/admin/users", "user", "sue", "decision", "suspend", "rule", "Spam")
			_, path = s.Outside("sue")
		}
		if rt.Pattern == "/notice/{notice}" {
			s.Visitor().MustPost("/notice", "url", address, "kind", "illegal", "text", "text", "name", "Eve", "email", "eve@example.org", "faith", "1")
			s.DeliverAll()
			all := mailed.Box.Mails("eve@example.org")
			path = regexp.MustCompile(`/notice/\S+`).FindString(all[len(all)-1].Text)
		}
		if rt.Pattern == "/block" || rt.Pattern == "/report" {
			path += "?user=eve"
		}
		if rt.Pattern == "/claim" {
			s.Exec("INSERT INTO users (id, username, username_key, password_hash, created_at, origin, unclaimed) VALUES (60, 'imported', " +
				"'imported', '', 1, 'reddit:there', 1)")
			path += "?user=imported"
		}
		if rt.Pattern == "/draft" {
			path += "?target=" + draft
		}
		t.Run(rt.Method+" "+rt.Pattern, func(t *testing.T) {
			insider := ann // who moderates gophers
			if rt.Admin {
				insider = root
			}
			require.Equal(t, strings.HasPrefix(rt.Pattern, "/admin"), rt.Admin, "administration is below /admin, and nothing else is there")
			require.True(t, rt.Moderator || !strings.HasPrefix(rt.Pattern, "/c/{community}/mod/"), "what moderators do is for moderators")
			if rt.Moderator || rt.Admin {
				t.Run("refuses members without the right", func(t *testing.T) {
					before := s.Rows()
					res := eve.Get(path)
					if rt.Method != http.MethodGet {
						res = eve.Post(path, "case", id, "id", id, "decision", "drop", "action", "delete", "title", "x", "colour", "#00695c")
					}
					require.Equal(t, http.StatusForbidden, res.Code)
					require.Equal(t, before, s.Rows())
				})
			}
			if rt.Method != http.MethodGet {
				require.True(t, rt.Limited, "whatever changes something has a rate limit")
				t.Run("refuses other sites", func(t *testing.T) {
					before := s.Rows()
					r := httptest.NewRequest(rt.Method, "https://plaza.example"+path, strings.NewReader("target="+id+"&value=1"))
					r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
					r.Header.Set("Sec-Fetch-Site", "cross-site")
					r.Header.Set("Origin", "https://evil.example")
					require.Equal(t, http.StatusForbidden, (&workertest.Browser{Site: s, Cookie: ann.Cookie}).Send(r).Code)
					require.Equal(t, before, s.Rows())
				})
				if rt.Member {
					t.Run("refuses a forged cookie", func(t *testing.T) {
						before := s.Rows()
						res := ann.Forger().Post(path, "target", id, "value", "1", "community", "gophers", "title", "x", "text", "x", "post", id, "body", "x",
							"name", "forged", "on", "1")
						require.Equal(t, http.StatusUnauthorized, res.Code)
						require.Contains(t, res.Body.String(), "logged out")
						require.Equal(t, before, s.Rows())
					})
				}
				return
			}
			for name, who := range map[string]*workertest.Browser{"visitor": s.Visitor(), "member": {Site: s, Cookie: insider.Cookie}} {
				t.Run(name, func(t *testing.T) {
					r := httptest.NewRequest(http.MethodGet, "https://plaza.example"+path, nil)
					ctx, redisMeter := upstash.WithMeter(r.Context())
					ctx, sqlMeter := hrana.WithMeter(ctx)
					res := who.Send(r.WithContext(ctx))
					if rt.Member && name == "visitor" {
						require.Equal(t, http.StatusSeeOther, res.Code)
						require.True(t, strings.HasPrefix(res.Header().Get("Location"), "/login?next="))
						return
					}
					require.Less(t, res.Code, 400, res.Body.String())
					require.LessOrEqual(t, redisMeter.Requests(), 1, "Redis requests")
					requests, rows := s.MaxPageRequests(), int64(200)
					if path == "/settings/export" {
						requests++                                    // it asks first when a community has moved last (worker/account/export.go)
						rows = max(rows, 100*int64(len(s.Sql.All()))) // and then reads each database
					}
					require.LessOrEqual(t, sqlMeter.Requests(), requests, "libSQL requests")
					require.LessOrEqual(t, sqlMeter.RowsRead(), rows, "rows read")
					h := res.Header()
					require.Contains(t, h.Get("Content-Security-Policy"), "default-src 'none'")
					require.NotContains(t, h.Get("Content-Security-Policy"), "unsafe")
					require.Equal(t, "nosniff", h.Get("X-Content-Type-Options"))
					require.NotEmpty(t, h.Get("X-Request-Id"))
					if name == "member" || rt.Private {
						require.Equal(t, "private, no-store", h.Get("Cache-Control"))
					} else {
						require.Contains(t, h.Get("Cache-Control"), "s-maxage=")
						require.Empty(t, h.Values("Set-Cookie"))
					}
				})
			}
		})
	}

	t.Run("what the table does not name is not there", func(t *testing.T) {
		for _, path := range []string{"/nothing", "/c", "/c/gophers/p", "/c/gophers/p/a-post/x/y", "/u", "/.env"} {
			res := s.Visitor().Get(path)
			require.Equal(t, http.StatusNotFound, res.Code, path)
			require.Contains(t, res.Body.String(), "<html")
			require.Equal(t, "private, no-store", res.Header().Get("Cache-Control"))
		}
	})
}

// refusedUncached are the public pages that no visitor gets from Go while visitors get cached pages only. Whoever adds a page decides here.
var refusedUncached = []string{"/search", "/search/suggest", "/tags", "/tags/suggest", "/tag/{tags}", "/c/{community}/moderators",
	"/c/{community}/pages", "/c/{community}/pages/{page}", "/c/{community}/pages/{page}/history",
	"/c/{community}/pages/{page}/history/{revision}", "/c/{community}/log", "/c/{community}/log/numbers", "/log/numbers", "/log",
	"/c/{community}/p/{slug}/{comment}", "/discussions", "/u/{user}", "/u/{user}/comments", "/u/{user}/followers", "/u/{user}/following", "/oembed", "/sitemap.xml",
	"/sitemap/{part}", "/edition/{day}/{half}"}

// TestWhatVisitorsGetWhenCached walks the public pages while visitors get cached pages only: from Go they get those that the table names,
// and what is refused reads nothing.
func TestWhatVisitorsGetWhenCached(t *testing.T) {
	t.Parallel()
	s := workertest.MustOpen(t)
	s.Admin("rita").MustPost(workertest.SiteSettings, "visitors", "cached")
	get := func(t *testing.T, path string) (refused bool) {
		ctx, redis := upstash.WithMeter(t.Context())
		ctx, sql := hrana.WithMeter(ctx)
		res := s.Visitor().Send(httptest.NewRequest(http.MethodGet, "https://plaza.example"+path, nil).WithContext(ctx))
		if res.Code != http.StatusTooManyRequests {
			return false
		}
		require.Zero(t, redis.Requests())
		require.Zero(t, sql.Requests())
		require.NotEmpty(t, res.Header().Get("Retry-After"))
		require.Equal(t, "private, no-store", res.Header().Get("Cache-Control"))
		return true
	}
	things := map[string]string{"revision": "1", "token": "t", "tags": "go", "part": "2026-11-20", "sum": "88eabc99cdd4e003", "page": "about",
		"post": "site", "community": "gophers", "slug": "a-post", "comment": data.ID(2).Text(), "user": "ann", "provider": "github",
		"notice": "n", "day": "2026-11-20", "half": "morning", "version": "1", "colour": "2f6b2f"}
	var refused []string
	for _, rt := range worker.Routes() {
		if rt.Method != http.MethodGet || rt.Member {
			require.Equal(t, request.Refused, rt.WhenCachedOnly, "%s: only public pages say what visitors get", rt.Pattern)
			continue
		}
		t.Run(rt.Pattern, func(t *testing.T) {
			for _, format := range append(rt.Formats, "") {
				path := pathOf(rt.Pattern, things) + format
				require.Equal(t, rt.WhenCachedOnly == request.Refused, get(t, path), path)
				if len(rt.Parameters) > 0 { // another value than the usual, of whatever kind
					require.Equal(t, rt.WhenCachedOnly != request.Always, get(t, path+"?"+rt.Parameters[0]+"=x"), path)
				}
				require.Equal(t, rt.WhenCachedOnly == request.Refused, get(t, path+"?utm_source=x"), "a parameter that the page does not know")
			}
		})
		if rt.Scope == request.NoToken {
			require.Equal(t, request.Always, rt.WhenCachedOnly, "%s: logging in and what the law asks for", rt.Pattern)
		}
		ofTag := strings.HasPrefix(rt.Pattern, "/tag/{tags}/") // in each order
		if rt.WhenCachedOnly == request.Refused && !ofTag {
			refused = append(refused, rt.Pattern)
		}
	}
	require.ElementsMatch(t, refusedUncached, refused)
	require.False(t, get(t, "/nothing"), "what the table does not name is not there")
}

// TestRouteWordsAreReserved: no member has a name that reads as a part of the site.
func TestRouteWordsAreReserved(t *testing.T) {
	for _, rt := range worker.Routes() {
		word := regexp.MustCompile(`^/[^/{?\[]*`).FindString(rt.Pattern)[1:]
		if data.IsName(word, accounts.UsernameMin, accounts.UsernameMax, true) {
			require.True(t, names.IsReserved(word), "%s is to be reserved (data/names/reserved.go)", word)
		}
	}
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	address := ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")
	id := workertest.Targets(ann.Page(address))[0]
	long := strings.Repeat("x", 10<<20)
	tests := map[string]struct {
		send   func(*workertest.Browser) *httptest.ResponseRecorder
		status int
		says   []string
	}{
		"an empty title": {func(b *workertest.Browser) *httptest.ResponseRecorder {
			return b.Post("/c/gophers/submit", "title", " ", "text", "typed <b>text</b>")
		}, 422, []string{"A post needs a title.", "typed &lt;b&gt;text&lt;/b&gt;"}},
		"neither text nor link": {func(b *workertest.Browser) *httptest.ResponseRecorder {
			return b.Post("/submit", "community", "gophers", "title", "typed title")
		}, 422, []string{"A post needs a text, a link or an image.", `value="typed title"`}},
		"an unknown community in the form": {func(b *workertest.Browser) *httptest.ResponseRecorder {
			return b.Post("/submit", "community", "nowhere", "title", "typed title", "text", "typed text")
		}, 404, []string{"There is no community of that name.", "typed text"}},
		"an unknown community in the address": {func(b *workertest.Browser) *httptest.ResponseRecorder {
			return b.Get("/c/nowhere")
		}, 404, []string{"There is no community of that name."}},
		"a 10 MB body": {func(b *workertest.Browser) *httptest.ResponseRecorder {
			return b.Post("/c/gophers/submit", "title", "x", "text", long)
		}, 413, []string{"at most one megabyte"}},
		"a malformed cursor": {func(b *workertest.Browser) *httptest.ResponseRecorder {
			return b.Get("/c/gophers?after=hxyz")
		}, 400, []string{"That page can&#39;t be found."}},
		"a cursor of another order": {func(b *workertest.Browser) *httptest.ResponseRecorder {
			return b.Get("/new?after=h" + strings.Repeat("0", 25) + "1")
		}, 400, []string{"That page can&#39;t be found."}},
		"a malformed id": {func(b *workertest.Browser) *httptest.ResponseRecorder {
			return b.Get(address + "/not-an-id")
		}, 400, []string{"not an id"}},
		"a vote on nothing": {func(b *workertest.Browser) *httptest.ResponseRecorder {
			return b.Post("/vote", "target", "00000000000zz", "value", "1")
		}, 404, []string{"What you voted on is gone."}},
		"a vote of two": {func(b *workertest.Browser) *httptest.ResponseRecorder {
			return b.Post("/vote", "target", id, "value", "2")
		}, 422, []string{"A vote is 1, -1 or 0."}},
		"an empty comment": {func(b *workertest.Browser) *httptest.ResponseRecorder {
			return b.Post("/comment", "post", id, "body", "  ")
		}, 422, []string{"Please write something first."}},
		"a comment on nothing": {func(b *workertest.Browser) *httptest.ResponseRecorder {
			return b.Post("/comment", "post", "00000000000zw", "body", "typed body")
		}, 404, []string{"What you reply to is gone.", "typed body"}},
		"a body that is no form": {func(b *workertest.Browser) *httptest.ResponseRecorder {
			return b.PostBody("/vote", "text/plain", "x")
		}, 415, []string{"form or a JSON object"}},
		"a form that is no form": {func(b *workertest.Browser) *httptest.ResponseRecorder {
			return b.PostBody("/vote", "application/x-www-form-urlencoded", "%zz")
		}, 422, []string{"did not arrive as it was sent"}},
		"a taken username": {func(b *workertest.Browser) *httptest.ResponseRecorder {
			return b.Visitor().Post("/signup", "username", "ANN", "password", "correct horse", "email", "typed@example.org")
		}, 422, []string{"That username is taken.", "typed@example.org"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			before := s.Rows()
			res := test.send(ann)
			require.Equal(t, test.status, res.Code, res.Body.String())
			for _, says := range test.says {
				require.Contains(t, res.Body.String(), says)
			}
			require.NotContains(t, res.Body.String(), "SQLITE")
			require.Equal(t, before, s.Rows(), "nothing has changed")
		})
	}

	t.Run("a session that ends while somebody writes loses nothing they wrote", func(t *testing.T) {
		gone := s.Member("gone")
		kept := gone.Cookie
		gone.MustPost("/logout")
		gone.Cookie = kept
		res := gone.Post("/c/gophers/submit", "title", "typed title", "text", "typed text")
		require.Equal(t, http.StatusUnauthorized, res.Code)
		require.Contains(t, res.Body.String(), "typed text")
		require.Contains(t, res.Body.String(), "logged out")
		res = s.Visitor().Post("/comment", "post", id, "body", "typed body")
		require.Equal(t, http.StatusUnauthorized, res.Code)
		require.Contains(t, res.Body.String(), "typed body")
	})

	t.Run("a visitor who votes is asked to log in and comes back", func(t *testing.T) {
		require.Equal(t, "/login?next=%2Fc%2Fgophers", s.Visitor().MustPost("/vote", "target", id, "value", "1", "return", "/c/gophers"))
		require.Equal(t, "/login?next=%2F", s.Visitor().MustPost("/vote", "target", id, "value", "1", "return", "//evil.example"))
	})

	t.Run("too much of anything is refused for a while, with what was typed", func(t *testing.T) {
		strict := workertest.OpenSite(t, s.Sql, s.Redis, 1)
		eve := &workertest.Browser{Site: strict, Cookie: ann.Cookie, Header: http.Header{}}
		var res *httptest.ResponseRecorder
		for range 61 {
			res = eve.Post("/comment", "post", id, "body", "typed body")
		}
		require.Equal(t, http.StatusTooManyRequests, res.Code)
		require.NotEmpty(t, res.Header().Get("Retry-After"))
		require.Contains(t, res.Body.String(), "typed body")
		require.Contains(t, res.Body.String(), "That was a lot in a short time.")
	})

	t.Run("a database that is unavailable is a page that says so, and the form stays", func(t *testing.T) {
		dead := workertest.OpenOn(t, hrana.New(hrana.Options{URL: "http://127.0.0.1:1", Attempts: 1}), s.Redis, 100)
		dead.LosesMessages = true
		res := (&workertest.Browser{Site: dead, Cookie: ann.Cookie}).Post("/c/gophers/submit", "title", "typed title", "text", "typed text")
		require.Equal(t, http.StatusServiceUnavailable, res.Code)
		require.Contains(t, res.Body.String(), "typed text")
		require.NotContains(t, res.Body.String(), "127.0.0.1")
	})

	t.Run("a queue that is unavailable does not lose the vote", func(t *testing.T) {
		s.Queue.Fail = context.DeadlineExceeded
		ann.MustPost("/vote", "target", id, "value", "-1")
		s.Queue.Fail = nil
		s.Queue.Take(data.QueueVotes)
		require.NoError(t, s.App.Scheduled(context.Background(), s.Now))
		require.Empty(t, s.Queue.Take(data.QueueVotes), "younger than a minute")
		s.Now = s.Now.Add(2 * 60e9)
		require.NoError(t, s.App.Scheduled(context.Background(), s.Now))
		s.Deliver()
		require.Equal(t, int64(-1), s.One("SELECT score FROM posts WHERE slug = 'a-post'"))
	})
}

// TestPicturesAreForEverybody: the edge keeps one copy of what lies under /img/ for members and visitors.
func TestPicturesAreForEverybody(t *testing.T) {
	n := 0
	for _, rt := range worker.Routes() {
		if strings.HasPrefix(rt.Pattern, "/img/") {
			n++
			require.Equal(t, http.MethodGet, rt.Method)
			require.False(t, rt.Member || rt.Moderator || rt.Admin, rt.Pattern)
		}
	}
	require.Equal(t, 6, n)
}
