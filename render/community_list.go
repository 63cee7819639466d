package render

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// CommunitiesPage is /communities, in one of its orders.
type CommunitiesPage struct {
	Frame
	Items    []CommunityItem
	Tabs     []Tab
	NextURL  string
	FirstURL string // on later pages
	New      bool   // the order is by age: rows tell it
	Own      bool   // those that the viewer has subscribed to
	CanFound bool   // the viewer may found one, or might once logged in
}

// CommunityItem is a community as a line of a list.
type CommunityItem struct {
	Name, Title, Description, Colour string
	Members                          int64
	Growth                           int64 // members of the last seven days
	CreatedAt                        time.Time
	Subscribed                       bool
}

// Communities is the page of a CommunitiesPage.
func Communities(p CommunitiesPage) g.Node {
	return page(p.Frame, "", nil,
		h.Div(h.Class("head"),
			h.Div(h.H1(g.Text("Communities"))),
			g.If(p.CanFound, h.Div(h.Class("do"), h.A(h.Class("button"), h.Href("/communities/new"), g.Text("New community")))),
		),
		tabs("Order", p.Tabs),
		communityRows(p),
		g.If(p.NextURL != "" || p.FirstURL != "", h.Nav(h.Class("pager"), h.Aria("label", "Pages"),
			g.If(p.FirstURL != "", h.A(h.Href(p.FirstURL), g.Text("First page"))), next(p.NextURL))),
	)
}

func communityRows(p CommunitiesPage) g.Node {
	if len(p.Items) == 0 && p.Own {
		return h.Div(h.Class("empty"), logo(), h.P(g.Text("You have not subscribed to any community yet. "), h.A(h.Href("/welcome"), g.Text("Choose some"))))
	}
	if len(p.Items) == 0 {
		return h.Div(h.Class("empty"), logo(), h.P(g.Text("No community yet. "), g.If(p.CanFound, h.A(h.Href("/communities/new"), g.Text("Start the first one")))))
	}
	return h.Ul(h.Class("crows"), g.Map(p.Items, func(c CommunityItem) g.Node {
		return h.Li(
			icon(c.Name, c.Colour),
			h.Div(
				h.H2(h.A(h.Href(communityURL(c.Name)), g.Text(named(communityTitle(Community{Name: c.Name, Title: c.Title}))))),
				g.If(c.Description != "", h.P(g.Text(c.Description))),
				component(func(m *markup) { m.communityLine(&c, p.New) }),
			),
			subscribe(c.Name, c.Subscribed, p.Path),
		)
	}))
}

func (m *markup) communityLine(c *CommunityItem, age bool) {
	m.lit(`<p class="muted">c/`).text(c.Name).lit(` · `).counted(c.Members, "member", "members")
	if c.Growth > 0 {
		m.lit(` <span class="grown">+`).compact(c.Growth).lit(` this week</span>`)
	}
	if age && !c.CreatedAt.IsZero() {
		m.lit(` · since `).date(c.CreatedAt)
	}
	m.lit(`</p>`)
}
