package post

import (
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// PictureField is how a form takes pictures. Its fields are pictures, pictured, and for N from 1 to mostPictures picture-N, alt-N and
// drop-N.
type PictureField struct {
	Refused locale.Text // why the member can't upload any; "" if they can
}

// mostPictures is how many pictures a post has at most.
const mostPictures = 10

// whyAlt is why a form asks for descriptions.
const whyAlt locale.Text = "Screen readers read the description to people who can't see the picture."

// uploadsFiles makes a form one that can send files.
func uploadsFiles(p *PictureField) g.Node {
	if p == nil || p.Refused != "" {
		return nil
	}
	return h.EncType("multipart/form-data")
}

// picturesField is the part of a form where pictures are chosen, described and taken out. web/pictures.js uploads each as soon as it is
// chosen. Without it, they come with the form, and the button Upload shows the form again, with room for their descriptions.
func picturesField(f ui.Form, p *PictureField, form string) g.Node {
	if p == nil {
		return nil
	}
	if p.Refused != "" {
		return h.Div(h.Class("field f-pictures"), h.P(h.Class("hint"), ui.T(p.Refused)), picks(f))
	}
	problem := f.Errors["pictures"]
	return h.Div(h.Class("field f-pictures"), h.Data("most", strconv.Itoa(mostPictures)),
		h.Link(h.Rel("stylesheet"), h.Href(ui.PicturesCSS)),
		h.Label(h.For("pictures"), ui.T("Pictures")),
		h.P(h.Class("hint"), h.ID("pictures-hint"), ui.T("Up to {} JPEG, PNG, GIF or WebP pictures of at most 4 MB each.", mostPictures)),
		g.If(problem != "", h.P(h.Class("wrong"), h.ID("pictures-error"), h.Role("alert"), ui.T(problem))),
		picks(f),
		h.Div(h.Class("row"),
			h.Input(h.Type("file"), h.ID("pictures"), h.Name("pictures"), h.Multiple(), h.Accept("image/jpeg,image/png,image/gif,image/webp"),
				h.Aria("describedby", "pictures-hint")),
			h.Button(h.Class("button quiet upload"), h.Name("preview"), h.Value(form), h.FormAction("/preview"), h.FormNoValidate(),
				ui.T("Upload"))),
		h.Script(ui.Src(ui.PicturesJS), h.Defer()))
}

// picks are the pictures that a form has, in their order.
func picks(f ui.Form) g.Node {
	var list g.Group
	for n := 1; n <= mostPictures; n++ {
		if at := strconv.Itoa(n); f.Values["picture-"+at] != "" {
			list = append(list, pick(f, at))
		}
	}
	return g.Group{ui.Hidden("pictured", "1"),
		h.P(h.Class("hint"), h.ID("alt-hint"), g.If(len(list) == 0, h.Hidden("")), ui.T(whyAlt)), h.Ol(h.Class("picks"), list)}
}

// pick is one of them. Its fields are no hidden ones, so that the script that keeps drafts on the device keeps them.
func pick(f ui.Form, at string) g.Node {
	sum := f.Values["picture-"+at]
	return h.Li(
		h.Img(h.Src(ui.SmallPictureURL(sum)), h.Alt(""), h.Width("96"), h.Height("96")),
		h.Div(h.Input(h.Name("picture-"+at), h.Value(sum), g.Attr("hidden")),
			h.Label(h.For("alt-"+at), ui.T("Describe picture {}", at)),
			h.Textarea(h.ID("alt-"+at), h.Name("alt-"+at), h.Rows("2"), h.MaxLength("500"), h.Aria("describedby", "alt-hint"),
				g.Text(ui.NewlineSafe(f.Values["alt-"+at]))),
			h.Label(h.Class("check"), h.Input(h.Type("checkbox"), h.Name("drop-"+at), h.Value("1")), h.Span(ui.T("Remove")))))
}

// editPictures are the pictures of a post that is edited: they can be described anew and taken out.
func editPictures(f ui.Form) g.Node {
	if f.Values["picture-1"] == "" {
		return nil
	}
	return h.Div(h.Class("field f-pictures"), h.Link(h.Rel("stylesheet"), h.Href(ui.PicturesCSS)), h.H2(ui.T("Pictures")),
		g.If(f.Errors["pictures"] != "", h.P(h.Class("wrong"), ui.T(f.Errors["pictures"]))), picks(f))
}

// gallery shows the pictures of a post: one by itself, several in a row that scrolls by thumb, wheel and keys. Each leads to its file;
// web/gallery.js shows it large in place.
func gallery(p ui.PostItem) g.Node {
	if len(p.Pictures) == 0 || p.Gone() != "" {
		return nil
	}
	sheet := g.Group{h.Link(h.Rel("stylesheet"), h.Href(ui.PicturesCSS)), h.Script(ui.Src(ui.GalleryJS), h.Defer())}
	if len(p.Pictures) == 1 {
		return h.Div(h.Class("gallery one"), sheet, shown(p, 0, tallAlone))
	}
	return h.Div(h.Class("gallery"), sheet,
		h.Ul(h.TabIndex("0"), h.Role("list"), ui.Attr("aria-label", "{} pictures", len(p.Pictures)),
			g.Map(p.Pictures, func(of ui.PostPicture) g.Node {
				return h.Li(shown(p, of.Place, tallInRow))
			})))
}

// How high pictures are at most, in CSS pixels: one by itself, and those of a row.
const (
	tallAlone = 720
	tallInRow = 416
)

// shown is one picture of a post, at most so many pixels high. The page leaves room for it, in its colour. The size that it is told has the
// picture's own ratio, so that no band is left beside it where the window has room.
func shown(p ui.PostItem, i, tallest int) g.Node {
	of := p.Pictures[i]
	alt := g.Node(h.Alt(of.Alt))
	if of.Alt == "" {
		alt = g.Group{ui.Attr("alt", "Picture {} of {}, without a description", i+1, len(p.Pictures)), h.Data("bare", "")}
	}
	width, height := of.Width, of.Height
	if height > tallest {
		width, height = max(1, width*tallest/height), tallest
	}
	return h.A(h.Href(of.URL), h.Img(h.Src(of.URL), alt, h.Width(strconv.Itoa(width)), h.Height(strconv.Itoa(height)),
		g.If(of.Colour != "", h.Class(ui.ColourClass(of.Colour))), g.If(i > 0 || p.Warned || p.Spoiler, g.Attr("loading", "lazy")),
		g.Attr("decoding", "async")))
}
