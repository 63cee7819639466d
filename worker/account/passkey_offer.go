package account

import (
	"time"

	"plaza/worker/request"
)

// The login page offers passkeys in the field for the name (WebAuthn's conditional mediation). Some browsers and password managers then
// respond without the user. So after a refused passkey the page must not offer them, or the browser would send the same passkey in a loop.
// It offers them again after the member has logged in by any method. The cookie says that a passkey was refused, also after Back, a reload
// or a new visit.
const (
	unaskedCookie = "__Host-unasked"
	unaskedLife   = time.Hour
)

// RefusePasskey shows the login page with the reason why a passkey was refused. It does not offer passkeys.
func (h *Handlers) RefusePasskey(c *request.Call, err error) error {
	if !c.WantsJSON() {
		c.PasskeyRefused = true
		c.SetCookie(unaskedCookie, "0", unaskedLife)
	}
	return h.RefuseLogIn(c, err)
}

// offersPasskeys reports whether a login page offers passkeys in the field for the name.
func offersPasskeys(c *request.Call) bool {
	_, refusedBefore := c.Cookie(unaskedCookie)
	return !refusedBefore && !c.PasskeyRefused
}

// offerPasskeysAgain deletes the cookie after a login.
func offerPasskeysAgain(c *request.Call) {
	if !offersPasskeys(c) {
		c.DropCookie(unaskedCookie)
	}
}
