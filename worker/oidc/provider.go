// Package oidc lets people log in with an account at another site: at any OpenID Connect provider (OpenID Connect Core 1.0, Discovery 1.0),
// found by its issuer, and at GitHub, which supports only OAuth 2. It uses the authorization code flow with PKCE (RFC 7636, S256),
// state and nonce, which the caller makes and keeps.
//
// An instance keeps a provider's configuration and keys for an hour. ID tokens are checked in Go (RS256, ES256), their issuer, audience,
// nonce and times included: iat, nbf and auth_time may be a minute ahead. A key counts only if its use and key_ops say that it verifies
// signatures.
//
// The package has no library for that, because go-jose supports all of JOSE and adds 0.67 MB to the module.
package oidc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"plaza/data/pace/deadline"
	"plaza/protocol/strictjson"
	"plaza/worker/links"
)

// Web sends requests to providers. It must not follow redirects by itself, and must respect deadline.Limit and ReplyLimit.
type Web interface {
	Do(*http.Request) (*http.Response, error)
}

// Provider is another site with whose accounts people log in.
type Provider struct {
	Name       string // in addresses: letters and digits
	Label      string // for people
	Issuer     string // its address; githubIssuer for GitHub
	ID, Secret string // of the site as a client of the provider; without a secret it is a public client
	web        Web
	now        func() time.Time
	callback   string
	mu         sync.Mutex // never held across I/O
	found      *metadata
	foundAt    time.Time
	keys       keySet
	keysAt     time.Time
}

// Identity is an account at a provider.
type Identity struct {
	Issuer, Subject string
	Name            string // distinguishes several accounts: an email address, or the name there
	Username, Email string // suggestions for an account here; "" for none
	// ProvedAt is when its owner last authenticated there; zero if the provider does not say.
	ProvedAt time.Time
}

// Refusal says why the response of a provider is not accepted.
type Refusal string

func (r Refusal) Error() string { return "oidc: " + string(r) }

// ErrUnavailable is returned if a provider can't be reached, or responds with a server error.
var ErrUnavailable = errors.New("oidc: the provider does not respond")

const (
	// limit is how long a provider may take for one response.
	limit = 3 * time.Second
	// maxBytes bounds the bytes that are read of a response.
	maxBytes = 256 << 10
	// life is how long a provider's metadata and keys are cached.
	life = time.Hour
)

// Connect completes a provider: web reaches it, now is the clock, and callback is the address to which it sends people back.
func (p *Provider) Connect(web Web, now func() time.Time, callback string) {
	p.web, p.now, p.callback = web, now, callback
}

// metadata is the configuration of a provider (Discovery 1.0, section 3).
type metadata struct {
	Issuer        string   `json:"issuer"`
	Authorization string   `json:"authorization_endpoint"`
	Token         string   `json:"token_endpoint"`
	UserInfo      string   `json:"userinfo_endpoint"`
	JWKS          string   `json:"jwks_uri"`
	TokenAuth     []string `json:"token_endpoint_auth_methods_supported"`
}

// discover returns the provider's metadata, at most an hour old.
func (p *Provider) discover(ctx context.Context) (*metadata, error) {
	p.mu.Lock()
	found, at := p.found, p.foundAt
	p.mu.Unlock()
	if found != nil && p.now().Sub(at) < life {
		return found, nil
	}
	var m metadata
	if err := p.get(ctx, strings.TrimSuffix(p.Issuer, "/")+"/.well-known/openid-configuration", "", &m); err != nil {
		return nil, err
	}
	if m.Issuer != p.Issuer {
		return nil, Refusal("it says that its issuer is " + m.Issuer)
	}
	for _, address := range []string{m.Authorization, m.Token, m.JWKS} {
		if !secure(address) {
			return nil, Refusal("one of its addresses is not secure: " + address)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.found, p.foundAt = &m, p.now()
	return &m, nil
}

// secure reports whether an address is one of HTTPS, or of this machine, for development.
func secure(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.User != nil {
		return false
	}
	return u.Scheme == "https" && u.Host != "" || u.Scheme == "http" && (u.Hostname() == "localhost" || u.Hostname() == "127.0.0.1")
}

// CanReauthenticate reports whether the provider lets people authenticate again on request. GitHub does not.
func (p *Provider) CanReauthenticate() bool { return p.Issuer != githubIssuer }

// AuthURL returns the address to which people go to log in. With again they have to authenticate there even if they are logged in.
// ErrUnavailable, Refusal.
func (p *Provider) AuthURL(ctx context.Context, state, nonce, verifier string, again bool) (string, error) {
	if p.Issuer == githubIssuer {
		// There is no scope, because what is public is enough.
		return githubAuthorize + "?" + url.Values{"client_id": {p.ID}, "redirect_uri": {p.callback}, "state": {state},
			"code_challenge": {challengeOf(verifier)}, "code_challenge_method": {"S256"}}.Encode(), nil
	}
	m, err := p.discover(ctx)
	if err != nil {
		return "", err
	}
	u, err := url.Parse(m.Authorization)
	if err != nil {
		return "", Refusal("its authorization endpoint is no address")
	}
	q := u.Query()
	for name, value := range map[string]string{"response_type": "code", "client_id": p.ID, "redirect_uri": p.callback,
		"scope": "openid profile email",
		"state": state, "nonce": nonce, "code_challenge": challengeOf(verifier), "code_challenge_method": "S256"} {
		q.Set(name, value)
	}
	if again {
		q.Set("prompt", "login")
		q.Set("max_age", "0")
	}
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// get fetches JSON.
func (p *Provider) get(ctx context.Context, address, token string, into any) error {
	r, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return Refusal(err.Error())
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return p.ask(ctx, r, into)
}

// ask sends a request and reads its response, which is JSON. ErrUnavailable, Refusal.
func (p *Provider) ask(ctx context.Context, r *http.Request, into any) error {
	ctx = links.WithReplyLimit(deadline.WithLimit(ctx, limit), maxBytes)
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "Plaza")
	res, err := p.web.Do(r.WithContext(ctx))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxBytes))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if res.StatusCode != http.StatusOK {
		if res.StatusCode >= 400 && res.StatusCode < 500 {
			return Refusal(fmt.Sprintf("it answers %d: %.200s", res.StatusCode, body))
		}
		return fmt.Errorf("%w: status %d", ErrUnavailable, res.StatusCode)
	}
	if err := strictjson.Unmarshal(body, into); err != nil && json.Valid(body) {
		return Refusal("its answer has another form: " + err.Error())
	} else if err != nil { // such as a page of a proxy in front of it
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return nil
}
