package worker_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/totp"
	"plaza/webauthn"
	"plaza/webauthn/webauthntest"
)

func TestWaysToSignInAreMailed(t *testing.T) {
	s := mustOpen(t)
	box := s.mailbox()
	s.gitHub()
	ann := s.member("ann")
	ann.jar = map[string]string{}
	address := s.confirmed("ann")
	// mailed is one mail about what was just done.
	mailed := func(subject, says string) {
		t.Helper()
		before := len(box.Mails(address))
		s.deliverAll()
		mails := box.Mails(address)[before:]
		require.Len(t, mails, 1)
		require.Equal(t, subject, mails[0].Subject)
		require.Contains(t, mails[0].Text, "Somebody who was logged in as ann "+says)
		require.Regexp(t, `https://plaza.example/settings/(security|tokens)\n`, mails[0].Text)
		require.Contains(t, mails[0].Text, "https://plaza.example/reset")
	}
	silent := func() {
		t.Helper()
		before := len(box.Mails(address))
		s.deliverAll()
		s.pass(2 * time.Minute)
		require.Len(t, box.Mails(address), before)
	}
	s.deliverAll()

	t.Run("passkeys", func(t *testing.T) {
		key := webauthntest.New(passkeySite, webauthn.ES256)
		challenge, _ := ann.challenge("add")
		form := created(key, challenge, "name", "Phone")
		ann.mustPost("/settings/passkeys", form...)
		mailed("A passkey was added to your account at Plaza", "added a passkey (Phone)")
		ann.post("/settings/passkeys", form...)
		silent()
		ann.mustPost("/settings/passkeys/remove", "id", b64(key.ID))
		mailed("A passkey was removed from your account at Plaza", "removed a passkey, which")
		ann.mustPost("/settings/passkeys/remove", "id", b64(key.ID))
		silent()
	})
	t.Run("the authenticator app and its recovery codes", func(t *testing.T) {
		secret := []byte("12345678901234567890")
		ann.post("/settings/totp", "secret", totp.Text(secret), "code", "000000")
		silent()
		form := []string{"secret", totp.Text(secret), "code", totp.Code(secret, totp.Step(s.now))}
		require.Equal(t, http.StatusOK, ann.post("/settings/totp", form...).Code)
		mailed("An authenticator app was set up for your account at Plaza", "set up an authenticator app")
		ann.post("/settings/totp", form...)
		silent()
		res := ann.post("/settings/totp/codes", "code", totp.Code(secret, totp.Step(s.now)+1))
		require.Equal(t, http.StatusOK, res.Code)
		mailed("New recovery codes were made for your account at Plaza", "made new recovery codes")
		ann.mustPost("/settings/totp/off", "code", shownCodes.FindStringSubmatch(res.Body.String())[1])
		mailed("The authenticator app was turned off for your account at Plaza", "turned off the authenticator app")
		ann.mustPost("/settings/totp/off")
		silent()
	})
	t.Run("tokens", func(t *testing.T) {
		ann.post("/settings/tokens", "name", "Backup", "read", "1")
		mailed("A token was made for your account at Plaza", "made an API token (Backup)")
	})
	t.Run("accounts elsewhere", func(t *testing.T) {
		ann.fromGitHub("good")
		ann.mustPost("/settings/providers")
		mailed("Another way to log in was added to your account at Plaza", "added an account at another site (octocat)")
		id := data.ID(s.one("SELECT id FROM identities").(int64)).Text()
		ann.mustPost("/settings/providers/remove", "id", id)
		mailed("A way to log in was removed from your account at Plaza", "removed an account at another site")
		ann.mustPost("/settings/providers/remove", "id", id)
		silent()
	})
}
