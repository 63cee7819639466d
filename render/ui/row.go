package ui

import (
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
)

// Rows is a list of rows whose columns are aligned; nothing for no rows.
func Rows[T any](list []T, row func(T) g.Node) g.Node {
	if len(list) == 0 {
		return nil
	}
	return h.Ul(h.Class("rows"), g.Map(list, row))
}

// Row is one of Rows: its subject, what is known about it, and what can be done about it. The last two may be nil.
func Row(subject, facts, do g.Node, attrs ...g.Node) g.Node {
	return h.Li(g.Group(attrs), h.Div(subject), g.If(facts != nil, h.Div(h.Class("muted"), facts)),
		g.If(do != nil, h.Div(h.Class("do"), do)))
}

// RowButton is the button of a row. about names its subject for screen readers.
func RowButton(label, about locale.Text, attrs ...g.Node) g.Node {
	return h.Button(h.Class("plain"), g.Group(attrs), T(label), h.Span(h.Class("vh"), g.Text(" "), T(about)))
}

// Several is the part of a form for several of a kind, such as links. Each row has the same fields. From 640 px it is one line, and heads
// above the columns replace its labels.
func Several(class string, legend, hint locale.Text, heads []locale.Text, rows g.Group) g.Node {
	return h.FieldSet(h.Class("field several "+class), h.Legend(T(legend)), h.P(h.Class("hint"), T(hint)),
		h.Ol(h.Li(h.Class("heads"), h.Aria("hidden", "true"), g.Map(heads, func(head locale.Text) g.Node { return h.Span(T(head)) })),
			rows))
}

// ruleField is the name of the field for the title or text of the n-th rule, from 1.
func ruleField(n int, part string) string { return "rule-" + strconv.Itoa(n) + "-" + part }

// Rules are the fields of count rules.
func Rules(f Form, count int) g.Node {
	rows := make(g.Group, count)
	for i := range rows {
		n := strconv.Itoa(i + 1)
		rows[i] = h.Li(
			FormField(f, Input{Name: ruleField(i+1, "title"), Label: locale.With("Rule {}", n), Kind: "text",
				Attrs: g.Group{h.AutoComplete("off")}}),
			FormField(f, Input{Name: ruleField(i+1, "text"), Label: locale.With("Explanation of rule {}", n), Kind: "textarea",
				Attrs: g.Group{h.Rows("2")}}),
		)
	}
	return Several("", "Rules", "At most 15. Empty rows are ignored. Save to get more rows.", []locale.Text{"Rule", "Explanation"}, rows)
}
