package account_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

func TestChangingHowOneGetsIn(t *testing.T) {
	s := openMailed(t)
	ann, address := linkedMember(s, "ann")
	phone := s.Visitor()
	phone.MustPost("/login", "login", "ann", "password", "correct horse")

	t.Run("a new address, confirmed there, told to the old one", func(t *testing.T) {
		page := ann.Page("/settings/account")
		require.Contains(t, page, address)
		require.Equal(t, "/settings/account?mailed",
			ann.MustPost("/settings/account/email", append(workertest.FormOf(t, page, "/settings/account/email"), "email", "ann@new.example")...))
		require.Contains(t, ann.Page("/settings/account?mailed"), "A mail with a link is on its way.")
		require.Equal(t, http.StatusOK, s.Press(s.Visitor(), s.Link("ann@new.example", "Confirm")).Code)
		require.Contains(t, ann.Page("/settings/account"), "ann@new.example")
		old := s.Box.Mails(address)
		require.Contains(t, old[len(old)-1].Text, "ann@new.example")
		require.Equal(t, http.StatusUnprocessableEntity, ann.Post("/settings/account/email", "email", "nonsense").Code)
	})
	t.Run("one that is not confirmed yet gets its mail again", func(t *testing.T) {
		ben := s.Visitor()
		ben.MustPost("/signup", "username", "ben", "email", "ben@home.example", "password", "correct horse")
		s.Deliver()
		page := ben.Page("/settings/account")
		require.Contains(t, page, "not confirmed yet")
		ben.MustPost("/settings/account/email", append(workertest.FormOf(t, page, "/settings/account/email"), "again", "1")...)
		s.Deliver()
		require.Len(t, s.Box.Mails("ben@home.example"), 2)
		require.Equal(t, http.StatusOK, s.Press(ben, s.Link("ben@home.example", "Confirm")).Code)
	})
	t.Run("a new password ends the other sessions and not this one", func(t *testing.T) {
		before := ann.Cookie
		ann.MustPost("/settings/account/password", "password", "battery staple")
		require.NotEqual(t, before, ann.Cookie)
		ann.MustPost("/communities", "name", "still_here")
		require.Equal(t, http.StatusUnauthorized, phone.Post("/communities", "name", "not_there").Code)
		require.Equal(t, http.StatusUnauthorized, (&workertest.Browser{Site: s.Site, Header: http.Header{}, Cookie: before}).
			Post("/communities", "name", "not_there").Code)
	})
	t.Run("none at all, and links instead", func(t *testing.T) {
		ann.MustPost("/settings/account/no-password")
		require.Contains(t, ann.Page("/settings/account"), "You have no password")
		require.Equal(t, http.StatusUnauthorized, s.Visitor().Post("/login", "login", "ann", "password", "battery staple").Code)
		b := s.Visitor()
		b.Post("/login/link", "login", "ann")
		require.Equal(t, http.StatusSeeOther, s.Press(b, s.Link("ann@new.example", "Log in")).Code)
	})
}

func TestProofs(t *testing.T) {
	s := openMailed(t)
	ann, address := linkedMember(s, "ann")
	change := func(b *workertest.Browser) *httptest.ResponseRecorder {
		return b.Post("/settings/account/email", "email", "ann@new.example", "return", "/settings/account")
	}
	wanted := "/prove?next=%2Fsettings%2Faccount"
	later := func() { s.Now = s.Now.Add(16 * time.Minute) }

	t.Run("who has just logged in need give none", func(t *testing.T) {
		require.Equal(t, "/settings/account?mailed", change(ann).Header().Get("Location"))
	})
	t.Run("later the password is one, for a quarter of an hour", func(t *testing.T) {
		later()
		before := s.One("SELECT count(*) FROM mails")
		require.Equal(t, wanted, change(ann).Header().Get("Location"))
		require.Equal(t, before, s.One("SELECT count(*) FROM mails"))
		res := ann.Post("/prove", append(workertest.FormOf(t, ann.Page(wanted), "/prove"), "password", "wrong horse")...)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "That is not your password.")
		require.Equal(t, wanted, change(ann).Header().Get("Location"))
		require.Equal(t, "/settings/account", ann.MustPost("/prove", append(workertest.FormOf(t, res.Body.String(), "/prove"), "password",
			"correct horse")...))
		require.Equal(t, "/settings/account?mailed", change(ann).Header().Get("Location"))
		later()
		require.Equal(t, wanted, change(ann).Header().Get("Location"))
	})
	t.Run("so is a mailed link, in the same session", func(t *testing.T) {
		require.Equal(t, http.StatusOK, ann.Post("/prove/link", workertest.FormOf(t, ann.Page(wanted), "/prove")...).Code)
		link := s.Link(address, "Confirm that it is you")
		require.Equal(t, http.StatusForbidden, s.Press(s.Visitor(), link).Code)
		thief := s.Visitor()
		thief.MustPost("/login", "login", "ann", "password", "correct horse")
		require.Equal(t, http.StatusForbidden, s.Press(thief, link).Code)
		require.Equal(t, "/settings/account", s.Press(ann, link).Header().Get("Location"))
		require.Equal(t, "/settings/account?mailed", change(ann).Header().Get("Location"))
	})
	t.Run("it counts for no other session, nor for a copy of the cookie of before", func(t *testing.T) {
		other := s.Visitor()
		other.MustPost("/login", "login", "ann", "password", "correct horse")
		later()
		copied := &workertest.Browser{Site: s.Site, Cookie: ann.Cookie, Header: http.Header{}}
		ann.MustPost("/prove", "password", "correct horse")
		require.Equal(t, "/settings/account?mailed", change(ann).Header().Get("Location"))
		require.Equal(t, wanted, change(other).Header().Get("Location"))
		require.Equal(t, wanted, change(copied).Header().Get("Location"))
		require.Equal(t, http.StatusUnauthorized, copied.Post("/communities", "name", "copied").Code)
	})
	t.Run("programs are told", func(t *testing.T) {
		later()
		b := &workertest.Browser{Site: s.Site, Cookie: ann.Cookie, Header: http.Header{"Accept": {"application/json"}}}
		require.Equal(t, http.StatusForbidden, change(b).Code)
	})
	t.Run("who can't give one is told what to do", func(t *testing.T) {
		s.Exec("UPDATE users SET password_hash = '', email_confirmed_at = NULL")
		require.Contains(t, ann.Page("/prove"), "log out, log in again")
	})
}
