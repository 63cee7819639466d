package account

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// inviteField asks a newcomer for an invitation code, if the site requires one or they have come with one.
func inviteField(f ui.Form, required bool) g.Node {
	if !required && f.Values["invite"] == "" && f.Errors["invite"] == "" {
		return nil
	}
	return ui.FormField(f, ui.Input{Name: "invite", Label: "Invitation code", Hint: "It is in the link of your invitation.", Kind: "text",
		Attrs: g.Group{g.If(required, h.Required()), h.AutoComplete("off"), g.Attr("autocapitalize", "none"), g.Attr("spellcheck", "false")}})
}

// InvitesPage is /settings/invites. Fields: uses, days, token.
type InvitesPage struct {
	ui.Frame
	Invites []Invite
	Form    ui.Form
}

// Invite is one of a member's invitations.
type Invite struct {
	ID, URL    string
	Uses, Used int
	Open       bool // it can still be used to sign up
	ExpiresAt  time.Time
}

// Invites is the page of an InvitesPage.
func Invites(p InvitesPage) g.Node {
	f := p.Form
	return ui.SettingsPage(p.Frame, ui.InvitesURL,
		h.Section(h.Class("sheet"), h.Aria("labelledby", "invites"),
			h.H2(h.ID("invites"), ui.T("Your invitations")),
			h.P(h.Class("hint"), ui.T("Anybody with the link can sign up. Administrators see who invited whom.")),
			ui.Rows(p.Invites, inviteRow),
		),
		g.Iff(p.Inviting, func() g.Node {
			return h.Form(h.Class("sheet form-rows"), ui.PostTo(ui.InvitesURL),
				h.H2(ui.T("A new invitation")),
				ui.FormError(f),
				ui.FormField(f, ui.Input{Name: "uses", Label: "For how many people", Hint: "25 at most.", Kind: "number",
					Attrs: g.Group{h.Min("1"), h.Max("25"), h.Required()}}),
				ui.Choice(f, "days", "Expires in", "", []ui.Option{{Value: "1", Label: "1 day"}, {Value: "7", Label: "7 days"},
					{Value: "30", Label: "30 days"}}),
				ui.FormToken(f),
				ui.Submit("Create invitation"),
			)
		}),
		g.If(!p.Inviting, h.P(ui.T("You can't invite people here at the moment."))),
	)
}

func inviteRow(i Invite) g.Node {
	facts := g.Group{ui.T("used {} of {}", i.Used, i.Uses), ui.Dot, ui.T("expires on {}", date(i.ExpiresAt))}
	if !i.Open {
		return ui.Row(ui.T("no longer valid"), facts, nil)
	}
	return ui.Row(h.Code(g.Text(i.URL)), facts, h.Form(ui.PostTo(ui.InvitesURL), ui.Hidden("id", i.ID), ui.Hidden("do", "end"),
		h.Button(h.Class("plain"), ui.T("End¦verb"))))
}

// date is the day of a time.
func date(t time.Time) g.Node { return ui.Component(func(m *ui.Markup) { m.Date(t) }) }
