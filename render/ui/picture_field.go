package ui

import (
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
)

// OnePicture is the part of a form for a single picture, such as a portrait. Its fields are NAME, NAME-file and NAME-drop.
type OnePicture struct {
	Refused locale.Text // why the member can't upload any; "" if they can
}

// TakesFiles is the attribute with which a form can send files; nil if it accepts none.
func TakesFiles(p *OnePicture) g.Node {
	if p == nil || p.Refused != "" {
		return nil
	}
	return h.EncType("multipart/form-data")
}

// PictureInput is a field for a picture. shape is square or wide. web/portrait.js cuts a chosen, pasted or dropped picture to that shape
// and uploads it at once. Without the script, the picture is sent with the form.
func PictureInput(f Form, p *OnePicture, in Input, shape string) g.Node {
	sum, problem := f.Values[in.Name], f.Errors[in.Name]
	if p == nil || p.Refused != "" && sum == "" && problem == "" {
		return nil
	}
	file := in.Name + "-file"
	return h.FieldSet(h.Class("field portrait "+shape), h.Data("name", in.Name),
		h.Legend(T(in.Label)),
		h.P(h.Class("hint"), h.ID(file+"-hint"), T(in.Hint), g.Text(" "), T("JPEG, PNG, GIF or WebP.")),
		g.If(problem != "", h.P(h.Class("wrong"), h.ID(in.Name+"-error"), h.Role("alert"), T(problem))),
		h.Input(h.Type("hidden"), h.Name(in.Name), h.Value(sum)),
		h.Div(h.Class("row"),
			g.If(sum != "", h.Img(h.Src(PictureURL(sum)), Attr("alt", "The picture now"), h.Width("64"), h.Height("64"))),
			g.If(p.Refused != "", h.P(h.Class("hint"), T(p.Refused))),
			g.If(p.Refused == "", h.Input(h.Type("file"), h.ID(file), h.Name(file), h.Accept("image/jpeg,image/png,image/gif,image/webp"),
				Attr("aria-label", in.Label), h.Aria("describedby", file+"-hint"))),
			g.If(sum != "", h.Label(h.Class("check"), h.Input(h.Type("checkbox"), h.Name(in.Name+"-drop"), h.Value("1")), h.Span(T("Remove"))))))
}

// PictureScript is the script that a page with a PictureInput loads.
func PictureScript(p *OnePicture) g.Node {
	if p == nil {
		return nil
	}
	return g.Group{h.Link(h.Rel("stylesheet"), h.Href(PicturesCSS)), g.If(p.Refused == "", h.Script(Src(PortraitJS), h.Defer()))}
}

// PictureField is the part of a post's or comment's form for pictures. Its fields are pictures, pictured, and for N from 1 to Most
// picture-N, alt-N and drop-N.
type PictureField struct {
	Refused locale.Text // why the member can't add any; "" if they can
	Most    int         // how many there are at most
	Key     string      // makes the ids of several forms of a page differ; "" for a form on its own page
	Button  bool        // the form has only a button, which loads the field
}

// id is the id of an element of the field.
func (p *PictureField) id(name string) string {
	if p.Key == "" {
		return name
	}
	return name + "-" + p.Key
}

// maxPictures is how many fields a form has for pictures.
const maxPictures = 10

// whyAlt is why a form asks for descriptions.
const whyAlt locale.Text = "Screen readers read the description to people who can't see the picture."

// TakesPictures is the attribute with which a form can send files without a script; nil if it accepts none.
func TakesPictures(p *PictureField) g.Node {
	if p == nil || p.Refused != "" || p.Button {
		return nil
	}
	return h.EncType("multipart/form-data")
}

// Pictures is the part of a form where pictures are chosen, described and removed. web/pictures.js uploads each as soon as it is
// chosen. Without it, they come with the form, and the button Upload shows the form again, with room for their descriptions. form is the
// name of the form.
func Pictures(f Form, p *PictureField, form string) g.Node {
	if p == nil || p.Button {
		return nil
	}
	if p.Refused != "" {
		return h.Div(h.Class("field f-pictures"), h.P(h.Class("hint"), T(p.Refused)), p.picks(f))
	}
	problem := f.Errors["pictures"]
	input, hint := p.id("pictures"), p.id("pictures-hint")
	return h.Div(h.Class("field f-pictures"), h.Data("most", strconv.Itoa(p.Most)), h.Data("key", p.Key),
		h.Link(h.Rel("stylesheet"), h.Href(PicturesCSS)),
		h.Label(h.For(input), T("Pictures")),
		h.P(h.Class("hint"), h.ID(hint), T("One JPEG, PNG, GIF or WebP picture of at most 4 MB.|"+
			"Up to {} JPEG, PNG, GIF or WebP pictures of at most 4 MB each.", p.Most)),
		g.If(problem != "", h.P(h.Class("wrong"), h.ID(p.id("pictures-error")), h.Role("alert"), T(problem))),
		p.picks(f),
		h.Div(h.Class("row"),
			h.Input(h.Type("file"), h.ID(input), h.Name("pictures"), h.Multiple(), h.Accept("image/jpeg,image/png,image/gif,image/webp"),
				h.Aria("describedby", hint)),
			h.Button(h.Class("button quiet upload"), h.Name("preview"), h.Value(form), h.FormAction("/preview"), h.FormNoValidate(),
				T("Upload"))),
		h.Script(Src(PicturesJS), h.Defer()))
}

// EditPictures are the pictures of a post or comment in its edit form, where they can be described again and removed.
func EditPictures(f Form, key string) g.Node {
	if f.Values["picture-1"] == "" {
		return nil
	}
	p := &PictureField{Key: key}
	return h.Div(h.Class("field f-pictures"), h.Link(h.Rel("stylesheet"), h.Href(PicturesCSS)), h.H2(T("Pictures")),
		g.If(f.Errors["pictures"] != "", h.P(h.Class("wrong"), T(f.Errors["pictures"]))), p.picks(f))
}

// picks are the pictures that a form has, in their order.
func (p *PictureField) picks(f Form) g.Node {
	var list g.Group
	for n := 1; n <= maxPictures; n++ {
		if number := strconv.Itoa(n); f.Values["picture-"+number] != "" {
			list = append(list, p.pick(f, number))
		}
	}
	return g.Group{Hidden("pictured", "1"),
		h.P(h.Class("hint alt-why"), h.ID(p.id("alt-hint")), g.If(len(list) == 0, h.Hidden("")), T(whyAlt)), h.Ol(h.Class("picks"), list)}
}

// pick is one of these pictures. Its fields don't have the type hidden, because drafts on the device leave such fields out.
func (p *PictureField) pick(f Form, number string) g.Node {
	sum, alt := f.Values["picture-"+number], p.id("alt-"+number)
	return h.Li(
		h.Img(h.Src(PictureURL(sum)), h.Alt(""), h.Width("96"), h.Height("96")),
		h.Div(h.Input(h.Name("picture-"+number), h.Value(sum), g.Attr("hidden")),
			h.Label(h.For(alt), T("Describe picture {}", number)),
			h.Textarea(h.ID(alt), h.Name("alt-"+number), h.Rows("2"), h.MaxLength("500"), h.Aria("describedby", p.id("alt-hint")),
				g.Text(NewlineSafe(f.Values["alt-"+number]))),
			h.Label(h.Class("check"), h.Input(h.Type("checkbox"), h.Name("drop-"+number), h.Value("1")), h.Span(T("Remove")))))
}
