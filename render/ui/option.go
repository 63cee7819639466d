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
