package ui

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
)

// OnePicture is the part of a form that takes a single picture, such as a portrait. Its fields are NAME, NAME-file and NAME-drop.
type OnePicture struct {
	Refused locale.Text // why the member can't upload any; "" if they can
}

// TakesFiles is the attribute with which a form can send files; nil if it takes none.
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
			g.If(sum != "", h.Img(h.Src(SmallPictureURL(sum)), Attr("alt", "The picture now"), h.Width("64"), h.Height("64"))),
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

// Swatch is a colour to choose.
type Swatch struct {
	Name   locale.Text
	Colour string
}

// ColourField is a field to choose a colour from a list. draw makes the icon in a colour.
func ColourField(f Form, label locale.Text, list []Swatch, draw func(colour string) g.Node) g.Node {
	problem := f.Errors["colour"]
	return h.FieldSet(h.Class("field swatches"), g.If(problem != "", h.Aria("describedby", "colour-error")),
		h.Legend(T(label)),
		g.If(problem != "", h.P(h.Class("wrong"), h.ID("colour-error"), T(problem))),
		h.Div(g.Map(list, func(s Swatch) g.Node {
			return h.Label(Attr("title", s.Name),
				h.Input(h.Type("radio"), h.Name("colour"), h.Value(s.Colour), h.Required(), g.If(s.Colour == f.Values["colour"], h.Checked())),
				draw(s.Colour), h.Span(h.Class("vh"), T(s.Name)),
			)
		})),
	)
}
