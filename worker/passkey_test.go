package worker_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/webauthn"
	"plaza/webauthn/webauthntest"
)

// device is a visitor's browser with a new passkey.
func (s *site) device(algorithm int) (*browser, *webauthntest.Passkey) {
	b := s.visitor()
	b.jar = map[string]string{}
	return b, webauthntest.New(passkeySite, algorithm)
}

func TestPasskeys(t *testing.T) {
	s := mustOpen(t)
	for name, algorithm := range map[string]int{"es_256": webauthn.ES256, "ed_dsa": webauthn.EdDSA} {
		t.Run("somebody signs up and logs in with a passkey alone: "+name, func(t *testing.T) {
			b, p := s.device(algorithm)
			require.Equal(t, http.StatusSeeOther, b.signUpWith(p, name).Code)
			require.Contains(t, b.page("/"), name)
			b.mustPost("/logout")
			require.Equal(t, http.StatusUnauthorized, b.post("/login", "login", name, "password", " ").Code, "which is no password")

			for range 2 {
				p.Count++
				b.cookie = ""
				challenge, options := b.challenge("login")
				require.Empty(t, options["allowCredentials"], "no name was typed")
				b.mustPost("/login/passkey", signed(p, challenge)...)
				require.Contains(t, b.page("/"), name)
			}
		})
	}

	t.Run("a name that is taken is told before a passkey is made", func(t *testing.T) {
		b, _ := s.device(webauthn.ES256)
		b.header.Set("Accept", "application/json")
		for _, name := range []string{"es_256", "x", "admin"} {
			res := b.post("/passkeys/challenge", "for", "sign-up", "username", name)
			require.Equal(t, http.StatusUnprocessableEntity, res.Code)
			require.Contains(t, res.Body.String(), `"field":"username"`)
		}
	})

	t.Run("a sign-up that comes twice makes one account and one session", func(t *testing.T) {
		b, p := s.device(webauthn.ES256)
		challenge, options := b.challenge("sign-up", "username", "twice")
		form := created(p, challenge, "username", "twice", "account", options["account"].(string))
		b.mustPost("/signup", form...)
		for _, name := range []string{"twice", "thrice"} {
			form[1] = name
			again := &browser{site: s, jar: b.jar, header: http.Header{}}
			require.GreaterOrEqual(t, again.post("/signup", form...).Code, 400)
			require.Empty(t, again.cookie)
		}
		require.EqualValues(t, 1, s.one("SELECT count(*) FROM users WHERE username_key IN ('twice', 'thrice')"))
		require.EqualValues(t, 0, s.one("SELECT count(*) FROM passkeys WHERE user_id NOT IN (SELECT id FROM users)"))
	})

	t.Run("a passkey of another account is told as such, and makes no account", func(t *testing.T) {
		first, p := s.device(webauthn.ES256)
		require.Equal(t, http.StatusSeeOther, first.signUpWith(p, "first").Code)
		accounts := s.one("SELECT count(*) FROM users")
		b, _ := s.device(webauthn.ES256)
		sent := func(accept string) *httptest.ResponseRecorder {
			challenge, options := b.challenge("sign-up", "username", "second")
			b.header.Set("Accept", accept)
			return b.post("/signup", created(p, challenge, "username", "second", "account", options["account"].(string), "token", "another-form-0123")...)
		}
		res := sent("text/html")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code, "as all forms answer a conflict")
		require.Contains(t, res.Body.String(), "That passkey belongs to an account already.")
		require.Contains(t, res.Body.String(), `value="second"`, "what was typed")
		require.Empty(t, b.cookie)
		res = sent("application/json")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), `"code":"conflict"`)
		require.Equal(t, accounts, s.one("SELECT count(*) FROM users"))
		b.header.Del("Accept")
		require.Equal(t, http.StatusSeeOther, b.signUpWith(webauthntest.New(passkeySite, webauthn.ES256), "second").Code, "the name is free")
	})
	t.Run("a sign-up for another id than the challenge's is refused", func(t *testing.T) {
		b, p := s.device(webauthn.ES256)
		challenge, _ := b.challenge("sign-up", "username", "other_id")
		res := b.post("/signup", created(p, challenge, "username", "other_id", "account", "0000000000001")...)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "begun in another browser")
	})
}

func TestPasskeysOfAnAccount(t *testing.T) {
	s := mustOpen(t)
	b, first := s.device(webauthn.ES256)
	require.Equal(t, http.StatusSeeOther, b.signUpWith(first, "ann").Code)
	second := webauthntest.New(passkeySite, webauthn.EdDSA)
	names := func() any {
		return s.one("SELECT group_concat(name, ', ') FROM (SELECT name FROM passkeys ORDER BY created_at)")
	}

	t.Run("the only way to log in can't be removed", func(t *testing.T) {
		res := b.post("/settings/passkeys/remove", "id", b64(first.ID))
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "the only way in which you can log in")
		require.Equal(t, "Passkey", names())
	})
	t.Run("another one is added, named and used", func(t *testing.T) {
		challenge, options := b.challenge("add")
		require.Equal(t, []any{map[string]any{"type": "public-key", "id": b64(first.ID)}}, options["excludeCredentials"])
		b.mustPost("/settings/passkeys", created(second, challenge, "name", " My  phone ")...)
		require.Equal(t, "Passkey, My phone", names())
		other, _ := s.device(webauthn.EdDSA)
		challenge, _ = other.challenge("login")
		other.mustPost("/login/passkey", signed(second, challenge)...)
		page := other.page("/settings/security?done=passkey")
		require.Contains(t, page, "My phone")
		require.Contains(t, page, "last used")
		require.Contains(t, page, "Your passkey is added.")
		b.mustPost("/settings/passkeys/name", "id", b64(first.ID), "name", "Key")
		require.Equal(t, "Key, My phone", names())
	})
	t.Run("a challenge for adding is the session's own, and taken once", func(t *testing.T) {
		challenge, _ := b.challenge("add")
		ben := s.member("ben")
		ben.jar = b.jar
		require.Equal(t, http.StatusUnprocessableEntity, ben.post("/settings/passkeys", created(webauthntest.New(passkeySite, webauthn.ES256), challenge)...).Code)
		signIn, _ := b.challenge("login")
		require.Equal(t, http.StatusUnprocessableEntity, b.post("/settings/passkeys", created(webauthntest.New(passkeySite, webauthn.ES256), signIn)...).Code)
		b.mustPost("/settings/passkeys", created(webauthntest.New(passkeySite, webauthn.ES256), challenge)...)
		require.Equal(t, http.StatusUnprocessableEntity, b.post("/settings/passkeys", created(webauthntest.New(passkeySite, webauthn.ES256), challenge)...).Code)
		require.EqualValues(t, 3, s.one("SELECT count(*) FROM passkeys"))
	})
	t.Run("somebody else's passkey is neither renamed, removed nor added", func(t *testing.T) {
		ben := s.member("bert")
		ben.jar = map[string]string{}
		require.Equal(t, http.StatusNotFound, ben.post("/settings/passkeys/name", "id", b64(first.ID), "name", "Mine").Code)
		ben.mustPost("/settings/passkeys/remove", "id", b64(first.ID))
		challenge, _ := ben.challenge("add")
		res := ben.post("/settings/passkeys", created(first, challenge)...)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "belongs to an account already")
		require.Equal(t, "Key, My phone, Passkey", names())
	})
	t.Run("one that is removed signs nobody in", func(t *testing.T) {
		b.mustPost("/settings/passkeys/remove", "id", b64(second.ID))
		b.mustPost("/settings/passkeys/remove", "id", b64(second.ID))
		other, _ := s.device(webauthn.EdDSA)
		challenge, _ := other.challenge("login")
		res := other.post("/login/passkey", signed(second, challenge)...)
		require.Equal(t, http.StatusUnauthorized, res.Code)
		require.Contains(t, res.Body.String(), "That passkey is not known here.")
	})
	t.Run("there are at most twenty, with names of at most 50 characters", func(t *testing.T) {
		for range 18 {
			challenge, _ := b.challenge("add")
			b.mustPost("/settings/passkeys", created(webauthntest.New(passkeySite, webauthn.ES256), challenge)...)
		}
		challenge, _ := b.challenge("add")
		res := b.post("/settings/passkeys", created(webauthntest.New(passkeySite, webauthn.ES256), challenge)...)
		require.Contains(t, res.Body.String(), "at most 20 passkeys")
		res = b.post("/settings/passkeys/name", "id", b64(first.ID), "name", strings.Repeat("x", 51))
		require.Contains(t, res.Body.String(), "at most 50 characters")
		require.EqualValues(t, 20, s.one("SELECT count(*) FROM passkeys"))
	})
}

func TestAProofByPasskey(t *testing.T) {
	s := mustOpen(t)
	b, p := s.device(webauthn.ES256)
	require.Equal(t, http.StatusSeeOther, b.signUpWith(p, "ann").Code)
	s.now = s.now.Add(20 * time.Minute)
	b.header.Set("Accept", "application/json")
	require.Equal(t, http.StatusForbidden, b.post("/passkeys/challenge", "for", "add").Code, "before there is a passkey of which the site knows nothing")
	b.header.Del("Accept")
	require.Contains(t, b.page("/prove?next=/settings/totp"), "Use a passkey")

	_, stranger := s.device(webauthn.ES256)
	ben, own := s.device(webauthn.ES256)
	require.Equal(t, http.StatusSeeOther, ben.signUpWith(own, "ben").Code)
	for name, sign := range map[string]func() []string{
		"somebody else's":            func() []string { challenge, _ := b.challenge("prove"); return signed(own, challenge) },
		"an unknown one":             func() []string { challenge, _ := b.challenge("prove"); return signed(stranger, challenge) },
		"a challenge for logging in": func() []string { challenge, _ := b.challenge("login"); return signed(p, challenge) },
		"another session's challenge": func() []string {
			ben.jar = b.jar
			challenge, _ := ben.challenge("prove")
			return signed(p, challenge)
		},
	} {
		require.GreaterOrEqual(t, b.post("/prove/passkey", sign()...).Code, 400, name)
		require.Equal(t, http.StatusSeeOther, b.get("/settings/totp").Code, name)
	}
	challenge, options := b.challenge("prove")
	require.Equal(t, []any{map[string]any{"type": "public-key", "id": b64(p.ID)}}, options["allowCredentials"])
	require.Equal(t, "/settings/totp", b.mustPost("/prove/passkey", append(signed(p, challenge), "next", "/settings/totp")...))
	b.page("/settings/totp")
	b.challenge("add")
}

// TestARefusedPasskeyIsNotOfferedAgain: some browsers answer an offer by themselves, so an offer after a refusal would be refused for ever.
func TestARefusedPasskeyIsNotOfferedAgain(t *testing.T) {
	const offer = ` data-offer=""`
	s := mustOpen(t)
	b, p := s.device(webauthn.ES256)
	b.signUpWith(p, "ann")
	b.mustPost("/logout")
	require.Contains(t, b.page("/login"), offer)
	require.NotContains(t, b.page("/signup"), offer)

	refuse := func() string {
		challenge, _ := b.challenge("login")
		res := b.post("/login/passkey", append(signed(p, challenge), "user_handle", b64(make([]byte, 8)))...)
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
		require.NotContains(t, b.page("/login"), offer)
	})
	t.Run("by the page that refuses a password", func(t *testing.T) {
		require.NotContains(t, b.post("/login", "login", "ann", "password", "wrong").Body.String(), offer)
	})
	t.Run("until the member has logged in by the button", func(t *testing.T) {
		challenge, _ := b.challenge("login")
		b.mustPost("/login/passkey", signed(p, challenge)...)
		b.mustPost("/logout")
		require.Contains(t, b.page("/login"), offer)
	})
	t.Run("while a wrong password changes nothing", func(t *testing.T) {
		require.Contains(t, b.post("/login", "login", "ann", "password", "wrong").Body.String(), offer)
	})
	t.Run("by the page of a limit", func(t *testing.T) {
		s.strict(s.redis)
		for range 20 {
			s.visitor().post("/login/passkey")
		}
		res := s.visitor().post("/login/passkey")
		require.Equal(t, http.StatusTooManyRequests, res.Code)
		require.Contains(t, res.Body.String(), `data-passkey="login"`)
		require.NotContains(t, res.Body.String(), offer)
	})
}

// TestPasskeyRefusals sends what must not sign anybody in.
func TestPasskeyRefusals(t *testing.T) {
	s := mustOpen(t)
	b, p := s.device(webauthn.ES256)
	require.Equal(t, http.StatusSeeOther, b.signUpWith(p, "ann").Code)
	b.cookie = ""
	_, stranger := s.device(webauthn.ES256)

	for name, test := range map[string]struct {
		send   func(p webauthntest.Passkey, challenge string) []string
		status int
	}{
		"a wrong origin": {func(p webauthntest.Passkey, challenge string) []string {
			p.Site.Origin = "https://plaza.example.evil.example"
			return signed(&p, challenge)
		}, 422},
		"a wrong rpId": {func(p webauthntest.Passkey, challenge string) []string {
			p.Site.ID = "evil.example"
			return signed(&p, challenge)
		}, 422},
		"a frame of another site": {func(p webauthntest.Passkey, challenge string) []string {
			p.Crossed = true
			return signed(&p, challenge)
		}, 422},
		"a wrong type": {func(p webauthntest.Passkey, challenge string) []string {
			p.Type = "webauthn.create"
			return signed(&p, challenge)
		}, 422},
		"nobody there": {func(p webauthntest.Passkey, challenge string) []string {
			p.Flags = 0
			return signed(&p, challenge)
		}, 422},
		"a signature over another challenge": {func(p webauthntest.Passkey, challenge string) []string {
			other, _ := b.challenge("login")
			fields := signed(&p, other)
			fields[1] = challenge
			return fields
		}, 422},
		"a challenge that the site did not make": {func(p webauthntest.Passkey, challenge string) []string {
			return signed(&p, b64(make([]byte, 50)))
		}, 422},
		"a changed challenge": {func(p webauthntest.Passkey, challenge string) []string {
			first := "A" // six bits, so that another letter is another challenge
			if challenge[0] == 'A' {
				first = "B"
			}
			return signed(&p, first+challenge[1:])
		}, 422},
		"a challenge for signing up": {func(p webauthntest.Passkey, _ string) []string {
			challenge, _ := b.challenge("sign-up", "username", "ben")
			return signed(&p, challenge)
		}, 422},
		"a challenge of another browser": {func(p webauthntest.Passkey, _ string) []string {
			other, _ := s.device(webauthn.ES256)
			challenge, _ := other.challenge("login")
			return signed(&p, challenge)
		}, 422},
		"a challenge that has run out": {func(p webauthntest.Passkey, challenge string) []string {
			s.now = s.now.Add(5 * time.Minute)
			return signed(&p, challenge)
		}, 422},
		"the signature of another key": {func(_ webauthntest.Passkey, challenge string) []string {
			other := *stranger
			other.ID = p.ID
			return signed(&other, challenge)
		}, 422},
		"a passkey that nobody has": {func(_ webauthntest.Passkey, challenge string) []string { return signed(stranger, challenge) }, 401},
		"another account's handle": {func(p webauthntest.Passkey, challenge string) []string {
			return append(signed(&p, challenge), "user_handle", b64(make([]byte, 8)))
		}, 422},
		"no answer":  {func(_ webauthntest.Passkey, challenge string) []string { return []string{"challenge", challenge} }, 422},
		"no request": {func(_ webauthntest.Passkey, _ string) []string { return nil }, 422},
	} {
		t.Run(name, func(t *testing.T) {
			challenge, _ := b.challenge("login")
			res := b.post("/login/passkey", test.send(*p, challenge)...)
			require.Equal(t, test.status, res.Code, res.Body.String())
			require.Empty(t, b.cookie)
			require.Contains(t, res.Body.String(), `class="wrong whole"`)
		})
	}

	t.Run("the same answer twice", func(t *testing.T) {
		challenge, _ := b.challenge("login")
		fields := signed(p, challenge)
		b.mustPost("/login/passkey", fields...)
		b.cookie = ""
		res := b.post("/login/passkey", fields...)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "was used before")
		require.Empty(t, b.cookie)
	})

	t.Run("a suspended member", func(t *testing.T) {
		s.exec("UPDATE users SET status = 'suspended'")
		challenge, _ := b.challenge("login")
		require.Equal(t, http.StatusForbidden, b.post("/login/passkey", signed(p, challenge)...).Code)
		require.Empty(t, b.cookie)
		s.exec("UPDATE users SET status = 'active'")
	})

	t.Run("a copy of the passkey, and then both", func(t *testing.T) {
		p.Count = 10
		challenge, _ := b.challenge("login")
		b.mustPost("/login/passkey", signed(p, challenge)...)
		for _, count := range []uint32{10, 11, 12, 0} {
			b.cookie, p.Count = "", count
			challenge, _ := b.challenge("login")
			res := b.post("/login/passkey", signed(p, challenge)...)
			require.Equal(t, http.StatusForbidden, res.Code)
			assert.Contains(t, res.Body.String(), "seems to have been copied")
			require.Empty(t, b.cookie)
		}
	})
}
