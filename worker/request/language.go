package request

import (
	"time"

	"plaza/locale"
)

// languageCookie has the language that a member has chosen, for responses that are made before the account is read: buttons in their new
// state, and errors. The edge reads it too (worker/edge/shim/pages.mjs). The cookie stays when the member logs out. The edge serves nothing
// from its cache to requests with cookies named __Host-, as a member's other cookies are, so this one has another name.
const languageCookie = "language"

// languageLife is the lifetime of the cookie.
const languageLife = 365 * 24 * time.Hour

// Language returns the language of the response: the one that the caller has chosen, else the browser's first choice. Programs get
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

// rememberLanguage sets the cookie to the language of the member's account.
func (c *Call) rememberLanguage() {
	if c.Actor == nil || c.Viewer == nil || c.ByToken {
		return
	}
	chosen := c.Viewer.Choices.Language
	if value, _ := c.Cookie(languageCookie); value == chosen {
		return
	}
	life := languageLife
	if chosen == "" {
		life = -time.Second
	}
	c.SetCookie(languageCookie, chosen, life)
}

// LanguageToKeep returns the tag of the language of a new account, for its pages and mails. It is Language, or "" if that is English and
// the browser asks for it.
func (c *Call) LanguageToKeep() string {
	l := c.Language()
	if l == locale.English && locale.Asked(c.R.Header.Get("Accept-Language")) == l {
		return ""
	}
	return l.Tag
}
