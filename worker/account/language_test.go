package account_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

func TestLanguages(t *testing.T) {
	s := workertest.MustOpen(t)
	box := s.Mailbox()
	german := func() *workertest.Browser {
		b := s.Visitor().WithHeader("Accept-Language", "de-AT,de;q=0.9,en;q=0.5")
		b.Jar = map[string]string{}
		return b
	}

	t.Run("a page is in the language that the browser asks for", func(t *testing.T) {
		page := german().Page("/login")
		require.Contains(t, page, `<html lang="de">`)
		require.Contains(t, page, "Benutzername oder E-Mail")
		require.Contains(t, page, `src="/_/app-de.`)
		for _, header := range []string{"tlh", "en-GB,de;q=0.3", "de;q=0", ""} {
			require.Contains(t, s.Visitor().WithHeader("Accept-Language", header).Page("/login"), `<html lang="en">`, header)
		}
	})
	t.Run("errors are too, but for programs", func(t *testing.T) {
		b := german()
		res := b.Post("/signup", "username", "x", "password", "short")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "Ein Passwort braucht mindestens 10 Zeichen.")
		require.Contains(t, b.Get("/nowhere").Body.String(), "Seite nicht gefunden")
		res = b.Get("/c/nowhere.json")
		require.Equal(t, http.StatusNotFound, res.Code)
		require.Contains(t, res.Body.String(), "There is no community of that name.")
	})
	t.Run("a visitor's choice goes before", func(t *testing.T) {
		b := german()
		b.MustPost("/display", "language", "en")
		require.Equal(t, "..en", b.Jar["display"])
		require.Contains(t, b.Page("/login"), `<html lang="en">`)
		b.MustPost("/display", "theme", "dark")
		require.Equal(t, ".dark.en", b.Jar["display"])
		b.MustPost("/display", "language", "de")
		require.Contains(t, b.Page("/hot"), `<html lang="de" data-theme="dark">`)
		require.Contains(t, b.Page("/hot"), `<button name="language" value="de" aria-pressed="true">Deutsch</button>`)
		require.Equal(t, http.StatusUnprocessableEntity, b.Post("/display", "language", "ar-XB").Code)
	})
	t.Run("who signs up in a language reads and gets mails in it", func(t *testing.T) {
		ann := german()
		ann.MustPost("/signup", "username", "ann", "email", "ann@home.example", "password", "correct horse")
		s.DeliverAll()
		mails := box.Mails("ann@home.example")
		require.Len(t, mails, 1)
		require.Contains(t, mails[0].Subject, "Bestätige deine Adresse")
		require.Contains(t, mails[0].HTML, `<html lang="de">`)
		require.Contains(t, ann.WithHeader("Accept-Language", "en").Page("/settings"), `<html lang="de">`)
		require.Contains(t, ann.Page("/settings"), `<option value="de" selected>Deutsch</option>`)
	})
	t.Run("what is made before the account is read is in the member's language too", func(t *testing.T) {
		cara := s.Member("cara")
		cara.Jar = map[string]string{}
		cara.ReadsWith("language", "de")
		cara.Page("/settings") // from then on the device knows it
		require.Equal(t, "de", cara.Jar["language"])
		s.Member("dora").MustPost("/communities", "name", "gophers", "title", "Gophers")
		res := cara.WithHeader("HX-Request", "true").Post("/subscribe", "community", "gophers", "on", "1")
		require.Contains(t, res.Body.String(), "Beigetreten")
		cara.Header.Del("HX-Request")
		require.Contains(t, cara.Post("/subscribe", "community", "nobody", "on", "1").Body.String(), "Seite nicht gefunden")
		cara.ReadsWith("language", "")
		cara.Page("/settings")
		require.Empty(t, cara.Jar["language"])
	})
	t.Run("who has chosen English keeps it", func(t *testing.T) {
		eve := german()
		eve.MustPost("/display", "language", "en")
		eve.MustPost("/signup", "username", "eve", "password", "correct horse")
		require.Contains(t, eve.Page("/settings"), `<option value="en" selected>English</option>`)
	})
	t.Run("a member's choice goes before what the browser asks for", func(t *testing.T) {
		ben := s.Member("ben")
		ben.ReadsWith("language", "de")
		require.Contains(t, ben.Page("/settings"), `<html lang="de">`)
		ben.ReadsWith("language", "")
		require.Contains(t, ben.Page("/settings"), `<html lang="en">`)
		require.Contains(t, ben.WithHeader("Accept-Language", "de").Page("/settings"), `<html lang="de">`)
		require.Equal(t, http.StatusUnprocessableEntity, ben.Post("/settings", "language", "tlh").Code)
	})
}
