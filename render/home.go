package render

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// HomePage is /home: what those whom a member follows have posted.
type HomePage struct {
	Frame
	Listing    Listing
	Own        OwnCommunities
	Rebuilding bool  // the member was away, and the timeline is being made again
	Short      *Form // a short post to the member's own profile; nil on later pages
}

// Home is the page of a HomePage.
func Home(p HomePage) g.Node {
	return page(p.Frame, "Your communities", ownCommunities(p.Own),
		h.Div(h.Class("head"), h.H1(g.Text(p.Title))),
		tabs("Order", p.Listing.Tabs),
		g.Iff(p.Short != nil, func() g.Node { return shortForm(*p.Short) }),
		g.If(p.Rebuilding, h.P(h.Class("notice"), g.Text("Welcome back. What you missed is being gathered: "), h.A(h.Href("/home"), g.Text("look again in a moment")), g.Text("."))),
		posts(p.Listing.Items, p.Frame, p.Listing.ShowCommunity, p.Listing.Empty),
		seenChoice(p.Listing, p.Frame),
		pager(p.Listing),
	)
}
