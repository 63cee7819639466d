// Package account answers what concerns a member's own account: signing up, logging in, second steps, settings, tokens, leaving.
package account

import (
	"plaza/data/accounts/departures"
	"plaza/data/accounts/exports"
	"plaza/data/accounts/identities"
	"plaza/data/accounts/passkeys"
	"plaza/data/accounts/people"
	"plaza/data/accounts/twofactor"
	"plaza/protocol/webauthn"
	"plaza/worker/view"
)

// Handlers answers what concerns a member's own account.
type Handlers struct {
	*view.Views
	Departures  *departures.Store
	Exports     *exports.Store
	TwoFactor   *twofactor.Store
	Identities  *identities.Store
	Credentials *people.Credentials
	Invitations *people.Invitations
	Signup      *people.SignUps
	Passkeys    *passkeys.Store
	Site        webauthn.Site // whom passkeys are for
}
