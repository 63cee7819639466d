package worker_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/worker/oidc"
)

// providerSite is a site with the provider.
func providerSite(t *testing.T) (*site, *realProvider) {
	t.Helper()
	p := startProvider(t)
	s := mustOpen(t)
	s.now = time.Now()
	s.config.Web = direct{&http.Transport{DisableKeepAlives: true}}
	s.connect(p)
	return s, p
}

// connect makes the site anew, with the provider under three names. Codes of the third live for a second.
func (s *site) connect(p *realProvider) {
	s.now = time.Now() // the provider's clock is real
	env := map[string]string{"AUTH_PROVIDERS": "idp, curve, brief", "AUTH_IDP_LABEL": "Acme", "AUTH_IDP_ISSUER": p.issuer, "AUTH_IDP_ID": "plaza", "AUTH_IDP_SECRET": "a secret: of +the/ site",
		"AUTH_CURVE_ISSUER": p.issuer, "AUTH_CURVE_ID": "curve", "AUTH_BRIEF_ISSUER": p.issuer, "AUTH_BRIEF_ID": "brief"}
	list, err := oidc.Configure(func(name string) string { return env[name] })
	require.NoError(s, err)
	s.config.Providers = list
	s.restart(s.config)
}

// through logs in at the provider and returns what the site answers then.
func (b *browser) through(p *realProvider, name, next string) *httptest.ResponseRecorder {
	b.Helper()
	b.now = time.Now()
	res := b.get("/auth/idp?next=" + url.QueryEscape(next))
	require.Equal(b, http.StatusSeeOther, res.Code, res.Body.String())
	return b.get(p.visit(res.Header().Get("Location"), name))
}

// joins makes an account of somebody of the provider.
func (b *browser) joins(p *realProvider, name, username string) {
	b.Helper()
	require.Equal(b, "/auth/new?next=%2Fcommunities", b.through(p, name, "/communities").Header().Get("Location"))
	require.Equal(b, "/communities", b.mustPost("/auth/new", "username", username, "next", "/communities"))
}

func TestSigningInByAProvider(t *testing.T) {
	s, p := providerSite(t)
	s.mailbox()

	t.Run("the login pages lead there", func(t *testing.T) {
		for _, path := range []string{"/login", "/signup"} {
			page := s.visitor().page(path + "?next=/c/gophers")
			require.Contains(t, page, `href="/auth/idp?next=%2Fc%2Fgophers">Continue with Acme</a>`)
			require.Contains(t, page, "Continue with curve")
		}
		require.Equal(t, http.StatusNotFound, s.visitor().get("/auth/other").Code)
		require.Equal(t, http.StatusNotFound, s.visitor().get("/auth/other/callback").Code)
	})
	t.Run("what is asked for has PKCE, state and nonce", func(t *testing.T) {
		to, err := url.Parse(s.jarred().get("/auth/idp").Header().Get("Location"))
		require.NoError(t, err)
		q := to.Query()
		require.Equal(t, "S256", q.Get("code_challenge_method"))
		require.Len(t, q.Get("code_challenge"), 43)
		require.Equal(t, "https://plaza.example/auth/idp/callback", q.Get("redirect_uri"))
		require.NotEmpty(t, q.Get("state"))
		require.NotEmpty(t, q.Get("nonce"))
		require.NotEqual(t, q.Get("state"), q.Get("nonce"))
	})
	t.Run("somebody new chooses a name, which is prefilled", func(t *testing.T) {
		b := s.jarred()
		require.Equal(t, "/auth/new?next=%2Fcommunities", b.through(p, "ann.lee", "/communities").Header().Get("Location"))
		require.Empty(t, b.cookie)
		page := b.page("/auth/new?next=%2Fcommunities")
		for _, says := range []string{`value="ann_lee"`, `value="ann.lee@example.org"`, "ann.lee@example.org</strong>", "never merge accounts by their addresses alone"} {
			require.Contains(t, page, says)
		}
		require.Equal(t, http.StatusUnprocessableEntity, b.post("/auth/new", "username", "x").Code)
		require.Equal(t, "/communities", b.mustPost("/auth/new", "username", "ann", "email", "ann@example.org", "next", "/communities"))
		require.Contains(t, b.page("/"), `<span>ann</span>`)
		require.Equal(t, "/login", s.jarred().get("/auth/new").Header().Get("Location"), "which is the browser's own")
	})
	t.Run("again", func(t *testing.T) {
		b := s.jarred()
		require.Equal(t, "/communities", b.through(p, "ann.lee", "/communities").Header().Get("Location"))
		require.Contains(t, b.page("/"), `<span>ann</span>`)
		require.EqualValues(t, 1, s.one("SELECT count(*) FROM users"))
		require.Equal(t, http.StatusUnauthorized, s.visitor().post("/login", "login", "ann", "password", "x").Code)
	})
	t.Run("with a public client and ES256", func(t *testing.T) {
		b := s.jarred()
		require.Equal(t, "/", b.get(p.visit(b.get("/auth/curve").Header().Get("Location"), "ann.lee")).Header().Get("Location"), "the same issuer and subject")
		require.Contains(t, b.page("/"), `<span>ann</span>`)
	})
	t.Run("an address that is somebody's here is not joined to it", func(t *testing.T) {
		s.member("kim")
		s.exec("UPDATE users SET email = 'kim@example.org', email_key = 'kim@example.org' WHERE username = 'kim'")
		b := s.jarred()
		require.Equal(t, "/auth/new?next=%2F", b.through(p, "kim", "/").Header().Get("Location"))
		require.Equal(t, http.StatusUnprocessableEntity, b.post("/auth/new", "username", "kim").Code)
		b.mustPost("/auth/new", "username", "kim2")
		require.EqualValues(t, 0, s.one("SELECT count(*) FROM identities i JOIN users u ON u.id = i.user_id WHERE u.username = 'kim'"))
	})
	t.Run("a member adds it, logs in by it, and removes it", func(t *testing.T) {
		b := s.member("ben")
		b.jar = map[string]string{}
		require.Equal(t, "/auth/new?next=%2F", b.through(p, "benedict", "/").Header().Get("Location"))
		require.EqualValues(t, 0, s.one("SELECT count(*) FROM identities WHERE subject = 'benedict'"), "not before the member says so")
		require.Contains(t, b.page("/auth/new"), "Log in with Acme, too?")
		b.mustPost("/settings/providers")
		require.Contains(t, b.page("/settings/security?done=identity"), "benedict@example.org")
		require.Equal(t, "/settings/security?done=known", b.through(p, "benedict", "/").Header().Get("Location"))

		other := s.jarred()
		other.through(p, "benedict", "/")
		require.Contains(t, other.page("/settings/security"), "last used")
		require.Contains(t, other.page("/"), `<span>ben</span>`)

		m := regexp.MustCompile(`name="id" value="([0-9a-z]{13})"`).FindStringSubmatch(other.page("/settings/security"))
		other.mustPost("/settings/providers/remove", "id", m[1])
		require.Equal(t, "/auth/new?next=%2F", s.jarred().through(p, "benedict", "/").Header().Get("Location"))
	})
	t.Run("somebody else's is not added, and the only way in is not removed", func(t *testing.T) {
		b := s.member("cam")
		b.jar = map[string]string{}
		res := b.through(p, "ann.lee", "/")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "already uses that login")
		dan := s.jarred()
		dan.joins(p, "dan", "dan")
		m := regexp.MustCompile(`name="id" value="([0-9a-z]{13})"`).FindStringSubmatch(dan.page("/settings/security"))
		b.mustPost("/settings/providers/remove", "id", m[1])
		res = dan.post("/settings/providers/remove", "id", m[1])
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "the only way in which you can log in")
	})
	t.Run("two sign-ups of one account elsewhere make one account here", func(t *testing.T) {
		one, two := s.jarred(), s.jarred()
		one.through(p, "eve", "/")
		two.through(p, "eve", "/")
		one.mustPost("/auth/new", "username", "eve")
		require.Equal(t, http.StatusServiceUnavailable, two.post("/auth/new", "username", "eve2").Code)
		require.EqualValues(t, 0, s.one("SELECT count(*) FROM users WHERE username = 'eve2'"))
	})
	t.Run("logging in there once more is a proof", func(t *testing.T) {
		b := s.jarred()
		b.through(p, "ann.lee", "/")
		s.now = s.now.Add(20 * time.Minute)
		require.Equal(t, "/prove?next=%2Fsettings%2Ftotp", b.get("/settings/totp").Header().Get("Location"))
		m := regexp.MustCompile(`href="(/auth/idp\?prove=1[^"]*)"`).FindStringSubmatch(b.page("/prove?next=/settings/totp"))
		require.NotNil(t, m)
		start := strings.ReplaceAll(m[1], "&amp;", "&")
		later := func(names ...string) func(string, map[string]any) { // the provider's clock goes with the site's
			return p.claims(func(c map[string]any) {
				for _, name := range names {
					c[name] = c[name].(float64) + 20*60
				}
			})
		}
		for name, test := range map[string]struct {
			as    string
			alter func(string, map[string]any)
			code  int
		}{
			"somebody else":      {"dan", later("iat", "exp", "auth_time"), http.StatusForbidden},
			"an old login there": {"ann.lee", later("iat", "exp"), http.StatusForbidden},
			"the member":         {"ann.lee", later("iat", "exp", "auth_time"), http.StatusSeeOther},
		} {
			asks := *b
			asks.jar = maps.Clone(b.jar)
			to, err := url.Parse(asks.get(start).Header().Get("Location"))
			require.NoError(t, err)
			require.Equal(t, "login 0", to.Query().Get("prompt")+" "+to.Query().Get("max_age"))
			stop := p.altering(test.alter)
			res := asks.get(p.visit(to.String(), test.as))
			stop()
			require.Equal(t, test.code, res.Code, name)
			if test.code == http.StatusSeeOther {
				require.Equal(t, "/settings/totp", res.Header().Get("Location"))
				asks.page("/settings/totp")
			}
		}
		s.now = time.Now()
	})
	host := s.member("host")
	host.mustPost("/communities", "name", "gophers")
	post := targets(host.page(host.mustPost("/submit", "community", "gophers", "title", "A post", "text", "text")))[0]
	written := func(t *testing.T, form, name string, signUp ...string) {
		t.Helper()
		b := s.jarred()
		page := b.post("/comment", "post", post, "body", "Written before").Body.String()
		require.Contains(t, page, `href="/auth/idp?next=%2Flogin%2Fdone" target="_blank"`)
		waiting := append(formOf(t, page, form), "show", "1") // the button's
		res := b.post("/login/continue", waiting...)
		require.Equal(t, http.StatusUnauthorized, res.Code)
		require.Contains(t, res.Body.String(), "You are not logged in yet.")
		waiting = append(formOf(t, res.Body.String(), form), "show", "1")

		to := b.through(p, name, "/login/done").Header().Get("Location") // in another tab
		if signUp != nil {
			require.Equal(t, "/auth/new?next=%2Flogin%2Fdone", to)
			to = b.mustPost("/auth/new", append(formOf(t, b.page(to), "/auth/new"), signUp...)...)
		}
		require.Equal(t, "/login/done", to)
		require.Contains(t, b.page(to), "Go back to it")
		res = b.post("/login/continue", waiting...)
		require.Equal(t, http.StatusOK, res.Code)
		require.Contains(t, formOf(t, res.Body.String(), "/comment"), "Written before")
	}
	t.Run("what somebody wrote waits in the tab from which they went", func(t *testing.T) {
		written(t, "/login", "ann.lee")
		written(t, "/login", "new.here", "username", "new_here")
	})
	t.Run("a suspended member stays outside", func(t *testing.T) {
		s.exec("UPDATE users SET status = 'suspended' WHERE username = 'eve'")
		b := s.jarred()
		require.Equal(t, http.StatusForbidden, b.through(p, "eve", "/").Code)
		require.Empty(t, b.cookie)
	})
	t.Run("where there is no other way", func(t *testing.T) {
		s.config.SSOOnly = true
		s.connect(p)
		for _, path := range []string{"/login", "/signup"} {
			page := s.visitor().page(path)
			require.Contains(t, page, "Continue with Acme")
			require.NotContains(t, page, `type="password"`)
			require.NotContains(t, page, "passkey")
		}
		for _, path := range []string{"/login", "/signup", "/login/passkey"} {
			require.Equal(t, http.StatusForbidden, s.visitor().post(path, "login", "ben", "username", "fay", "password", "correct horse").Code, path)
		}
		for _, path := range []string{"/login/link", "/reset"} {
			require.Equal(t, http.StatusForbidden, s.visitor().get(path).Code, path)
		}
		written(t, "/login/continue", "ann.lee")
		b := s.jarred()
		b.through(p, "ann.lee", "/")
		require.Contains(t, b.page("/"), `<span>ann</span>`)
		require.NotContains(t, b.page("/settings/security"), "Passkeys")
	})
}

func TestConfiguringProviders(t *testing.T) {
	for about, env := range map[string]map[string]string{
		"no id":               {"AUTH_PROVIDERS": "google"},
		"no issuer":           {"AUTH_PROVIDERS": "work", "AUTH_WORK_ID": "x"},
		"an insecure issuer":  {"AUTH_PROVIDERS": "work", "AUTH_WORK_ID": "x", "AUTH_WORK_ISSUER": "http://work.example"},
		"a name with a slash": {"AUTH_PROVIDERS": "a/b", "AUTH_A/B_ID": "x"},
		"the name of a page":  {"AUTH_PROVIDERS": "new", "AUTH_NEW_ID": "x", "AUTH_NEW_ISSUER": "https://x.example"},
	} {
		_, err := oidc.Configure(func(name string) string { return env[name] })
		assert.Error(t, err, about)
	}
	env := map[string]string{"AUTH_PROVIDERS": "google github", "AUTH_GOOGLE_ID": "x", "AUTH_GITHUB_ID": "y"}
	list, err := oidc.Configure(func(name string) string { return env[name] })
	require.NoError(t, err)
	require.Len(t, list, 2)
	assert.Equal(t, "https://accounts.google.com", list[0].Issuer)
	assert.Equal(t, "GitHub", list[1].Label)
}
