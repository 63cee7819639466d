package sessions

import (
	"plaza/data"
	"plaza/data/events/mails"
)

// MailMethodChanged notifies a member that a sign-in method was added or removed. Changes of the password and the address have their own
// mails.
const MailMethodChanged mails.Kind = "way-changed"

// MethodChange is a change of a member's sign-in methods.
type MethodChange string

const (
	PasskeyAdded    MethodChange = "passkey-added"
	PasskeyRemoved  MethodChange = "passkey-removed"
	IdentityAdded   MethodChange = "identity-added"
	IdentityRemoved MethodChange = "identity-removed"
	AppTurnedOn     MethodChange = "app-on"
	AppTurnedOff    MethodChange = "app-off"
	CodesRenewed    MethodChange = "codes-renewed"
	TokenCreated    MethodChange = "token-created"
)

// EnqueueMethodChanged enqueues a mail about a change for the member, if the previous statement wrote a row. name is the name of the
// added method, or "".
func EnqueueMethodChanged(w *data.Write, s data.Source, member data.ID, change MethodChange, name string) {
	mails.EnqueueIfChanged(w, s, mails.Mail{Key: string(MailMethodChanged) + " " + s.NewID(0, data.KindOther).Text(), Kind: MailMethodChanged,
		User:  member,
		About: map[string]string{"change": string(change), "name": name}})
}
