package request

import (
	"net/http"
	"strings"
	"time"

	"plaza/data/accounts"
	"plaza/render/ui"
)

// displayCookie is how a visitor's device remembers density and theme: the values with a dot between them. The edge keeps a page for each
// pair (worker/edge/shim/cache.mjs), so the name does not begin as those of members' cookies do. The script reads it as well.
const displayCookie = "display"

// displayLife is how long a device remembers.
const displayLife = 365 * 24 * time.Hour

// Display is how the caller wants pages to look: a member as in the account, a visitor as the device remembers.
func (c *Call) Display() ui.Display {
	if c.Actor != nil {
		chosen := c.Choices()
		return ui.Display{Density: chosen.Density, Theme: chosen.Theme}
	}
	value, _ := c.Cookie(displayCookie)
	density, theme, _ := strings.Cut(value, ".")
	if accounts.CheckDisplay("density", density) != nil || accounts.CheckDisplay("theme", theme) != nil {
		return ui.Display{}
	}
	return ui.Display{Density: density, Theme: theme}
}

// RememberDisplay has a visitor's device remember it.
func RememberDisplay(c *Call, d ui.Display) {
	cookie := http.Cookie{Name: displayCookie, Value: d.Density + "." + d.Theme, Path: "/", MaxAge: int(displayLife / time.Second),
		Secure: true, SameSite: http.SameSiteLaxMode}
	if d == (ui.Display{}) {
		cookie.MaxAge = -1
	}
	http.SetCookie(c.W, &cookie)
}
