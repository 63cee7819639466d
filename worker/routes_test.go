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
	"plaza/data/hrana"
	"plaza/data/people"
	"plaza/data/upstash"
	"plaza/worker"
	"plaza/worker/request"
)

// TestRoutes walks the table: what a new route must have, it must have here.
func TestRoutes(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	ann.mustPost("/communities", "name", "gophers")
	address := ann.mustPost("/submit", "community", "gophers", "title", "A post", "text", "text", "tags", "go gophers")
	id := targets(ann.page(address))[0]
	for range 3 {
		ann.mustPost("/comment", "post", id, "body", "a comment")
	}
	comment := targets(ann.page(address))[1]
	draft := targets(ann.page(ann.mustPost("/submit", "community", "gophers", "title", "A draft", "status", "draft")))[0]
	s.deliver()
	ann.page("/")
	ann.page("/c/gophers")
	s.deliver() // the hot sets are whole
	root, eve := s.member("rita"), s.member("eve")
	s.exec("UPDATE users SET email = 'ann@example.org', email_key = 'ann@example.org', email_confirmed_at = 1 WHERE username = 'ann'")
	s.exec("UPDATE users SET admin = 1 WHERE username = 'rita'")
	s.gitHub()
	s.config.SecurityContact = "security@plaza.example"
	s.restart(s.config)
	s.web.file("pics.org", "image/gif", tinyGIF)
	root.page("/") // only the first time is it written down that she was here, after the answer
	picture := targets(ann.page(ann.mustPost("/submit", "community", "gophers", "title", "A picture", "image", "https://pics.org/")))[0]
	require.Equal(t, http.StatusOK, s.visitor().get("/img/"+picture).Code) // only the first time is its size written down, after the answer
	mailed := &mailed{s, s.mailbox()}
	s.visitor().post("/login/link", "login", "ann")
	root.mustPost(siteSettings, "logo", "https://pics.org/a.gif")
	ann.mustPost("/c/gophers/mod/decide", "target", picture, "decision", "remove", "rule", "Spam")
	ann.mustPost("/c/gophers/mod/decide", "target", picture, "decision", "approve")
	decision := data.ID(s.one("SELECT max(id) FROM moderation_log WHERE action = 'approve'").(int64)).Text()
	things := map[string]string{"token": ann.newToken("feed"), "tags": "go", "part": s.now.Format("2006-01-02"), "conversation": strings.TrimPrefix(ann.mustPost("/messages", "title", "A question", "text", "text"), "/messages/"), "sum": "88eabc99cdd4e003", "page": "about", "post": picture, "decision": decision, "community": "gophers", "slug": "a-post", "comment": comment, "user": "ann", "provider": "github", "kind": "comments"}

	s.visitor().get("/feed/" + things["token"]) // only the first time of a day is its use written down, after the answer

	for _, rt := range worker.Routes() {
		path := s.fill(rt.Pattern, things)
		if rt.Pattern == "/reply" {
			path += "?to=" + comment
		}
		if rt.Pattern == "/oembed" {
			path += "?url=" + url.QueryEscape("https://plaza.example"+address)
		}
		if rt.Pattern == "/discussions" {
			path += "?post=" + id
		}
		if rt.Pattern == "/c/{community}/mod/member" {
			path += "?user=" + data.ID(s.one("SELECT id FROM users WHERE username = 'ann'").(int64)).Text() + "&name=ann"
		}
		if rt.Pattern == "/c/{community}/mod/decide" || rt.Pattern == "/c/{community}/mod/give-flair" {
			path += "?target=" + id
		}
		if rt.Pattern == "/edit" || rt.Pattern == "/delete" {
			path += "?target=" + comment
		}
		if rt.Pattern == "/link" && rt.Method == http.MethodGet {
			path = mailed.link("ann@example.org", "Log in")
		}
		if rt.Pattern == "/suspension" && rt.Method == http.MethodGet {
			s.member("sue")
			root.mustPost("/admin/users", "user", "sue", "decision", "suspend", "rule", "Spam")
			_, path = s.outside("sue")
		}
		if rt.Pattern == "/block" || rt.Pattern == "/report" {
			path += "?user=eve"
		}
		if rt.Pattern == "/claim" {
			s.exec("INSERT INTO users (id, username, username_key, password_hash, created_at, origin, unclaimed) VALUES (60, 'imported', 'imported', '', 1, 'reddit:there', 1)")
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
			if rt.Moderator || rt.Admin {
				t.Run("refuses members without the right", func(t *testing.T) {
					before := s.rows()
					res := eve.get(path)
					if rt.Method != http.MethodGet {
						res = eve.post(path, "case", id, "id", id, "decision", "drop", "action", "delete", "title", "x", "colour", "#00695c")
					}
					require.Equal(t, http.StatusForbidden, res.Code)
					require.Equal(t, before, s.rows())
				})
			}
			if rt.Method != http.MethodGet {
				require.True(t, rt.Limited, "whatever changes something has a rate limit")
				t.Run("refuses other sites", func(t *testing.T) {
					before := s.rows()
					r := httptest.NewRequest(rt.Method, "https://plaza.example"+path, strings.NewReader("target="+id+"&value=1"))
					r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
					r.Header.Set("Sec-Fetch-Site", "cross-site")
					r.Header.Set("Origin", "https://evil.example")
					require.Equal(t, http.StatusForbidden, (&browser{site: s, cookie: ann.cookie}).send(r).Code)
					require.Equal(t, before, s.rows())
				})
				if rt.Member {
					t.Run("refuses a forged cookie", func(t *testing.T) {
						before := s.rows()
						forger := &browser{site: s, cookie: ann.cookie[:len(ann.cookie)-2] + "xx"}
						res := forger.post(path, "target", id, "value", "1", "community", "gophers", "title", "x", "text", "x", "post", id, "body", "x", "name", "forged", "on", "1")
						require.Equal(t, http.StatusUnauthorized, res.Code)
						require.Contains(t, res.Body.String(), "logged out")
						require.Equal(t, before, s.rows())
					})
				}
				return
			}
			for name, who := range map[string]*browser{"visitor": s.visitor(), "member": {site: s, cookie: insider.cookie}} {
				t.Run(name, func(t *testing.T) {
					r := httptest.NewRequest(http.MethodGet, "https://plaza.example"+path, nil)
					ctx, redisMeter := upstash.WithMeter(r.Context())
					ctx, sqlMeter := hrana.WithMeter(ctx)
					res := who.send(r.WithContext(ctx))
					if rt.Member && name == "visitor" {
						require.Equal(t, http.StatusSeeOther, res.Code)
						require.True(t, strings.HasPrefix(res.Header().Get("Location"), "/login?next="))
						return
					}
					require.Less(t, res.Code, 400, res.Body.String())
					require.LessOrEqual(t, redisMeter.Requests, 1, "Redis requests")
					require.LessOrEqual(t, sqlMeter.Requests(), s.oneEach(), "libSQL requests")
					require.LessOrEqual(t, sqlMeter.RowsRead(), int64(200), "rows read")
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
			res := s.visitor().get(path)
			require.Equal(t, http.StatusNotFound, res.Code, path)
			require.Contains(t, res.Body.String(), "<html")
			require.Equal(t, "private, no-store", res.Header().Get("Cache-Control"))
		}
	})
}

// TestRouteWordsAreReserved: no member has a name that reads as a part of the site.
func TestRouteWordsAreReserved(t *testing.T) {
	for _, rt := range worker.Routes() {
		word := regexp.MustCompile(`^/[^/{?\[]*`).FindString(rt.Pattern)[1:]
		if data.IsName(word, people.UsernameMin, people.UsernameMax, true) {
			require.True(t, data.IsReservedName(word), "%s is to be reserved (data/reserved.go)", word)
		}
	}
}

func TestBadInput(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	ann.mustPost("/communities", "name", "gophers")
	address := ann.mustPost("/submit", "community", "gophers", "title", "A post", "text", "text")
	id := targets(ann.page(address))[0]
	long := strings.Repeat("x", 10<<20)
	tests := map[string]struct {
		send   func(*browser) *httptest.ResponseRecorder
		status int
		says   []string
	}{
		"an empty title": {func(b *browser) *httptest.ResponseRecorder {
			return b.post("/c/gophers/submit", "title", " ", "text", "typed <b>text</b>")
		}, 422, []string{"A post needs a title.", "typed &lt;b&gt;text&lt;/b&gt;"}},
		"neither text nor link": {func(b *browser) *httptest.ResponseRecorder {
			return b.post("/submit", "community", "gophers", "title", "typed title")
		}, 422, []string{"A post needs a text, a link or an image.", `value="typed title"`}},
		"an unknown community in the form": {func(b *browser) *httptest.ResponseRecorder {
			return b.post("/submit", "community", "nowhere", "title", "typed title", "text", "typed text")
		}, 404, []string{"There is no community of that name.", "typed text"}},
		"an unknown community in the address": {func(b *browser) *httptest.ResponseRecorder {
			return b.get("/c/nowhere")
		}, 404, []string{"There is no community of that name."}},
		"a 10 MB body": {func(b *browser) *httptest.ResponseRecorder {
			return b.post("/c/gophers/submit", "title", "x", "text", long)
		}, 413, []string{"at most one megabyte"}},
		"a malformed cursor": {func(b *browser) *httptest.ResponseRecorder {
			return b.get("/c/gophers?after=hxyz")
		}, 400, []string{"That page can&#39;t be found."}},
		"a cursor of another order": {func(b *browser) *httptest.ResponseRecorder {
			return b.get("/new?after=h" + strings.Repeat("0", 25) + "1")
		}, 400, []string{"That page can&#39;t be found."}},
		"a malformed id": {func(b *browser) *httptest.ResponseRecorder {
			return b.get(address + "/not-an-id")
		}, 400, []string{"not an id"}},
		"a vote on nothing": {func(b *browser) *httptest.ResponseRecorder {
			return b.post("/vote", "target", "00000000000zz", "value", "1")
		}, 404, []string{"What you voted on is not there."}},
		"a vote of two": {func(b *browser) *httptest.ResponseRecorder {
			return b.post("/vote", "target", id, "value", "2")
		}, 422, []string{"A vote is 1, -1 or 0."}},
		"an empty comment": {func(b *browser) *httptest.ResponseRecorder {
			return b.post("/comment", "post", id, "body", "  ")
		}, 422, []string{"Please write something first."}},
		"a comment on nothing": {func(b *browser) *httptest.ResponseRecorder {
			return b.post("/comment", "post", "00000000000zw", "body", "typed body")
		}, 404, []string{"What you answer is not there.", "typed body"}},
		"a body that is no form": {func(b *browser) *httptest.ResponseRecorder {
			return b.postBody("/vote", "text/plain", "x")
		}, 415, []string{"form or a JSON object"}},
		"a form that is no form": {func(b *browser) *httptest.ResponseRecorder {
			return b.postBody("/vote", "application/x-www-form-urlencoded", "%zz")
		}, 422, []string{"did not arrive as it was sent"}},
		"a taken username": {func(b *browser) *httptest.ResponseRecorder {
			return b.visitor().post("/signup", "username", "ANN", "password", "correct horse", "email", "typed@example.org")
		}, 422, []string{"That username is taken.", "typed@example.org"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			before := s.rows()
			res := test.send(ann)
			require.Equal(t, test.status, res.Code, res.Body.String())
			for _, says := range test.says {
				require.Contains(t, res.Body.String(), says)
			}
			require.NotContains(t, res.Body.String(), "SQLITE")
			require.Equal(t, before, s.rows(), "nothing has changed")
		})
	}

	t.Run("a session that ends while somebody writes loses nothing they wrote", func(t *testing.T) {
		gone := s.member("gone")
		kept := gone.cookie
		gone.mustPost("/logout")
		gone.cookie = kept
		res := gone.post("/c/gophers/submit", "title", "typed title", "text", "typed text")
		require.Equal(t, http.StatusUnauthorized, res.Code)
		require.Contains(t, res.Body.String(), "typed text")
		require.Contains(t, res.Body.String(), "logged out")
		res = s.visitor().post("/comment", "post", id, "body", "typed body")
		require.Equal(t, http.StatusUnauthorized, res.Code)
		require.Contains(t, res.Body.String(), "typed body")
	})

	t.Run("a visitor who votes is asked to log in and comes back", func(t *testing.T) {
		require.Equal(t, "/login?next=%2Fc%2Fgophers", s.visitor().mustPost("/vote", "target", id, "value", "1", "return", "/c/gophers"))
		require.Equal(t, "/login?next=%2F", s.visitor().mustPost("/vote", "target", id, "value", "1", "return", "//evil.example"))
	})

	t.Run("too much of anything is refused for a while, with what was typed", func(t *testing.T) {
		strict := openSite(t, s.sql, s.redis, 1)
		eve := &browser{site: strict, cookie: ann.cookie, header: http.Header{}}
		var res *httptest.ResponseRecorder
		for range 61 {
			res = eve.post("/comment", "post", id, "body", "typed body")
		}
		require.Equal(t, http.StatusTooManyRequests, res.Code)
		require.NotEmpty(t, res.Header().Get("Retry-After"))
		require.Contains(t, res.Body.String(), "typed body")
		require.Contains(t, res.Body.String(), "That was a lot in a short time.")
	})

	t.Run("a database that is away is a page that says so, and the form stays", func(t *testing.T) {
		dead := openOn(t, hrana.New(hrana.Options{URL: "http://127.0.0.1:1", Attempts: 1}), s.redis, 100)
		dead.losesMessages = true
		res := (&browser{site: dead, cookie: ann.cookie}).post("/c/gophers/submit", "title", "typed title", "text", "typed text")
		require.Equal(t, http.StatusServiceUnavailable, res.Code)
		require.Contains(t, res.Body.String(), "typed text")
		require.NotContains(t, res.Body.String(), "127.0.0.1")
	})

	t.Run("a queue that is away does not lose the vote", func(t *testing.T) {
		s.queue.fail = context.DeadlineExceeded
		ann.mustPost("/vote", "target", id, "value", "-1")
		s.queue.fail = nil
		s.queue.take(request.QueueVotes)
		require.NoError(t, s.app.Scheduled(context.Background(), s.now))
		require.Empty(t, s.queue.take(request.QueueVotes), "younger than a minute")
		s.now = s.now.Add(2 * 60e9)
		require.NoError(t, s.app.Scheduled(context.Background(), s.now))
		s.deliver()
		require.Equal(t, int64(-1), s.one("SELECT score FROM posts WHERE slug = 'a-post'"))
	})
}
