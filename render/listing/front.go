package listing

import (
	"cmp"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// FrontPage is / and the site's listing in each order.
type FrontPage struct {
	ui.Frame
	Listing     ui.Listing         `as:"inline"`
	Communities []ui.CommunityItem `json:"communities"`     // The largest communities.
	Own         ui.OwnCommunities  `json:"own_communities"` // Communities of the member who asks.
	Orders      []ui.Tab           `json:"-"`               // hot and new, where it shows the member's communities
	// The member's communities have nothing to show, so the items are those of the whole site.
	NoneYet bool `json:"none_yet"`
}

// Front is the page of a FrontPage.
func Front(p FrontPage) g.Node {
	label := "About " + p.SiteName + " and its communities"
	if len(p.Own.Items) > 0 {
		label = "Your communities, and others"
	}
	turned := p.Listing
	turned.Windows = append(turned.Windows[:len(turned.Windows):len(turned.Windows)], p.Orders...)
	return ui.Page(p.Frame, label, frontSide(p),
		h.Div(h.Class("head"), h.H1(g.Text("Front page"))),
		g.If(p.NoneYet, h.P(h.Class("notice"), g.Text("This will be yours: the posts of the communities that you subscribe to. Until then it "+
			"shows those of all. "),
			h.A(h.Href("/welcome"), g.Text("Choose some communities")))),
		ui.Tabs("Order", p.Listing.Tabs),
		ui.Tabs("Time", p.Listing.Windows),
		ui.Tabs("Order of your communities' posts", p.Orders),
		aboutYours(p),
		ui.Posts(p.Listing.Items, p.Frame, p.Listing.ShowCommunity, p.Listing.Empty),
		ui.SeenChoice(p.Listing, p.Frame),
		ui.ListingPager(turned),
	)
}

// aboutYours says what a member's own front page is.
func aboutYours(p FrontPage) g.Node {
	if len(p.Orders) == 0 || !p.Listing.FirstPage {
		return nil
	}
	begins, ends := "What is hot in ", ". Small ones get their place beside large ones."
	if p.Orders[1].Active {
		begins, ends = "What was posted last in ", "."
	}
	return h.P(h.Class("hint"), g.Text(begins), h.A(h.Href("/communities/yours"), g.Text("the communities that you subscribe to")),
		g.Text(ends))
}

func frontSide(p FrontPage) g.Node {
	return g.Group{
		g.If(p.Viewer == nil, h.Section(h.Class("card"),
			h.H2(g.Text(cmp.Or(p.Tagline, "A square for every interest"))),
			h.P(g.Text("Read what people found, say what you think, vote for what deserves to be seen.")),
			h.P(h.A(h.Class("button"), h.Href("/signup"), g.Text("Sign up"))),
		)),
		ui.OwnCommunityList(p.Own),
		h.Section(h.Class("card"),
			h.H2(g.Text("Communities")),
			communityList(p.Communities, "No community yet."),
			h.P(h.Class("row"), h.A(h.Href("/communities"), g.Text("All communities")), h.A(h.Href("/tags"), g.Text("Tags"))),
		),
	}
}

// communityList is a list of communities for a sidebar.
func communityList(items []ui.CommunityItem, empty string) g.Node {
	if len(items) == 0 {
		return h.P(h.Class("muted"), g.Text(empty))
	}
	return ui.Component(func(m *ui.Markup) {
		m.Lit(`<ul class="clist">`)
		for _, c := range items {
			m.Lit(`<li><a href="/c/`).Segment(c.Name).Lit(`">`).Icon(c.Name, c.Colour).Text(ui.DisplayName(c.Name)).Lit(`</a>`)
			m.Lit(`<span class="muted" title="`).Plural(c.Members, "member", "members").Lit(`">`)
			m.Compact(c.Members).Lit(" ").Noun(c.Members, "member", "members").Lit(`</span></li>`)
		}
		m.Lit(`</ul>`)
	})
}
