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

// TestProofsTakeTheSecondStep has somebody with a copied session and the password, or the mailbox, of a member who has an authenticator
// app.
func TestProofsTakeTheSecondStep(t *testing.T) {
	s := openMailed(t)
	ann, address := linkedMember(s, "ann")
	ann.Jar = map[string]string{}
	secret, codes := s.Authenticator(ann)
	code := func() string { return totp.Code(secret, totp.Step(s.Now)) }
	later := func() { s.Now = s.Now.Add(16 * time.Minute) }
	change := func(b *workertest.Browser) *httptest.ResponseRecorder {
		return b.Post("/settings/account/email", "email", "ann@new.example", "return", "/settings/account")
	}
	program := func(b *workertest.Browser, path string, fields ...string) *httptest.ResponseRecorder {
		t.Helper()
		defer b.Header.Del("Accept")
		return b.WithHeader("Accept", "application/json").Post(path, fields...)
	}
	const wanted = "/prove?next=%2Fsettings%2Faccount"
	proved := func(b *workertest.Browser) {
		t.Helper()
		require.Equal(t, "/settings/account?mailed", change(b).Header().Get("Location"))
	}
	unproved := func(b *workertest.Browser) {
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
	password := func(b *workertest.Browser) string {
		t.Helper()
		return asked(b.Post("/prove", append(workertest.FormOf(t, b.Page(wanted), "/prove"), "password", "correct horse")...))
	}

	t.Run("the password alone is no proof, with a code it is", func(t *testing.T) {
		later()
		page := password(ann)
		unproved(ann)
		for wrong, says := range map[string]string{"": "Please type the code", "000000": "That code is wrong.",
			"0000-0000-0000-0000": "That code is wrong."} {
			res := ann.Post("/prove/code", append(workertest.FormOf(t, page, "/prove/code"), "code", wrong)...)
			require.Equal(t, http.StatusUnprocessableEntity, res.Code)
			require.Contains(t, res.Body.String(), says)
			require.NotContains(t, res.Body.String(), `value="000`, "a code is not shown again")
			page = res.Body.String()
		}
		unproved(ann)
		require.Equal(t, "/settings/account", ann.MustPost("/prove/code", append(workertest.FormOf(t, page, "/prove/code"), "code", code())...))
		require.NotContains(t, ann.Jar, "__Host-proof")
		proved(ann)
	})
	t.Run("each code and recovery code counts once", func(t *testing.T) {
		used := code()
		later()
		require.NotEqual(t, used, code())
		password(ann)
		ann.MustPost("/prove/code", "code", code())
		password(ann)
		require.Contains(t, ann.Post("/prove/code", "code", code()).Body.String(), "was used before")
		ann.MustPost("/prove/code", "code", codes[0])
		later()
		password(ann)
		require.Contains(t, ann.Post("/prove/code", "code", codes[0]).Body.String(), "That code is wrong.")
		unproved(ann)
	})
	t.Run("a code without the first step, of another session or ten minutes later is none", func(t *testing.T) {
		later()
		none := func(b *workertest.Browser) {
			t.Helper()
			res := b.Post("/prove/code", "code", code())
			require.Equal(t, http.StatusForbidden, res.Code)
			require.Contains(t, res.Body.String(), "Please begin again.")
			require.Contains(t, res.Body.String(), `name="password"`)
			unproved(b)
		}
		delete(ann.Jar, "__Host-proof")
		none(ann)
		password(ann)
		other := s.Jarred()
		other.Post("/login", "login", "ann", "password", "correct horse")
		other.MustPost("/login/code", "code", codes[1])
		later()
		password(other)
		ann.Jar["__Host-proof"] = other.Jar["__Host-proof"]
		none(ann)
		password(ann)
		s.Now = s.Now.Add(10*time.Minute + time.Second)
		none(ann)
	})
	t.Run("a mailed link alone is no proof, with a code it is", func(t *testing.T) {
		later()
		require.Equal(t, http.StatusOK, ann.Post("/prove/link", workertest.FormOf(t, ann.Page(wanted), "/prove")...).Code)
		page := asked(s.Press(ann, s.Link(address, "Confirm that it is you")))
		unproved(ann)
		require.Equal(t, "/settings/account", ann.MustPost("/prove/code", append(workertest.FormOf(t, page, "/prove/code"), "code", code())...))
		proved(ann)
	})
	t.Run("a passkey that has verified its owner is a proof, another one is with a code", func(t *testing.T) {
		p := webauthntest.New(workertest.PasskeySite, webauthn.EdDSA)
		challenge, _ := ann.Challenge("add")
		ann.MustPost("/settings/passkeys", workertest.Created(p, challenge)...)
		later()
		p.Flags = webauthntest.Present
		challenge, _ = ann.Challenge("prove")
		asked(ann.Post("/prove/passkey", append(workertest.Signed(p, challenge), "next", "/settings/account")...))
		require.Equal(t, wanted, change(ann).Header().Get("Location"))
		require.Equal(t, "/settings/account", ann.MustPost("/prove/code", "code", code(), "next", "/settings/account"))
		proved(ann)
		later()
		p.Flags = webauthntest.Present | webauthntest.Verified
		challenge, _ = ann.Challenge("prove")
		require.Equal(t, "/settings/account", ann.MustPost("/prove/passkey", append(workertest.Signed(p, challenge), "next",
			"/settings/account")...))
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
		s.Now = s.Now.Add(2 * time.Hour)
		strict := workertest.OpenSite(t, s.Sql, s.Redis, 1)
		strict.Now = s.Now
		b := &workertest.Browser{Site: strict, Header: http.Header{}, Cookie: ann.Cookie, Jar: map[string]string{}}
		b.Post("/prove", "password", "correct horse")
		in := strict.Jarred()
		in.Post("/login", "login", "ann", "password", "correct horse")
		for range 5 {
			require.Equal(t, http.StatusUnprocessableEntity, b.Post("/prove/code", "code", "000000").Code)
			require.Equal(t, http.StatusUnauthorized, in.Post("/login/code", "code", "000000").Code)
		}
		res := b.Post("/prove/code", "code", code())
		require.Equal(t, http.StatusTooManyRequests, res.Code)
		require.Contains(t, res.Body.String(), "Too many wrong codes.")
		unproved(b)
	})
}
