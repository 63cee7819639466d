package worker_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/totp"
	"plaza/webauthn"
	"plaza/webauthn/webauthntest"
)

// TestProofsTakeTheSecondStep has somebody with a copied session and the password, or the mailbox, of a member who has an authenticator app.
func TestProofsTakeTheSecondStep(t *testing.T) {
	s := openMailed(t)
	ann, address := s.linkedMember("ann")
	ann.jar = map[string]string{}
	secret, codes := s.authenticator(ann)
	code := func() string { return totp.Code(secret, totp.Step(s.now)) }
	later := func() { s.now = s.now.Add(16 * time.Minute) }
	change := func(b *browser) *httptest.ResponseRecorder {
		return b.post("/settings/account/email", "email", "ann@new.example", "return", "/settings/account")
	}
	program := func(b *browser, path string, fields ...string) *httptest.ResponseRecorder {
		t.Helper()
		defer b.header.Del("Accept")
		return b.withHeader("Accept", "application/json").post(path, fields...)
	}
	const wanted = "/prove?next=%2Fsettings%2Faccount"
	proved := func(b *browser) {
		t.Helper()
		require.Equal(t, "/settings/account?mailed", change(b).Header().Get("Location"))
	}
	unproved := func(b *browser) {
		t.Helper()
		require.Equal(t, wanted, change(b).Header().Get("Location"))
		require.Equal(t, http.StatusForbidden, program(b, "/passkeys/challenge", "for", "add").Code, "no passkey, which needs no second step")
	}
	asked := func(res *httptest.ResponseRecorder) string {
		t.Helper()
		require.Equal(t, http.StatusOK, res.Code, res.Body.String())
		require.Contains(t, res.Body.String(), "The second step")
		return res.Body.String()
	}
	password := func(b *browser) string {
		t.Helper()
		return asked(b.post("/prove", append(formOf(t, b.page(wanted), "/prove"), "password", "correct horse")...))
	}

	t.Run("the password alone is no proof, with a code it is", func(t *testing.T) {
		later()
		page := password(ann)
		unproved(ann)
		for wrong, says := range map[string]string{"": "Please type the code", "000000": "That code is wrong.", "0000-0000-0000-0000": "That code is wrong."} {
			res := ann.post("/prove/code", append(formOf(t, page, "/prove/code"), "code", wrong)...)
			require.Equal(t, http.StatusUnprocessableEntity, res.Code)
			require.Contains(t, res.Body.String(), says)
			require.NotContains(t, res.Body.String(), `value="000`, "a code is not shown again")
			page = res.Body.String()
		}
		unproved(ann)
		require.Equal(t, "/settings/account", ann.mustPost("/prove/code", append(formOf(t, page, "/prove/code"), "code", code())...))
		require.NotContains(t, ann.jar, "__Host-proof")
		proved(ann)
	})
	t.Run("each code and recovery code counts once", func(t *testing.T) {
		used := code()
		later()
		require.NotEqual(t, used, code())
		password(ann)
		ann.mustPost("/prove/code", "code", code())
		password(ann)
		require.Contains(t, ann.post("/prove/code", "code", code()).Body.String(), "was used before")
		ann.mustPost("/prove/code", "code", codes[0])
		later()
		password(ann)
		require.Contains(t, ann.post("/prove/code", "code", codes[0]).Body.String(), "That code is wrong.")
		unproved(ann)
	})
	t.Run("a code without the first step, of another session or ten minutes later is none", func(t *testing.T) {
		later()
		none := func(b *browser) {
			t.Helper()
			res := b.post("/prove/code", "code", code())
			require.Equal(t, http.StatusForbidden, res.Code)
			require.Contains(t, res.Body.String(), "Please begin again.")
			require.Contains(t, res.Body.String(), `name="password"`)
			unproved(b)
		}
		delete(ann.jar, "__Host-proof")
		none(ann)
		password(ann)
		other := s.jarred()
		other.post("/login", "login", "ann", "password", "correct horse")
		other.mustPost("/login/code", "code", codes[1])
		later()
		password(other)
		ann.jar["__Host-proof"] = other.jar["__Host-proof"]
		none(ann)
		password(ann)
		s.now = s.now.Add(10*time.Minute + time.Second)
		none(ann)
	})
	t.Run("a mailed link alone is no proof, with a code it is", func(t *testing.T) {
		later()
		require.Equal(t, http.StatusOK, ann.post("/prove/link", formOf(t, ann.page(wanted), "/prove")...).Code)
		page := asked(s.press(ann, s.link(address, "Confirm that it is you")))
		unproved(ann)
		require.Equal(t, "/settings/account", ann.mustPost("/prove/code", append(formOf(t, page, "/prove/code"), "code", code())...))
		proved(ann)
	})
	t.Run("a passkey that has verified its owner is a proof, another one is with a code", func(t *testing.T) {
		p := webauthntest.New(passkeySite, webauthn.EdDSA)
		challenge, _ := ann.challenge("add")
		ann.mustPost("/settings/passkeys", created(p, challenge)...)
		later()
		p.Flags = webauthntest.Present
		challenge, _ = ann.challenge("prove")
		asked(ann.post("/prove/passkey", append(signed(p, challenge), "next", "/settings/account")...))
		require.Equal(t, wanted, change(ann).Header().Get("Location"))
		require.Equal(t, "/settings/account", ann.mustPost("/prove/code", "code", code(), "next", "/settings/account"))
		proved(ann)
		later()
		p.Flags = webauthntest.Present | webauthntest.Verified
		challenge, _ = ann.challenge("prove")
		require.Equal(t, "/settings/account", ann.mustPost("/prove/passkey", append(signed(p, challenge), "next", "/settings/account")...))
		proved(ann)
	})
	t.Run("a program sends all at once, or the code afterwards", func(t *testing.T) {
		later()
		res := program(ann, "/prove", "password", "correct horse")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), `"field":"code"`)
		unproved(ann)
		require.Equal(t, http.StatusOK, program(ann, "/prove/code", "code", code()).Code)
		proved(ann)
		later()
		require.Equal(t, http.StatusOK, program(ann, "/prove", "password", "correct horse", "code", code()).Code)
		proved(ann)
	})
	t.Run("wrong codes count together with those of logging in", func(t *testing.T) {
		s.now = s.now.Add(2 * time.Hour)
		strict := openSite(t, s.sql, s.redis, 1)
		strict.now = s.now
		b := &browser{site: strict, header: http.Header{}, cookie: ann.cookie, jar: map[string]string{}}
		b.post("/prove", "password", "correct horse")
		in := strict.jarred()
		in.post("/login", "login", "ann", "password", "correct horse")
		for range 5 {
			require.Equal(t, http.StatusUnprocessableEntity, b.post("/prove/code", "code", "000000").Code)
			require.Equal(t, http.StatusUnauthorized, in.post("/login/code", "code", "000000").Code)
		}
		res := b.post("/prove/code", "code", code())
		require.Equal(t, http.StatusTooManyRequests, res.Code)
		require.Contains(t, res.Body.String(), "Too many wrong codes.")
		unproved(b)
	})
}
