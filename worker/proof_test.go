package worker_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestChangingHowOneGetsIn(t *testing.T) {
	s := openMailed(t)
	ann, address := s.linkedMember("ann")
	phone := s.visitor()
	phone.mustPost("/login", "login", "ann", "password", "correct horse")

	t.Run("a new address, confirmed there, told to the old one", func(t *testing.T) {
		page := ann.page("/settings/account")
		require.Contains(t, page, address)
		require.Equal(t, "/settings/account?mailed", ann.mustPost("/settings/account/email", append(formOf(t, page, "/settings/account/email"), "email", "ann@new.example")...))
		require.Contains(t, ann.page("/settings/account?mailed"), "A mail with a link is on its way.")
		require.Equal(t, http.StatusOK, s.press(s.visitor(), s.link("ann@new.example", "Confirm")).Code)
		require.Contains(t, ann.page("/settings/account"), "ann@new.example")
		old := s.box.Mails(address)
		require.Contains(t, old[len(old)-1].Text, "ann@new.example")
		require.Equal(t, http.StatusUnprocessableEntity, ann.post("/settings/account/email", "email", "nonsense").Code)
	})
	t.Run("one that is not confirmed yet gets its mail again", func(t *testing.T) {
		ben := s.visitor()
		ben.mustPost("/signup", "username", "ben", "email", "ben@home.example", "password", "correct horse")
		s.deliver()
		page := ben.page("/settings/account")
		require.Contains(t, page, "not confirmed yet")
		ben.mustPost("/settings/account/email", append(formOf(t, page, "/settings/account/email"), "again", "1")...)
		s.deliver()
		require.Len(t, s.box.Mails("ben@home.example"), 2)
		require.Equal(t, http.StatusOK, s.press(ben, s.link("ben@home.example", "Confirm")).Code)
	})
	t.Run("a new password ends the other sessions and not this one", func(t *testing.T) {
		before := ann.cookie
		ann.mustPost("/settings/account/password", "password", "battery staple")
		require.NotEqual(t, before, ann.cookie)
		ann.mustPost("/communities", "name", "still_here")
		require.Equal(t, http.StatusUnauthorized, phone.post("/communities", "name", "not_there").Code)
		require.Equal(t, http.StatusUnauthorized, (&browser{site: s.site, header: http.Header{}, cookie: before}).post("/communities", "name", "not_there").Code)
	})
	t.Run("none at all, and links instead", func(t *testing.T) {
		ann.mustPost("/settings/account/no-password")
		require.Contains(t, ann.page("/settings/account"), "You have no password")
		require.Equal(t, http.StatusUnauthorized, s.visitor().post("/login", "login", "ann", "password", "battery staple").Code)
		b := s.visitor()
		b.post("/login/link", "login", "ann")
		require.Equal(t, http.StatusSeeOther, s.press(b, s.link("ann@new.example", "Log in")).Code)
	})
}

func TestProofs(t *testing.T) {
	s := openMailed(t)
	ann, address := s.linkedMember("ann")
	change := func(b *browser) *httptest.ResponseRecorder {
		return b.post("/settings/account/email", "email", "ann@new.example", "return", "/settings/account")
	}
	wanted := "/prove?next=%2Fsettings%2Faccount"
	later := func() { s.now = s.now.Add(16 * time.Minute) }

	t.Run("who has just logged in need give none", func(t *testing.T) {
		require.Equal(t, "/settings/account?mailed", change(ann).Header().Get("Location"))
	})
	t.Run("later the password is one, for a quarter of an hour", func(t *testing.T) {
		later()
		before := s.one("SELECT count(*) FROM mails")
		require.Equal(t, wanted, change(ann).Header().Get("Location"))
		require.Equal(t, before, s.one("SELECT count(*) FROM mails"))
		res := ann.post("/prove", append(formOf(t, ann.page(wanted), "/prove"), "password", "wrong horse")...)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "That is not your password.")
		require.Equal(t, wanted, change(ann).Header().Get("Location"))
		require.Equal(t, "/settings/account", ann.mustPost("/prove", append(formOf(t, res.Body.String(), "/prove"), "password", "correct horse")...))
		require.Equal(t, "/settings/account?mailed", change(ann).Header().Get("Location"))
		later()
		require.Equal(t, wanted, change(ann).Header().Get("Location"))
	})
	t.Run("so is a mailed link, in the same session", func(t *testing.T) {
		require.Equal(t, http.StatusOK, ann.post("/prove/link", formOf(t, ann.page(wanted), "/prove")...).Code)
		link := s.link(address, "Confirm that it is you")
		require.Equal(t, http.StatusForbidden, s.press(s.visitor(), link).Code)
		thief := s.visitor()
		thief.mustPost("/login", "login", "ann", "password", "correct horse")
		require.Equal(t, http.StatusForbidden, s.press(thief, link).Code)
		require.Equal(t, "/settings/account", s.press(ann, link).Header().Get("Location"))
		require.Equal(t, "/settings/account?mailed", change(ann).Header().Get("Location"))
	})
	t.Run("it counts for no other session, nor for a copy of the cookie of before", func(t *testing.T) {
		other := s.visitor()
		other.mustPost("/login", "login", "ann", "password", "correct horse")
		later()
		copied := &browser{site: s.site, cookie: ann.cookie, header: http.Header{}}
		ann.mustPost("/prove", "password", "correct horse")
		require.Equal(t, "/settings/account?mailed", change(ann).Header().Get("Location"))
		require.Equal(t, wanted, change(other).Header().Get("Location"))
		require.Equal(t, wanted, change(copied).Header().Get("Location"))
		require.Equal(t, http.StatusUnauthorized, copied.post("/communities", "name", "copied").Code)
	})
	t.Run("programs are told", func(t *testing.T) {
		later()
		b := &browser{site: s.site, cookie: ann.cookie, header: http.Header{"Accept": {"application/json"}}}
		require.Equal(t, http.StatusForbidden, change(b).Code)
	})
	t.Run("who can't give one is told what to do", func(t *testing.T) {
		s.exec("UPDATE users SET password_hash = '', email_confirmed_at = NULL")
		require.Contains(t, ann.page("/prove"), "log out, log in again")
	})
}
