package post

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// ShortPage is the form of a short post to one's own profile. Fields: text, token.
type ShortPage struct {
	ui.Frame
	Form ui.Form
}

// Short is the page of a ShortPage.
func Short(p ShortPage) g.Node {
	return ui.Page(p.Frame, "", nil, h.Div(h.Class("sheet"), h.H1(g.Text(p.Title)), ui.ShortForm(p.Form)))
}
