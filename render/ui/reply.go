package ui

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
)

// ReplyPage is the form to reply to a post or comment, on a page of its own: without JavaScript, or after an error. Fields: post or
// parent, body, token, and the fields of a PictureField.
type ReplyPage struct {
	Frame
	Post   PostItem
	Parent *Comment // nil for a comment on the post itself
	Form   Form
	// Pictures is its field for pictures; nil if it accepts none.
	Pictures *PictureField
}

// Reply is the page of a ReplyPage.
func Reply(p ReplyPage) g.Node {
	field, id, label := p.target()
	return Page(p.Frame, "", nil,
		h.Div(h.Class("sheet"),
			h.H1(T(label)),
			// A reader who may not see the post is not led to it.
			g.If(p.Post.URL != "", h.P(h.Class("crumb"), h.Span(T("in¦place")), h.A(h.Href(p.Post.URL), TitleText(p.Post)))),
			g.Iff(p.Parent != nil && !p.Parent.CreatedAt.IsZero(), func() g.Node {
				return h.BlockQuote(h.Class("quote-box"), parentOf(p))
			}),
			ReplyForm(p.Form, field, id, label, nil, p.Pictures),
			DraftScript(p.Viewer),
		),
	)
}

// parentOf shows the comment that is answered.
func parentOf(p ReplyPage) g.Node {
	return Component(func(m *Markup) {
		m.commentHead(p.Parent, &Thread{Now: p.Now, Flat: true})
		from := len(m.b)
		m.Lit(`<div class="md whole">`).commentBody(p.Parent).raise(from).Lit(`</div>`)
	})
}

// ReplyFormFragment is the form below the parent comment, on the thread's page.
func ReplyFormFragment(p ReplyPage) g.Node {
	field, id, label := p.target()
	return ReplyForm(p.Form, field, id, label, InPlace(field), p.Pictures)
}

// PicturesFragment is the field for pictures of that form, in place of the button that loads it.
func PicturesFragment(p ReplyPage) g.Node { return Pictures(p.Form, p.Pictures, "reply") }

// target returns the field that names the post or parent, its id, and the label of the text area.
func (p ReplyPage) target() (field Literal, id string, label locale.Text) {
	switch {
	case p.Parent == nil:
		return "post", p.Post.ID, "Comment¦noun"
	case p.Parent.Author == "":
		return "parent", p.Parent.ID, "Reply¦noun"
	}
	return "parent", p.Parent.ID, locale.With("Reply to {}", p.Parent.Author)
}

// InPlace are the attributes with which htmx sends a comment and inserts it: a reply in the place of the form, a comment on the post at the
// top of the thread.
func InPlace(target Literal) g.Node {
	if target == "post" {
		return g.Group{g.Attr("hx-post", "/comment"), g.Attr("hx-target", "#thread"), g.Attr("hx-swap", "afterbegin")}
	}
	return g.Group{g.Attr("hx-post", "/comment"), g.Attr("hx-target", "this"), g.Attr("hx-swap", "outerHTML")}
}

// ReplyForm is the form for a comment. inPlace comes from InPlace; it is nil on a page without the thread. Under a post the form is one
// line until the viewer writes in it (web/css/4-thread.css). pictures is nil if it accepts none.
func ReplyForm(f Form, target Literal, id string, label locale.Text, inPlace g.Node, pictures *PictureField) g.Node {
	required := TakesPictures(pictures) == nil && f.Values["picture-1"] == ""
	control, button := "body-"+id, locale.Text("Comment¦verb")
	if target == "parent" {
		button = "Reply¦verb"
	}
	return h.Form(h.Class("reply"), PostTo("/comment"), TakesPictures(pictures), Again("reply"), inPlace,
		FormError(f),
		Hidden(target, id), FormToken(f),
		h.Label(h.Class("vh"), h.For(control), T(label)),
		BodyControl(f, control, locale.With("{}…", label), required),
		Pictures(f, pictures, "reply"),
		PreviewBox(f),
		h.Div(h.Class("row"), Submit(button), PreviewButton("reply"), picturesButton(pictures, id),
			h.Span(h.Class("muted"), T("Markdown works"))),
	)
}

// picturesButton loads the field for pictures into the form of a comment. The script loads the field alone; web/pictures.js moves it above
// the buttons. Without JavaScript, the page of the form is loaded, with everything that was typed.
func picturesButton(p *PictureField, target string) g.Node {
	if p == nil || !p.Button {
		return nil
	}
	return h.Button(h.Class("button quiet add-pictures"), h.Name("preview"), h.Value("reply"), h.FormAction("/preview"), h.FormNoValidate(),
		g.Attr("hx-get", "/reply?to="+target+"&pictures=1&fragment=1"), g.Attr("hx-target", "this"), g.Attr("hx-swap", "outerHTML"),
		T("Pictures"))
}
