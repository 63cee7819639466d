package account_test

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

	"github.com/stretchr/testify/require"

	"plaza/stack"
	"plaza/stack/child"
	"plaza/test/stacktest"
	"plaza/test/workertest"
)

// realProvider is npm's oidc-provider behind a proxy that can alter what it answers.
type realProvider struct {
	*testing.T
	issuer string // the proxy's address
	rsa    *rsa.PrivateKey
	ecdsa  *ecdsa.PrivateKey

	mu    sync.Mutex
	alter func(path string, response map[string]any) // answers of JSON; nil leaves them
	said  []map[string]any                           // answers of the token endpoint
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
		map[string]any{"client_id": "plaza", "client_secret": "a secret: of +the/ site",
			"redirect_uris": []string{"https://plaza.example/auth/idp/callback"}},
		map[string]any{"client_id": "brief", "token_endpoint_auth_method": "none",
			"redirect_uris": []string{"https://plaza.example/auth/brief/callback"}},
		map[string]any{"client_id": "curve", "token_endpoint_auth_method": "none", "id_token_signed_response_alg": "ES256",
			"redirect_uris": []string{"https://plaza.example/auth/curve/callback"}},
	}})
	require.NoError(t, err)
	stacktest.Inputs(t, "e2e/provider.mjs", "node_modules/.package-lock.json")
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
	}, time.Minute, 50*time.Millisecond, "it does not answer")
	return p
}

// jwks are the provider's keys, with their secret parts.
func (p *realProvider) jwks() []any {
	point, err := p.ecdsa.PublicKey.Bytes()
	require.NoError(p, err)
	scalar, err := p.ecdsa.Bytes()
	require.NoError(p, err)
	n := func(i *big.Int) string { return workertest.B64(i.Bytes()) }
	r := p.rsa
	return []any{
		map[string]any{"kty": "RSA", "kid": "r", "use": "sig", "alg": "RS256", "n": n(r.N), "e": n(big.NewInt(int64(r.E))), "d": n(r.D),
			"p": n(r.Primes[0]), "q": n(r.Primes[1]),
			"dp": n(r.Precomputed.Dp), "dq": n(r.Precomputed.Dq), "qi": n(r.Precomputed.Qinv)},
		map[string]any{"kty": "EC", "kid": "e", "use": "sig", "alg": "ES256", "crv": "P-256", "x": workertest.B64(point[1:33]),
			"y": workertest.B64(point[33:]), "d": workertest.B64(scalar)},
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
	var response map[string]any
	if err := json.Unmarshal(body, &response); err != nil {
		return err
	}
	p.mu.Lock()
	if res.Request.URL.Path == "/token" {
		p.said = append(p.said, maps.Clone(response))
	}
	if p.alter != nil {
		p.alter(res.Request.URL.Path, response)
	}
	p.mu.Unlock()
	if body, err = json.Marshal(response); err != nil {
		return err
	}
	res.Body, res.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	res.Header.Del("Content-Length")
	return nil
}

// claims has the ID token say something else, signed by the provider's own key.
func (p *realProvider) claims(change func(map[string]any)) func(string, map[string]any) {
	return func(path string, response map[string]any) {
		token, ok := response["id_token"].(string)
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
		signed := parts[0] + "." + workertest.B64(b)
		digest := sha256.Sum256([]byte(signed))
		signature, err := rsa.SignPKCS1v15(rand.Reader, p.rsa, crypto.SHA256, digest[:])
		require.NoError(p, err)
		response["id_token"] = signed + "." + workertest.B64(signature)
	}
}

// header has the ID token name another algorithm or key, unsigned.
func (p *realProvider) header(text string) func(string, map[string]any) {
	return func(path string, response map[string]any) {
		if token, ok := response["id_token"].(string); path == "/token" && ok {
			parts := strings.Split(token, ".")
			response["id_token"] = workertest.B64([]byte(text)) + "." + parts[1] + "." + parts[2]
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

type direct struct{ *http.Transport }

func (d direct) Do(r *http.Request) (*http.Response, error) { return d.RoundTrip(r) }
