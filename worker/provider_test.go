package worker_test

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"maps"
	"math/big"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/stack"
	"plaza/stack/child"
	"plaza/worker/oidc"
)

// realProvider is npm's oidc-provider behind a proxy that can alter what it answers.
type realProvider struct {
	*testing.T
	issuer string // the proxy's address
	rsa    *rsa.PrivateKey
	ecdsa  *ecdsa.PrivateKey

	mu    sync.Mutex
	alter func(path string, answer map[string]any) // answers of JSON; nil leaves them
	said  []map[string]any                         // answers of the token endpoint
}

// providers start once for all tests of the package: it takes node a second.
func startProvider(t *testing.T) *realProvider {
	t.Helper()
	root, err := stack.Root()
	require.NoError(t, err)
	node := filepath.Join(root, "node_modules", ".bin", "node")
	_, err = os.Stat(filepath.Join(root, "node_modules", "oidc-provider"))
	require.NoError(t, err, "run npm ci")

	p := &realProvider{T: t}
	p.rsa, err = rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	p.ecdsa, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)

	behind, err := child.FreeAddr()
	require.NoError(t, err)
	target, err := url.Parse("http://" + behind)
	require.NoError(t, err)
	proxy := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = r.In.Host // of which the provider makes its addresses
			r.Out.Header.Del("Accept-Encoding")
		},
		ModifyResponse: p.change,
	})
	t.Cleanup(proxy.Close)
	p.issuer = proxy.URL

	_, port, err := net.SplitHostPort(behind)
	require.NoError(t, err)
	settings, err := json.Marshal(map[string]any{"issuer": p.issuer, "port": port, "jwks": map[string]any{"keys": p.jwks()}, "clients": []any{
		map[string]any{"client_id": "plaza", "client_secret": "a secret: of +the/ site", "redirect_uris": []string{"https://plaza.example/auth/idp/callback"}},
		map[string]any{"client_id": "brief", "token_endpoint_auth_method": "none", "redirect_uris": []string{"https://plaza.example/auth/brief/callback"}},
		map[string]any{"client_id": "curve", "token_endpoint_auth_method": "none", "id_token_signed_response_alg": "ES256", "redirect_uris": []string{"https://plaza.example/auth/curve/callback"}},
	}})
	require.NoError(t, err)
	cmd := exec.Command(node, filepath.Join(root, "e2e", "provider.mjs"))
	cmd.Env = append(os.Environ(), "PROVIDER="+string(settings))
	var log bytes.Buffer
	process, err := child.Start(cmd, child.Options{Name: "oidc-provider", Log: &log})
	require.NoError(t, err)
	t.Cleanup(func() { _ = process.Close() })
	require.Eventually(t, func() bool {
		res, err := http.Get("http://" + behind + "/jwks")
		if err == nil {
			res.Body.Close()
		}
		return err == nil && res.StatusCode == http.StatusOK
	}, 30*time.Second, 50*time.Millisecond, "it does not answer")
	return p
}

// jwks are the provider's keys, with their secret parts.
func (p *realProvider) jwks() []any {
	point, err := p.ecdsa.PublicKey.Bytes()
	require.NoError(p, err)
	scalar, err := p.ecdsa.Bytes()
	require.NoError(p, err)
	n := func(i *big.Int) string { return b64(i.Bytes()) }
	r := p.rsa
	return []any{
		map[string]any{"kty": "RSA", "kid": "r", "use": "sig", "alg": "RS256", "n": n(r.N), "e": n(big.NewInt(int64(r.E))), "d": n(r.D), "p": n(r.Primes[0]), "q": n(r.Primes[1]),
			"dp": n(r.Precomputed.Dp), "dq": n(r.Precomputed.Dq), "qi": n(r.Precomputed.Qinv)},
		map[string]any{"kty": "EC", "kid": "e", "use": "sig", "alg": "ES256", "crv": "P-256", "x": b64(point[1:33]), "y": b64(point[33:]), "d": b64(scalar)},
	}
}

// change alters an answer of JSON on its way.
func (p *realProvider) change(res *http.Response) error {
	if !strings.HasPrefix(res.Header.Get("Content-Type"), "application/json") {
		return nil
	}
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	var answer map[string]any
	if err := json.Unmarshal(body, &answer); err != nil {
		return err
	}
	p.mu.Lock()
	if res.Request.URL.Path == "/token" {
		p.said = append(p.said, maps.Clone(answer))
	}
	if p.alter != nil {
		p.alter(res.Request.URL.Path, answer)
	}
	p.mu.Unlock()
	if body, err = json.Marshal(answer); err != nil {
		return err
	}
	res.Body, res.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	res.Header.Del("Content-Length")
	return nil
}

// claims has the ID token say something else, signed by the provider's own key.
func (p *realProvider) claims(change func(map[string]any)) func(string, map[string]any) {
	return func(path string, answer map[string]any) {
		token, ok := answer["id_token"].(string)
		if path != "/token" || !ok {
			return
		}
		parts := strings.Split(token, ".")
		b, err := base64.RawURLEncoding.DecodeString(parts[1])
		require.NoError(p, err)
		var c map[string]any
		require.NoError(p, json.Unmarshal(b, &c))
		change(c)
		b, err = json.Marshal(c)
		require.NoError(p, err)
		signed := parts[0] + "." + b64(b)
		digest := sha256.Sum256([]byte(signed))
		signature, err := rsa.SignPKCS1v15(rand.Reader, p.rsa, crypto.SHA256, digest[:])
		require.NoError(p, err)
		answer["id_token"] = signed + "." + b64(signature)
	}
}

// header has the ID token name another algorithm or key, unsigned.
func (p *realProvider) header(text string) func(string, map[string]any) {
	return func(path string, answer map[string]any) {
		if token, ok := answer["id_token"].(string); path == "/token" && ok {
			parts := strings.Split(token, ".")
			answer["id_token"] = b64([]byte(text)) + "." + parts[1] + "." + parts[2]
		}
	}
}

// altering alters answers until stop is called.
func (p *realProvider) altering(alter func(string, map[string]any)) (stop func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.alter = alter
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.alter = nil
	}
}

var (
	formAction = regexp.MustCompile(`<form[^>]*action="([^"]*)"`)
	formPrompt = regexp.MustCompile(`name="prompt" value="([^"]*)"`)
)

// visit goes from where the site sends somebody to where the provider sends them back, logging in there under a name.
func (p *realProvider) visit(to, name string) (callback string) {
	p.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(p, err)
	client := &http.Client{Jar: jar, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		if r.URL.Host == "plaza.example" {
			return http.ErrUseLastResponse
		}
		return nil
	}}
	res, err := client.Get(to)
	for range 5 {
		require.NoError(p, err)
		body, errRead := io.ReadAll(res.Body)
		res.Body.Close()
		require.NoError(p, errRead)
		if res.StatusCode == http.StatusSeeOther {
			return strings.TrimPrefix(res.Header.Get("Location"), "https://plaza.example")
		}
		require.Equal(p, http.StatusOK, res.StatusCode, string(body))
		action, prompt := formAction.FindSubmatch(body), formPrompt.FindSubmatch(body)
		require.NotNil(p, action, string(body))
		form := url.Values{"login": {name}, "password": {"any"}}
		if prompt != nil {
			form.Set("prompt", string(prompt[1]))
		}
		at, errParse := res.Request.URL.Parse(string(action[1]))
		require.NoError(p, errParse)
		res, err = client.PostForm(at.String(), form)
	}
	require.Fail(p, "the provider does not send anybody back")
	return ""
}

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
	env := map[string]string{"AUTH_PROVIDERS": "idp, curve, brief", "AUTH_IDP_LABEL": "Acme", "AUTH_IDP_ISSUER": p.issuer, "AUTH_IDP_ID": "plaza", "AUTH_IDP_SECRET": "a secret: of +the/ site",
		"AUTH_CURVE_ISSUER": p.issuer, "AUTH_CURVE_ID": "curve", "AUTH_BRIEF_ISSUER": p.issuer, "AUTH_BRIEF_ID": "brief"}
	list, err := oidc.Configure(func(name string) string { return env[name] })
	require.NoError(s, err)
	s.config.Providers = list
	s.restart(s.config)
}

type direct struct{ *http.Transport }

func (d direct) Do(r *http.Request) (*http.Response, error) { return d.RoundTrip(r) }

// jarred is a visitor's browser that keeps all cookies.
func (s *site) jarred() *browser {
	b := s.visitor()
	b.jar = map[string]string{}
	return b
}

// through logs in at the provider and returns what the site answers then.
func (b *browser) through(p *realProvider, name, next string) *httptest.ResponseRecorder {
	b.Helper()
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

func TestAnswersOfProvidersThatAreRefused(t *testing.T) {
	s, p := providerSite(t)
	s.jarred().joins(p, "ann", "ann")
	untrusted := "sent an answer that this site can&#39;t verify"
	for name, test := range map[string]struct {
		alter func(string, map[string]any)
		says  string
	}{
		"a wrong nonce":            {p.claims(func(c map[string]any) { c["nonce"] = "another" }), untrusted},
		"no nonce":                 {p.claims(func(c map[string]any) { delete(c, "nonce") }), untrusted},
		"a wrong issuer":           {p.claims(func(c map[string]any) { c["iss"] = "https://evil.example" }), untrusted},
		"a wrong audience":         {p.claims(func(c map[string]any) { c["aud"] = "curve" }), untrusted},
		"another audience besides": {p.claims(func(c map[string]any) { c["aud"] = []string{"plaza", "curve"} }), untrusted},
		"another party":            {p.claims(func(c map[string]any) { c["azp"] = "curve" }), untrusted},
		"an expired token":         {p.claims(func(c map[string]any) { c["exp"] = time.Now().Add(-2 * time.Minute).Unix() }), untrusted},
		"a token of the future":    {p.claims(func(c map[string]any) { c["iat"] = time.Now().Add(5 * time.Minute).Unix() }), untrusted},
		"no subject":               {p.claims(func(c map[string]any) { delete(c, "sub") }), untrusted},
		"a changed token": {func(path string, answer map[string]any) {
			if token, ok := answer["id_token"].(string); ok {
				parts := strings.Split(token, ".")
				answer["id_token"] = parts[0] + "." + b64([]byte(`{"iss":"x"}`)) + "." + parts[2]
			}
		}, untrusted},
		"no signature":            {p.header(`{"alg":"none"}`), untrusted},
		"a signature by a secret": {p.header(`{"alg":"HS256","kid":"r"}`), untrusted},
		"an unknown key":          {p.header(`{"alg":"RS256","kid":"other"}`), untrusted},
		"a key of another kind":   {p.header(`{"alg":"ES256","kid":"r"}`), untrusted},
		"a critical header":       {p.header(`{"alg":"RS256","kid":"r","crit":["b64"]}`), untrusted},
		"no token":                {func(_ string, answer map[string]any) { delete(answer, "id_token") }, untrusted},
		"an issuer of its own":    {func(_ string, answer map[string]any) { answer["issuer"] = "https://evil.example" }, untrusted},
		"an insecure address": {func(_ string, answer map[string]any) {
			if answer["token_endpoint"] != nil {
				answer["token_endpoint"] = "http://evil.example/token"
			}
		}, untrusted},
	} {
		t.Run(name, func(t *testing.T) {
			s.connect(p) // which forgets what the provider has said of itself
			b := s.jarred()
			var res *httptest.ResponseRecorder
			stop := p.altering(test.alter)
			defer stop()
			if res = b.get("/auth/idp"); res.Code == http.StatusSeeOther {
				res = b.get(p.visit(res.Header().Get("Location"), "ann"))
			}
			require.Equal(t, http.StatusUnauthorized, res.Code)
			require.Contains(t, res.Body.String(), test.says)
			require.Empty(t, b.cookie)
			require.NotContains(t, b.jar, "__Host-identity")
		})
	}
	s.connect(p)

	refused := func(t *testing.T, b *browser, callback, says string) {
		t.Helper()
		res := b.get(callback)
		assert.GreaterOrEqual(t, res.Code, 400)
		assert.Contains(t, res.Body.String(), says)
		assert.Empty(t, b.cookie)
	}
	begin := func(b *browser) string { return p.visit(b.get("/auth/idp").Header().Get("Location"), "ann") }
	t.Run("a wrong state", func(t *testing.T) {
		b := s.jarred()
		callback := begin(b)
		refused(t, b, regexp.MustCompile(`state=[^&]*`).ReplaceAllString(callback, "state=another"), "begun in another browser")
		require.Equal(t, "/", b.get(callback).Header().Get("Location"), "which takes nothing from the right one")
		require.NotEmpty(t, b.cookie)
	})
	t.Run("two tabs: the login that was begun last goes on", func(t *testing.T) {
		b := s.jarred()
		first, last := begin(b), begin(b)
		refused(t, b, first, "begun another one since")
		require.Equal(t, "/", b.get(last).Header().Get("Location"))
		require.NotEmpty(t, b.cookie)
	})
	t.Run("the state of another browser", func(t *testing.T) {
		b, other := s.jarred(), s.jarred()
		callback := begin(b)
		begin(other)
		refused(t, other, callback, "begun in another browser")
	})
	t.Run("no browser that began it", func(t *testing.T) {
		b := s.jarred()
		require.Equal(t, "/login", b.get(begin(s.jarred())).Header().Get("Location"))
		require.Empty(t, b.cookie)
	})
	t.Run("a changed cookie", func(t *testing.T) {
		b := s.jarred()
		callback := begin(b)
		b.jar["__Host-auth"] = "x" + b.jar["__Host-auth"]
		require.Equal(t, "/login", b.get(callback).Header().Get("Location"))
		require.Empty(t, b.cookie)
	})
	t.Run("another provider's answer", func(t *testing.T) {
		b := s.jarred()
		refused(t, b, strings.Replace(begin(b), "/auth/idp/", "/auth/curve/", 1), "begun in another browser")
	})
	t.Run("another issuer in the address", func(t *testing.T) {
		b := s.jarred()
		refused(t, b, regexp.MustCompile(`iss=[^&]*`).ReplaceAllString(begin(b), "iss=https%3A%2F%2Fevil.example"), untrusted)
	})
	t.Run("a code that is used again", func(t *testing.T) {
		b := s.jarred()
		callback := begin(b)
		kept := maps.Clone(b.jar)
		require.Equal(t, "/", b.get(callback).Header().Get("Location"))
		require.NotEmpty(t, b.cookie)
		thief := s.jarred()
		thief.jar = kept
		refused(t, thief, callback, untrusted)
	})
	t.Run("a code that has expired", func(t *testing.T) {
		b := s.jarred()
		callback := p.visit(b.get("/auth/brief").Header().Get("Location"), "ann")
		came := time.Now()
		require.Eventually(t, func() bool { return time.Since(came) > 2*time.Second }, 5*time.Second, 50*time.Millisecond) // its codes live for one
		refused(t, b, callback, untrusted)
	})
	t.Run("a token that is used again, where the provider gives it twice", func(t *testing.T) {
		b := s.jarred()
		callback := begin(b)
		kept := maps.Clone(b.jar)
		b.get(callback)
		require.NotEmpty(t, b.cookie)
		p.mu.Lock()
		last := p.said[len(p.said)-1]
		p.mu.Unlock()
		s.config.Web = replay{direct{&http.Transport{DisableKeepAlives: true}}, last}
		s.connect(p)
		thief := s.jarred()
		thief.jar = kept
		refused(t, thief, callback, "was used before")
		s.config.Web = direct{&http.Transport{DisableKeepAlives: true}}
		s.connect(p)
	})
	t.Run("a code with another verifier", func(t *testing.T) {
		b, other := s.jarred(), s.jarred()
		callback, mine := begin(b), begin(other)
		code := regexp.MustCompile(`code=[^&]*`)
		refused(t, other, code.ReplaceAllString(mine, code.FindString(callback)), untrusted)
	})
	t.Run("nobody logged in there", func(t *testing.T) {
		b := s.jarred()
		to, err := url.Parse(b.get("/auth/idp").Header().Get("Location"))
		require.NoError(t, err)
		refused(t, b, "/auth/idp/callback?error=access_denied&state="+to.Query().Get("state"), "The other site did not log you in.")
	})
	t.Run("a login that took too long", func(t *testing.T) {
		b := s.jarred()
		callback := begin(b)
		s.now = s.now.Add(16 * time.Minute)
		require.Equal(t, "/login", b.get(callback).Header().Get("Location"))
		require.Empty(t, b.cookie)
		s.now = time.Now()
	})
	t.Run("a provider that is away", func(t *testing.T) {
		s.config.Web = newWeb(t)
		s.connect(p)
		res := s.jarred().get("/auth/idp")
		require.Equal(t, http.StatusUnauthorized, res.Code, "what answers there is none")
		s.config.Web = away{}
		s.connect(p)
		res = s.jarred().get("/auth/idp")
		require.Equal(t, http.StatusServiceUnavailable, res.Code)
		require.Contains(t, res.Body.String(), "Acme does not answer at the moment.")
	})
}

// replay answers the token endpoint with what it once said.
type replay struct {
	direct
	said map[string]any
}

func (w replay) Do(r *http.Request) (*http.Response, error) {
	if r.URL.Path != "/token" {
		return w.direct.Do(r)
	}
	b, err := json.Marshal(w.said)
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(b))}, err
}

type away struct{}

func (away) Do(*http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF }

// gitHub has the site's web answer as GitHub's documentation says, and the site know GitHub. verifier is the one that was sent last.
func (s *site) gitHub() (verifier *string) {
	s.Helper()
	env := map[string]string{"AUTH_PROVIDERS": "github", "AUTH_GITHUB_ID": "plaza", "AUTH_GITHUB_SECRET": "secret"}
	list, err := oidc.Configure(func(name string) string { return env[name] })
	require.NoError(s, err)
	s.config.Providers = list
	s.restart(s.config)
	verifier = new(string)
	s.web.on("github.com", func(w http.ResponseWriter, r *http.Request) {
		require.Equal(s, "application/json", r.Header.Get("Accept"))
		*verifier = r.FormValue("code_verifier")
		answer := `{"access_token":"gho_x","scope":"","token_type":"bearer"}`
		if r.FormValue("code") != "good" || r.FormValue("client_secret") != "secret" {
			answer = `{"error":"bad_verification_code"}`
		}
		_, _ = io.WriteString(w, answer)
	})
	s.web.on("api.github.com", func(w http.ResponseWriter, r *http.Request) {
		require.Equal(s, "Bearer gho_x", r.Header.Get("Authorization"))
		require.NotEmpty(s, r.Header.Get("User-Agent"), "GitHub refuses requests without one")
		_, _ = io.WriteString(w, `{"login":"octocat","id":583231,"email":null}`)
	})
	return verifier
}

// fromGitHub goes there and comes back with a code. to is where the site sent the browser.
func (b *browser) fromGitHub(code string) (to *url.URL, res *httptest.ResponseRecorder) {
	b.Helper()
	to, err := url.Parse(b.get("/auth/github?next=/communities").Header().Get("Location"))
	require.NoError(b, err)
	require.Equal(b, "github.com/login/oauth/authorize", to.Host+to.Path)
	return to, b.get("/auth/github/callback?code=" + code + "&state=" + to.Query().Get("state"))
}

// TestGitHub goes through the flow; there is no GitHub to be had that could answer itself.
func TestGitHub(t *testing.T) {
	s := mustOpen(t)
	verifier := s.gitHub()
	come := func(b *browser, code string) *httptest.ResponseRecorder {
		to, res := b.fromGitHub(code)
		sum := sha256.Sum256([]byte(*verifier))
		require.Equal(t, to.Query().Get("code_challenge"), b64(sum[:]))
		return res
	}
	b := s.jarred()
	require.Equal(t, "/auth/new?next=%2Fcommunities", come(b, "good").Header().Get("Location"))
	require.Contains(t, b.page("/auth/new"), `value="octocat"`)
	b.mustPost("/auth/new", "username", "octocat")
	require.Equal(t, "583231", s.one("SELECT subject FROM identities"))
	again := s.jarred()
	require.Equal(t, "/communities", come(again, "good").Header().Get("Location"))
	require.NotEmpty(t, again.cookie)
	require.Equal(t, http.StatusUnauthorized, come(s.jarred(), "bad").Code)
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
