package ui

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// PostTitle is the heading of a post's own page. Buttons refer to its id (aria-describedby).
func PostTitle(p PostItem) g.Node {
	return Component(func(m *Markup) { m.Lit(`<h1 id="t-`).Text(p.ID).Lit(`">`).Node(TitleText(p)).Lit(`</h1>`) })
}

func TitleText(p PostItem) g.Node {
	if gone := p.Gone(); gone != "" {
		return h.Span(h.Class("gone"), T(gone))
	}
	return DisplayName(p.Title)
}
