package ui

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

func TitleText(p PostItem) g.Node {
	if gone := p.Gone(); gone != "" {
		return h.Span(h.Class("gone"), g.Text(string(gone)))
	}
	return g.Text(DisplayName(p.Title))
}
