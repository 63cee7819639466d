package worker_test

import (
	"encoding/base32"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/accounts/sessions"
	"plaza/data/wire/hrana"
	"plaza/test/workertest"
	"plaza/worker"
)

// refusesToken holds an answer to what a program is told whose token is not good.
func refusesToken(s *workertest.Site, res *httptest.ResponseRecorder) {
	s.Helper()
	require.Equal(s, http.StatusUnauthorized, res.Code, res.Body.String())
	require.Equal(s, `Bearer error="invalid_token"`, res.Header().Get("WWW-Authenticate"))
	require.Equal(s, "application/json", res.Header().Get("Content-Type"))
	require.Equal(s, "private, no-store", res.Header().Get("Cache-Control"))
	require.Contains(s, res.Body.String(), `"code":"unauthenticated"`)
	require.Contains(s, res.Body.String(), "This token")
}

func TestTokens(t *testing.T) {
	t.Parallel()
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	address := ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")
	post := workertest.Targets(ann.Page(address))[0]
	ben := s.Member("ben")
	token := ben.NewToken("read", "write")
	robot := workertest.Program(s, token)

	t.Run("the member's page lists it, and the database has its hash alone", func(t *testing.T) {
		page := ben.Page("/settings/tokens")
		require.Contains(t, page, "Program")
		require.Contains(t, page, "May read, write")
		require.Contains(t, page, "not used yet")
		require.NotContains(t, page, token)
		require.NotContains(t, s.Everything(), token)
		shown := ben.Post("/settings/tokens", "name", "Once", "read", "1", "days", "7")
		require.Equal(t, http.StatusOK, shown.Code)
		require.Regexp(t, `<code>plaza_[a-z2-7]+</code>`, shown.Body.String())
		require.Contains(t, shown.Body.String(), "29 November 2026")
	})

	t.Run("a program writes and reads as its member, without cookies", func(t *testing.T) {
		r := httptest.NewRequest(http.MethodPost, "https://plaza.example/vote", strings.NewReader(`{"target":"`+post+`","value":1}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Origin", "app://desktop") // a program's own, not a site's
		r.Header.Set("Sec-Fetch-Site", "cross-site")
		res := robot.Send(r)
		require.Equal(t, http.StatusOK, res.Code, res.Body.String())
		require.Contains(t, res.Body.String(), `"my_vote":1`)
		res = robot.Post("/comment", "post", post, "body", "written by a program")
		require.Equal(t, http.StatusOK, res.Code, res.Body.String())
		require.Equal(t, "ben", s.One("SELECT author_name FROM comments WHERE body = 'written by a program'"))
		res = robot.Get("/saved")
		require.Equal(t, http.StatusOK, res.Code)
		require.Equal(t, "private, no-store", res.Header().Get("Cache-Control"))
		for _, c := range res.Result().Cookies() {
			require.NotEqual(t, "__Host-session", c.Name)
		}
		res = robot.Get(address)
		require.Contains(t, res.Body.String(), `aria-pressed="true"`, "the member's own vote")
		require.Equal(t, "private, no-store", res.Header().Get("Cache-Control"))
		require.Contains(t, ben.Page("/settings/tokens"), "last used today")
	})

	t.Run("its page costs one request and no write", func(t *testing.T) {
		r := robot.Request("/inbox")
		ctx, meter := hrana.WithMeter(r.Context())
		before := s.Everything()
		require.Equal(t, http.StatusOK, robot.Send(r.WithContext(ctx)).Code)
		require.LessOrEqual(t, meter.Requests(), s.MaxPageRequests())
		require.Equal(t, before, s.Everything())
	})

	t.Run("calls are counted for the member", func(t *testing.T) {
		c := s.Config
		c.LimitFactor = 1
		s.Restart(c)
		defer s.Restart(s.Config)
		codes := map[int]int{}
		for range 5 {
			codes[robot.Post("/subscribe", "community", "gophers", "on", "1").Code]++
		}
		for range 60 {
			codes[ben.Post("/subscribe", "community", "gophers", "on", "1").Code]++
		}
		require.Positive(t, codes[http.StatusTooManyRequests], codes)
	})

	t.Run("a cookie beside it counts for nothing, and then another site's page is refused", func(t *testing.T) {
		both := &workertest.Browser{Site: s, Cookie: ann.Cookie, Header: robot.Header}
		res := both.Post("/comment", "post", post, "body", "by whom?")
		require.Equal(t, http.StatusOK, res.Code)
		require.Equal(t, "ben", s.One("SELECT author_name FROM comments WHERE body = 'by whom?'"))
		r := httptest.NewRequest(http.MethodPost, "https://plaza.example/vote", strings.NewReader("target="+post+"&value=1"))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "cross-site")
		require.Equal(t, http.StatusForbidden, both.Send(r).Code)
		bad := &workertest.Browser{Site: s, Cookie: ann.Cookie, Header: http.Header{"Authorization": {"Bearer plaza_x"}}}
		refusesToken(s, bad.Get("/saved"))
	})

	t.Run("tokens that this site has not made, in this way", func(t *testing.T) {
		raw, err := base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding).
			DecodeString(strings.TrimPrefix(token, "plaza_"))
		require.NoError(t, err)
		for i := range raw { // whose it is, which one, scopes, day, name, signature
			changed := append([]byte(nil), raw...)
			changed[i] ^= 4
			refusesToken(s, workertest.Program(s, "plaza_"+base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding).
				EncodeToString(changed)).Get(address))
		}
		for _, other := range []string{"", "x", "plaza_", strings.ToUpper(token), token + "a", token + "=", strings.TrimPrefix(token, "plaza_"),
			ben.Cookie, "plaza_" + strings.Repeat("a", 5000)} {
			refusesToken(s, workertest.Program(s, other).Get(address))
			refusesToken(s, workertest.Program(s, other).Post("/vote", "target", post, "value", "-1"))
		}
		require.Equal(t, http.StatusOK, (&workertest.Browser{Site: s, Header: http.Header{"Authorization": {"bearer " + token}}}).
			Get(address).Code)
		require.Equal(t, http.StatusOK, (&workertest.Browser{Site: s, Header: http.Header{"Authorization": {"Basic eDp5"}}}).Get(address).Code,
			"no token")
	})

	t.Run("the edge reads uploads of those alone whose session or token this site has signed", func(t *testing.T) {
		forged, again := ben.Forger().Cookie, s.LogIn("ben", "another browser")
		sender := data.ID(s.One("SELECT id FROM users WHERE username = 'ben'").(int64)).Text()
		for name, c := range map[string]struct {
			cookies, authorization string
			known                  bool // that it is ben's
		}{
			"nothing":                                    {},
			"a session":                                  {"__Host-session=" + ben.Cookie, "", true},
			"a session among other cookies":              {"a=b; __Host-session=" + ben.Cookie + "; display=.dark", "", true},
			"a forged session":                           {"__Host-session=" + forged, "", false},
			"any text for a session":                     {"__Host-session=x", "", false},
			"no text for a session":                      {"__Host-session=", "", false},
			"a session under another name":               {"session=" + ben.Cookie, "", false},
			"a token":                                    {"", "Bearer " + token, true},
			"a token in small letters":                   {"", "bearer " + token, true},
			"a forged token":                             {"", "Bearer " + token[:len(token)-1] + "x", false},
			"a token without its scheme":                 {"", token, false},
			"a forged token and a session":               {"__Host-session=" + ben.Cookie, "Bearer plaza_x", false},
			"a token and a forged session":               {"__Host-session=" + forged, "Bearer " + token, true},
			"a session in place of a token":              {"", "Bearer " + ben.Cookie, false},
			"a password and a session":                   {"__Host-session=" + ben.Cookie, "Basic eDp5", true},
			"a password":                                 {"", "Basic eDp5", false},
			"a token in place of a session":              {"__Host-session=" + token, "", false},
			"a session beside one that ends in its name": {"x__Host-session=1; __Host-session=" + ben.Cookie, "", true},
			"another session":                            {"__Host-session=" + again.Cookie, "", true},
			"two sessions, the first forged":             {"__Host-session=" + forged + "; __Host-session=" + ben.Cookie, "", false},
		} {
			want := ""
			if c.known {
				want = sender
			}
			require.Equal(t, want, s.App.SenderOf(c.cookies, c.authorization), name)
		}
	})

	t.Run("one that has no row reads nothing", func(t *testing.T) {
		lost := workertest.Program(s, ben.NewToken("read"))
		require.Equal(t, http.StatusOK, lost.Get("/saved").Code)
		s.Exec("UPDATE tokens SET hash = 'another' WHERE id = (SELECT max(id) FROM tokens)")
		s.Now = s.Now.Add(data.MemberCacheTTL)
		refusesToken(s, lost.Get("/saved"))
	})

	t.Run("what ends it", func(t *testing.T) {
		ends := map[string]func(*workertest.Browser){
			"its member": func(b *workertest.Browser) {
				b.MustPost("/settings/tokens/end", "id", data.ID(s.One("SELECT max(id) FROM tokens").(int64)).Text())
			},
			"a new password": func(b *workertest.Browser) {
				b.MustPost("/settings/account/password", "password", "correct horse battery")
			},
			"logging out everywhere else":  func(b *workertest.Browser) { b.MustPost("/settings/sessions/end-others") },
			"asking for deletion":          func(b *workertest.Browser) { b.MustPost("/settings/account/delete", "content", "keep") },
			"the day on which it runs out": func(*workertest.Browser) { s.Now = s.Now.Add(8 * 24 * time.Hour) },
			"another secret of the site": func(*workertest.Browser) {
				c := s.Config
				c.Secret = []byte("another secret of thirty-two bytes")
				s.Restart(c)
			},
			"the row's end in the directory": func(*workertest.Browser) { s.Exec("DELETE FROM tokens") },
		}
		for name, end := range ends {
			t.Run(name, func(t *testing.T) {
				defer s.Restart(s.Config)
				cam := s.Member("cam" + strings.ToLower(base32.StdEncoding.EncodeToString([]byte(name)))[:12])
				address := cam.MustPost("/submit", "community", "gophers", "title", name, "text", "text") // a new one, which is not archived
				post := workertest.Targets(cam.Page(address))[0]
				cam.Header.Set("Accept", "application/json")
				res := cam.Post("/settings/tokens", "name", "Short", "read", "1", "write", "1", "days", "7")
				cam.Header.Del("Accept")
				var created struct{ Token string }
				require.NoError(t, json.Unmarshal(res.Body.Bytes(), &created))
				robot := workertest.Program(s, created.Token)
				require.Equal(t, http.StatusOK, robot.Post("/vote", "target", post, "value", "-1").Code)
				require.Equal(t, http.StatusOK, robot.Get(address).Code)
				end(cam)
				s.Now = s.Now.Add(data.MemberCacheTTL)
				if !strings.HasPrefix(name, "the row's") { // which only pages look for
					before := s.Everything()
					refusesToken(s, robot.Post("/vote", "target", post, "value", "1"))
					refusesToken(s, robot.Post("/subscribe", "community", "gophers", "on", "1"))
					require.Equal(t, before, s.Everything())
				}
				refusesToken(s, robot.Get(address))
				if name != "another secret of the site" && name != "asking for deletion" && name != "the day on which it runs out" {
					require.NotContains(t, cam.Page("/settings/tokens"), "Short")
				}
				require.NoError(t, s.App.Scheduled(t.Context(), s.Now.Truncate(time.Hour)))
				s.Now = s.Now.Add(40 * 24 * time.Hour) // longer than any session
				require.NoError(t, s.App.Scheduled(t.Context(), s.Now.Truncate(time.Hour)))
				if !strings.HasPrefix(name, "the row's") {
					refusesToken(s, robot.Post("/vote", "target", post, "value", "-1"))
				}
			})
		}
	})

	t.Run("forms that are refused come back", func(t *testing.T) {
		dan := s.Member("dan")
		res := dan.Post("/settings/tokens", "name", " ", "days", "30")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "A token needs a name")
		require.Contains(t, res.Body.String(), "Please choose what the token may do.")
		require.Equal(t, http.StatusUnprocessableEntity, dan.Post("/settings/tokens", "name", "x", "read", "1", "days", "366").Code)
		for range 20 {
			dan.NewToken("read")
		}
		res = dan.Post("/settings/tokens", "name", "One more", "read", "1", "days", "30")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "at most 20 tokens")
		require.Contains(t, res.Body.String(), `value="One more"`)
		s.Now = s.Now.Add(20 * time.Minute)
		require.Equal(t, "/prove?next=%2Fsettings%2Faccount", dan.MustPost("/settings/tokens", "name", "x", "read", "1"))
	})
}

// TestTokenScopes holds the routes table to what no token may do, and tries each action with tokens that may do something else.
func TestTokenScopes(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	robots := map[sessions.Scope]*workertest.Browser{}
	for _, scope := range []sessions.Scope{sessions.Read, sessions.Write, sessions.Moderate} {
		robots[scope] = workertest.Program(s, ann.NewToken(scope.String()))
	}
	sensitive := 0
	for _, rt := range worker.Routes() {
		if strings.HasPrefix(rt.Pattern, "/settings/") || strings.HasPrefix(rt.Pattern, "/login") || strings.HasPrefix(rt.Pattern, "/prove") {
			sensitive++
		}
		switch {
		case rt.Proven, rt.Admin, rt.Method != http.MethodGet && !rt.Member:
			require.Zero(t, rt.Scope, rt.Pattern)
		case rt.Moderator, rt.Pattern == "/mod/queue": // of all communities that the member moderates
			require.Equal(t, sessions.Moderate, rt.Scope, rt.Pattern)
		case rt.Method == http.MethodGet:
			require.Zero(t, rt.Scope&^sessions.Read, rt.Pattern)
		default:
			require.Zero(t, rt.Scope&^sessions.Write, rt.Pattern)
		}
		if rt.Pattern == "/healthz" { // which has a token of its own
			continue
		}
		path := pathOf(rt.Pattern, map[string]string{"tags": "go", "community": "gophers", "user": "ann", "post": "0", "slug": "x",
			"comment": "0", "provider": "x", "kind": "votes"})
		for scope, robot := range robots {
			if scope == rt.Scope {
				continue
			}
			send := robot.Post
			if rt.Method == http.MethodGet {
				send = func(path string, _ ...string) *httptest.ResponseRecorder { return robot.Get(path) }
			}
			res := send(path)
			require.Equal(t, http.StatusForbidden, res.Code, "%s %s by a token that may %s: %s", rt.Method, path, scope, res.Body.String())
			if rt.Scope == 0 {
				require.Contains(t, res.Body.String(), "No token can do this.")
			} else {
				require.Equal(t, `Bearer error="insufficient_scope", scope="`+rt.Scope.String()+`"`, res.Header().Get("WWW-Authenticate"))
			}
		}
	}
	require.Greater(t, sensitive, 20)
	for _, path := range []string{"/settings/account", "/settings/security", "/settings/tokens"} {
		require.Equal(t, http.StatusForbidden, robots[sessions.Read].Get(path).Code, path)
	}
}
