// Package account answers what concerns a member's own account: signing up, logging in, second steps, settings, tokens, leaving.
package account

import (
	"plaza/data/accounts/departures"
	"plaza/data/accounts/exports"
	"plaza/data/accounts/factors"
	"plaza/data/accounts/identities"
	"plaza/data/accounts/passkeys"
	"plaza/protocol/webauthn"
	"plaza/worker/view"
)

// Handlers answers what concerns a member's own account.
type Handlers struct {
	*view.Views
	Departures *departures.Store
	Exports    *exports.Store
	Factors    *factors.Store
	Identities *identities.Store
	Passkeys   *passkeys.Store
	Site       webauthn.Site // whom passkeys are for
}
