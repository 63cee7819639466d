package oidc

import (
	"context"
	"strconv"
)

// The addresses of GitHub (docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps).
const (
	githubIssuer    = "https://github.com"
	githubAuthorize = githubIssuer + "/login/oauth/authorize"
	githubToken     = githubIssuer + "/login/oauth/access_token"
	githubUser      = "https://api.github.com/user"
)

// exchangeGitHub is Exchange for GitHub. The subject is the number of the account, because names there can be changed and taken
// by others.
func (p *Provider) exchangeGitHub(ctx context.Context, code, verifier string) (Identity, error) {
	t, err := p.redeem(ctx, githubToken, code, verifier, false)
	if err != nil {
		return Identity{}, err
	}
	if t.Access == "" {
		return Identity{}, Refusal("it sent no access token")
	}
	var user struct {
		ID    int64  `json:"id"`
		Login string `json:"login"`
		Email string `json:"email"`
	}
	if err := p.get(ctx, githubUser, t.Access, &user); err != nil {
		return Identity{}, err
	}
	if user.ID <= 0 || user.Login == "" {
		return Identity{}, Refusal("it names nobody")
	}
	return Identity{Issuer: githubIssuer, Subject: strconv.FormatInt(user.ID, 10), Name: user.Login, Username: user.Login, Email: user.Email},
		nil
}
