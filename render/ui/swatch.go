package ui

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
)

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
