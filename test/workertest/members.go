package workertest

import (
	"encoding/json"
	"net/http"
	"regexp"

	"github.com/stretchr/testify/require"

	"plaza/data/wire/upstash"
	"plaza/protocol/totp"
)

func (s *Site) LogIn(name, agent string) *Browser {
	s.Helper()
	b := s.Visitor()
	b.Header.Set("User-Agent", agent)
	b.MustPost("/login", "login", name, "password", "correct horse")
	return b
}

// Authenticator gives a member an authenticator app. Its first code is used. The key is the same in every run: of a random one, a code
// that a test takes for wrong is right now and then.
func (s *Site) Authenticator(b *Browser) (secret []byte, codes []string) {
	s.Helper()
	require.Regexp(s, shownSecret, b.Page("/settings/totp"))
	secret = []byte("the key of all tests")
	res := b.Post("/settings/totp", "secret", totp.Text(secret), "code", totp.Code(secret, totp.Step(s.Now)))
	require.Equal(s, http.StatusOK, res.Code, res.Body.String())
	for _, code := range ShownCodes.FindAllStringSubmatch(res.Body.String(), -1) {
		codes = append(codes, code[1])
	}
	return secret, codes
}

// Admin is a new administrator.
func (s *Site) Admin(name string) *Browser {
	b := s.Member(name)
	s.Exec("UPDATE users SET admin = 1 WHERE username = ?1", name)
	return b
}

const SiteSettings = "/admin/settings"

// NewToken makes a token with scopes.
func (b *Browser) NewToken(scopes ...string) string {
	b.Helper()
	fields := []string{"name", "Program"}
	for _, scope := range scopes {
		fields = append(fields, scope, "1")
	}
	res := (&Browser{Site: b.Site, Cookie: b.Cookie, Header: http.Header{"Accept": {"application/json"}}}).Post("/settings/tokens", fields...)
	require.Equal(b, http.StatusOK, res.Code, res.Body.String())
	var created struct{ Token string }
	require.NoError(b, json.Unmarshal(res.Body.Bytes(), &created))
	require.Regexp(b, `^plaza_[a-z2-7]{66,95}$`, created.Token)
	return created.Token
}

// Forger has the member's cookie with another signature.
func (b *Browser) Forger() *Browser {
	at, letter := len(b.Cookie)-5, "x"
	if b.Cookie[at] == 'x' {
		letter = "y"
	}
	return &Browser{Site: b.Site, Cookie: b.Cookie[:at] + letter + b.Cookie[at+1:]}
}

// Program has a token and no cookie.
func Program(s *Site, token string) *Browser {
	return &Browser{Site: s, Header: http.Header{"Authorization": {"Bearer " + token}}}
}

// Strict is the site with the limits of production, with a Redis or without one.
func (s *Site) Strict(redis *upstash.Client) *Site {
	s.Helper()
	c := s.Config
	c.LimitFactor, c.Redis = 1, redis
	s.Restart(c)
	return s
}

// ReadsWith saves a member's settings and nothing else.
func (b *Browser) ReadsWith(choices ...string) { b.MustPost("/settings", choices...) }

var (
	shownSecret = regexp.MustCompile(`name="secret" value="([A-Z2-7]{32})"`)
	ShownCodes  = regexp.MustCompile(`<li><code>([0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4})</code>`)
)
