package worker_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

// TestNamesWithControlCharacters: names with control characters are refused and not repaired, because what is left may be another user's
// name.
func TestNamesWithControlCharacters(t *testing.T) {
	s := workertest.MustOpen(t)
	s.Mailbox()
	ann := s.Member("ann")
	for _, email := range []string{"a@example.org\x00", "a@example.org\x01", "\x00a@example.org", "a\x00@example.org", "a@example.org\n",
		"a@example.org\r\n", "\ta@example.org",
		"a@example.org\u0085", "a@example.org\u00a0", "a@example.org\u200b", "a@example.org\u202e", "a@example.org\x7f", "a@example.org\xff"} {
		res := s.Visitor().Post("/signup", "username", "bob", "email", email, "password", "correct horse")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code, "%q", email)
		require.Contains(t, res.Body.String(), "That does not look like an email address.", "%q", email)
		res = ann.Post("/settings/account/email", "email", email)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code, "%q", email)
		require.Contains(t, res.Body.String(), "That does not look like an email address.", "%q", email)
		if body, err := json.Marshal(map[string]string{"username": "bob", "email": email, "password": "correct horse"}); err == nil &&
			email[len(email)-1] != 0xff {
			b := s.Visitor()
			b.Header.Set("Accept", "application/json")
			require.Equal(t, http.StatusUnprocessableEntity, b.PostBody("/signup", "application/json", string(body)).Code, "%q", email)
		}
	}
	for _, name := range []string{"bob\x00", "\x00bob", "b\x01ob", "bob\n", "bob\u0085", "bob\u200b"} {
		require.Equal(t, http.StatusUnprocessableEntity, s.Visitor().Post("/signup", "username", name, "password", "correct horse").Code, "%q",
			name)
		require.Equal(t, http.StatusUnprocessableEntity, ann.Post("/settings/account/name", "username", name).Code, "%q", name)
	}
	require.EqualValues(t, 1, s.One("SELECT count(*) FROM users"))
	s.Visitor().MustPost("/signup", "username", " bob ", "email", " bob@example.org ", "password", "correct horse")
	require.Equal(t, "bob@example.org", s.One("SELECT email FROM users WHERE username = 'bob'"))
}
