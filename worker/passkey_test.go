package worker_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/protocol/webauthn"
	"plaza/test/webauthntest"
	"plaza/test/workertest"
)

// newDevice is a visitor's browser with a new passkey.
func newDevice(s *workertest.Site, algorithm int) (*workertest.Browser, *webauthntest.Passkey) {
	b := s.Visitor()
	b.Jar = map[string]string{}
	return b, webauthntest.New(workertest.PasskeySite, algorithm)
}

func TestPasskeys(t *testing.T) {
	s := workertest.MustOpen(t)
	for name, algorithm := range map[string]int{"es_256": webauthn.ES256, "ed_dsa": webauthn.EdDSA} {
		t.Run("somebody signs up and logs in with a passkey alone: "+name, func(t *testing.T) {
			b, p := newDevice(s, algorithm)
			require.Equal(t, http.StatusSeeOther, b.SignUpWith(p, name).Code)
			require.Contains(t, b.Page("/"), name)
			b.MustPost("/logout")
			require.Equal(t, http.StatusUnauthorized, b.Post("/login", "login", name, "password", " ").Code, "which is no password")

			for range 2 {
				p.Count++
				b.Cookie = ""
				challenge, options := b.Challenge("login")
				require.Empty(t, options["allowCredentials"], "no name was typed")
				b.MustPost("/login/passkey", workertest.Signed(p, challenge)...)
				require.Contains(t, b.Page("/"), name)
			}
		})
	}

	t.Run("a name that is taken is told before a passkey is made", func(t *testing.T) {
		b, _ := newDevice(s, webauthn.ES256)
		b.Header.Set("Accept", "application/json")
		for _, name := range []string{"es_256", "x", "admin"} {
			res := b.Post("/passkeys/challenge", "for", "sign-up", "username", name)
			require.Equal(t, http.StatusUnprocessableEntity, res.Code)
			require.Contains(t, res.Body.String(), `"field":"username"`)
		}
	})

	t.Run("a sign-up that comes twice makes one account and one session", func(t *testing.T) {
		b, p := newDevice(s, webauthn.ES256)
		challenge, options := b.Challenge("sign-up", "username", "twice")
		form := workertest.Created(p, challenge, "username", "twice", "account", options["account"].(string))
		b.MustPost("/signup", form...)
		for _, name := range []string{"twice", "thrice"} {
			form[1] = name
			again := &workertest.Browser{Site: s, Jar: b.Jar, Header: http.Header{}}
			require.GreaterOrEqual(t, again.Post("/signup", form...).Code, 400)
			require.Empty(t, again.Cookie)
		}
		require.EqualValues(t, 1, s.One("SELECT count(*) FROM users WHERE username_key IN ('twice', 'thrice')"))
		require.EqualValues(t, 0, s.One("SELECT count(*) FROM passkeys WHERE user_id NOT IN (SELECT id FROM users)"))
	})

	t.Run("a passkey of another account is told as such, and makes no account", func(t *testing.T) {
		first, p := newDevice(s, webauthn.ES256)
		require.Equal(t, http.StatusSeeOther, first.SignUpWith(p, "first").Code)
		accounts := s.One("SELECT count(*) FROM users")
		b, _ := newDevice(s, webauthn.ES256)
		sent := func(accept string) *httptest.ResponseRecorder {
			challenge, options := b.Challenge("sign-up", "username", "second")
			b.Header.Set("Accept", accept)
			return b.Post("/signup", workertest.Created(p, challenge, "username", "second", "account", options["account"].(string), "token",
				"another-form-0123")...)
		}
		res := sent("text/html")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code, "as all forms answer a conflict")
		require.Contains(t, res.Body.String(), "That passkey belongs to an account already.")
		require.Contains(t, res.Body.String(), `value="second"`, "what was typed")
		require.Empty(t, b.Cookie)
		res = sent("application/json")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), `"code":"conflict"`)
		require.Equal(t, accounts, s.One("SELECT count(*) FROM users"))
		b.Header.Del("Accept")
		require.Equal(t, http.StatusSeeOther, b.SignUpWith(webauthntest.New(workertest.PasskeySite, webauthn.ES256), "second").Code,
			"the name is free")
	})
	t.Run("a sign-up for another id than the challenge's is refused", func(t *testing.T) {
		b, p := newDevice(s, webauthn.ES256)
		challenge, _ := b.Challenge("sign-up", "username", "other_id")
		res := b.Post("/signup", workertest.Created(p, challenge, "username", "other_id", "account", "0000000000001")...)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "begun in another browser")
	})
}

func TestPasskeysOfAnAccount(t *testing.T) {
	s := workertest.MustOpen(t)
	b, first := newDevice(s, webauthn.ES256)
	require.Equal(t, http.StatusSeeOther, b.SignUpWith(first, "ann").Code)
	second := webauthntest.New(workertest.PasskeySite, webauthn.EdDSA)
	names := func() any {
		return s.One("SELECT group_concat(name, ', ') FROM (SELECT name FROM passkeys ORDER BY created_at)")
	}

	t.Run("the only way to log in can't be removed", func(t *testing.T) {
		res := b.Post("/settings/passkeys/remove", "id", workertest.B64(first.ID))
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "the only way in which you can log in")
		require.Equal(t, "Passkey", names())
	})
	t.Run("another one is added, named and used", func(t *testing.T) {
		challenge, options := b.Challenge("add")
		require.Equal(t, []any{map[string]any{"type": "public-key", "id": workertest.B64(first.ID)}}, options["excludeCredentials"])
		b.MustPost("/settings/passkeys", workertest.Created(second, challenge, "name", " My  phone ")...)
		require.Equal(t, "Passkey, My phone", names())
		other, _ := newDevice(s, webauthn.EdDSA)
		challenge, _ = other.Challenge("login")
		other.MustPost("/login/passkey", workertest.Signed(second, challenge)...)
		page := other.Page("/settings/security?done=passkey")
		require.Contains(t, page, "My phone")
		require.Contains(t, page, "last used")
		require.Contains(t, page, "Your passkey is added.")
		b.MustPost("/settings/passkeys/name", "id", workertest.B64(first.ID), "name", "Key")
		require.Equal(t, "Key, My phone", names())
	})
	t.Run("a challenge for adding is the session's own, and taken once", func(t *testing.T) {
		challenge, _ := b.Challenge("add")
		ben := s.Member("ben")
		ben.Jar = b.Jar
		require.Equal(t, http.StatusUnprocessableEntity,
			ben.Post("/settings/passkeys", workertest.Created(webauthntest.New(workertest.PasskeySite, webauthn.ES256), challenge)...).Code)
		signIn, _ := b.Challenge("login")
		require.Equal(t, http.StatusUnprocessableEntity,
			b.Post("/settings/passkeys", workertest.Created(webauthntest.New(workertest.PasskeySite, webauthn.ES256), signIn)...).Code)
		b.MustPost("/settings/passkeys", workertest.Created(webauthntest.New(workertest.PasskeySite, webauthn.ES256), challenge)...)
		require.Equal(t, http.StatusUnprocessableEntity,
			b.Post("/settings/passkeys", workertest.Created(webauthntest.New(workertest.PasskeySite, webauthn.ES256), challenge)...).Code)
		require.EqualValues(t, 3, s.One("SELECT count(*) FROM passkeys"))
	})
	t.Run("somebody else's passkey is neither renamed, removed nor added", func(t *testing.T) {
		ben := s.Member("bert")
		ben.Jar = map[string]string{}
		require.Equal(t, http.StatusNotFound, ben.Post("/settings/passkeys/name", "id", workertest.B64(first.ID), "name", "Mine").Code)
		ben.MustPost("/settings/passkeys/remove", "id", workertest.B64(first.ID))
		challenge, _ := ben.Challenge("add")
		res := ben.Post("/settings/passkeys", workertest.Created(first, challenge)...)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "belongs to an account already")
		require.Equal(t, "Key, My phone, Passkey", names())
	})
	t.Run("one that is removed signs nobody in", func(t *testing.T) {
		b.MustPost("/settings/passkeys/remove", "id", workertest.B64(second.ID))
		b.MustPost("/settings/passkeys/remove", "id", workertest.B64(second.ID))
		other, _ := newDevice(s, webauthn.EdDSA)
		challenge, _ := other.Challenge("login")
		res := other.Post("/login/passkey", workertest.Signed(second, challenge)...)
		require.Equal(t, http.StatusUnauthorized, res.Code)
		require.Contains(t, res.Body.String(), "That passkey is not known here.")
	})
	t.Run("there are at most twenty, with names of at most 50 characters", func(t *testing.T) {
		for range 18 {
			challenge, _ := b.Challenge("add")
			b.MustPost("/settings/passkeys", workertest.Created(webauthntest.New(workertest.PasskeySite, webauthn.ES256), challenge)...)
		}
		challenge, _ := b.Challenge("add")
		res := b.Post("/settings/passkeys", workertest.Created(webauthntest.New(workertest.PasskeySite, webauthn.ES256), challenge)...)
		require.Contains(t, res.Body.String(), "at most 20 passkeys")
		res = b.Post("/settings/passkeys/name", "id", workertest.B64(first.ID), "name", strings.Repeat("x", 51))
		require.Contains(t, res.Body.String(), "at most 50 characters")
		require.EqualValues(t, 20, s.One("SELECT count(*) FROM passkeys"))
	})
}

func TestAProofByPasskey(t *testing.T) {
	s := workertest.MustOpen(t)
	b, p := newDevice(s, webauthn.ES256)
	require.Equal(t, http.StatusSeeOther, b.SignUpWith(p, "ann").Code)
	s.Now = s.Now.Add(20 * time.Minute)
	b.Header.Set("Accept", "application/json")
	require.Equal(t, http.StatusForbidden, b.Post("/passkeys/challenge", "for", "add").Code,
		"before there is a passkey of which the site knows nothing")
	b.Header.Del("Accept")
	require.Contains(t, b.Page("/prove?next=/settings/totp"), "Use a passkey")

	_, stranger := newDevice(s, webauthn.ES256)
	ben, own := newDevice(s, webauthn.ES256)
	require.Equal(t, http.StatusSeeOther, ben.SignUpWith(own, "ben").Code)
	for name, sign := range map[string]func() []string{
		"somebody else's":            func() []string { challenge, _ := b.Challenge("prove"); return workertest.Signed(own, challenge) },
		"an unknown one":             func() []string { challenge, _ := b.Challenge("prove"); return workertest.Signed(stranger, challenge) },
		"a challenge for logging in": func() []string { challenge, _ := b.Challenge("login"); return workertest.Signed(p, challenge) },
		"another session's challenge": func() []string {
			ben.Jar = b.Jar
			challenge, _ := ben.Challenge("prove")
			return workertest.Signed(p, challenge)
		},
	} {
		require.GreaterOrEqual(t, b.Post("/prove/passkey", sign()...).Code, 400, name)
		require.Equal(t, http.StatusSeeOther, b.Get("/settings/totp").Code, name)
	}
	challenge, options := b.Challenge("prove")
	require.Equal(t, []any{map[string]any{"type": "public-key", "id": workertest.B64(p.ID)}}, options["allowCredentials"])
	require.Equal(t, "/settings/totp", b.MustPost("/prove/passkey", append(workertest.Signed(p, challenge), "next", "/settings/totp")...))
	b.Page("/settings/totp")
	b.Challenge("add")
}

// TestARefusedPasskeyIsNotOfferedAgain: some browsers answer an offer by themselves, so an offer after a refusal would be refused for ever.
func TestARefusedPasskeyIsNotOfferedAgain(t *testing.T) {
	const offer = ` data-offer=""`
	s := workertest.MustOpen(t)
	b, p := newDevice(s, webauthn.ES256)
	b.SignUpWith(p, "ann")
	b.MustPost("/logout")
	require.Contains(t, b.Page("/login"), offer)
	require.NotContains(t, b.Page("/signup"), offer)

	refuse := func() string {
		challenge, _ := b.Challenge("login")
		res := b.Post("/login/passkey", append(workertest.Signed(p, challenge), "user_handle", workertest.B64(make([]byte, 8)))...)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		return res.Body.String()
	}
	t.Run("by the page that shows the refusal", func(t *testing.T) {
		page := refuse()
		require.Contains(t, page, `data-passkey="login"`, "the button is there")
		require.NotContains(t, page, offer)
		require.NotContains(t, refuse(), offer)
	})
	t.Run("by Back and a reload", func(t *testing.T) {
		require.NotContains(t, b.Page("/login"), offer)
	})
	t.Run("by the page that refuses a password", func(t *testing.T) {
		require.NotContains(t, b.Post("/login", "login", "ann", "password", "wrong").Body.String(), offer)
	})
	t.Run("until the member has logged in by the button", func(t *testing.T) {
		challenge, _ := b.Challenge("login")
		b.MustPost("/login/passkey", workertest.Signed(p, challenge)...)
		b.MustPost("/logout")
		require.Contains(t, b.Page("/login"), offer)
	})
	t.Run("while a wrong password changes nothing", func(t *testing.T) {
		require.Contains(t, b.Post("/login", "login", "ann", "password", "wrong").Body.String(), offer)
	})
	t.Run("by the page of a limit", func(t *testing.T) {
		s.Strict(s.Redis)
		for range 20 {
			s.Visitor().Post("/login/passkey")
		}
		res := s.Visitor().Post("/login/passkey")
		require.Equal(t, http.StatusTooManyRequests, res.Code)
		require.Contains(t, res.Body.String(), `data-passkey="login"`)
		require.NotContains(t, res.Body.String(), offer)
	})
}

// TestPasskeyRefusals sends what must not sign anybody in.
func TestPasskeyRefusals(t *testing.T) {
	s := workertest.MustOpen(t)
	b, p := newDevice(s, webauthn.ES256)
	require.Equal(t, http.StatusSeeOther, b.SignUpWith(p, "ann").Code)
	b.Cookie = ""
	_, stranger := newDevice(s, webauthn.ES256)

	for name, test := range map[string]struct {
		send   func(p webauthntest.Passkey, challenge string) []string
		status int
	}{
		"a wrong origin": {func(p webauthntest.Passkey, challenge string) []string {
			p.Site.Origin = "https://plaza.example.evil.example"
			return workertest.Signed(&p, challenge)
		}, 422},
		"a wrong rpId": {func(p webauthntest.Passkey, challenge string) []string {
			p.Site.ID = "evil.example"
			return workertest.Signed(&p, challenge)
		}, 422},
		"a frame of another site": {func(p webauthntest.Passkey, challenge string) []string {
			p.Crossed = true
			return workertest.Signed(&p, challenge)
		}, 422},
		"a wrong type": {func(p webauthntest.Passkey, challenge string) []string {
			p.Type = "webauthn.create"
			return workertest.Signed(&p, challenge)
		}, 422},
		"nobody there": {func(p webauthntest.Passkey, challenge string) []string {
			p.Flags = 0
			return workertest.Signed(&p, challenge)
		}, 422},
		"a signature over another challenge": {func(p webauthntest.Passkey, challenge string) []string {
			other, _ := b.Challenge("login")
			fields := workertest.Signed(&p, other)
			fields[1] = challenge
			return fields
		}, 422},
		"a challenge that the site did not make": {func(p webauthntest.Passkey, challenge string) []string {
			return workertest.Signed(&p, workertest.B64(make([]byte, 50)))
		}, 422},
		"a changed challenge": {func(p webauthntest.Passkey, challenge string) []string {
			first := "A" // six bits, so that another letter is another challenge
			if challenge[0] == 'A' {
				first = "B"
			}
			return workertest.Signed(&p, first+challenge[1:])
		}, 422},
		"a challenge for signing up": {func(p webauthntest.Passkey, _ string) []string {
			challenge, _ := b.Challenge("sign-up", "username", "ben")
			return workertest.Signed(&p, challenge)
		}, 422},
		"a challenge of another browser": {func(p webauthntest.Passkey, _ string) []string {
			other, _ := newDevice(s, webauthn.ES256)
			challenge, _ := other.Challenge("login")
			return workertest.Signed(&p, challenge)
		}, 422},
		"a challenge that has run out": {func(p webauthntest.Passkey, challenge string) []string {
			s.Now = s.Now.Add(5 * time.Minute)
			return workertest.Signed(&p, challenge)
		}, 422},
		"the signature of another key": {func(_ webauthntest.Passkey, challenge string) []string {
			other := *stranger
			other.ID = p.ID
			return workertest.Signed(&other, challenge)
		}, 422},
		"a passkey that nobody has": {func(_ webauthntest.Passkey, challenge string) []string { return workertest.Signed(stranger, challenge) },
			401},
		"another account's handle": {func(p webauthntest.Passkey, challenge string) []string {
			return append(workertest.Signed(&p, challenge), "user_handle", workertest.B64(make([]byte, 8)))
		}, 422},
		"no answer":  {func(_ webauthntest.Passkey, challenge string) []string { return []string{"challenge", challenge} }, 422},
		"no request": {func(_ webauthntest.Passkey, _ string) []string { return nil }, 422},
	} {
		t.Run(name, func(t *testing.T) {
			challenge, _ := b.Challenge("login")
			res := b.Post("/login/passkey", test.send(*p, challenge)...)
			require.Equal(t, test.status, res.Code, res.Body.String())
			require.Empty(t, b.Cookie)
			require.Contains(t, res.Body.String(), `class="wrong whole"`)
		})
	}

	t.Run("the same answer twice", func(t *testing.T) {
		challenge, _ := b.Challenge("login")
		fields := workertest.Signed(p, challenge)
		b.MustPost("/login/passkey", fields...)
		b.Cookie = ""
		res := b.Post("/login/passkey", fields...)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "was used before")
		require.Empty(t, b.Cookie)
	})

	t.Run("a suspended member", func(t *testing.T) {
		s.Exec("UPDATE users SET status = 'suspended'")
		challenge, _ := b.Challenge("login")
		require.Equal(t, http.StatusForbidden, b.Post("/login/passkey", workertest.Signed(p, challenge)...).Code)
		require.Empty(t, b.Cookie)
		s.Exec("UPDATE users SET status = 'active'")
	})

	t.Run("a copy of the passkey, and then both", func(t *testing.T) {
		p.Count = 10
		challenge, _ := b.Challenge("login")
		b.MustPost("/login/passkey", workertest.Signed(p, challenge)...)
		for _, count := range []uint32{10, 11, 12, 0} {
			b.Cookie, p.Count = "", count
			challenge, _ := b.Challenge("login")
			res := b.Post("/login/passkey", workertest.Signed(p, challenge)...)
			require.Equal(t, http.StatusForbidden, res.Code)
			assert.Contains(t, res.Body.String(), "seems to have been copied")
			require.Empty(t, b.Cookie)
		}
	})
}
