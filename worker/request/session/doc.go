// Package session has what shows who sends a request: the session in its cookie, and API tokens. It works on texts and knows no request.
//
// The idea: the site signs what it gives away, so it needs no look-up to know it again. Whether a session or token was ended, the databases
// know (data/accounts/sessions).
//
// Begin with Key (key.go), which signs everything, then EncodeSession (session.go) and EncodeToken (token.go).
package session
