package ui

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// CommunityLink links to a community, or to the profile whose posts are in it, with its large icon.
func CommunityLink(c Community) g.Node {
	return Component(func(m *Markup) {
		m.Lit(`<a href="`).Text(CommunityURL(c.Name)).Lit(`">`).Emblem(c.Name, c.Colour, c.Icon).Say(CommunityLabel(c.Name)).Lit(`</a>`)
	})
}

// TargetLink links from a form to the post or comment that it is about.
func TargetLink(c Community, address, title string) g.Node {
	if c.Name == "" {
		return nil
	}
	return h.Div(
		h.P(h.Class("crumb"), CommunityLink(c)),
		h.P(h.A(h.Class("place"), h.Href(address), DisplayName(title))),
	)
}
