package worker_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWelcome(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	for _, name := range []string{"gophers", "gardens", "guitars"} {
		ann.mustPost("/communities", "name", name)
	}
	ann.mustPost("/submit", "community", "gophers", "title", "A post", "text", "x")
	b := s.visitor()
	require.Equal(t, "/welcome", b.mustPost("/signup", "username", "newcomer", "password", "correct horse"))
	require.Equal(t, "/c/gophers", s.visitor().mustPost("/signup", "username", "guest", "password", "correct horse", "next", "/c/gophers"), "who comes from somewhere goes back")
	require.Contains(t, b.page("/"), `href="/welcome"`)

	page := b.page("/welcome")
	for _, name := range []string{"gophers", "gardens", "guitars"} {
		require.Contains(t, page, `name="community" value="`+name+`"`)
	}
	mine := "SELECT count(*) FROM subscriptions s JOIN users u ON u.id = s.user_id WHERE u.username = 'newcomer'"
	b.mustPost("/subscribe", "community", "gophers", "on", "1")
	require.Equal(t, int64(1), s.one(mine))
	for range 2 {
		require.Equal(t, "/", string(b.postBody("/welcome", "application/x-www-form-urlencoded", "community=gophers&community=gardens&community=nowhere&community=u-ann").Header().Get("Location")))
		require.Equal(t, int64(2), s.one(mine))
	}
	require.NotContains(t, b.page("/"), `href="/welcome"`)

	old := b.cookie
	b.mustPost("/logout")
	b.cookie = old
	require.Equal(t, 401, b.post("/welcome", "community", "guitars").Code)
	require.Equal(t, int64(2), s.one(mine))
}
