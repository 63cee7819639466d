package oidc

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// challengeOf returns the code challenge of a verifier (RFC 7636, section 4.2).
func challengeOf(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// tokens is the response of a token endpoint.
type tokens struct {
	ID     string `json:"id_token"`
	Access string `json:"access_token"`
	Error  string `json:"error"` // GitHub sends errors with status 200
}

// Exchange returns the identity for which the provider has given the code. issuer is the parameter iss of the callback (RFC 9207), ""
// if it has none. ErrUnavailable, Refusal.
func (p *Provider) Exchange(ctx context.Context, code, issuer, nonce, verifier string) (Identity, error) {
	if issuer != "" && issuer != p.Issuer {
		return Identity{}, Refusal("the answer is of another issuer: " + issuer)
	}
	if p.Issuer == githubIssuer {
		return p.exchangeGitHub(ctx, code, verifier)
	}
	m, err := p.discover(ctx)
	if err != nil {
		return Identity{}, err
	}
	t, err := p.redeem(ctx, m.Token, code, verifier, p.Secret != "" &&
		(len(m.TokenAuth) == 0 || slices.Contains(m.TokenAuth, "client_secret_basic")))
	if err != nil {
		return Identity{}, err
	}
	claims, err := p.verify(ctx, m, t.ID, nonce)
	if err != nil {
		return Identity{}, err
	}
	if claims.Username == "" && claims.Email == "" && m.UserInfo != "" && secure(m.UserInfo) {
		var more profile
		if p.get(ctx, m.UserInfo, t.Access, &more) == nil && more.Subject == claims.Subject { // it is only used for suggestions
			claims.profile = more
		}
	}
	who := Identity{Issuer: p.Issuer, Subject: claims.Subject, Email: claims.Email,
		Name:     cmp.Or(claims.Email, claims.Username, claims.Name, claims.Subject),
		Username: cmp.Or(claims.Username, claims.Email, claims.Name)}
	if claims.AuthTime > 0 {
		who.ProvedAt = time.Unix(claims.AuthTime, 0)
	}
	return who, nil
}

// redeem exchanges a code for tokens. basic sends the secret in a header, and not in the body (RFC 6749, section 2.3.1).
func (p *Provider) redeem(ctx context.Context, address, code, verifier string, basic bool) (tokens, error) {
	form := url.Values{"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {p.callback}, "code_verifier": {verifier}}
	if !basic {
		form.Set("client_id", p.ID)
		if p.Secret != "" {
			form.Set("client_secret", p.Secret)
		}
	}
	r, err := http.NewRequest(http.MethodPost, address, strings.NewReader(form.Encode()))
	if err != nil {
		return tokens{}, Refusal(err.Error())
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if basic {
		r.SetBasicAuth(url.QueryEscape(p.ID), url.QueryEscape(p.Secret))
	}
	var t tokens
	if err := p.ask(ctx, r, &t); err != nil {
		return t, err
	}
	if t.Error != "" {
		return t, Refusal("it answers " + t.Error)
	}
	return t, nil
}
