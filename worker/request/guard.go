package request

import (
	"net/url"
	"time"

	"plaza/data"
)

// whileUnapproved are the actions that a member can do while waiting for an administrator's approval: securing the account, and leaving.
// Their session cookie says that they wait, so no write reads that from the directory. The first page after the approval renews the cookie.
var whileUnapproved = map[string]bool{
	"/prove": true, "/prove/passkey": true, "/prove/code": true, "/prove/link": true, "/settings/account/delete": true,
	"/settings/account/password": true,
}

var errUnapproved = &data.Error{Code: data.Forbidden,
	Message: "Your account waits for an administrator. Until then you can read, but not " +
		"write. If you have just been approved, open any page first."}

// reauthLife is how long reauthentication counts. Logging in counts as one.
const reauthLife = 15 * time.Minute

// Reauthenticated reports whether the caller, who is a member, has reauthenticated less than reauthLife ago, in this session. The session's
// id has the time.
func (s *Server) Reauthenticated(c *Call) bool {
	return s.Source.Now().Sub(c.Actor.SessionID.Time()) < reauthLife
}

// ErrReauth refuses an action that needs reauthentication.
var ErrReauth = &data.Error{Code: data.Forbidden, Message: "Please confirm that it is you first, at /prove."}

// reauthFirst redirects a member to the page where they reauthenticate, which leads back to where they were. It returns false
// for programs, which get a 403.
func (s *Server) reauthFirst(c *Call) bool {
	if c.WantsJSON() {
		return false
	}
	next := c.R.URL.RequestURI()
	if !SafeMethod(c.R.Method) {
		if c.Parse() != nil {
			return false
		}
		next = c.CameFromPage(0, "/settings/account")
	}
	_ = c.Redirect("/prove?next=" + url.QueryEscape(next))
	return true
}

// ownSignIn are the routes that a site refuses with SSOOnly: ways to log in other than by a provider.
var ownSignIn = map[string]bool{
	"POST /signup": true, "POST /login": true, "POST /login/passkey": true, "POST /login/code": true, "POST /settings/passkeys": true,
	"POST /prove": true, "POST /prove/passkey": true,
	"GET /login/link": true, "POST /login/link": true, "GET /reset": true, "POST /reset": true, "POST /settings/account/password": true,
}

// ErrSSOOnly refuses other ways to log in than by a provider.
var ErrSSOOnly = &data.Error{Code: data.Forbidden, Message: "On this site people log in only with an account at another site. The login " +
	"page lists the sites."}
