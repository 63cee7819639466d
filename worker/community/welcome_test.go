package community_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

func TestWelcome(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	for _, name := range []string{"gophers", "gardens", "guitars"} {
		ann.MustPost("/communities", "name", name)
	}
	ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "x")
	b := s.Visitor()
	require.Equal(t, "/welcome", b.MustPost("/signup", "username", "newcomer", "password", "correct horse"))
	require.Equal(t, "/c/gophers", s.Visitor().MustPost("/signup", "username", "guest", "password", "correct horse", "next", "/c/gophers"),
		"who comes from somewhere goes back")
	require.Contains(t, b.Page("/"), `href="/welcome"`)

	page := b.Page("/welcome")
	for _, name := range []string{"gophers", "gardens", "guitars"} {
		require.Contains(t, page, `name="community" value="`+name+`"`)
	}
	mine := "SELECT count(*) FROM subscriptions s JOIN users u ON u.id = s.user_id WHERE u.username = 'newcomer'"
	b.MustPost("/subscribe", "community", "gophers", "on", "1")
	require.Equal(t, int64(1), s.One(mine))
	for range 2 {
		require.Equal(t, "/", string(b.PostBody("/welcome", "application/x-www-form-urlencoded",
			"community=gophers&community=gardens&community=nowhere&community=u-ann").Header().Get("Location")))
		require.Equal(t, int64(2), s.One(mine))
	}
	require.NotContains(t, b.Page("/"), `href="/welcome"`)

	t.Run("a program is told what it has joined, and nothing else", func(t *testing.T) {
		b.Header.Set("Accept", "application/json")
		defer b.Header.Del("Accept")
		for body, want := range map[string]string{
			"": `{"communities":[]}`, "community=nowhere": `{"communities":[]}`,
			"community=GOPHERS&community=nowhere&community=gardens": `{"communities":["gophers","gardens"]}`,
			"community=gophers&community=gophers":                   `{"communities":["gophers"]}`,
		} {
			res := b.PostBody("/welcome", "application/x-www-form-urlencoded", body)
			require.Equal(t, 200, res.Code)
			require.JSONEq(t, want, res.Body.String(), body)
		}
		require.JSONEq(t, `{"communities":[]}`, b.PostBody("/welcome", "application/json", `{}`).Body.String())
	})

	old := b.Cookie
	b.MustPost("/logout")
	b.Cookie = old
	require.Equal(t, 401, b.Post("/welcome", "community", "guitars").Code)
	require.Equal(t, int64(2), s.One(mine))
}
