package render

import (
	"strconv"
	"strings"
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

// InvitedPage is /admin/invites: who came by an invitation last or, with a name, those above and below that member. Field: user.
type InvitedPage struct {
	Frame
	Name    string // whose branch it is; "" for those who came last
	Above   []InvitedMember
	Members []InvitedMember
	More    bool // there are more than the page shows
}

// InvitedMember is a member in such a list.
type InvitedMember struct {
	Name   string // "" for an account that is deleted
	URL    string // of their branch; "" without a name
	Status string
	Depth  int    // 0 for whom the member of the page has invited, 1 for whom those have
	By     string // who has invited them; "" where the page shows it otherwise
}

// Invited is the page of an InvitedPage.
func Invited(p InvitedPage) g.Node {
	return page(p.Frame, "", nil,
		h.P(h.Class("crumb"), h.A(h.Href("/admin"), g.Text("Administration"))),
		h.H1(g.Text("Who was invited by whom")),
		h.Form(h.Class("row"), h.Method("get"), h.Action("/admin/invites"),
			h.Label(h.For("user"), g.Text("Member")),
			h.Input(h.ID("user"), h.Name("user"), h.Value(p.Name), h.AutoComplete("off"), g.Attr("autocapitalize", "none"), g.Attr("spellcheck", "false")),
			h.Button(h.Class("button quiet"), g.Text("Show"))),
		g.If(p.Name == "", h.H2(g.Text("Who came last"))),
		g.Iff(p.Name != "", func() g.Node {
			return g.Group{
				h.H2(g.Text("Below "), h.A(h.Href(profileURL(p.Name)), g.Text(p.Name))),
				g.If(len(p.Above) > 0, h.P(h.Class("muted"), g.Map(p.Above, func(m InvitedMember) g.Node { return g.Group{g.Text("← "), invitedName(m), g.Text(" ")} }))),
			}
		}),
		g.If(len(p.Members) == 0, h.P(h.Class("muted"), g.Text("Nobody came by an invitation."))),
		g.If(len(p.Members) > 0, h.Ul(h.Class("clist"), g.Map(p.Members, invitedRow))),
		g.If(p.More, h.P(h.Class("muted"), g.Text("There are more. Open one of these to see who is below."))),
	)
}

func invitedName(m InvitedMember) g.Node {
	if m.URL == "" {
		return g.Text(named(m.Name))
	}
	return h.A(h.Href(m.URL), g.Text(m.Name))
}

func invitedRow(m InvitedMember) g.Node {
	return h.Li(
		h.Span(g.If(m.Depth > 0, h.Span(h.Class("muted"), g.Text(strings.Repeat("– ", min(m.Depth, 8))))), invitedName(m)),
		h.Span(h.Class("muted"), g.If(m.By != "", g.Text("by "+m.By)), g.If(m.Status != "active", g.Text(" "+m.Status))),
	)
}
