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
	"plaza/data/hrana"
	"plaza/data/people"
	"plaza/worker"
)

// refusesToken holds an answer to what a program is told whose token is not good.
func (s *site) refusesToken(res *httptest.ResponseRecorder) {
	s.Helper()
	require.Equal(s, http.StatusUnauthorized, res.Code, res.Body.String())
	require.Equal(s, `Bearer error="invalid_token"`, res.Header().Get("WWW-Authenticate"))
	require.Equal(s, "application/json", res.Header().Get("Content-Type"))
	require.Equal(s, "private, no-store", res.Header().Get("Cache-Control"))
	require.Contains(s, res.Body.String(), `"code":"unauthenticated"`)
	require.Contains(s, res.Body.String(), "This token")
}

func TestTokens(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	ann.mustPost("/communities", "name", "gophers")
	address := ann.mustPost("/submit", "community", "gophers", "title", "A post", "text", "text")
	post := targets(ann.page(address))[0]
	ben := s.member("ben")
	token := ben.newToken("read", "write")
	robot := program(s, token)

	t.Run("the member's page lists it, and the database has its hash alone", func(t *testing.T) {
		page := ben.page("/settings/tokens")
		require.Contains(t, page, "Program")
		require.Contains(t, page, "May read, write")
		require.Contains(t, page, "not used yet")
		require.NotContains(t, page, token)
		require.NotContains(t, s.everything(), token)
		shown := ben.post("/settings/tokens", "name", "Once", "read", "1", "days", "7")
		require.Equal(t, http.StatusOK, shown.Code)
		require.Regexp(t, `<code>plaza_[a-z2-7]+</code>`, shown.Body.String())
		require.Contains(t, shown.Body.String(), "29 November 2026")
	})

	t.Run("a program writes and reads as its member, without cookies", func(t *testing.T) {
		r := httptest.NewRequest(http.MethodPost, "https://plaza.example/vote", strings.NewReader(`{"target":"`+post+`","value":1}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Origin", "app://desktop") // a program's own, not a site's
		r.Header.Set("Sec-Fetch-Site", "cross-site")
		res := robot.send(r)
		require.Equal(t, http.StatusOK, res.Code, res.Body.String())
		require.Contains(t, res.Body.String(), `"my_vote":1`)
		res = robot.post("/comment", "post", post, "body", "written by a program")
		require.Equal(t, http.StatusOK, res.Code, res.Body.String())
		require.Equal(t, "ben", s.one("SELECT author_name FROM comments WHERE body = 'written by a program'"))
		res = robot.get("/saved")
		require.Equal(t, http.StatusOK, res.Code)
		require.Equal(t, "private, no-store", res.Header().Get("Cache-Control"))
		for _, c := range res.Result().Cookies() {
			require.NotEqual(t, "__Host-session", c.Name)
		}
		res = robot.get(address)
		require.Contains(t, res.Body.String(), `aria-pressed="true"`, "the member's own vote")
		require.Equal(t, "private, no-store", res.Header().Get("Cache-Control"))
		require.Contains(t, ben.page("/settings/tokens"), "last used today")
	})

	t.Run("its page costs one request and no write", func(t *testing.T) {
		r := robot.request("/inbox")
		ctx, meter := hrana.WithMeter(r.Context())
		before := s.everything()
		require.Equal(t, http.StatusOK, robot.send(r.WithContext(ctx)).Code)
		require.LessOrEqual(t, meter.Requests(), s.oneEach())
		require.Equal(t, before, s.everything())
	})

	t.Run("calls are counted for the member", func(t *testing.T) {
		c := s.config
		c.LimitFactor = 1
		s.restart(c)
		defer s.restart(s.config)
		codes := map[int]int{}
		for range 5 {
			codes[robot.post("/subscribe", "community", "gophers", "on", "1").Code]++
		}
		for range 60 {
			codes[ben.post("/subscribe", "community", "gophers", "on", "1").Code]++
		}
		require.Positive(t, codes[http.StatusTooManyRequests], codes)
	})

	t.Run("a cookie beside it counts for nothing, and then another site's page is refused", func(t *testing.T) {
		both := &browser{site: s, cookie: ann.cookie, header: robot.header}
		res := both.post("/comment", "post", post, "body", "by whom?")
		require.Equal(t, http.StatusOK, res.Code)
		require.Equal(t, "ben", s.one("SELECT author_name FROM comments WHERE body = 'by whom?'"))
		r := httptest.NewRequest(http.MethodPost, "https://plaza.example/vote", strings.NewReader("target="+post+"&value=1"))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "cross-site")
		require.Equal(t, http.StatusForbidden, both.send(r).Code)
		bad := &browser{site: s, cookie: ann.cookie, header: http.Header{"Authorization": {"Bearer plaza_x"}}}
		s.refusesToken(bad.get("/saved"))
	})

	t.Run("tokens that this site has not made, in this way", func(t *testing.T) {
		raw, err := base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding).DecodeString(strings.TrimPrefix(token, "plaza_"))
		require.NoError(t, err)
		for i := range raw { // whose it is, which one, scopes, day, name, signature
			changed := append([]byte(nil), raw...)
			changed[i] ^= 4
			s.refusesToken(program(s, "plaza_"+base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding).EncodeToString(changed)).get(address))
		}
		for _, other := range []string{"", "x", "plaza_", strings.ToUpper(token), token + "a", token + "=", strings.TrimPrefix(token, "plaza_"), ben.cookie, "plaza_" + strings.Repeat("a", 5000)} {
			s.refusesToken(program(s, other).get(address))
			s.refusesToken(program(s, other).post("/vote", "target", post, "value", "-1"))
		}
		require.Equal(t, http.StatusOK, (&browser{site: s, header: http.Header{"Authorization": {"bearer " + token}}}).get(address).Code)
		require.Equal(t, http.StatusOK, (&browser{site: s, header: http.Header{"Authorization": {"Basic eDp5"}}}).get(address).Code, "no token")
	})

	t.Run("one that has no row reads nothing", func(t *testing.T) {
		lost := program(s, ben.newToken("read"))
		require.Equal(t, http.StatusOK, lost.get("/saved").Code)
		s.exec("UPDATE tokens SET hash = 'another' WHERE id = (SELECT max(id) FROM tokens)")
		s.now = s.now.Add(data.OwnLife)
		s.refusesToken(lost.get("/saved"))
	})

	t.Run("what ends it", func(t *testing.T) {
		ends := map[string]func(*browser){
			"its member": func(b *browser) {
				b.mustPost("/settings/tokens/end", "id", data.ID(s.one("SELECT max(id) FROM tokens").(int64)).Text())
			},
			"a new password":                 func(b *browser) { b.mustPost("/settings/account/password", "password", "correct horse battery") },
			"logging out everywhere else":    func(b *browser) { b.mustPost("/settings/sessions/end-others") },
			"asking for deletion":            func(b *browser) { b.mustPost("/settings/account/delete", "content", "keep") },
			"the day on which it runs out":   func(*browser) { s.now = s.now.Add(8 * 24 * time.Hour) },
			"another secret of the site":     func(*browser) { c := s.config; c.Secret = []byte("another secret of thirty-two bytes"); s.restart(c) },
			"the row's end in the directory": func(*browser) { s.exec("DELETE FROM tokens") },
		}
		for name, end := range ends {
			t.Run(name, func(t *testing.T) {
				defer s.restart(s.config)
				cam := s.member("cam" + strings.ToLower(base32.StdEncoding.EncodeToString([]byte(name)))[:12])
				address := cam.mustPost("/submit", "community", "gophers", "title", name, "text", "text") // a new one, which is not archived
				post := targets(cam.page(address))[0]
				cam.header.Set("Accept", "application/json")
				res := cam.post("/settings/tokens", "name", "Short", "read", "1", "write", "1", "days", "7")
				cam.header.Del("Accept")
				var made struct{ Token string }
				require.NoError(t, json.Unmarshal(res.Body.Bytes(), &made))
				robot := program(s, made.Token)
				require.Equal(t, http.StatusOK, robot.post("/vote", "target", post, "value", "-1").Code)
				require.Equal(t, http.StatusOK, robot.get(address).Code)
				end(cam)
				s.now = s.now.Add(data.OwnLife)
				if !strings.HasPrefix(name, "the row's") { // which only pages look for
					before := s.everything()
					s.refusesToken(robot.post("/vote", "target", post, "value", "1"))
					s.refusesToken(robot.post("/subscribe", "community", "gophers", "on", "1"))
					require.Equal(t, before, s.everything())
				}
				s.refusesToken(robot.get(address))
				if name != "another secret of the site" && name != "asking for deletion" && name != "the day on which it runs out" {
					require.NotContains(t, cam.page("/settings/tokens"), "Short")
				}
				require.NoError(t, s.app.Scheduled(t.Context(), s.now.Truncate(time.Hour)))
				s.now = s.now.Add(40 * 24 * time.Hour) // longer than any session
				require.NoError(t, s.app.Scheduled(t.Context(), s.now.Truncate(time.Hour)))
				if !strings.HasPrefix(name, "the row's") {
					s.refusesToken(robot.post("/vote", "target", post, "value", "-1"))
				}
			})
		}
	})

	t.Run("forms that are refused come back", func(t *testing.T) {
		dan := s.member("dan")
		res := dan.post("/settings/tokens", "name", " ", "days", "30")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "A token needs a name")
		require.Contains(t, res.Body.String(), "Please choose what the token may do.")
		require.Equal(t, http.StatusUnprocessableEntity, dan.post("/settings/tokens", "name", "x", "read", "1", "days", "366").Code)
		for range 20 {
			dan.newToken("read")
		}
		res = dan.post("/settings/tokens", "name", "One more", "read", "1", "days", "30")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "You have 20 tokens")
		require.Contains(t, res.Body.String(), `value="One more"`)
		s.now = s.now.Add(20 * time.Minute)
		require.Equal(t, "/prove?next=%2Fsettings%2Faccount", dan.mustPost("/settings/tokens", "name", "x", "read", "1"))
	})
}

// TestTokenScopes holds the routes table to what no token may do, and tries each action with tokens that may do something else.
func TestTokenScopes(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	ann.mustPost("/communities", "name", "gophers")
	robots := map[people.Scope]*browser{}
	for _, scope := range []people.Scope{people.Read, people.Write, people.Moderate} {
		robots[scope] = program(s, ann.newToken(scope.String()))
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
			require.Equal(t, people.Moderate, rt.Scope, rt.Pattern)
		case rt.Method == http.MethodGet:
			require.Zero(t, rt.Scope&^people.Read, rt.Pattern)
		default:
			require.Zero(t, rt.Scope&^people.Write, rt.Pattern)
		}
		if rt.Pattern == "/healthz" { // which has a token of its own
			continue
		}
		path := s.fill(rt.Pattern, map[string]string{"tags": "go", "community": "gophers", "user": "ann", "post": "0", "slug": "x", "comment": "0", "provider": "x", "kind": "votes"})
		for scope, robot := range robots {
			if scope == rt.Scope {
				continue
			}
			send := robot.post
			if rt.Method == http.MethodGet {
				send = func(path string, _ ...string) *httptest.ResponseRecorder { return robot.get(path) }
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
		require.Equal(t, http.StatusForbidden, robots[people.Read].get(path).Code, path)
	}
}
