package account

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// LeavePage is /settings/account/delete. Fields: content, "keep" or "delete", and alone, "1" to leave communities without a
// moderator.
type LeavePage struct {
	ui.Frame
	Form  ui.Form
	Alone []string // communities that have no other moderator
}

// Leave is the page on which members delete their account.
func Leave(p LeavePage) g.Node {
	f := p.Form
	choice := func(value, label, hint string) g.Node {
		return h.Div(h.Class("choice"),
			h.Input(h.Type("radio"), h.ID("content-"+value), h.Name("content"), h.Value(value), h.Required(),
				g.If(f.Values["content"] == value, h.Checked())),
			h.Label(h.For("content-"+value), g.Text(label)),
			h.P(h.Class("hint"), g.Text(hint)),
		)
	}
	return ui.SettingsPage(p.Frame, "/settings/account",
		h.Form(h.Class("sheet settings"), ui.PostTo("/settings/account/delete"),
			h.H2(g.Text("Delete your account")),
			h.P(g.Text("You are logged out everywhere at once. If you log in within 14 days, you keep the account. After that it is deleted for "+
				"good: your profile and settings, the communities you joined, what you saved and whom you follow, and your ways to log in. What you "+
				"have written "+
				"to moderators is deleted, and what you have reported stays without your name and your words, so that decisions stay whole. "+
				"Messages to "+
				"the administrators lose your name at once, and go half a year after their answer. Votes stay counted without your name.")),
			h.P(g.Text("For 90 days after the deletion nobody can take your name.")),
			ui.FormError(f),
			h.FieldSet(h.Class("field"),
				h.Legend(g.Text("Your posts and comments")),
				choice("keep", "Stay without your name", "Conversations stay whole. If a text itself says who you are, that stays, too."),
				choice("delete", "Are deleted", "Title, text and name disappear. Answers of others stay."),
				g.If(f.Errors["content"] != "", h.P(h.Class("wrong"), g.Text(f.Errors["content"]))),
			),
			g.If(len(p.Alone) > 0, h.FieldSet(h.Class("field marks"),
				h.Legend(g.Text("Communities that only you moderate")),
				h.Ul(h.Class("clist"), g.Map(p.Alone, func(name string) g.Node {
					return h.Li(h.A(h.Href(ui.CommunityURL(name)), g.Text("c/"+name)))
				})),
				ui.Checkbox(f, "alone", "They go on without a moderator", "the administrators of this site decide there then"),
				g.If(f.Errors["alone"] != "", h.P(h.Class("wrong"), g.Text(f.Errors["alone"]))),
			)),
			h.Div(h.Class("row"), h.Button(h.Class("button danger"), g.Text("Delete the account")), ui.Cancel("/settings/account")),
		),
	)
}
