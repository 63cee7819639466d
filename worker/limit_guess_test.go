package worker_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestALockedNameSaysWhatIsOpen: the ways are those of the site, the same for every name.
func TestALockedNameSaysWhatIsOpen(t *testing.T) {
	s := mustOpen(t)
	home := s.from(99)
	home.mustPost("/signup", "username", "ann", "password", "correct horse")
	network := 0
	says := func(name string) (text string) {
		for range 30 {
			network++
			res := s.from(100+network).post("/login", "login", name, "password", "wrong horse")
			if res.Code == http.StatusTooManyRequests {
				_, text, _ = strings.Cut(res.Body.String(), "Too many tries to log in under this name.")
				text, _, _ = strings.Cut(text, "</p>")
				return text
			}
		}
		t.Fatal("it is never locked")
		return ""
	}
	s.strict(s.redis)
	const before = "where you have logged in before, "
	require.Contains(t, says("ann"), before+"or with a passkey.")
	s.mailbox()
	s.strict(s.redis)
	require.Contains(t, says("ann"), before+"with a passkey or by a link that we mail you.")
	s.gitHub()
	s.strict(s.redis)
	require.Contains(t, says("ann"), before+"with a passkey, by a link that we mail you or with your account at GitHub.")
	require.Equal(t, says("ann"), says("nobody"), "it does not tell what an account has, nor whether there is one")
	res := s.from(98).post("/login/link", "login", "ann")
	require.Equal(t, http.StatusOK, res.Code, "what it names is open")
}
