package account_test

import (
	"bytes"
	"encoding/json"
	"io"
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
)

func TestProviderResponsesThatAreRefused(t *testing.T) {
	t.Parallel()
	s, p := providerSite(t)
	joins(s.Jarred(), p, "ann", "ann")
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
		"a changed token": {func(path string, response map[string]any) {
			if token, ok := response["id_token"].(string); ok {
				parts := strings.Split(token, ".")
				response["id_token"] = parts[0] + "." + workertest.B64([]byte(`{"iss":"x"}`)) + "." + parts[2]
			}
		}, untrusted},
		"no signature":            {p.header(`{"alg":"none"}`), untrusted},
		"a signature by a secret": {p.header(`{"alg":"HS256","kid":"r"}`), untrusted},
		"an unknown key":          {p.header(`{"alg":"RS256","kid":"other"}`), untrusted},
		"a key of another kind":   {p.header(`{"alg":"ES256","kid":"r"}`), untrusted},
		"a critical header":       {p.header(`{"alg":"RS256","kid":"r","crit":["b64"]}`), untrusted},
		"no token":                {func(_ string, response map[string]any) { delete(response, "id_token") }, untrusted},
		"an issuer of its own":    {func(_ string, response map[string]any) { response["issuer"] = "https://evil.example" }, untrusted},
		"an insecure address": {func(_ string, response map[string]any) {
			if response["token_endpoint"] != nil {
				response["token_endpoint"] = "http://evil.example/token"
			}
		}, untrusted},
	} {
		t.Run(name, func(t *testing.T) {
			connect(s, p) // which forgets what the provider has said of itself
			b := s.Jarred()
			var res *httptest.ResponseRecorder
			stop := p.altering(test.alter)
			defer stop()
			if res = b.Get("/auth/idp"); res.Code == http.StatusSeeOther {
				res = b.Get(p.visit(res.Header().Get("Location"), "ann"))
			}
			require.Equal(t, http.StatusUnauthorized, res.Code)
			require.Contains(t, res.Body.String(), test.says)
			require.Empty(t, b.Cookie)
			require.NotContains(t, b.Jar, "__Host-identity")
		})
	}
	connect(s, p)

	refused := func(t *testing.T, b *workertest.Browser, callback, says string) {
		t.Helper()
		res := b.Get(callback)
		assert.GreaterOrEqual(t, res.Code, 400)
		assert.Contains(t, res.Body.String(), says)
		assert.Empty(t, b.Cookie)
	}
	begin := func(b *workertest.Browser) string { return p.visit(b.Get("/auth/idp").Header().Get("Location"), "ann") }
	t.Run("a wrong state", func(t *testing.T) {
		b := s.Jarred()
		callback := begin(b)
		refused(t, b, regexp.MustCompile(`state=[^&]*`).ReplaceAllString(callback, "state=another"), "begun in another browser")
		require.Equal(t, "/", b.Get(callback).Header().Get("Location"), "which takes nothing from the right one")
		require.NotEmpty(t, b.Cookie)
	})
	t.Run("two tabs: the login that was begun last goes on", func(t *testing.T) {
		b := s.Jarred()
		first, last := begin(b), begin(b)
		refused(t, b, first, "begun another one since")
		require.Equal(t, "/", b.Get(last).Header().Get("Location"))
		require.NotEmpty(t, b.Cookie)
	})
	t.Run("the state of another browser", func(t *testing.T) {
		b, other := s.Jarred(), s.Jarred()
		callback := begin(b)
		begin(other)
		refused(t, other, callback, "begun in another browser")
	})
	t.Run("no browser that began it", func(t *testing.T) {
		b := s.Jarred()
		require.Equal(t, "/login", b.Get(begin(s.Jarred())).Header().Get("Location"))
		require.Empty(t, b.Cookie)
	})
	t.Run("a changed cookie", func(t *testing.T) {
		b := s.Jarred()
		callback := begin(b)
		b.Jar["__Host-auth"] = "x" + b.Jar["__Host-auth"]
		require.Equal(t, "/login", b.Get(callback).Header().Get("Location"))
		require.Empty(t, b.Cookie)
	})
	t.Run("another provider's answer", func(t *testing.T) {
		b := s.Jarred()
		refused(t, b, strings.Replace(begin(b), "/auth/idp/", "/auth/curve/", 1), "begun in another browser")
	})
	t.Run("another issuer in the address", func(t *testing.T) {
		b := s.Jarred()
		refused(t, b, regexp.MustCompile(`iss=[^&]*`).ReplaceAllString(begin(b), "iss=https%3A%2F%2Fevil.example"), untrusted)
	})
	t.Run("a code that is used again", func(t *testing.T) {
		b := s.Jarred()
		callback := begin(b)
		kept := maps.Clone(b.Jar)
		require.Equal(t, "/", b.Get(callback).Header().Get("Location"))
		require.NotEmpty(t, b.Cookie)
		thief := s.Jarred()
		thief.Jar = kept
		refused(t, thief, callback, untrusted)
	})
	t.Run("a code that has expired", func(t *testing.T) {
		b := s.Jarred()
		callback := p.visit(b.Get("/auth/brief").Header().Get("Location"), "ann")
		came := time.Now()
		// The codes of this provider live for one second.
		require.Eventually(t, func() bool { return time.Since(came) > 2*time.Second }, time.Minute, 50*time.Millisecond)
		refused(t, b, callback, untrusted)
	})
	t.Run("a token that is used again, where the provider gives it twice", func(t *testing.T) {
		b := s.Jarred()
		callback := begin(b)
		kept := maps.Clone(b.Jar)
		b.Get(callback)
		require.NotEmpty(t, b.Cookie)
		p.mu.Lock()
		last := p.said[len(p.said)-1]
		p.mu.Unlock()
		s.Config.Web = replay{direct{&http.Transport{DisableKeepAlives: true}}, last}
		connect(s, p)
		thief := s.Jarred()
		thief.Jar = kept
		refused(t, thief, callback, "was used before")
		s.Config.Web = direct{&http.Transport{DisableKeepAlives: true}}
		connect(s, p)
	})
	t.Run("a code with another verifier", func(t *testing.T) {
		b, other := s.Jarred(), s.Jarred()
		callback, mine := begin(b), begin(other)
		code := regexp.MustCompile(`code=[^&]*`)
		refused(t, other, code.ReplaceAllString(mine, code.FindString(callback)), untrusted)
	})
	t.Run("nobody logged in there", func(t *testing.T) {
		b := s.Jarred()
		to, err := url.Parse(b.Get("/auth/idp").Header().Get("Location"))
		require.NoError(t, err)
		refused(t, b, "/auth/idp/callback?error=access_denied&state="+to.Query().Get("state"), "The other site did not log you in.")
	})
	t.Run("a login that took too long", func(t *testing.T) {
		b := s.Jarred()
		callback := begin(b)
		s.Now = s.Now.Add(16 * time.Minute)
		require.Equal(t, "/login", b.Get(callback).Header().Get("Location"))
		require.Empty(t, b.Cookie)
		s.Now = time.Now()
	})
	t.Run("a provider that is unavailable", func(t *testing.T) {
		s.Config.Web = workertest.NewWeb(t)
		connect(s, p)
		res := s.Jarred().Get("/auth/idp")
		require.Equal(t, http.StatusUnauthorized, res.Code, "what answers there is none")
		s.Config.Web = unavailable{}
		connect(s, p)
		res = s.Jarred().Get("/auth/idp")
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

type unavailable struct{}

func (unavailable) Do(*http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF }
