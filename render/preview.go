package render

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// PreviewFragment is how a text will look, in its place above the form's buttons.
func PreviewFragment(text HTML) g.Node {
	said := formatted(text)
	if text == "" {
		said = h.P(h.Class("muted"), g.Text("There is nothing to show yet."))
	}
	return g.Group{h.P(h.Class("hint"), g.Text("Preview")), said}
}

// preview is the place for it, filled where the page was made for a preview.
func preview(f Form) g.Node {
	return h.Div(h.Class("preview"), h.Aria("live", "polite"), g.Iff(f.Preview != nil, func() g.Node { return PreviewFragment(*f.Preview) }))
}

// previewButton asks for it; form says which form the page is to show again.
func previewButton(form string) g.Node {
	return h.Button(h.Class("button quiet"), h.Name("preview"), h.Value(form), h.FormAction("/preview"), h.FormNoValidate(),
		g.Attr("hx-post", "/preview"), g.Attr("hx-target", "previous .preview"), g.Attr("hx-swap", "innerHTML"), g.Text("Preview"))
}
