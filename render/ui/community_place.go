package ui

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// PlaceOf links from a form to the post or comment that it is about.
func PlaceOf(c Community, address, title string) g.Node {
	if c.Name == "" {
		return nil
	}
	return h.Div(
		h.P(h.Class("crumb"), h.A(h.Href(CommunityURL(c.Name)), Icon(c.Name, c.Colour, c.Icon), T(PlaceName(c.Name)))),
		h.P(h.A(h.Class("place"), h.Href(address), DisplayName(title))),
	)
}
