// Package account answers what concerns a member's own account: signing up, logging in, second steps, settings, tokens, leaving.
package account

import (
	"plaza/data/departures"
	"plaza/data/exports"
	"plaza/data/factors"
	"plaza/data/identities"
	"plaza/data/passkeys"
	"plaza/webauthn"
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
