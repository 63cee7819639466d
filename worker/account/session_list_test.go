package account_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/accounts/sessions"
	"plaza/test/workertest"
)

// copyOf is a browser that has somebody's cookies.
func copyOf(b *workertest.Browser) *workertest.Browser {
	return &workertest.Browser{Site: b.Site, Cookie: b.Cookie, Header: http.Header{}}
}

// signedIn reports whether the site knows who a browser is.
func signedIn(b *workertest.Browser) bool {
	b.Helper()
	copied := copyOf(b)
	for {
		res := copied.Get("/settings/security")
		switch {
		case res.Code == http.StatusOK:
			return true
		case res.Code == http.StatusUnauthorized, strings.HasPrefix(res.Header().Get("Location"), "/login"):
			return false
		}
		require.Equal(b, http.StatusSeeOther, res.Code) // the cookie was deleted
	}
}

var sessionForm = regexp.MustCompile(`action="/settings/sessions/end"><input type="hidden" name="id" value="([^"]*)">`)

// sessionIDs are the ids of the sessions that a member is shown, in their order.
func sessionIDs(b *workertest.Browser) (ids []string) {
	b.Helper()
	for _, m := range sessionForm.FindAllStringSubmatch(b.Page("/settings/security"), -1) {
		ids = append(ids, m[1])
	}
	return ids
}

func TestSessionList(t *testing.T) {
	s := workertest.MustOpen(t)
	s.Member("ann")
	desk := s.LogIn("ann", "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0")
	phone := s.LogIn("ann", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 "+
		"Mobile/15E148 Safari/604.1")
	program := s.LogIn("ann", "curl/8.14.1")
	ben := s.Member("ben")

	t.Run("shows each device in words, this one first", func(t *testing.T) {
		page := desk.Page("/settings/security")
		require.Len(t, sessionIDs(desk), 4)
		require.Equal(t, strings.Split(desk.Cookie, ".")[1], sessionIDs(desk)[0])
		for _, words := range []string{"Firefox on Linux", "Safari on an iPhone", "A program: curl", "with a password", "192.0.2.*"} {
			require.Contains(t, page, words)
		}
		require.NotContains(t, page, "192.0.2.1")
	})

	t.Run("ends one of one's own", func(t *testing.T) {
		id := strings.Split(phone.Cookie, ".")[1]
		ben.MustPost("/settings/sessions/end", "id", id)
		require.True(t, signedIn(phone), "another member's session is not ended")
		desk.MustPost("/settings/sessions/end", "id", id)
		require.False(t, signedIn(phone))
		require.Equal(t, http.StatusUnauthorized, copyOf(phone).Post("/follow", "user", "ben", "on", "1").Code)
		require.NotContains(t, sessionIDs(desk), id)
		desk.MustPost("/settings/sessions/end", "id", id) // in another tab, too
	})

	t.Run("logs out everywhere else, also who has copied the cookie", func(t *testing.T) {
		thief := copyOf(desk)
		before := desk.Cookie
		require.True(t, signedIn(thief))
		desk.MustPost("/settings/sessions/end-others")
		require.NotEqual(t, before, desk.Cookie)
		require.True(t, signedIn(desk))
		require.False(t, signedIn(program))
		require.False(t, signedIn(thief))
		require.Equal(t, []string{strings.Split(desk.Cookie, ".")[1]}, sessionIDs(desk))
		require.Equal(t, http.StatusUnauthorized, thief.Post("/settings/sessions/end-others").Code, "nor does it get a new cookie")
	})

	t.Run("forgets a session that was logged out", func(t *testing.T) {
		desk.MustPost("/logout")
		other := s.LogIn("ann", "curl/8")
		require.Len(t, sessionIDs(other), 1)
	})
}

// TestSessionsOfAFasterClock: what ends all sessions also ends those that an instance has issued whose clock is an hour ahead.
func TestSessionsOfAFasterClock(t *testing.T) {
	for name, end := range map[string]func(*workertest.Browser){
		"log out elsewhere":   func(b *workertest.Browser) { b.MustPost("/settings/sessions/end-others") },
		"change the password": func(b *workertest.Browser) { b.MustPost("/settings/account/password", "password", "battery staple") },
	} {
		t.Run(name, func(t *testing.T) {
			s := workertest.MustOpen(t)
			ann := s.Member("ann")
			s.Now = s.Now.Add(time.Hour)
			other := s.LogIn("ann", "curl/8.14.1")
			s.Now = s.Now.Add(-time.Hour)
			require.True(t, signedIn(other))
			end(ann)
			require.False(t, signedIn(other))
			require.True(t, signedIn(ann))
		})
	}
}

func TestSessionsRunOut(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	day := 24 * time.Hour
	first := ann.Cookie

	t.Run("the first page of a day brings a new cookie and notes the use", func(t *testing.T) {
		require.Empty(t, ann.Get("/").Result().Cookies())
		s.Now = s.Now.Add(day)
		require.Len(t, ann.Get("/").Result().Cookies(), 1)
		require.NotEqual(t, first, ann.Cookie)
		require.Equal(t, strings.Split(first, ".")[1], strings.Split(ann.Cookie, ".")[1])
		require.Empty(t, ann.Get("/").Result().Cookies())
		require.Equal(t, sessions.DayOf(s.Now).UnixMilli(), s.One("SELECT seen_at FROM sessions"))
	})

	t.Run("a session that is used lives on, one that is not used runs out", func(t *testing.T) {
		idle := copyOf(ann)
		for range 3 {
			s.Now = s.Now.Add(20 * day)
			ann.Page("/")
		}
		require.True(t, signedIn(ann))
		require.False(t, signedIn(idle))
		require.False(t, signedIn((&workertest.Browser{Site: s, Cookie: first, Header: http.Header{}})))
		require.Len(t, sessionIDs(ann), 1)
	})

	t.Run("a year after the login it ends", func(t *testing.T) {
		for range 20 {
			s.Now = s.Now.Add(20 * day)
			if !signedIn(ann) {
				break
			}
			ann.Page("/")
		}
		require.False(t, signedIn(ann))
		require.WithinDuration(t, time.Date(2027, 11, 21, 12, 0, 0, 0, time.UTC), s.Now, 20*day)
	})

	t.Run("a cookie that was renewed is revoked like any other", func(t *testing.T) {
		ben := s.Member("ben")
		s.Now = s.Now.Add(2 * day)
		old := copyOf(ben)
		ben.Page("/")
		require.NotEqual(t, old.Cookie, ben.Cookie)
		kept := copyOf(ben)
		ben.MustPost("/logout")
		require.False(t, signedIn(old))
		require.False(t, signedIn(kept))
		s.Now = s.Now.Add(29 * day)
		require.False(t, signedIn(kept))
		require.False(t, signedIn(old))
	})

	t.Run("an ended session is not renewed", func(t *testing.T) {
		cam := s.Member("cam")
		kept := copyOf(cam)
		cam.MustPost("/logout")
		s.Now = s.Now.Add(day)
		for _, cookie := range kept.Get("/").Result().Cookies() {
			require.Empty(t, cookie.Value)
		}
		require.Zero(t, s.One("SELECT count(*) FROM sessions WHERE user_id = (SELECT id FROM users WHERE username = 'cam')"))
	})
}
