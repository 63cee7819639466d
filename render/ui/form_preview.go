package ui

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/markdown"
)

// Preview is what a preview shows of a form.
type Preview struct {
	Text        markdown.HTML
	Link, Image string // addresses, as typed
}

// PreviewFragment is a preview above the form's buttons. It has only a link to the picture, which is fetched once it is posted.
func PreviewFragment(p Preview) g.Node {
	link, image := markdown.SafeURL(p.Link), markdown.SafeURL(p.Image)
	if p.Text == "" && link == "" && image == "" {
		return g.Group{h.P(h.Class("hint"), T("Preview")), h.P(h.Class("muted"), T("There is nothing to show yet."))}
	}
	return g.Group{h.P(h.Class("hint"), T("Preview")), previewCard("Link", link), previewCard("Picture", image), PageText(p.Text)}
}

func previewCard(label locale.Text, address string) g.Node {
	if address == "" {
		return nil
	}
	return h.A(h.Class("linkcard"), h.Href(address), h.Rel("nofollow ugc"), h.Span(h.Class("ex"), T(label)),
		h.Strong(g.Text(PlainAddress(address))))
}

// PreviewBox is the element of a form for its preview. It is empty until a preview is requested.
func PreviewBox(f Form) g.Node {
	return h.Div(h.Class("preview"), h.Aria("live", "polite"), g.Iff(f.Preview != nil, func() g.Node { return PreviewFragment(*f.Preview) }))
}

// PreviewButton requests a preview. form is the name of the form, which is shown again where JavaScript is off.
func PreviewButton(form string) g.Node {
	return h.Button(h.Class("button quiet"), h.Name("preview"), h.Value(form), h.FormAction("/preview"), h.FormNoValidate(),
		g.Attr("hx-post", "/preview"), g.Attr("hx-target", "previous .preview"), g.Attr("hx-swap", "innerHTML"), T("Preview"))
}
