package request

import (
	"net/http"
	"strings"
	"time"

	"plaza/data/accounts"
	"plaza/locale"
	"plaza/render/ui"
)

// displayCookie has a visitor's density, theme and language, with dots between them. The edge caches a page for each set of values
// (worker/edge/shim/cache.mjs), so the name does not begin with __Host-, as members' cookies do. The script reads the cookie too.
const displayCookie = "display"

// choiceLife is the lifetime of cookies that have what somebody has chosen.
const choiceLife = 365 * 24 * time.Hour

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
	cookie := http.Cookie{Name: displayCookie, Value: value, Path: "/", MaxAge: int(choiceLife / time.Second),
		Secure: true, SameSite: http.SameSiteLaxMode}
	if value == "." {
		cookie.MaxAge = -1
	}
	http.SetCookie(c.W, &cookie)
}

// languageCookie has the language that a member has chosen, for responses that are made before the account is read: buttons in their new
// state, and errors. The edge reads it too (worker/edge/shim/pages.mjs). The cookie stays when the member logs out. The edge serves nothing
// from its cache to requests with cookies named __Host-, as a member's other cookies are, so this one has another name.
const languageCookie = "language"

// Language returns the language of the response: the one that the caller has chosen, else the browser's first choice. Programs get
// English.
func (c *Call) Language() *locale.Language {
	if l := locale.Find(c.chosenLanguage()); l != nil {
		return l
	}
	return c.askedLanguage()
}

// askedLanguage returns the first choice of the browser.
func (c *Call) askedLanguage() *locale.Language {
	if c.asked == nil {
		c.asked = locale.Asked(c.R.Header.Get("Accept-Language"))
	}
	return c.asked
}

func (c *Call) chosenLanguage() string {
	if c.Actor != nil && c.Viewer == nil {
		value, _ := c.Cookie(languageCookie)
		return value
	}
	_, language := c.Chosen()
	return language
}

// rememberLanguage sets the cookie to the language of the member's account.
func (c *Call) rememberLanguage() {
	if c.Actor == nil || c.Viewer == nil || c.ByToken {
		return
	}
	chosen := c.Viewer.Choices.Language
	if value, _ := c.Cookie(languageCookie); value == chosen {
		return
	}
	life := choiceLife
	if chosen == "" {
		life = -time.Second
	}
	c.SetCookie(languageCookie, chosen, life)
}

// LanguageToKeep returns the tag of the language of a new account, for its pages and mails. It is Language, or "" if that is English and
// the browser asks for it.
func (c *Call) LanguageToKeep() string {
	l := c.Language()
	if l == locale.English && c.askedLanguage() == l {
		return ""
	}
	return l.Tag
}
