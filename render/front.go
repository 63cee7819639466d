package render

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// FrontPage is / and the site's listing in each order.
type FrontPage struct {
	Frame
	Listing     Listing
	Communities []CommunityItem // sidebar: where to go
	NoneYet     bool            // the member's communities have nothing to show
}

// Front is the page of a FrontPage.
func Front(p FrontPage) g.Node {
	return page(p.Frame, "About "+p.SiteName+" and its communities", frontSide(p),
		h.Div(h.Class("head"), h.H1(g.Text("Front page"))),
		g.If(p.NoneYet, h.P(h.Class("notice"), g.Text("This will be yours: the posts of the communities that you subscribe to. Until then it shows those of all. "),
			h.A(h.Href("/welcome"), g.Text("Choose some communities")))),
		listing(p.Listing, p.Frame),
	)
}

func frontSide(p FrontPage) g.Node {
	return g.Group{
		g.If(p.Viewer == nil, h.Section(h.Class("card"),
			h.H2(g.Text("A square for every interest")),
			h.P(g.Text("Read what people found, say what you think, vote for what deserves to be seen.")),
			h.P(h.A(h.Class("button"), h.Href("/signup"), g.Text("Join "+p.SiteName))),
		)),
		h.Section(h.Class("card"),
			h.H2(g.Text("Communities")),
			communityList(p.Communities, "No community yet."),
			h.P(h.A(h.Href("/communities"), g.Text("All communities"))),
		),
	}
}

// communityList is a list of communities for a sidebar.
func communityList(items []CommunityItem, empty string) g.Node {
	if len(items) == 0 {
		return h.P(h.Class("muted"), g.Text(empty))
	}
	return component(func(m *markup) {
		m.lit(`<ul class="clist">`)
		for _, c := range items {
			m.lit(`<li><a href="/c/`).segment(c.Name).lit(`">`).icon(c.Name, c.Colour).text(named(c.Name)).lit(`</a>`)
			m.lit(`<span class="muted" title="`).plural(c.Members, "member", "members").lit(`">`)
			m.compact(c.Members).lit(" ").noun(c.Members, "member", "members").lit(`</span></li>`)
		}
		m.lit(`</ul>`)
	})
}
