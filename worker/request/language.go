package request

import (
	"net/http"
	"time"

	"plaza/locale"
)

// languageCookie has the language that a member has chosen, for answers that are made before the account is read: buttons in their new
// state, and errors. The edge reads it too (worker/edge/shim/pages.mjs). The cookie stays when the member logs out. The edge serves nothing
// from its cache to requests with a member's other cookies, so the name of this one begins differently.
const languageCookie = "language"

// languageLife is how long a device remembers.
const languageLife = 365 * 24 * time.Hour

// Language is the language of the answer: the one that the caller has chosen, else the one that their browser asks for most. Programs get
// English.
func (c *Call) Language() *locale.Language {
	if l := locale.Find(c.chosenLanguage()); l != nil {
		return l
	}
	return locale.Asked(c.R.Header.Get("Accept-Language"))
}

func (c *Call) chosenLanguage() string {
	if c.Actor != nil && c.Viewer == nil {
		value, _ := c.Cookie(languageCookie)
		return value
	}
	_, language := c.Chosen()
	return language
}

// rememberLanguage has a member's device remember the language of the account.
func (c *Call) rememberLanguage() {
	if c.Actor == nil || c.Viewer == nil || c.ByToken {
		return
	}
	chosen := c.Viewer.Choices.Language
	if value, _ := c.Cookie(languageCookie); value == chosen {
		return
	}
	cookie := http.Cookie{Name: languageCookie, Value: chosen, Path: "/", MaxAge: int(languageLife / time.Second),
		Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode}
	if chosen == "" {
		cookie.MaxAge = -1
	}
	http.SetCookie(c.W, &cookie)
}

// LanguageToKeep is the tag of Language for who signs up: they read in it from then on, and get mails in it. It is "" where that is English
// and their browser asks for it.
func (c *Call) LanguageToKeep() string {
	l := c.Language()
	if l == locale.English && locale.Asked(c.R.Header.Get("Accept-Language")) == l {
		return ""
	}
	return l.Tag
}
