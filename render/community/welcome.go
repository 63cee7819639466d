package community

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// WelcomePage is /welcome, the page after sign-up.
type WelcomePage struct {
	ui.Frame
	Communities []ui.CommunityItem
	Unapproved  bool // the member can only read until administrators have approved the account
}

// Welcome offers communities to a new member.
func Welcome(p WelcomePage) g.Node {
	if p.Unapproved {
		return welcomeWaiting(p)
	}
	return ui.Page(p.Frame, "", nil,
		h.H1(ui.T("Welcome to {}", p.SiteName)),
		h.P(h.Class("lead"), ui.T("Join communities that interest you. Your front page shows their posts.")),
		ui.CommunityRows(ui.CommunitiesPage{Frame: p.Frame, Items: p.Communities}),
		h.Form(h.Class("row next"), ui.PostTo("/welcome"),
			g.Map(p.Communities, func(c ui.CommunityItem) g.Node { return ui.Hidden("community", c.Name) }),
			g.If(len(p.Communities) > 0, ui.Submit("Join all")),
			h.A(h.Class("cancel"), h.Href("/"), ui.T("Front page")),
			h.A(h.Class("cancel"), h.Href("/communities"), ui.T("All communities")),
		),
	)
}

// welcomeWaiting lists what a new member can do before the approval.
func welcomeWaiting(p WelcomePage) g.Node {
	return ui.Page(p.Frame, "", nil,
		h.H1(ui.T("Welcome to {}", p.SiteName)),
		h.P(h.Class("lead"), ui.T("An administrator looks at your answer. Until then you can read everything. Once you are approved, you can "+
			"join communities, vote and write.")),
		h.Ul(h.Class("clist"), g.Map(p.Communities, func(c ui.CommunityItem) g.Node {
			return h.Li(ui.CommunityLink(ui.Community{Name: c.Name, Colour: c.Colour, Icon: c.Icon}),
				g.If(c.Description != "", h.Span(h.Class("muted"), g.Text(c.Description))))
		})),
		h.P(h.Class("row"), h.A(h.Class("button"), h.Href("/hot"), ui.T("Start reading")), h.A(h.Class("cancel"), h.Href("/communities"),
			ui.T("All communities"))),
	)
}
