package account

import (
	"net/http"
	"time"

	"plaza/worker/request"
)

// The browser offers passkeys in the field for the name, and some browsers and password managers then answer by themselves. After a refused
// passkey the login page must not offer again, or the browser would send the same passkey without end. It offers again when the member has
// logged in, by the button or in any other way. A cookie keeps that a passkey was refused, so that Back, a reload and a new visit know it
// too.
const (
	unaskedCookie = "__Host-unasked"
	unaskedLife   = time.Hour
)

// RefusePasskey shows the login page with the reason why a passkey was refused. It does not offer passkeys.
func (h *Handlers) RefusePasskey(c *request.Call, err error) error {
	if !c.WantsJSON() {
		c.Unasked = true
		http.SetCookie(c.W, &http.Cookie{Name: unaskedCookie, Value: "0", Path: "/", MaxAge: int(unaskedLife / time.Second),
			Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode})
	}
	return h.RefuseLogIn(c, err)
}

// offersPasskeys reports whether a login page offers passkeys unasked.
func offersPasskeys(c *request.Call) bool {
	_, was := c.Cookie(unaskedCookie)
	return !was && !c.Unasked
}

// offerPasskeysAgain is called after each login.
func offerPasskeysAgain(c *request.Call) {
	if !offersPasskeys(c) {
		http.SetCookie(c.W, &http.Cookie{Name: unaskedCookie, Path: "/", MaxAge: -1, Secure: true, HttpOnly: true,
			SameSite: http.SameSiteLaxMode})
	}
}
