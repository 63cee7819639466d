package community

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// TeamPage is /c/{name}/moderators. Fields: do, user, role.
type TeamPage struct {
	ui.Frame
	Community  ui.Community   `json:"community"`  // The community.
	Members    []Teammate     `json:"items"`      // Its moderators and approvers.
	Invited    []Teammate     `json:"invited"`    // Who is invited to be one, as moderators see it.
	Own        string         `json:"role"`       // Role of the viewer; empty for none.
	Invitation *ui.Invitation `json:"invitation"` // The viewer's invitation to be one; null for none.
	CanChange  bool           `json:"-"`          // by the viewer: the owner or an administrator
	CanOwn     bool           `json:"-"`          // the viewer can invite an owner
	Form       ui.Form        `json:"-"`
}

// Teammate is a member with a role in a community, or with an invitation to one.
type Teammate struct {
	Name   string    `json:"name"`   // Username; empty for a deleted account.
	Avatar ui.Avatar `json:"avatar"` // The member's tile.
	Role   string    `json:"role"`   // `owner`, `moderator` or `approver`.
	Since  time.Time `json:"since"`  // Since when; null where that isn't known.
}

// Team is the page of a TeamPage.
func Team(p TeamPage) g.Node {
	c := p.Community
	address := ui.CommunityURL(c.Name) + "/moderators"
	return ui.Page(p.Frame, locale.With("About c/{}", c.Name), ui.CommunitySide(c),
		h.P(h.Class("crumb"), ui.CommunityLink(c)),
		h.H1(ui.T("Moderators")),
		h.P(h.Class("lead"), ui.T("The owner appoints the others. Moderators decide about everything else; approvers decide about what waits "+
			"in the queue, and remove and approve.")),
		g.Iff(p.Invitation != nil, func() g.Node { return ui.InvitationRow(*p.Invitation) }),
		g.If(len(p.Members) == 0, ui.EmptyState(ui.Nothing("Nobody moderates this community.", "Write to the administrators", "/messages/new"))),
		ui.Rows(p.Members, func(m Teammate) g.Node { return teammate(p, m, address) }),
		g.If(p.Own != "", h.Details(h.Class("later"), h.Summary(ui.T("Resign")),
			h.P(h.Class("muted"), ui.T("You can't take that back: somebody has to invite you again. If you are the owner, make somebody else the "+
				"owner first.")),
			h.Form(h.Class("decide"), ui.PostTo(address+"/own"), ui.Decision("do", "resign", "button danger", "Resign", asRole[p.Own])))),
		g.If(len(p.Invited) > 0, g.Group{h.H2(ui.T("Invited")), ui.Rows(p.Invited, func(m Teammate) g.Node {
			return ui.Row(teammateName(m), g.Group{ui.T(asRole[m.Role]), ui.Dot, ui.Ago(m.Since, p.Now)},
				g.If(p.CanChange, h.Form(ui.PostTo(address), ui.Hidden("user", m.Name), ui.Decision("do", "withdraw", "plain", "Withdraw",
					locale.With("the invitation of {}", m.Name)))))
		})}),
		g.If(p.CanChange, h.Form(h.Class("sheet form-rows"), ui.PostTo(address),
			h.H2(ui.T("Invite somebody")), ui.FormError(p.Form), ui.Hidden("do", "invite"),
			ui.FormField(p.Form, ui.Input{Name: "user", Label: "Name of the member", Kind: "text",
				Attrs: g.Group{h.Required(), h.AutoComplete("off"), g.Attr("autocapitalize", "none"), g.Attr("spellcheck", "false")}}),
			ui.Control(p.Form, ui.Input{Name: "role", Label: "Role"}, func(attrs g.Group) g.Node {
				roles := []string{"moderator", "approver"}
				if p.CanOwn {
					roles = append(roles, "owner")
				}
				return h.Select(attrs, g.Map(roles, func(role string) g.Node {
					return h.Option(h.Value(role), g.If(role == p.Form.Values["role"], h.Selected()), ui.T(roleLabels[role]))
				}))
			}),
			ui.Submit("Invite"))),
	)
}

// The names of roles: alone in a line, behind a name, and in a sentence about a member.
var (
	roleLabels = map[string]locale.Text{"owner": "Owner", "moderator": "Moderator", "approver": "Approver"}
	roleNames  = map[string]locale.Text{"owner": "owner", "moderator": "moderator¦role", "approver": "approver"}
	asRole     = map[string]locale.Text{"owner": "as owner", "moderator": "as moderator", "approver": "as approver"}
)

func teammateName(m Teammate) g.Node {
	if m.Name == "" {
		return h.Span(h.Class("gone"), ui.T("[deleted]"))
	}
	return h.A(h.Href(ui.ProfileURL(m.Name)), ui.AvatarImage(m.Name, m.Avatar), g.Text(m.Name))
}

func teammate(p TeamPage, m Teammate, address string) g.Node {
	give := func(role string, label locale.Text) g.Node {
		if m.Role == role {
			return nil
		}
		return h.Button(h.Class("button quiet"), h.Name("role"), h.Value(role), ui.T(label), h.Span(h.Class("vh"), g.Text(": "+m.Name)))
	}
	return ui.Row(teammateName(m),
		g.Group{ui.T(roleNames[m.Role]), ui.Dot, ui.T("since {}", ui.Component(func(w *ui.Markup) { w.Date(m.Since) }))},
		g.If(p.CanChange && m.Role != "owner" && m.Name != "",
			h.Details(h.Class("pick"), h.Summary(h.Class("plain"), ui.T("Change"), h.Span(h.Class("vh"), g.Text(": "+m.Name))),
				h.Div(h.Form(h.Class("decide"), ui.PostTo(address), ui.Hidden("do", "role"), ui.Hidden("user", m.Name),
					give("moderator", "Make moderator"), give("approver", "Make approver"), give("owner", "Make owner")),
					h.Form(h.Class("decide"), ui.PostTo(address), ui.Hidden("user", m.Name), ui.Decision("do", "dismiss", "button danger", "Dismiss",
						locale.Verbatim(m.Name)))))))
}
