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

	t.Run("a program is told what it has subscribed to, and nothing else", func(t *testing.T) {
		b.header.Set("Accept", "application/json")
		defer b.header.Del("Accept")
		for body, want := range map[string]string{
			"": `{"communities":[]}`, "community=nowhere": `{"communities":[]}`, "community=GOPHERS&community=nowhere&community=gardens": `{"communities":["gophers","gardens"]}`,
			"community=gophers&community=gophers": `{"communities":["gophers"]}`,
		} {
			res := b.postBody("/welcome", "application/x-www-form-urlencoded", body)
			require.Equal(t, 200, res.Code)
			require.JSONEq(t, want, res.Body.String(), body)
		}
		require.JSONEq(t, `{"communities":[]}`, b.postBody("/welcome", "application/json", `{}`).Body.String())
	})

	old := b.cookie
	b.mustPost("/logout")
	b.cookie = old
	require.Equal(t, 401, b.post("/welcome", "community", "guitars").Code)
	require.Equal(t, int64(2), s.one(mine))
}
