package account_test

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

	"plaza/test/workertest"
	"plaza/worker/oidc"
)

// providerSite is a site with the provider.
func providerSite(t *testing.T) (*workertest.Site, *realProvider) {
	t.Helper()
	p := startProvider(t)
	s := workertest.MustOpen(t)
	s.Now = time.Now()
	s.Config.Web = direct{&http.Transport{DisableKeepAlives: true}}
	connect(s, p)
	return s, p
}

// connect makes the site anew, with the provider under three names. Codes of the third live for a second.
func connect(s *workertest.Site, p *realProvider) {
	s.Now = time.Now() // the provider's clock is real
	env := map[string]string{"AUTH_PROVIDERS": "idp, curve, brief", "AUTH_IDP_LABEL": "Acme", "AUTH_IDP_ISSUER": p.issuer,
		"AUTH_IDP_ID": "plaza", "AUTH_IDP_SECRET": "a secret: of +the/ site",
		"AUTH_CURVE_ISSUER": p.issuer, "AUTH_CURVE_ID": "curve", "AUTH_BRIEF_ISSUER": p.issuer, "AUTH_BRIEF_ID": "brief"}
	list, err := oidc.Configure(func(name string) string { return env[name] })
	require.NoError(s, err)
	s.Config.Providers = list
	s.Restart(s.Config)
}

// through logs in at the provider and returns what the site answers then.
func through(b *workertest.Browser, p *realProvider, name, next string) *httptest.ResponseRecorder {
	b.Helper()
	b.Now = time.Now()
	res := b.Get("/auth/idp?next=" + url.QueryEscape(next))
	require.Equal(b, http.StatusSeeOther, res.Code, res.Body.String())
	return b.Get(p.visit(res.Header().Get("Location"), name))
}

// joins makes an account of somebody of the provider.
func joins(b *workertest.Browser, p *realProvider, name, username string) {
	b.Helper()
	require.Equal(b, "/auth/new?next=%2Fcommunities", through(b, p, name, "/communities").Header().Get("Location"))
	require.Equal(b, "/communities", b.MustPost("/auth/new", "username", username, "next", "/communities"))
}

func TestSigningInByAProvider(t *testing.T) {
	s, p := providerSite(t)
	s.Mailbox()

	t.Run("the login pages lead there", func(t *testing.T) {
		for _, path := range []string{"/login", "/signup"} {
			page := s.Visitor().Page(path + "?next=/c/gophers")
			require.Contains(t, page, `href="/auth/idp?next=%2Fc%2Fgophers">Continue with Acme</a>`)
			require.Contains(t, page, "Continue with curve")
		}
		require.Equal(t, http.StatusNotFound, s.Visitor().Get("/auth/other").Code)
		require.Equal(t, http.StatusNotFound, s.Visitor().Get("/auth/other/callback").Code)
	})
	t.Run("what is asked for has PKCE, state and nonce", func(t *testing.T) {
		to, err := url.Parse(s.Jarred().Get("/auth/idp").Header().Get("Location"))
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
		b := s.Jarred()
		require.Equal(t, "/auth/new?next=%2Fcommunities", through(b, p, "ann.lee", "/communities").Header().Get("Location"))
		require.Empty(t, b.Cookie)
		page := b.Page("/auth/new?next=%2Fcommunities")
		for _, says := range []string{`value="ann_lee"`, `value="ann.lee@example.org"`, "ann.lee@example.org</strong>",
			"never merged by their addresses alone"} {
			require.Contains(t, page, says)
		}
		require.Equal(t, http.StatusUnprocessableEntity, b.Post("/auth/new", "username", "x").Code)
		require.Equal(t, "/communities", b.MustPost("/auth/new", "username", "ann", "email", "ann@example.org", "next", "/communities"))
		require.Contains(t, b.Page("/"), `<span class="vh">ann</span>`)
		require.Equal(t, "/login", s.Jarred().Get("/auth/new").Header().Get("Location"), "which is the browser's own")
	})
	t.Run("again", func(t *testing.T) {
		b := s.Jarred()
		require.Equal(t, "/communities", through(b, p, "ann.lee", "/communities").Header().Get("Location"))
		require.Contains(t, b.Page("/"), `<span class="vh">ann</span>`)
		require.EqualValues(t, 1, s.One("SELECT count(*) FROM users"))
		require.Equal(t, http.StatusUnauthorized, s.Visitor().Post("/login", "login", "ann", "password", "x").Code)
	})
	t.Run("with a public client and ES256", func(t *testing.T) {
		b := s.Jarred()
		require.Equal(t, "/", b.Get(p.visit(b.Get("/auth/curve").Header().Get("Location"), "ann.lee")).Header().Get("Location"),
			"the same issuer and subject")
		require.Contains(t, b.Page("/"), `<span class="vh">ann</span>`)
	})
	t.Run("an address that is somebody's here is not joined to it", func(t *testing.T) {
		s.Member("kim")
		s.Exec("UPDATE users SET email = 'kim@example.org', email_key = 'kim@example.org' WHERE username = 'kim'")
		b := s.Jarred()
		require.Equal(t, "/auth/new?next=%2F", through(b, p, "kim", "/").Header().Get("Location"))
		require.Equal(t, http.StatusUnprocessableEntity, b.Post("/auth/new", "username", "kim").Code)
		b.MustPost("/auth/new", "username", "kim2")
		require.EqualValues(t, 0, s.One("SELECT count(*) FROM identities i JOIN users u ON u.id = i.user_id WHERE u.username = 'kim'"))
	})
	t.Run("a member adds it, logs in by it, and removes it", func(t *testing.T) {
		b := s.Member("ben")
		b.Jar = map[string]string{}
		require.Equal(t, "/auth/new?next=%2F", through(b, p, "benedict", "/").Header().Get("Location"))
		require.EqualValues(t, 0, s.One("SELECT count(*) FROM identities WHERE subject = 'benedict'"), "not before the member says so")
		require.Contains(t, b.Page("/auth/new"), "Log in with Acme, too?")
		b.MustPost("/settings/providers")
		require.Contains(t, b.Page("/settings/security?done=identity"), "benedict@example.org")
		require.Equal(t, "/settings/security?done=known", through(b, p, "benedict", "/").Header().Get("Location"))

		other := s.Jarred()
		through(other, p, "benedict", "/")
		require.Contains(t, other.Page("/settings/security"), "last used")
		require.Contains(t, other.Page("/"), `<span class="vh">ben</span>`)

		m := regexp.MustCompile(`name="id" value="([0-9a-z]{13})"`).FindStringSubmatch(other.Page("/settings/security"))
		other.MustPost("/settings/providers/remove", "id", m[1])
		require.Equal(t, "/auth/new?next=%2F", through(s.Jarred(), p, "benedict", "/").Header().Get("Location"))
	})
	t.Run("somebody else's is not added, and the only way in is not removed", func(t *testing.T) {
		b := s.Member("cam")
		b.Jar = map[string]string{}
		res := through(b, p, "ann.lee", "/")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "already uses that login")
		dan := s.Jarred()
		joins(dan, p, "dan", "dan")
		m := regexp.MustCompile(`name="id" value="([0-9a-z]{13})"`).FindStringSubmatch(dan.Page("/settings/security"))
		b.MustPost("/settings/providers/remove", "id", m[1])
		res = dan.Post("/settings/providers/remove", "id", m[1])
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "the only way in which you can log in")
	})
	t.Run("two sign-ups of one account elsewhere make one account here", func(t *testing.T) {
		one, two := s.Jarred(), s.Jarred()
		through(one, p, "eve", "/")
		through(two, p, "eve", "/")
		one.MustPost("/auth/new", "username", "eve")
		require.Equal(t, http.StatusServiceUnavailable, two.Post("/auth/new", "username", "eve2").Code)
		require.EqualValues(t, 0, s.One("SELECT count(*) FROM users WHERE username = 'eve2'"))
	})
	t.Run("logging in there once more is a proof", func(t *testing.T) {
		b := s.Jarred()
		through(b, p, "ann.lee", "/")
		s.Now = s.Now.Add(20 * time.Minute)
		require.Equal(t, "/prove?next=%2Fsettings%2Ftotp", b.Get("/settings/totp").Header().Get("Location"))
		m := regexp.MustCompile(`href="(/auth/idp\?prove=1[^"]*)"`).FindStringSubmatch(b.Page("/prove?next=/settings/totp"))
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
			asks.Jar = maps.Clone(b.Jar)
			to, err := url.Parse(asks.Get(start).Header().Get("Location"))
			require.NoError(t, err)
			require.Equal(t, "login 0", to.Query().Get("prompt")+" "+to.Query().Get("max_age"))
			stop := p.altering(test.alter)
			res := asks.Get(p.visit(to.String(), test.as))
			stop()
			require.Equal(t, test.code, res.Code, name)
			if test.code == http.StatusSeeOther {
				require.Equal(t, "/settings/totp", res.Header().Get("Location"))
				asks.Page("/settings/totp")
			}
		}
		s.Now = time.Now()
	})
	host := s.Member("host")
	host.MustPost("/communities", "name", "gophers")
	post := workertest.Targets(host.Page(host.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")))[0]
	written := func(t *testing.T, form, name string, signUp ...string) {
		t.Helper()
		b := s.Jarred()
		page := b.Post("/comment", "post", post, "body", "Written before").Body.String()
		require.Contains(t, page, `href="/auth/idp?next=%2Flogin%2Fdone" target="_blank"`)
		waiting := append(workertest.FormOf(t, page, form), "show", "1") // the button's
		res := b.Post("/login/continue", waiting...)
		require.Equal(t, http.StatusUnauthorized, res.Code)
		require.Contains(t, res.Body.String(), "You are not logged in yet.")
		waiting = append(workertest.FormOf(t, res.Body.String(), form), "show", "1")

		to := through(b, p, name, "/login/done").Header().Get("Location") // in another tab
		if signUp != nil {
			require.Equal(t, "/auth/new?next=%2Flogin%2Fdone", to)
			to = b.MustPost("/auth/new", append(workertest.FormOf(t, b.Page(to), "/auth/new"), signUp...)...)
		}
		require.Equal(t, "/login/done", to)
		require.Contains(t, b.Page(to), "Go back to it")
		res = b.Post("/login/continue", waiting...)
		require.Equal(t, http.StatusOK, res.Code)
		require.Contains(t, workertest.FormOf(t, res.Body.String(), "/comment"), "Written before")
	}
	t.Run("what somebody wrote waits in the tab from which they went", func(t *testing.T) {
		written(t, "/login", "ann.lee")
		written(t, "/login", "new.here", "username", "new_here")
	})
	t.Run("a suspended member stays outside", func(t *testing.T) {
		s.Exec("UPDATE users SET status = 'suspended' WHERE username = 'eve'")
		b := s.Jarred()
		require.Equal(t, http.StatusForbidden, through(b, p, "eve", "/").Code)
		require.Empty(t, b.Cookie)
	})
	t.Run("where there is no other way", func(t *testing.T) {
		s.Config.SSOOnly = true
		connect(s, p)
		for _, path := range []string{"/login", "/signup"} {
			page := s.Visitor().Page(path)
			require.Contains(t, page, "Continue with Acme")
			require.NotContains(t, page, `type="password"`)
			require.NotContains(t, page, "passkey")
		}
		for _, path := range []string{"/login", "/signup", "/login/passkey"} {
			require.Equal(t, http.StatusForbidden, s.Visitor().Post(path, "login", "ben", "username", "fay", "password", "correct horse").Code, path)
		}
		for _, path := range []string{"/login/link", "/reset"} {
			require.Equal(t, http.StatusForbidden, s.Visitor().Get(path).Code, path)
		}
		written(t, "/login/continue", "ann.lee")
		b := s.Jarred()
		through(b, p, "ann.lee", "/")
		require.Contains(t, b.Page("/"), `<span class="vh">ann</span>`)
		require.NotContains(t, b.Page("/settings/security"), "Passkeys")
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
