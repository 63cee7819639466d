package render

import (
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// TeamPage is /c/{name}/moderators. Fields: do, user, role.
type TeamPage struct {
	Frame
	Community  Community
	Members    []Teammate
	Invited    []Teammate // as moderators see it
	Own        string     // role of the viewer; "" for none
	Invitation *Invitation
	CanChange  bool // the owner, and administrators
	CanOwn     bool // the viewer can invite an owner
	Form       Form
}

// Teammate is somebody with a role in a community, or who is invited to one.
type Teammate struct {
	Name   string // "" for an account that is deleted
	Avatar Avatar
	Role   string // owner, moderator or approver
	Since  time.Time
}

// Invitation is one to moderate a community, for who is invited.
type Invitation struct {
	Community string
	Role      string
	By        string // "" where that isn't known
}

// Team is the page of a TeamPage.
func Team(p TeamPage) g.Node {
	c := p.Community
	address := communityURL(c.Name) + "/moderators"
	return page(p.Frame, "About c/"+c.Name, communitySide(c),
		h.P(h.Class("crumb"), h.A(h.Href(communityURL(c.Name)), icon(c.Name, c.Colour), g.Text("c/"+c.Name))),
		h.H1(g.Text("Moderators")),
		h.P(h.Class("lead"), g.Text("The owner appoints the others. Moderators decide about everything else; approvers decide about what waits in the queue, and remove and approve.")),
		g.Iff(p.Invitation != nil, func() g.Node { return invitation(*p.Invitation) }),
		g.If(len(p.Members) == 0, h.P(h.Class("empty quiet"), g.Text("Nobody moderates this community."))),
		g.If(len(p.Members) > 0, h.Ul(h.Class("clist"), g.Map(p.Members, func(m Teammate) g.Node { return teammate(p, m, address) }))),
		g.If(p.Own != "", h.Details(h.Class("later"), h.Summary(g.Text("Resign")),
			h.P(h.Class("muted"), g.Text("You can't take that back: somebody has to invite you again. If you are the owner, make somebody else the owner first.")),
			h.Form(h.Class("decide"), sentTo(address+"/own"), decision("do", "resign", "button danger", "Resign", "as "+p.Own)))),
		g.If(len(p.Invited) > 0, g.Group{h.H2(g.Text("Invited")), h.Ul(h.Class("clist"), g.Map(p.Invited, func(m Teammate) g.Node {
			return h.Li(teammateName(m), h.Span(h.Class("muted"), g.Text("as "+m.Role+" · "), ago(m.Since, p.Now)),
				g.If(p.CanChange, h.Form(sentTo(address), hidden("user", m.Name), decision("do", "withdraw", "button quiet", "Withdraw", "the invitation of "+m.Name))))
		}))}),
		g.If(p.CanChange, h.Form(h.Class("sheet"), sentTo(address),
			h.H2(g.Text("Invite somebody")), formError(p.Form), hidden("do", "invite"),
			field(p.Form, input{name: "user", label: "Name of the member", kind: "text", attrs: g.Group{h.Required(), h.AutoComplete("off"), g.Attr("autocapitalize", "none"), g.Attr("spellcheck", "false")}}),
			control(p.Form, input{name: "role", label: "Role"}, func(attrs g.Group) g.Node {
				roles := []string{"moderator", "approver"}
				if p.CanOwn {
					roles = append(roles, "owner")
				}
				return h.Select(attrs, g.Map(roles, func(role string) g.Node {
					return h.Option(h.Value(role), g.If(role == p.Form.Values["role"], h.Selected()), g.Text(capital(role)))
				}))
			}),
			submit("Invite"))),
	)
}

// capital writes a word with a capital letter.
func capital(word string) string {
	if word == "" {
		return ""
	}
	return strings.ToUpper(word[:1]) + word[1:]
}

func teammateName(m Teammate) g.Node {
	if m.Name == "" {
		return h.Span(h.Class("gone"), g.Text("[deleted]"))
	}
	return h.A(h.Href(profileURL(m.Name)), avatar(m.Name, m.Avatar), g.Text(m.Name))
}

func teammate(p TeamPage, m Teammate, address string) g.Node {
	give := func(role, label string) g.Node {
		if m.Role == role {
			return nil
		}
		return h.Button(h.Class("button quiet"), h.Name("role"), h.Value(role), g.Text(label), h.Span(h.Class("vh"), g.Text(": "+m.Name)))
	}
	return h.Li(teammateName(m),
		h.Span(h.Class("muted"), g.Text(m.Role+" · since "), component(func(w *markup) { w.date(m.Since) })),
		g.If(p.CanChange && m.Role != "owner" && m.Name != "", h.Details(h.Class("later"), h.Summary(g.Text("Change"), h.Span(h.Class("vh"), g.Text(": "+m.Name))),
			h.Form(h.Class("decide"), sentTo(address), hidden("do", "role"), hidden("user", m.Name),
				give("moderator", "Make moderator"), give("approver", "Make approver"), give("owner", "Make owner")),
			h.Form(h.Class("decide"), sentTo(address), hidden("user", m.Name), decision("do", "dismiss", "button danger", "Dismiss", m.Name)))))
}

// invitation asks the viewer whether they want to moderate a community.
func invitation(i Invitation) g.Node {
	article := "a"
	if i.Role != "moderator" {
		article = "an"
	}
	return h.Div(h.Class("case"),
		h.P(g.If(i.By != "", g.Group{author(i.By), g.Text(" invites you")}), g.If(i.By == "", g.Text("You are invited")), g.Text(" to be "+article+" "+i.Role+" of "),
			h.A(h.Href(communityURL(i.Community)), g.Text("c/"+i.Community)), g.Text(".")),
		h.Form(h.Class("decide"), sentTo(communityURL(i.Community)+"/moderators/own"), hidden("role", i.Role),
			decision("do", "accept", "button", "Accept", "c/"+i.Community), decision("do", "decline", "button quiet", "Decline", "c/"+i.Community)))
}
