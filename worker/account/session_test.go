package account_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

func TestSessions(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	id := workertest.Targets(ann.Page(ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")))[0]

	t.Run("logging in again ends the session that is replaced", func(t *testing.T) {
		ben := s.Member("ben")
		for name, again := range map[string][]string{
			"/login":  {"login", "ben", "password", "correct horse"},
			"/signup": {"username", "ben2", "password", "correct horse"},
		} {
			copied := &workertest.Browser{Site: s, Cookie: ben.Cookie, Header: http.Header{}}
			copied.MustPost("/vote", "target", id, "value", "1")
			ben.MustPost(name, again...)
			require.NotEqual(t, copied.Cookie, ben.Cookie)
			require.Equal(t, http.StatusUnauthorized, copied.Post("/vote", "target", id, "value", "-1").Code)
			ben.MustPost("/vote", "target", id, "value", "1")
		}
	})

	t.Run("a failed login leaves the session", func(t *testing.T) {
		cam := s.Member("cam")
		require.Equal(t, http.StatusUnauthorized, cam.Post("/login", "login", "cam", "password", "wrong").Code)
		cam.MustPost("/vote", "target", id, "value", "1")
	})

	t.Run("a preview is for sessions that stand", func(t *testing.T) {
		dan := s.Member("dan")
		copied := &workertest.Browser{Site: s, Cookie: dan.Cookie, Header: http.Header{}}
		dan.MustPost("/logout")
		res := copied.Post("/preview", "preview", "reply", "post", id, "body", "typed **body**")
		require.Equal(t, http.StatusUnauthorized, res.Code)
		require.Contains(t, res.Body.String(), "typed **body**")
		require.NotContains(t, res.Body.String(), "<strong>body</strong>")
		copied.Header.Set("HX-Request", "true")
		require.Equal(t, http.StatusUnauthorized, copied.Post("/preview", "preview", "reply", "post", id, "body", "**body**").Code)
	})

	t.Run("a form that was sent twice takes no new cookie away", func(t *testing.T) {
		cam := s.Member("presser")
		twice := copyOf(cam)
		cam.MustPost("/settings/account/password", "password", "battery staple")
		for _, path := range []string{"/settings/account/password", "/communities"} {
			res := copyOf(twice).Post(path, "password", "battery staple", "name", "not_made")
			require.Equal(t, http.StatusUnauthorized, res.Code)
			for _, cookie := range res.Result().Cookies() {
				require.NotEqual(t, "__Host-session", cookie.Name)
			}
		}
		require.True(t, signedIn(cam))
		require.Equal(t, "/login?next=%2Fnew", twice.Get("/login?next=%2Fnew").Header().Get("Location"), "the next page deletes one that is over")
		require.Empty(t, twice.Cookie)
		require.Contains(t, twice.Page("/login?next=%2Fnew"), `type="password"`)
		require.Equal(t, "/new", cam.Get("/login?next=%2Fnew").Header().Get("Location"))
	})
	t.Run("a cookie has one way to be written", func(t *testing.T) {
		const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
		last := strings.IndexByte(letters, ann.Cookie[len(ann.Cookie)-1])
		for _, other := range []string{
			// The last letter of 32 bytes has two bits that mean nothing.
			ann.Cookie[:len(ann.Cookie)-1] + string(letters[last^1]),
			ann.Cookie[:len(ann.Cookie)-1] + string(letters[last^2]),
			ann.Cookie + "=",
		} {
			res := (&workertest.Browser{Site: s, Cookie: other}).Post("/vote", "target", id, "value", "1")
			require.Equal(t, http.StatusUnauthorized, res.Code, other)
		}
	})
}
