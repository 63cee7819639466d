package listing

import (
	"cmp"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// FrontPage is / and the site's listing in each order.
type FrontPage struct {
	ui.Frame
	Listing     ui.Listing         `as:"inline"`
	Communities []ui.CommunityItem `json:"communities"`     // The largest communities.
	Own         ui.OwnCommunities  `json:"own_communities"` // Communities of the member who asks.
	// The member's communities have nothing to show, so the items are those of the whole site.
	NoneYet   bool   `json:"none_yet"`
	Checklist []Step `json:"-"` // for the administrator of a new site
}

// Front is the page of a FrontPage.
func Front(p FrontPage) g.Node {
	label := locale.With("About {} and its communities", p.SiteName)
	if len(p.Own.Items) > 0 {
		label = "Your communities, and others"
	}
	return ui.Page(p.Frame, label, frontSide(p),
		h.H1(h.Class("vh"), ui.T("Front page")),
		g.If(len(p.Checklist) > 0, checklist(p.Checklist)),
		g.If(p.NoneYet && len(p.Communities) > 0 && len(p.Checklist) == 0, h.P(h.Class("notice"),
			ui.T("Posts of the communities that you join appear here. Until then you see those of all."), g.Text(" "),
			h.A(h.Href("/welcome"), ui.T("Choose communities")))),
		ui.PostList(p.Listing, p.Frame),
	)
}

func frontSide(p FrontPage) g.Node {
	return g.Group{
		g.If(p.Viewer == nil, h.Section(h.Class("card"),
			h.H2(ui.T(cmp.Or(locale.Verbatim(p.Tagline), "A square for every interest"))),
			h.P(ui.T("Read what people found, say what you think, vote for what deserves to be seen.")),
			h.P(h.A(h.Class("button"), h.Href("/signup"), ui.T("Sign up"))),
		)),
		ui.OwnCommunityList(p.Own),
		h.Section(h.Class("card"),
			h.H2(ui.T("Communities")),
			g.If(len(p.Communities) == 0, h.P(h.Class("muted"), ui.T("No communities yet."))),
			g.If(len(p.Communities) > 0, communityList(p.Communities)),
			h.P(h.Class("row"), h.A(h.Href("/communities"), ui.T("All communities")), h.A(h.Href("/tags"), ui.T("Tags"))),
		),
	}
}

// communityList is a list of communities for a sidebar.
func communityList(items []ui.CommunityItem) g.Node {
	return ui.Component(func(m *ui.Markup) {
		m.Lit(`<ul class="clist">`)
		for _, c := range items {
			m.Lit(`<li><a href="/c/`).Segment(c.Name).Lit(`">`).Icon(c.Name, c.Colour, c.Icon).DisplayName(c.Name).Lit(`</a>`)
			m.Lit(`<span class="muted" title="`).Count(c.Members, "{} member|{} members").Lit(`">`)
			m.Compact(c.Members).Lit(` `).Noun(c.Members, "member|members").Lit(`</span></li>`)
		}
		m.Lit(`</ul>`)
	})
}
