package render

import (
	"strconv"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

const invitesURL = "/settings/invites"

// inviteField asks a newcomer for the code of an invitation, where the site wants one or they have come with one.
func inviteField(f Form, wanted bool) g.Node {
	if !wanted && f.Values["invite"] == "" && f.Errors["invite"] == "" {
		return nil
	}
	return field(f, input{name: "invite", label: "Invitation code", hint: "The link of an invitation has the code.", kind: "text",
		attrs: g.Group{g.If(wanted, h.Required()), h.AutoComplete("off"), g.Attr("autocapitalize", "none"), g.Attr("spellcheck", "false")}})
}

// InvitesPage is /settings/invites. Fields: uses, days, token.
type InvitesPage struct {
	Frame
	Invites []Invite
	Form    Form
}

// Invite is one of a member's invitations.
type Invite struct {
	ID, URL    string
	Uses, Used int
	Open       bool // somebody can still sign up by it
	ExpiresAt  time.Time
}

// Invites is the page of an InvitesPage.
func Invites(p InvitesPage) g.Node {
	f := p.Form
	return settingsPage(p.Frame, invitesURL,
		h.Section(h.Class("ways"), h.Aria("labelledby", "invites"),
			h.H2(h.ID("invites"), g.Text("Your invitations")),
			h.P(h.Class("hint"), g.Text("Whoever has the link can sign up. The administrators see who was invited by whom.")),
			g.If(len(p.Invites) > 0, h.Ul(g.Map(p.Invites, inviteRow))),
		),
		g.Iff(p.Inviting, func() g.Node {
			return h.Form(h.Class("sheet settings"), sentTo(invitesURL),
				h.H2(g.Text("A new invitation")),
				formError(f),
				field(f, input{name: "uses", label: "For how many people", hint: "25 at most.", kind: "number", attrs: g.Group{h.Min("1"), h.Max("25"), h.Required()}}),
				choice(f, "days", "It runs out after", "", []Option{{"1", "A day"}, {"7", "7 days"}, {"30", "30 days"}}),
				formToken(f),
				submit("Make an invitation"),
			)
		}),
		g.If(!p.Inviting, h.P(g.Text("You can't invite people here at the moment."))),
	)
}

func inviteRow(i Invite) g.Node {
	return h.Li(
		h.Div(
			g.If(i.Open, h.P(h.Code(g.Text(i.URL)))),
			h.P(h.Class("muted"), g.Text("used "+strconv.Itoa(i.Used)+" of "+strconv.Itoa(i.Uses)+" times · runs out on "), component(func(m *markup) { m.date(i.ExpiresAt) }),
				g.If(!i.Open, g.Text(" · can't be used any more"))),
		),
		g.Iff(i.Open, func() g.Node {
			return h.Form(h.Class("do"), sentTo(invitesURL), hidden("id", i.ID), hidden("do", "end"), h.Button(h.Class("button quiet"), g.Text("End")))
		}),
	)
}
