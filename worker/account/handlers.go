package account

import (
	"plaza/data/accounts/credentials"
	"plaza/data/accounts/deletion"
	"plaza/data/accounts/exports"
	"plaza/data/accounts/identities"
	"plaza/data/accounts/invitations"
	"plaza/data/accounts/passkeys"
	"plaza/data/accounts/signup"
	"plaza/data/accounts/twofactor"
	"plaza/protocol/webauthn"
	"plaza/worker/view"
)

// Handlers has the handlers for a member's own account.
type Handlers struct {
	*view.Views
	Deletion    *deletion.Store
	Exports     *exports.Store
	TwoFactor   *twofactor.Store
	Identities  *identities.Store
	Credentials *credentials.Store
	Invitations *invitations.Store
	Signup      *signup.Store
	Passkeys    *passkeys.Store
	Site        webauthn.Site // the relying party of passkeys
}
