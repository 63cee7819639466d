package worker_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNamesWithControlCharacters: names with control characters are refused and not mended, because what is left may be another user's
// name.
func TestNamesWithControlCharacters(t *testing.T) {
	s := mustOpen(t)
	s.mailbox()
	ann := s.member("ann")
	for _, email := range []string{"a@example.org\x00", "a@example.org\x01", "\x00a@example.org", "a\x00@example.org", "a@example.org\n", "a@example.org\r\n", "\ta@example.org",
		"a@example.org\u0085", "a@example.org\u00a0", "a@example.org\u200b", "a@example.org\u202e", "a@example.org\x7f", "a@example.org\xff"} {
		res := s.visitor().post("/signup", "username", "bob", "email", email, "password", "correct horse")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code, "%q", email)
		require.Contains(t, res.Body.String(), "That does not look like an email address.", "%q", email)
		res = ann.post("/settings/account/email", "email", email)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code, "%q", email)
		require.Contains(t, res.Body.String(), "That does not look like an email address.", "%q", email)
		if body, err := json.Marshal(map[string]string{"username": "bob", "email": email, "password": "correct horse"}); err == nil && email[len(email)-1] != 0xff {
			b := s.visitor()
			b.header.Set("Accept", "application/json")
			require.Equal(t, http.StatusUnprocessableEntity, b.postBody("/signup", "application/json", string(body)).Code, "%q", email)
		}
	}
	for _, name := range []string{"bob\x00", "\x00bob", "b\x01ob", "bob\n", "bob\u0085", "bob\u200b"} {
		require.Equal(t, http.StatusUnprocessableEntity, s.visitor().post("/signup", "username", name, "password", "correct horse").Code, "%q", name)
		require.Equal(t, http.StatusUnprocessableEntity, ann.post("/settings/account/name", "username", name).Code, "%q", name)
	}
	require.EqualValues(t, 1, s.one("SELECT count(*) FROM users"))
	s.visitor().mustPost("/signup", "username", " bob ", "email", " bob@example.org ", "password", "correct horse")
	require.Equal(t, "bob@example.org", s.one("SELECT email FROM users WHERE username = 'bob'"))
}
