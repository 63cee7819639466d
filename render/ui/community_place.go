package ui

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// TargetLink links from a form to the post or comment that it is about.
func TargetLink(c Community, address, title string) g.Node {
	if c.Name == "" {
		return nil
	}
	return h.Div(
		h.P(h.Class("crumb"), h.A(h.Href(CommunityURL(c.Name)), Icon(c.Name, c.Colour, c.Icon), T(CommunityLabel(c.Name)))),
		h.P(h.A(h.Class("place"), h.Href(address), DisplayName(title))),
	)
}
