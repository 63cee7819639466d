package account

import (
	"context"
	"strings"

	"plaza/data/accounts/sessions"
	"plaza/data/delivery/mails"
	"plaza/protocol/mail"
)

// wayChanges say what was done, and what the mail about it is headed. % stands for the name of what was added, if it has one.
var wayChanges = map[sessions.MethodChange]struct{ subject, did string }{
	sessions.PasskeyAdded:   {"A passkey was added to", "added a passkey%, which can now be used to log in"},
	sessions.PasskeyRemoved: {"A passkey was removed from", "removed a passkey, which can't be used to log in any more"},
	sessions.IdentityAdded:  {"Another way to log in was added to", "added an account at another site%, which can now be used to log in"},
	sessions.IdentityRemoved: {"A way to log in was removed from",
		"removed an account at another site, which can't be used to log in any more"},
	sessions.AppTurnedOn: {"An authenticator app was set up for", "set up an authenticator app, so logging in with a password now takes " +
		"its code as well"},
	sessions.AppTurnedOff: {"The authenticator app was turned off for", "turned off the authenticator app, so logging in takes no " +
		"code any more"},
	sessions.CodesRenewed: {"New recovery codes were made for", "made new recovery codes, so the earlier ones don't work any more"},
	sessions.TokenMade:    {"A token was made for", "made an API token%, with which a program can act for the account"},
}

// MethodChangedLetter tells a member that a way to log in was added or removed.
func (h *Handlers) MethodChangedLetter(_ context.Context, m *mails.Waiting) (*mail.Letter, error) {
	change, known := wayChanges[sessions.MethodChange(m.About["change"])]
	if !known || m.Username == "" {
		return nil, nil
	}
	name := ""
	if m.About["name"] != "" {
		name = " (" + m.About["name"] + ")"
	}
	page := "/settings/security"
	if sessions.MethodChange(m.About["change"]) == sessions.TokenMade {
		page = "/settings/tokens"
	}
	l := &mail.Letter{
		Subject: change.subject + " your account at " + h.SiteName(),
		Parts: []mail.Part{
			mail.Paragraph("Somebody who was logged in as " + m.Username + " " + strings.Replace(change.did, "%", name, 1) +
				". If that was you, all is well."),
			mail.Paragraph("If it was not you, check the account now, and remove what is not yours:"),
			mail.Button{Label: "Check the account", URL: h.SiteURL + page},
		},
		Why: "You get this because this is the address of the account " + m.Username + " at " + h.SiteURL + ".",
	}
	if !h.SSOOnly {
		l.Parts = append(l.Parts, mail.Paragraph("Also choose a new password, which logs everybody else out:"),
			mail.Button{Label: "Choose a password", URL: h.SiteURL + "/reset"})
	}
	return l, nil
}
