package worker_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSessions(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	ann.mustPost("/communities", "name", "gophers")
	id := targets(ann.page(ann.mustPost("/submit", "community", "gophers", "title", "A post", "text", "text")))[0]

	t.Run("logging in again ends the session that is replaced", func(t *testing.T) {
		ben := s.member("ben")
		for name, again := range map[string][]string{
			"/login":  {"login", "ben", "password", "correct horse"},
			"/signup": {"username", "ben2", "password", "correct horse"},
		} {
			copied := &browser{site: s, cookie: ben.cookie, header: http.Header{}}
			copied.mustPost("/vote", "target", id, "value", "1")
			ben.mustPost(name, again...)
			require.NotEqual(t, copied.cookie, ben.cookie)
			require.Equal(t, http.StatusUnauthorized, copied.post("/vote", "target", id, "value", "-1").Code)
			ben.mustPost("/vote", "target", id, "value", "1")
		}
	})

	t.Run("a failed login leaves the session", func(t *testing.T) {
		cam := s.member("cam")
		require.Equal(t, http.StatusUnauthorized, cam.post("/login", "login", "cam", "password", "wrong").Code)
		cam.mustPost("/vote", "target", id, "value", "1")
	})

	t.Run("a preview is for sessions that stand", func(t *testing.T) {
		dan := s.member("dan")
		copied := &browser{site: s, cookie: dan.cookie, header: http.Header{}}
		dan.mustPost("/logout")
		res := copied.post("/preview", "preview", "reply", "post", id, "body", "typed **body**")
		require.Equal(t, http.StatusUnauthorized, res.Code)
		require.Contains(t, res.Body.String(), "typed **body**")
		require.NotContains(t, res.Body.String(), "<strong>body</strong>")
		copied.header.Set("HX-Request", "true")
		require.Equal(t, http.StatusUnauthorized, copied.post("/preview", "preview", "reply", "post", id, "body", "**body**").Code)
	})

	t.Run("a form that was sent twice takes no new cookie away", func(t *testing.T) {
		cam := s.member("presser")
		twice := cam.copyOf()
		cam.mustPost("/settings/account/password", "password", "battery staple")
		for _, path := range []string{"/settings/account/password", "/communities"} {
			res := twice.copyOf().post(path, "password", "battery staple", "name", "not_made")
			require.Equal(t, http.StatusUnauthorized, res.Code)
			for _, cookie := range res.Result().Cookies() {
				require.NotEqual(t, "__Host-session", cookie.Name)
			}
		}
		require.True(t, cam.signedIn())
		require.Equal(t, "/login?next=%2Fnew", twice.get("/login?next=%2Fnew").Header().Get("Location"), "the next page deletes one that is over")
		require.Empty(t, twice.cookie)
		require.Contains(t, twice.page("/login?next=%2Fnew"), `type="password"`)
		require.Equal(t, "/new", cam.get("/login?next=%2Fnew").Header().Get("Location"))
	})
	t.Run("a cookie has one way to be written", func(t *testing.T) {
		const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
		last := strings.IndexByte(letters, ann.cookie[len(ann.cookie)-1])
		for _, other := range []string{
			// The last letter of 32 bytes has two bits that mean nothing.
			ann.cookie[:len(ann.cookie)-1] + string(letters[last^1]),
			ann.cookie[:len(ann.cookie)-1] + string(letters[last^2]),
			ann.cookie + "=",
		} {
			res := (&browser{site: s, cookie: other}).post("/vote", "target", id, "value", "1")
			require.Equal(t, http.StatusUnauthorized, res.Code, other)
		}
	})
}
