package sessions

import (
	"plaza/data"
	"plaza/data/delivery/mails"
)

// MailWayChanged tells a member that a way to log in was added or removed. Changes of the password and the address have mails of their
// own.
const MailWayChanged mails.Kind = "way-changed"

// WayChange is a change of the ways in which a member logs in.
type WayChange string

const (
	PasskeyAdded    WayChange = "passkey-added"
	PasskeyRemoved  WayChange = "passkey-removed"
	IdentityAdded   WayChange = "identity-added"
	IdentityRemoved WayChange = "identity-removed"
	AppTurnedOn     WayChange = "app-on"
	AppTurnedOff    WayChange = "app-off"
	CodesRenewed    WayChange = "codes-renewed"
	TokenMade       WayChange = "token-made"
)

// LeaveWayChanged leaves the mail that tells a member of a change, if the statement before has written a row. name is that of what was
// added; "" for what has none.
func LeaveWayChanged(w *data.Write, s data.Source, member data.ID, change WayChange, name string) {
	mails.LeaveIfChanged(w, s, mails.Mail{Key: string(MailWayChanged) + " " + s.NewID(0, data.KindOther).Text(), Kind: MailWayChanged,
		User:  member,
		About: map[string]string{"change": string(change), "name": name}})
}
