package post

import (
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// gallery shows the pictures of a post: one by itself, several in a row that scrolls by thumb, wheel and keys. Each leads to its file;
// web/gallery.js shows it large in place.
func gallery(p ui.PostItem) g.Node {
	if len(p.Pictures) == 0 || p.Gone() != "" {
		return nil
	}
	sheet := g.Group{h.Link(h.Rel("stylesheet"), h.Href(ui.PicturesCSS)), h.Script(ui.Src(ui.GalleryJS), h.Defer())}
	if len(p.Pictures) == 1 {
		return h.Div(h.Class("gallery one"), sheet, pictureLink(p, 0, tallAlone))
	}
	return h.Div(h.Class("gallery"), sheet,
		h.Ul(h.TabIndex("0"), h.Role("list"), ui.Attr("aria-label", "{} picture|{} pictures", len(p.Pictures)),
			g.Map(p.Pictures, func(picture ui.PostPicture) g.Node {
				return h.Li(h.Data("nth", strconv.Itoa(picture.Place+1)+"/"+strconv.Itoa(len(p.Pictures))), pictureLink(p, picture.Place, tallInRow))
			})))
}

// How high pictures are at most, in CSS pixels: a single one, and those in a row.
const (
	tallAlone = 720
	tallInRow = 416
)

// pictureLink is picture i of a post, at most maxHeight pixels high. The page reserves its space, in its colour. The img has the
// picture's own ratio, so that no band appears beside it in a wide window.
func pictureLink(p ui.PostItem, i, maxHeight int) g.Node {
	picture := p.Pictures[i]
	alt := g.Node(h.Alt(picture.Alt))
	if picture.Alt == "" {
		alt = g.Group{ui.Attr("alt", "Picture {} of {}, without a description", i+1, len(p.Pictures)), h.Data("bare", "")}
	}
	width, height := picture.Fit(maxHeight)
	return h.A(h.Href(picture.URL), h.Img(h.Src(picture.URL), alt, h.Width(strconv.Itoa(width)), h.Height(strconv.Itoa(height)),
		g.If(picture.Colour != "", h.Class(ui.ColourClass(picture.Colour))), g.If(i > 0 || p.Warned || p.Spoiler, g.Attr("loading", "lazy")),
		g.Attr("decoding", "async")))
}
