package worker_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/people"
)

// copyOf is a browser that has somebody's cookies.
func (b *browser) copyOf() *browser {
	return &browser{site: b.site, cookie: b.cookie, header: http.Header{}}
}

// signedIn tells whether the site knows who a browser is.
func (b *browser) signedIn() bool {
	b.Helper()
	copied := b.copyOf()
	for {
		res := copied.get("/settings/security")
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

// sessions are the ids of the sessions that a member is shown, in their order.
func (b *browser) sessions() (ids []string) {
	b.Helper()
	for _, m := range sessionForm.FindAllStringSubmatch(b.page("/settings/security"), -1) {
		ids = append(ids, m[1])
	}
	return ids
}

func TestSessionList(t *testing.T) {
	s := mustOpen(t)
	s.member("ann")
	desk := s.logIn("ann", "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0")
	phone := s.logIn("ann", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1")
	program := s.logIn("ann", "curl/8.14.1")
	ben := s.member("ben")

	t.Run("shows each device in words, this one first", func(t *testing.T) {
		page := desk.page("/settings/security")
		require.Len(t, desk.sessions(), 4)
		require.Equal(t, strings.Split(desk.cookie, ".")[1], desk.sessions()[0])
		for _, words := range []string{"Firefox on Linux", "Safari on an iPhone", "A program: curl", "with a password", "192.0.2.*"} {
			require.Contains(t, page, words)
		}
		require.NotContains(t, page, "192.0.2.1")
	})

	t.Run("ends one of one's own", func(t *testing.T) {
		id := strings.Split(phone.cookie, ".")[1]
		ben.mustPost("/settings/sessions/end", "id", id)
		require.True(t, phone.signedIn(), "another member's session is not ended")
		desk.mustPost("/settings/sessions/end", "id", id)
		require.False(t, phone.signedIn())
		require.Equal(t, http.StatusUnauthorized, phone.copyOf().post("/follow", "user", "ben", "on", "1").Code)
		require.NotContains(t, desk.sessions(), id)
		desk.mustPost("/settings/sessions/end", "id", id) // in another tab, too
	})

	t.Run("logs out everywhere else, also who has copied the cookie", func(t *testing.T) {
		thief := desk.copyOf()
		before := desk.cookie
		require.True(t, thief.signedIn())
		desk.mustPost("/settings/sessions/end-others")
		require.NotEqual(t, before, desk.cookie)
		require.True(t, desk.signedIn())
		require.False(t, program.signedIn())
		require.False(t, thief.signedIn())
		require.Equal(t, []string{strings.Split(desk.cookie, ".")[1]}, desk.sessions())
		require.Equal(t, http.StatusUnauthorized, thief.post("/settings/sessions/end-others").Code, "nor does it get a new cookie")
	})

	t.Run("forgets a session that was logged out", func(t *testing.T) {
		desk.mustPost("/logout")
		other := s.logIn("ann", "curl/8")
		require.Len(t, other.sessions(), 1)
	})
}

func TestSessionsRunOut(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	day := 24 * time.Hour
	first := ann.cookie

	t.Run("the first page of a day brings a new cookie and notes the use", func(t *testing.T) {
		require.Empty(t, ann.get("/").Result().Cookies())
		s.now = s.now.Add(day)
		require.Len(t, ann.get("/").Result().Cookies(), 1)
		require.NotEqual(t, first, ann.cookie)
		require.Equal(t, strings.Split(first, ".")[1], strings.Split(ann.cookie, ".")[1])
		require.Empty(t, ann.get("/").Result().Cookies())
		require.Equal(t, people.DayOf(s.now).UnixMilli(), s.one("SELECT seen_at FROM sessions"))
	})

	t.Run("a session that is used lives on, one that is not used runs out", func(t *testing.T) {
		idle := ann.copyOf()
		for range 3 {
			s.now = s.now.Add(20 * day)
			ann.page("/")
		}
		require.True(t, ann.signedIn())
		require.False(t, idle.signedIn())
		require.False(t, (&browser{site: s, cookie: first, header: http.Header{}}).signedIn())
		require.Len(t, ann.sessions(), 1)
	})

	t.Run("a year after the login it ends", func(t *testing.T) {
		for range 20 {
			s.now = s.now.Add(20 * day)
			if !ann.signedIn() {
				break
			}
			ann.page("/")
		}
		require.False(t, ann.signedIn())
		require.WithinDuration(t, time.Date(2027, 11, 21, 12, 0, 0, 0, time.UTC), s.now, 20*day)
	})

	t.Run("a cookie that was renewed is revoked like any other", func(t *testing.T) {
		ben := s.member("ben")
		s.now = s.now.Add(2 * day)
		old := ben.copyOf()
		ben.page("/")
		require.NotEqual(t, old.cookie, ben.cookie)
		kept := ben.copyOf()
		ben.mustPost("/logout")
		require.False(t, old.signedIn())
		require.False(t, kept.signedIn())
		s.now = s.now.Add(29 * day)
		require.False(t, kept.signedIn())
		require.False(t, old.signedIn())
	})

	t.Run("an ended session is not renewed", func(t *testing.T) {
		cam := s.member("cam")
		kept := cam.copyOf()
		cam.mustPost("/logout")
		s.now = s.now.Add(day)
		for _, cookie := range kept.get("/").Result().Cookies() {
			require.Empty(t, cookie.Value)
		}
		require.Zero(t, s.one("SELECT count(*) FROM sessions WHERE user_id = (SELECT id FROM users WHERE username = 'cam')"))
	})
}
