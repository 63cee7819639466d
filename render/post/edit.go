package post

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// EditPage changes a post or a comment. Fields of both: target, revision, pictured, picture-N, alt-N and drop-N. Of a post also: title,
// text, short, nsfw, spoiler, flair and tags. Of a comment also: body.
type EditPage struct {
	ui.Frame
	Community    ui.Community // name and colour; zero when what is edited could not be read
	Title        string       // of the post, or of the post that was commented on
	URL          string       // of what is edited
	IsComment    bool
	Target       string
	CanEditTitle bool // the title can still be changed
	Flairs       ui.FlairChoice
	Form         ui.Form
	Newer        string // Markdown that was saved since the form was created
}

// Edit is the page of an EditPage.
func Edit(p EditPage) g.Node {
	heading := locale.Text("Edit your post")
	if p.IsComment {
		heading = "Edit your comment"
	}
	var form g.Node
	if p.IsComment {
		form = editCommentForm(p, nil)
	} else {
		form = editPostForm(p)
	}
	return ui.Page(p.Frame, "", nil, h.Div(h.Class("sheet submit"), h.H1(ui.T(heading)), ui.TargetLink(p.Community, p.URL, p.Title), form,
		ui.DraftScript(p.Viewer)))
}

func editPostForm(p EditPage) g.Node {
	f := p.Form
	return h.Form(h.Class("sheet submit"), ui.PostTo("/edit"),
		ui.FormError(f),
		ui.Hidden("target", p.Target), ui.Hidden("revision", f.Values["revision"]),
		g.If(f.Values["short"] != "", ui.Hidden("short", "1")),
		newerText(p.Newer, p.Target),
		g.If(p.CanEditTitle, ui.FormField(f, ui.Input{Name: "title", Label: "Title", Hint: "You can change it for ten minutes after posting.",
			Kind: "text", Attrs: g.Group{h.Required(), h.MaxLength("300"), h.AutoComplete("off")}})),
		ui.FormField(f, ui.Input{Name: "text", Label: "Text", Hint: ui.MarkdownHint, Kind: "textarea", Attrs: g.Group{h.Rows("12")}}),
		ui.EditPictures(f, ""),
		ui.FlairField(f, p.Flairs),
		g.If(f.Values["short"] == "", ui.TagsField(f)),
		contentWarnings(f),
		ui.PreviewBox(f),
		h.Div(h.Class("row"), ui.Submit("Save"), ui.PreviewButton("edit"), ui.Cancel(p.URL)),
	)
}

// EditFormFragment is the form below the comment that is edited, on the thread's page.
func EditFormFragment(p EditPage) g.Node {
	return editCommentForm(p, inThread("/edit"))
}

// inThread are the attributes with which htmx sends a form below a comment. htmx swaps nothing when the form is accepted:
// web/app/in_place.js replaces parts of the comment by those of the response, and removes the form.
func inThread(address string) g.Node {
	return g.Group{g.Attr("hx-post", address), g.Attr("hx-target", "this"), g.Attr("hx-swap", "none")}
}

func editCommentForm(p EditPage, inPlace g.Node) g.Node {
	control := "edit-" + p.Target
	return h.Form(h.Class("reply change"), ui.PostTo("/edit"), inPlace,
		ui.FormError(p.Form),
		ui.Hidden("target", p.Target), ui.Hidden("revision", p.Form.Values["revision"]),
		newerText(p.Newer, p.Target),
		h.Label(h.For(control), ui.T("Comment¦noun")),
		ui.BodyControl(p.Form, control, "", p.Form.Values["picture-1"] == ""),
		ui.EditPictures(p.Form, p.Target),
		ui.PreviewBox(p.Form),
		h.Div(h.Class("row"), ui.Submit("Save"), ui.PreviewButton("edit"), ui.Cancel(p.URL), h.Span(h.Class("muted"), ui.T("Markdown works"))),
	)
}

// newerText shows what was saved after the form was opened, and the form would have overwritten, so that people can copy from it.
func newerText(text, target string) g.Node {
	if text == "" {
		return nil
	}
	control := "newer-" + target
	return h.Div(h.Class("field"), h.Label(h.For(control), ui.T("Saved in the meantime")),
		h.Textarea(h.ID(control), h.Rows("4"), h.ReadOnly(), g.Text(ui.NewlineSafe(text))))
}

// contentWarnings are the checkboxes NSFW and spoiler, of which readers are warned before they see a post.
func contentWarnings(f ui.Form) g.Node {
	return h.FieldSet(h.Class("field marks"), h.Legend(ui.T("Warn readers")),
		ui.Checkbox(f, "nsfw", "NSFW", "not safe for work: sex, violence or the like"),
		ui.Checkbox(f, "spoiler", "Spoiler", "gives away a story"),
	)
}
