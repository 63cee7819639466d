package ui

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
)

// Choice is a field with a list of values to choose from.
func Choice(f Form, name string, label, hint locale.Text, options []Option) g.Node {
	return Control(f, Input{Name: name, Label: label, Hint: hint}, func(attrs g.Group) g.Node {
		return h.Select(attrs, g.Map(options, func(o Option) g.Node {
			return h.Option(h.Value(o.Value), g.If(o.Value == f.Values[name], h.Selected()), T(o.Label))
		}))
	})
}

// Option is one of the values of a field to choose from.
type Option struct {
	Value string
	Label locale.Text
}

// Swatch is a colour to choose.
type Swatch struct {
	Name   locale.Text
	Colour string
}

// ColourField is the field colour, a choice from a list. draw makes the icon in a colour.
func ColourField(f Form, label locale.Text, list []Swatch, draw func(colour string) g.Node) g.Node {
	return SwatchField(f, "colour", label, list, draw)
}

// SwatchField is ColourField for a field of another name.
func SwatchField(f Form, name string, label locale.Text, list []Swatch, draw func(colour string) g.Node) g.Node {
	problem := f.Errors[name]
	return h.FieldSet(h.Class("field swatches"), g.If(problem != "", h.Aria("describedby", name+"-error")),
		h.Legend(T(label)),
		g.If(problem != "", h.P(h.Class("wrong"), h.ID(name+"-error"), T(problem))),
		h.Div(g.Map(list, func(s Swatch) g.Node {
			return h.Label(Attr("title", s.Name),
				h.Input(h.Type("radio"), h.Name(name), h.Value(s.Colour), h.Required(), g.If(s.Colour == f.Values[name], h.Checked())),
				draw(s.Colour), h.Span(h.Class("vh"), T(s.Name)),
			)
		})),
	)
}
