package account_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/protocol/totp"
	"plaza/protocol/webauthn"
	"plaza/test/webauthntest"
	"plaza/test/workertest"
)

func TestWaysToSignInAreMailed(t *testing.T) {
	s := workertest.MustOpen(t)
	box := s.Mailbox()
	s.GitHub()
	ann := s.Member("ann")
	ann.Jar = map[string]string{}
	address := s.Confirmed("ann")
	// mailed is one mail about what was just done.
	mailed := func(subject, says string) {
		t.Helper()
		before := len(box.Mails(address))
		s.DeliverAll()
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
		s.DeliverAll()
		s.Pass(2 * time.Minute)
		require.Len(t, box.Mails(address), before)
	}
	s.DeliverAll()

	t.Run("passkeys", func(t *testing.T) {
		key := webauthntest.New(workertest.PasskeySite, webauthn.ES256)
		challenge, _ := ann.Challenge("add")
		form := workertest.Created(key, challenge, "name", "Phone")
		ann.MustPost("/settings/passkeys", form...)
		mailed("A passkey was added to your account at Plaza", "added a passkey (Phone)")
		ann.Post("/settings/passkeys", form...)
		silent()
		ann.MustPost("/settings/passkeys/remove", "id", workertest.B64(key.ID))
		mailed("A passkey was removed from your account at Plaza", "removed a passkey, which")
		ann.MustPost("/settings/passkeys/remove", "id", workertest.B64(key.ID))
		silent()
	})
	t.Run("the authenticator app and its recovery codes", func(t *testing.T) {
		secret := []byte("12345678901234567890")
		ann.Post("/settings/totp", "secret", totp.Text(secret), "code", "000000")
		silent()
		form := []string{"secret", totp.Text(secret), "code", totp.Code(secret, totp.Step(s.Now))}
		require.Equal(t, http.StatusOK, ann.Post("/settings/totp", form...).Code)
		mailed("An authenticator app was set up for your account at Plaza", "set up an authenticator app")
		ann.Post("/settings/totp", form...)
		silent()
		res := ann.Post("/settings/totp/codes", "code", totp.Code(secret, totp.Step(s.Now)+1))
		require.Equal(t, http.StatusOK, res.Code)
		mailed("New recovery codes were made for your account at Plaza", "made new recovery codes")
		ann.MustPost("/settings/totp/off", "code", workertest.ShownCodes.FindStringSubmatch(res.Body.String())[1])
		mailed("The authenticator app was turned off for your account at Plaza", "turned off the authenticator app")
		ann.MustPost("/settings/totp/off")
		silent()
	})
	t.Run("tokens", func(t *testing.T) {
		ann.Post("/settings/tokens", "name", "Backup", "read", "1")
		mailed("A token was made for your account at Plaza", "made an API token (Backup)")
	})
	t.Run("accounts elsewhere", func(t *testing.T) {
		ann.FromGitHub("good")
		ann.MustPost("/settings/providers")
		mailed("Another way to log in was added to your account at Plaza", "added an account at another site (octocat)")
		id := data.ID(s.One("SELECT id FROM identities").(int64)).Text()
		ann.MustPost("/settings/providers/remove", "id", id)
		mailed("A way to log in was removed from your account at Plaza", "removed an account at another site")
		ann.MustPost("/settings/providers/remove", "id", id)
		silent()
	})
}
