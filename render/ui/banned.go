package ui

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
)

// Banned is the decision that keeps the viewer from writing in a community.
type Banned struct {
	Says locale.Text `json:"says"`                  // Why, and until when.
	URL  string      `json:"decision" as:"address"` // Address of the decision, where the member can appeal.
}

// Banner replaces a form: it says why the viewer can't write, and links to the decision. before is its first sentence; "" for none.
func (b *Banned) Banner(before locale.Text) g.Node {
	return h.P(h.Class("join"), T(before), g.If(before != "", g.Text(" ")), T(b.Says), g.Text(" "),
		h.A(h.Href(b.URL), T("See the decision or appeal")))
}
