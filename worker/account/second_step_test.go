package account_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/protocol/totp"
	"plaza/protocol/webauthn"
	"plaza/test/webauthntest"
	"plaza/test/workertest"
)

func TestTheSecondStep(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	secret, codes := s.Authenticator(ann)
	require.Len(t, codes, totp.RecoveryCodes)
	code := func(drift int64) string { return totp.Code(secret, totp.Step(s.Now)+drift) }
	later := func() { s.Now = s.Now.Add(2 * time.Minute) }
	password := func() *workertest.Browser {
		t.Helper()
		b := s.Jarred()
		res := b.Post("/login", "login", "ann", "password", "correct horse", "next", "/communities")
		require.Equal(t, http.StatusOK, res.Code)
		require.Contains(t, res.Body.String(), "The second step")
		require.Empty(t, b.Cookie, "a password alone opens no session")
		return b
	}
	prove := func(b *workertest.Browser) {
		t.Helper()
		b.Jar = map[string]string{}
		b.Post("/prove", "password", "correct horse")
		b.MustPost("/prove/code", "code", code(0))
	}
	refused := func(b *workertest.Browser, code, says string) {
		t.Helper()
		res := b.Post("/login/code", "code", code)
		require.Equal(t, http.StatusUnauthorized, res.Code)
		require.Contains(t, res.Body.String(), says)
		require.Empty(t, b.Cookie)
	}

	t.Run("is asked for after the password", func(t *testing.T) {
		later()
		b := password()
		require.Equal(t, "/communities", b.MustPost("/login/code", "code", code(0), "next", "/communities"))
		require.Contains(t, b.Page("/"), `<span class="vh">ann</span>`)
		require.NotContains(t, b.Jar, "__Host-second")
	})
	t.Run("takes a code with a space, and of a clock that is one step off", func(t *testing.T) {
		for _, drift := range []int64{-1, 1} {
			later()
			c := code(drift)
			require.NotEmpty(t, password().MustPost("/login/code", "code", " "+c[:3]+" "+c[3:]+" "))
		}
	})
	t.Run("takes each code once", func(t *testing.T) {
		later()
		c := code(0)
		password().MustPost("/login/code", "code", c)
		refused(password(), c, "was used before")
	})
	t.Run("does not take the code by which it was turned on", func(t *testing.T) {
		ben := s.Member("ben")
		ben.Jar = map[string]string{}
		secret, _ := s.Authenticator(ben)
		ben.Cookie = ""
		ben.Post("/login", "login", "ben", "password", "correct horse")
		res := ben.Post("/login/code", "code", totp.Code(secret, totp.Step(s.Now)))
		require.Equal(t, http.StatusUnauthorized, res.Code)
		require.Empty(t, ben.Cookie)
	})
	t.Run("refuses other codes", func(t *testing.T) {
		later()
		b := password()
		refused(b, code(-2), "That code is wrong.")
		refused(b, code(2), "That code is wrong.")
		refused(b, "", "That code is wrong.")
		refused(b, "0000-0000-0000-0000", "That code is wrong.")
	})
	t.Run("is for the browser that gave the password, for ten minutes", func(t *testing.T) {
		later()
		b := password()
		refused(s.Jarred(), code(0), "That took too long.")
		other := s.Jarred()
		other.Jar["__Host-second"] = "x" + b.Jar["__Host-second"]
		refused(other, code(0), "That took too long.")
		s.Now = s.Now.Add(10 * time.Minute)
		refused(b, code(0), "That took too long.")
	})
	t.Run("is over when the password is changed in between", func(t *testing.T) {
		later()
		b := password()
		prove(ann)
		later()
		ann.MustPost("/settings/account/password", "password", "correct horse two")
		refused(b, code(0), "logged out everywhere")
		later()
		ann.MustPost("/settings/account/password", "password", "correct horse")
		s.Now = s.Now.Add(20 * time.Minute)
	})
	t.Run("takes each recovery code once, however it is typed", func(t *testing.T) {
		password().MustPost("/login/code", "code", codes[0])
		refused(password(), codes[0], "That code is wrong.")
		b := password()
		b.MustPost("/login/code", "code", " "+codes[1][:9]+codes[1][10:])
		require.Contains(t, b.Page("/settings/security"), "8 recovery codes are left.")
	})
	t.Run("has new recovery codes, which void the others", func(t *testing.T) {
		require.Equal(t, "/prove?next=%2Fsettings%2Faccount", ann.MustPost("/settings/totp/codes"), "too long after logging in")
		prove(ann)
		later()
		for _, wrong := range []string{"", "000000", codes[0], "0000-0000-0000-0000"} {
			res := ann.Post("/settings/totp/codes", "code", wrong)
			require.Equal(t, http.StatusUnprocessableEntity, res.Code, "the password alone is not enough")
			require.Empty(t, workertest.ShownCodes.FindString(res.Body.String()))
			require.Contains(t, res.Body.String(), "code")
		}
		res := ann.Post("/settings/totp/codes", "code", code(0))
		require.Equal(t, http.StatusOK, res.Code)
		fresh := workertest.ShownCodes.FindAllStringSubmatch(res.Body.String(), -1)
		require.Len(t, fresh, totp.RecoveryCodes)
		refused(password(), codes[2], "That code is wrong.")
		password().MustPost("/login/code", "code", fresh[0][1])
		require.EqualValues(t, 0, s.One("SELECT count(*) FROM recovery_codes WHERE length(hash) <> 43"), "only hashes are stored")
	})
	t.Run("keeps what was written", func(t *testing.T) {
		later()
		b := s.Jarred()
		res := b.Post("/login", "login", "ann", "password", "correct horse", "again", "community", "name", "kept", "title",
			"A title that is kept")
		require.Contains(t, res.Body.String(), `value="A title that is kept"`)
		res = b.Post("/login/code", "code", "000000", "again", "community", "name", "kept", "title", "A title that is kept")
		require.Contains(t, res.Body.String(), `value="A title that is kept"`)
		res = b.Post("/login/code", "code", code(0), "again", "community", "name", "kept", "title", "A title that is kept")
		require.Contains(t, res.Body.String(), "You are logged in.")
		require.Contains(t, res.Body.String(), `value="A title that is kept"`)
	})
	t.Run("a program sends all at once", func(t *testing.T) {
		later()
		b := s.Jarred()
		b.Header.Set("Accept", "application/json")
		res := b.Post("/login", "login", "ann", "password", "correct horse")
		require.Equal(t, http.StatusUnauthorized, res.Code)
		require.Contains(t, res.Body.String(), `"field":"code"`)
		require.Empty(t, b.Cookie)
		require.Equal(t, http.StatusOK, b.Post("/login", "login", "ann", "password", "correct horse", "code", code(0)).Code)
		require.NotEmpty(t, b.Cookie)
	})
	t.Run("is limited for the account, from all networks", func(t *testing.T) {
		strict := workertest.OpenSite(t, s.Sql, s.Redis, 1)
		strict.Now = s.Now
		var res *httptest.ResponseRecorder
		for i := range 11 {
			b := strict.Jarred()
			b.Remote = []string{"192.0.2.1:1", "198.51.100.1:1", "203.0.113.1:1"}[i%3]
			b.Jar = password().Jar
			res = b.Post("/login/code", "code", "000000")
		}
		require.Equal(t, http.StatusTooManyRequests, res.Code)
		require.Contains(t, res.Body.String(), "Too many wrong codes.")
		s.Now = s.Now.Add(2 * time.Hour)
	})
	t.Run("is not asked for after a passkey that has verified its owner, and is after another one", func(t *testing.T) {
		p := webauthntest.New(workertest.PasskeySite, webauthn.EdDSA)
		prove(ann)
		later()
		challenge, _ := ann.Challenge("add")
		ann.MustPost("/settings/passkeys", workertest.Created(p, challenge)...)
		for flags, want := range map[byte]int{webauthntest.Present | webauthntest.Verified: http.StatusSeeOther,
			webauthntest.Present: http.StatusOK} {
			b := s.Jarred()
			p.Flags = flags
			challenge, _ := b.Challenge("login")
			require.Equal(t, want, b.Post("/login/passkey", workertest.Signed(p, challenge)...).Code)
			require.Equal(t, want == http.StatusSeeOther, b.Cookie != "")
		}
	})
	t.Run("is turned on once, by the right code", func(t *testing.T) {
		other := totp.Text([]byte("12345678901234567890"))
		res := ann.Post("/settings/totp", "secret", other, "code", totp.Code([]byte("12345678901234567890"), totp.Step(s.Now)))
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "You have an authenticator app already.")
		cam := s.Member("cam")
		res = cam.Post("/settings/totp", "secret", other, "code", "000000")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), other, "the same key is shown again")
		require.Equal(t, "/settings/totp", cam.MustPost("/settings/totp", "secret", "x", "code", "1"))
		require.Equal(t, http.StatusUnprocessableEntity, cam.Post("/settings/totp/codes").Code)
		require.EqualValues(t, 2, s.One("SELECT count(*) FROM totp"))
	})
	t.Run("is turned on by a code as apps show it, and the form, sent again, leaves the recovery codes as they are", func(t *testing.T) {
		dot := s.Member("dot")
		other := []byte("12345678901234567890")
		c := totp.Code(other, totp.Step(s.Now))
		form := []string{"secret", totp.Text(other), "code", c[:3] + " " + c[3:]}
		res := dot.Post("/settings/totp", form...)
		require.Equal(t, http.StatusOK, res.Code)
		kept := workertest.ShownCodes.FindAllStringSubmatch(res.Body.String(), -1)
		res = dot.Post("/settings/totp", form...) // the page was loaded again
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "turned on already")
		b := s.Jarred()
		b.Post("/login", "login", "dot", "password", "correct horse")
		b.MustPost("/login/code", "code", kept[0][1])
		require.NotEmpty(t, b.Cookie)
	})
	t.Run("of a member without a password is turned off by a proof and a code, or a recovery code", func(t *testing.T) {
		p := webauthntest.New(workertest.PasskeySite, webauthn.EdDSA)
		fay := s.Jarred()
		require.Equal(t, http.StatusSeeOther, fay.SignUpWith(p, "fay").Code)
		_, kept := s.Authenticator(fay)
		require.Equal(t, http.StatusUnprocessableEntity, fay.Post("/settings/totp/off").Code)
		require.Equal(t, "/settings/security?done=app-off", fay.MustPost("/settings/totp/off", "code", kept[3]))
	})
	t.Run("is asked for when the form of the sign-up is sent again", func(t *testing.T) {
		b := s.Visitor()
		form := []string{"username", "eli", "password", "correct horse", "token", "a-token-of-a-sign-up"}
		b.MustPost("/signup", form...)
		s.Authenticator(b)
		again := s.Jarred()
		res := again.Post("/signup", form...)
		require.Equal(t, http.StatusOK, res.Code)
		require.Contains(t, res.Body.String(), "The second step")
		require.Empty(t, again.Cookie)
	})
	t.Run("is turned off by a code, and not by a proof alone", func(t *testing.T) {
		later()
		prove(ann)
		later()
		require.Contains(t, ann.Page("/settings/security"), `name="code"`)
		res := ann.Post("/settings/totp/off")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "Please type the code of your authenticator app, or a recovery code.")
		for _, wrong := range []string{"000000", code(3), "0000-0000-0000-0000"} {
			res := ann.Post("/settings/totp/off", "code", wrong)
			require.Equal(t, http.StatusUnprocessableEntity, res.Code)
			require.Contains(t, res.Body.String(), "That code is wrong.")
			require.NotContains(t, res.Body.String(), wrong, "a code is not shown again")
		}
		require.EqualValues(t, 1, s.One("SELECT count(*) FROM totp t JOIN users u ON u.id = t.user_id WHERE u.username = 'ann'"))
		require.Equal(t, "/settings/security?done=app-off", ann.MustPost("/settings/totp/off", "code", code(0)))
		ann.MustPost("/settings/totp/off")
		require.Contains(t, ann.Page("/settings/security?done=app-off"), "Set up an authenticator app")
		b := s.Jarred()
		b.MustPost("/login", "login", "ann", "password", "correct horse")
		require.NotEmpty(t, b.Cookie)
	})
}
