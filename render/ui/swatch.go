package ui

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// Swatch is a colour to choose.
type Swatch struct{ Name, Colour string }

// ColourField is a field to choose a colour from a list. draw makes the icon in a colour.
func ColourField(f Form, label string, list []Swatch, draw func(colour string) g.Node) g.Node {
	problem := f.Errors["colour"]
	return h.FieldSet(h.Class("field swatches"), g.If(problem != "", h.Aria("describedby", "colour-error")),
		h.Legend(g.Text(label)),
		g.If(problem != "", h.P(h.Class("wrong"), h.ID("colour-error"), g.Text(problem))),
		h.Div(g.Map(list, func(s Swatch) g.Node {
			return h.Label(g.Attr("title", s.Name),
				h.Input(h.Type("radio"), h.Name("colour"), h.Value(s.Colour), h.Required(), g.If(s.Colour == f.Values["colour"], h.Checked())),
				draw(s.Colour), h.Span(h.Class("vh"), g.Text(s.Name)),
			)
		})),
	)
}
