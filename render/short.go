package render

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// ShortPage is the form of a short post to one's own profile. Fields: text, token.
type ShortPage struct {
	Frame
	Form Form
}

// Short is the page of a ShortPage.
func Short(p ShortPage) g.Node {
	return page(p.Frame, "", nil, h.Div(h.Class("sheet"), h.H1(g.Text(p.Title)), shortForm(p.Form)))
}

// shortForm is the form of a short post, on pages of other things too.
func shortForm(f Form) g.Node {
	problem := f.Errors["text"]
	return h.Form(h.Class("reply"), sentTo("/post"),
		formError(f), formToken(f),
		h.Label(h.For("short"), g.Text("Say something on your profile")),
		g.If(problem != "", h.P(h.Class("wrong"), h.ID("short-error"), g.Text(problem))),
		h.Textarea(h.ID("short"), h.Name("text"), h.Rows("2"), h.Required(), h.MaxLength("1000"),
			g.If(problem != "", g.Group{h.Aria("invalid", "true"), h.Aria("describedby", "short-error"), h.AutoFocus()}),
			g.Text(newlineSafe(f.Values["text"]))),
		preview(f),
		h.Div(h.Class("row"), submit("Post"), previewButton("short"), h.Span(h.Class("muted"), g.Text("Markdown works"))),
	)
}
