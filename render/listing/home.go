package listing

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// HomePage is /home: posts of the members whom the viewer follows.
type HomePage struct {
	ui.Frame
	Listing    ui.Listing        `as:"inline"`
	Own        ui.OwnCommunities `json:"own_communities"` // Communities of the member who asks.
	Rebuilding bool              `json:"rebuilding"`      // The member was inactive, and the list is being made again.
	Short      *ui.Form          `json:"-"`               // a short post to the member's own profile; nil on later pages
}

// Home is the page of a HomePage.
func Home(p HomePage) g.Node {
	return ui.Page(p.Frame, "Your communities", ui.OwnCommunityList(p.Own),
		h.H1(h.Class("vh"), ui.T(p.Title)),
		g.Iff(p.Short != nil, func() g.Node { return ui.ProfilePostForm(*p.Short) }),
		g.If(p.Rebuilding, h.P(h.Class("notice"), ui.T("Welcome back. What you missed is being gathered: {}.",
			h.A(h.Href("/home"), ui.T("look again in a moment"))))),
		ui.PostList(p.Listing, p.Frame),
	)
}
