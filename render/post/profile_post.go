package post

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// ProfilePostPage is the form of a short post to one's own profile. Fields: text, token.
type ProfilePostPage struct {
	ui.Frame
	Form ui.Form
}

// ProfilePost is the page of a ProfilePostPage.
func ProfilePost(p ProfilePostPage) g.Node {
	return ui.Page(p.Frame, "", nil, h.Div(h.Class("sheet"), h.H1(ui.T(p.Title)), ui.ProfilePostForm(p.Form)))
}
