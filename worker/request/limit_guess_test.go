package request_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

// TestALockedNameSaysWhatIsOpen: the ways are those of the site, the same for every name.
func TestALockedNameSaysWhatIsOpen(t *testing.T) {
	s := workertest.MustOpen(t)
	home := s.From(99)
	home.MustPost("/signup", "username", "ann", "password", "correct horse")
	network := 0
	says := func(name string) (text string) {
		for range 30 {
			network++
			res := s.From(100+network).Post("/login", "login", name, "password", "wrong horse")
			if res.Code == http.StatusTooManyRequests {
				_, text, _ = strings.Cut(res.Body.String(), "Too many tries to log in under this name.")
				text, _, _ = strings.Cut(text, "</p>")
				return text
			}
		}
		t.Fatal("it is never locked")
		return ""
	}
	s.Strict(s.Redis)
	const before = "where you have logged in before, "
	require.Contains(t, says("ann"), before+"or with a passkey.")
	s.Mailbox()
	s.Strict(s.Redis)
	require.Contains(t, says("ann"), before+"with a passkey or by a link that we mail you.")
	s.GitHub()
	s.Strict(s.Redis)
	require.Contains(t, says("ann"), before+"with a passkey, by a link that we mail you or with your account at GitHub.")
	require.Equal(t, says("ann"), says("nobody"), "it does not tell what an account has, nor whether there is one")
	res := s.From(98).Post("/login/link", "login", "ann")
	require.Equal(t, http.StatusOK, res.Code, "what it names is open")
}
