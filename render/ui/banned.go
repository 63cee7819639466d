package ui

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// Banned is what keeps the viewer from writing in a community.
type Banned struct {
	Says string `json:"says"`                  // Why, and until when.
	URL  string `json:"decision" as:"address"` // Address of the decision, where the member can appeal.
}

// Notice says so in the place of a form, and leads to the appeal. before is a sentence that stands first.
func (b *Banned) Notice(before string) g.Node {
	return h.P(h.Class("join"), g.Text(before+b.Says+" "), h.A(h.Href(b.URL), g.Text("See the decision or appeal")))
}
