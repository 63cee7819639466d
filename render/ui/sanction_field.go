package ui

import (
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// CitedField chooses the rule that is cited.
func CitedField(f Form, label string, rules []string) g.Node {
	return Control(f, Input{Name: "rule", Label: label}, func(attrs g.Group) g.Node {
		return h.Select(attrs, h.Required(), h.Option(h.Value(""), g.Text("Choose a rule")), g.Map(rules, func(rule string) g.Node {
			return h.Option(h.Value(rule), g.If(rule == f.Values["rule"], h.Selected()), g.Text(rule))
		}))
	})
}

// DaysField chooses a number of days. before stands in front of each, and none is what no number is called.
func DaysField(f Form, i Input, days []int, before, none string) g.Node {
	return Control(f, i, func(attrs g.Group) g.Node {
		return h.Select(attrs, g.Map(days, func(n int) g.Node {
			value, length := strconv.Itoa(n), Many(int64(n), "day")
			if n == 1 && before != "" {
				length = "day" // the last day
			}
			return h.Option(h.Value(value), g.If(value == f.Values[i.Name], h.Selected()), g.Text(before+length))
		}), h.Option(h.Value(""), g.If(f.Values[i.Name] == "", h.Selected()), g.Text(none)))
	})
}
