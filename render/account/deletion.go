package account

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// DeleteAccountPage is /settings/account/delete. Fields: content, "keep" or "delete", and alone, "1" to leave communities without a
// moderator.
type DeleteAccountPage struct {
	ui.Frame
	Form  ui.Form
	Alone []string // communities that have no other moderator
}

// DeleteAccount is the page on which members delete their account.
func DeleteAccount(p DeleteAccountPage) g.Node {
	f := p.Form
	choice := func(value string, label, hint locale.Text) g.Node {
		return h.Div(h.Class("choice"),
			h.Input(h.Type("radio"), h.ID("content-"+value), h.Name("content"), h.Value(value), h.Required(),
				g.If(f.Values["content"] == value, h.Checked())),
			h.Label(h.For("content-"+value), ui.T(label)),
			h.P(h.Class("hint"), ui.T(hint)),
		)
	}
	return ui.SettingsPage(p.Frame, "/settings/account",
		h.Form(h.Class("sheet form-rows"), ui.PostTo("/settings/account/delete"),
			h.H2(ui.T("Delete your account")),
			h.P(ui.T("You are logged out everywhere at once. Log in within 14 days to keep the account. After that it is deleted "+
				"permanently: your profile and settings, the communities you joined, what you saved, whom you follow, and your ways to log in. "+
				"Your messages to moderators are deleted; your reports stay, without your name and words. Messages to administrators lose your "+
				"name at once and are deleted half a year after the answer. Your votes still count, without your name.")),
			h.P(ui.T("Nobody can take your name for 90 days after the deletion.")),
			ui.FormError(f),
			h.FieldSet(h.Class("field"),
				h.Legend(ui.T("Your posts and comments")),
				choice("keep", "Keep them, without your name", "If a text itself says who you are, that stays, too."),
				choice("delete", "Delete them", "Titles, texts and your name are removed. Replies of others stay."),
				g.If(f.Errors["content"] != "", h.P(h.Class("wrong"), ui.T(f.Errors["content"]))),
			),
			g.If(len(p.Alone) > 0, h.FieldSet(h.Class("field marks"),
				h.Legend(ui.T("Communities that only you moderate")),
				h.Ul(h.Class("clist"), g.Map(p.Alone, func(name string) g.Node {
					return h.Li(h.A(h.Href(ui.CommunityURL(name)), g.Text("c/"+name)))
				})),
				ui.Checkbox(f, "alone", "Leave them without a moderator", "then administrators of this site decide there"),
				g.If(f.Errors["alone"] != "", h.P(h.Class("wrong"), ui.T(f.Errors["alone"]))),
			)),
			h.Div(h.Class("row"), h.Button(h.Class("button danger"), ui.T("Delete the account")), ui.Cancel("/settings/account")),
		),
	)
}
