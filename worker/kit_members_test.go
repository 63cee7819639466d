package worker_test

import (
	"encoding/json"
	"net/http"
	"regexp"

	"github.com/stretchr/testify/require"

	"plaza/data/upstash"
	"plaza/totp"
)

func (s *site) logIn(name, agent string) *browser {
	s.Helper()
	b := s.visitor()
	b.header.Set("User-Agent", agent)
	b.mustPost("/login", "login", name, "password", "correct horse")
	return b
}

// authenticator gives a member an authenticator app. Its first code is used.
func (s *site) authenticator(b *browser) (secret []byte, codes []string) {
	s.Helper()
	m := shownSecret.FindStringSubmatch(b.page("/settings/totp"))
	require.NotNil(s, m)
	secret, err := totp.Parse(m[1])
	require.NoError(s, err)
	res := b.post("/settings/totp", "secret", m[1], "code", totp.Code(secret, totp.Step(s.now)))
	require.Equal(s, http.StatusOK, res.Code, res.Body.String())
	for _, code := range shownCodes.FindAllStringSubmatch(res.Body.String(), -1) {
		codes = append(codes, code[1])
	}
	return secret, codes
}

// admin is a new administrator.
func (s *site) admin(name string) *browser {
	b := s.member(name)
	s.exec("UPDATE users SET admin = 1 WHERE username = ?1", name)
	return b
}

const siteSettings = "/admin/settings"

// newToken makes a token with scopes.
func (b *browser) newToken(scopes ...string) string {
	b.Helper()
	fields := []string{"name", "Program"}
	for _, scope := range scopes {
		fields = append(fields, scope, "1")
	}
	res := (&browser{site: b.site, cookie: b.cookie, header: http.Header{"Accept": {"application/json"}}}).post("/settings/tokens", fields...)
	require.Equal(b, http.StatusOK, res.Code, res.Body.String())
	var made struct{ Token string }
	require.NoError(b, json.Unmarshal(res.Body.Bytes(), &made))
	require.Regexp(b, `^plaza_[a-z2-7]{66,95}$`, made.Token)
	return made.Token
}

// program has a token and no cookie.
func program(s *site, token string) *browser {
	return &browser{site: s, header: http.Header{"Authorization": {"Bearer " + token}}}
}

// strict is the site with the limits of production, with a Redis or without one.
func (s *site) strict(redis *upstash.Client) *site {
	s.Helper()
	c := s.config
	c.LimitFactor, c.Redis = 1, redis
	s.restart(c)
	return s
}

// readsWith saves a member's choices and nothing else.
func (b *browser) readsWith(choices ...string) { b.mustPost("/settings", choices...) }

var (
	shownSecret = regexp.MustCompile(`name="secret" value="([A-Z2-7]{32})"`)
	shownCodes  = regexp.MustCompile(`<li><code>([0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4})</code>`)
)
