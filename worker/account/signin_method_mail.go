package account

import (
	"context"

	"plaza/data/accounts/sessions"
	"plaza/data/events/mails"
	"plaza/locale"
	"plaza/protocol/mail"
)

// methodChanges has the texts of the mail about each change. Arguments: of subject the site; of did the member; of named, the text if what
// was added has a name, the member and that name.
var methodChanges = map[sessions.MethodChange]struct{ subject, did, named locale.Text }{
	sessions.PasskeyAdded: {"A passkey was added to your account at {}",
		"Somebody who was logged in as {} added a passkey, which can now be used to log in. If that was you, all is well.",
		"Somebody who was logged in as {} added a passkey ({}), which can now be used to log in. If that was you, all is well."},
	sessions.PasskeyRemoved: {"A passkey was removed from your account at {}",
		"Somebody who was logged in as {} removed a passkey, which can't be used to log in any more. If that was you, all is well.", ""},
	sessions.IdentityAdded: {"Another way to log in was added to your account at {}",
		"Somebody who was logged in as {} added an account at another site, which can now be used to log in. If that was you, all is well.",
		"Somebody who was logged in as {} added an account at another site ({}), which can now be used to log in. If that was you, " +
			"all is well."},
	sessions.IdentityRemoved: {"A way to log in was removed from your account at {}",
		"Somebody who was logged in as {} removed an account at another site, which can't be used to log in any more. If that was you, " +
			"all is well.", ""},
	sessions.AppTurnedOn: {"An authenticator app was set up for your account at {}",
		"Somebody who was logged in as {} set up an authenticator app, so logging in with a password now takes its code as well. " +
			"If that was you, all is well.", ""},
	sessions.AppTurnedOff: {"The authenticator app was turned off for your account at {}",
		"Somebody who was logged in as {} turned off the authenticator app, so logging in takes no code any more. " +
			"If that was you, all is well.", ""},
	sessions.CodesRenewed: {"New recovery codes were made for your account at {}",
		"Somebody who was logged in as {} made new recovery codes, so the earlier ones don't work any more. If that was you, all is well.",
		""},
	sessions.TokenCreated: {"A token was made for your account at {}",
		"Somebody who was logged in as {} made an API token, with which a program can act for the account. If that was you, all is well.",
		"Somebody who was logged in as {} made an API token ({}), with which a program can act for the account. If that was you, " +
			"all is well."},
}

// MethodChangedMail notifies a member that a sign-in method was added or removed.
func (h *Handlers) MethodChangedMail(_ context.Context, m *mails.Waiting) (*mail.Content, error) {
	change, known := methodChanges[sessions.MethodChange(m.About["change"])]
	if !known || m.Username == "" {
		return nil, nil
	}
	say, did := m.Language.Say, locale.With(change.did, m.Username)
	if m.About["name"] != "" && change.named != "" {
		did = locale.With(change.named, m.Username, m.About["name"])
	}
	page := "/settings/security"
	if sessions.MethodChange(m.About["change"]) == sessions.TokenCreated {
		page = "/settings/tokens"
	}
	l := &mail.Content{
		Language: m.Language.Tag,
		Subject:  say(locale.With(change.subject, h.SiteName())),
		Parts: []mail.Part{
			mail.Paragraph(say(did)),
			mail.Paragraph(say("If it was not you, check the account now, and remove what is not yours:")),
			mail.Button{Label: say("Check the account"), URL: h.SiteURL + page},
		},
		Why: h.whyOfAccount(m),
	}
	if !h.SSOOnly {
		l.Parts = append(l.Parts, mail.Paragraph(say("Also choose a new password, which logs everybody else out:")),
			mail.Button{Label: say("Choose a password"), URL: h.SiteURL + "/reset"})
	}
	return l, nil
}
