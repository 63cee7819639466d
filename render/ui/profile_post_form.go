package ui

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// ProfilePostForm is the form of a short post to the viewer's own profile.
func ProfilePostForm(f Form) g.Node {
	problem := f.Errors["text"]
	return h.Form(h.Class("reply folds"), PostTo("/post"),
		FormError(f), FormToken(f),
		h.Label(h.Class("vh"), h.For("short"), T("Post to your profile")),
		g.If(problem != "", h.P(h.Class("wrong"), h.ID("short-error"), T(problem))),
		h.Textarea(h.ID("short"), h.Name("text"), Attr("placeholder", "Post to your profile…"), h.Rows("2"), h.Required(), h.MaxLength("1000"),
			g.If(problem != "", g.Group{h.Aria("invalid", "true"), h.Aria("describedby", "short-error"), autoFocus{invalid: true}}),
			g.Text(NewlineSafe(f.Values["text"]))),
		PreviewBox(f),
		h.Div(h.Class("row"), Submit("Post¦verb"), PreviewButton("short"), h.Span(h.Class("muted"), T("Markdown works"))),
	)
}
