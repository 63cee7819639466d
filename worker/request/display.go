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

// displayLife is how long a device remembers.
const displayLife = 365 * 24 * time.Hour

// Display is how the caller wants pages to look: a member as in the account, a visitor as the device remembers.
func (c *Call) Display() ui.Display {
	d, _ := c.Chosen()
	return d
}

// Chosen is Display with the tag of the language that the caller has chosen, "" for none.
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

// RememberDisplay has a visitor's device remember what was chosen.
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
