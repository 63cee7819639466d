package ui

import (
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/locale/kept"
)

// CitedField chooses the rule that is cited.
func CitedField(f Form, label locale.Text, rules []string) g.Node {
	return Control(f, Input{Name: "rule", Label: label}, func(attrs g.Group) g.Node {
		return h.Select(attrs, h.Required(), h.Option(h.Value(""), T("Choose a rule")), g.Map(rules, func(rule string) g.Node {
			return h.Option(h.Value(rule), g.If(rule == f.Values["rule"], h.Selected()), T(kept.Text(rule)))
		}))
	})
}

// DaysField chooses a number of days. label is the text for each number, such as "{} day|{} days", and none the text for no number.
func DaysField(f Form, i Input, days []int, label, none locale.Text) g.Node {
	return Control(f, i, func(attrs g.Group) g.Node {
		return h.Select(attrs, g.Map(days, func(n int) g.Node {
			value := strconv.Itoa(n)
			return h.Option(h.Value(value), g.If(value == f.Values[i.Name], h.Selected()), T(label, n))
		}), h.Option(h.Value(""), g.If(f.Values[i.Name] == "", h.Selected()), T(none)))
	})
}
