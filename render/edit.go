package render

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// EditPage changes a post or a comment. Fields: target, revision, and text, short, nsfw,
// spoiler, flair and tags of a post, body of a comment.
type EditPage struct {
	Frame
	Community Community // name and colour; "" when what is edited could not be read
	Title     string    // of the post, or of the post that was commented on
	URL       string    // of what is edited
	IsComment bool
	Target    string
	Flairs    FlairChoice
	Form      Form
	Newer     string // Markdown that was saved since the form was made
}

// Edit is the page of an EditPage.
func Edit(p EditPage) g.Node {
	heading := "Edit your post"
	if p.IsComment {
		heading = "Edit your comment"
	}
	var form g.Node
	if p.IsComment {
		form = editCommentForm(p, nil)
	} else {
		form = editPostForm(p)
	}
	return page(p.Frame, "", nil, h.Div(h.Class("sheet submit"), h.H1(g.Text(heading)), placeOf(p.Community, p.URL, p.Title), form))
}

// placeOf leads from a form back to the post or comment that it is about.
func placeOf(c Community, address, title string) g.Node {
	if c.Name == "" {
		return nil
	}
	return h.Div(
		h.P(h.Class("crumb"), h.A(h.Href(communityURL(c.Name)), icon(c.Name, c.Colour), g.Text(placeName(c.Name)))),
		h.P(h.A(h.Class("place"), h.Href(address), g.Text(named(title)))),
	)
}

func editPostForm(p EditPage) g.Node {
	f := p.Form
	return h.Form(h.Class("sheet submit"), sentTo("/edit"),
		formError(f),
		hidden("target", p.Target), hidden("revision", f.Values["revision"]),
		g.If(f.Values["short"] != "", hidden("short", "1")),
		newerText(p.Newer, p.Target),
		field(f, input{name: "text", label: "Text", hint: markdownHint, kind: "textarea", attrs: g.Group{h.Rows("12")}}),
		flairField(f, p.Flairs),
		g.If(f.Values["short"] == "", tagsField(f)),
		marks(f),
		preview(f),
		h.Div(h.Class("row"), submit("Save"), previewButton("edit"), cancel(p.URL)),
	)
}

// EditFormFragment is the form below the comment that is edited, on the thread's page.
func EditFormFragment(p EditPage) g.Node {
	return editCommentForm(p, inThread("/edit"))
}

// inThread has the script send a form that stands below a comment, and put the comment that comes back in the place of the old one.
func inThread(address string) g.Node {
	return g.Group{g.Attr("hx-post", address), g.Attr("hx-target", "this"), g.Attr("hx-swap", "none")}
}

func editCommentForm(p EditPage, inPlace g.Node) g.Node {
	control := "edit-" + p.Target
	return h.Form(h.Class("reply change"), sentTo("/edit"), inPlace,
		formError(p.Form),
		hidden("target", p.Target), hidden("revision", p.Form.Values["revision"]),
		newerText(p.Newer, p.Target),
		h.Label(h.For(control), g.Text("Your comment")),
		bodyControl(p.Form, control),
		preview(p.Form),
		h.Div(h.Class("row"), submit("Save"), previewButton("edit"), cancel(p.URL), h.Span(h.Class("muted"), g.Text("Markdown works"))),
	)
}

// bodyControl is the text area of a comment with what is wrong with it.
func bodyControl(f Form, control string) g.Node {
	problem := f.Errors["body"]
	return g.Group{
		g.If(problem != "", h.P(h.Class("wrong"), h.ID(control+"-error"), g.Text(problem))),
		h.Textarea(h.ID(control), h.Name("body"), h.Rows("4"), h.Required(),
			g.If(problem != "", g.Group{h.Aria("invalid", "true"), h.Aria("describedby", control+"-error"), h.AutoFocus()}),
			g.Text(newlineSafe(f.Values["body"]))),
	}
}

// newerText shows what was saved since the form was made and the form would have overwritten, so that people can copy from it.
func newerText(text, target string) g.Node {
	if text == "" {
		return nil
	}
	control := "newer-" + target
	return h.Div(h.Class("field"), h.Label(h.For(control), g.Text("Saved in the meantime")),
		h.Textarea(h.ID(control), h.Rows("4"), h.ReadOnly(), g.Text(newlineSafe(text))))
}

func cancel(address string) g.Node {
	if address == "" {
		return nil
	}
	return h.A(h.Class("cancel"), h.Href(address), g.Text("Cancel"))
}

// marks are the boxes for what readers are warned of before they see a post.
func marks(f Form) g.Node {
	return h.FieldSet(h.Class("field marks"), h.Legend(g.Text("Warn readers")),
		checkbox(f, "nsfw", "Not safe for work", "sex, violence or the like"),
		checkbox(f, "spoiler", "Spoiler", "gives away a story"),
	)
}

func checkbox(f Form, name, label, hint string) g.Node {
	return h.Label(h.Input(h.Type("checkbox"), h.Name(name), h.Value("1"), g.If(f.Values[name] != "", h.Checked())),
		h.Span(g.Text(label), h.Span(h.Class("hint"), g.Text(" "+hint))))
}

// opens writes a link to a form about a comment. The script opens the form below the comment.
func (m *markup) opens(on bool, address, label literal, id string) *markup {
	if !on {
		return m
	}
	return m.lit(`<a class="opens" href="`).lit(address).lit(`?target=`).text(id).lit(`">`).lit(label).lit(`</a>`)
}
