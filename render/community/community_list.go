package community

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// Communities is the page of a CommunitiesPage.
func Communities(p ui.CommunitiesPage) g.Node {
	return ui.Page(p.Frame, "", nil,
		h.Div(h.Class("head"),
			h.Div(h.H1(ui.T("Communities"))),
			g.If(p.CanFound, h.Div(h.Class("do"), h.A(h.Class("button"), h.Href("/communities/new"), ui.T("New community")))),
		),
		ui.Tabs("Order", p.Tabs),
		ui.CommunityRows(p),
		g.If(p.NextURL != "" || p.FirstURL != "", h.Nav(h.Class("pager"), ui.Attr("aria-label", "Pages"),
			g.If(p.FirstURL != "", h.A(h.Href(p.FirstURL), ui.T("First page"))), ui.Next(p.NextURL))),
	)
}
