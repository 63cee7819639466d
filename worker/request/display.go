package request

import (
	"net/http"
	"strings"
	"time"

	"plaza/data/accounts"
	"plaza/render/ui"
)

// displayCookie has a visitor's density, theme and language, with dots between them. The edge caches a page for each set of values
// (worker/edge/shim/cache.mjs), so the name does not begin with __Host-, as members' cookies do. The script reads the cookie too.
const displayCookie = "display"

// displayLife is the lifetime of the cookie.
const displayLife = 365 * 24 * time.Hour

// Display returns the look of pages that the caller has chosen: a member's from the account, a visitor's from the cookie.
func (c *Call) Display() ui.Display {
	d, _ := c.Chosen()
	return d
}

// Chosen is Display with the tag of the language that the caller has chosen; "" for none.
func (c *Call) Chosen() (d ui.Display, language string) {
	if c.Actor != nil {
		chosen := c.Choices()
		return ui.Display{Density: chosen.Density, Theme: chosen.Theme}, chosen.Language
	}
	value, _ := c.Cookie(displayCookie)
	density, rest, _ := strings.Cut(value, ".")
	theme, language, _ := strings.Cut(rest, ".")
	if accounts.CheckDisplay("density", density) != nil || accounts.CheckDisplay("theme", theme) != nil ||
		accounts.CheckDisplay("language", language) != nil {
		return ui.Display{}, ""
	}
	return ui.Display{Density: density, Theme: theme}, language
}

// RememberDisplay sets the cookie with what a visitor has chosen, and deletes it if that is nothing.
func RememberDisplay(c *Call, d ui.Display, language string) {
	value := d.Density + "." + d.Theme
	if language != "" {
		value += "." + language
	}
	cookie := http.Cookie{Name: displayCookie, Value: value, Path: "/", MaxAge: int(displayLife / time.Second),
		Secure: true, SameSite: http.SameSiteLaxMode}
	if value == "." {
		cookie.MaxAge = -1
	}
	http.SetCookie(c.W, &cookie)
}
