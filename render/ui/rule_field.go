package ui

import (
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
)

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
	return h.FieldSet(h.Class("field rows"),
		h.Legend(T("Rules")),
		h.P(h.Class("hint"), T("At most 15. Empty rows are ignored. Save to get more rows.")),
		h.Ol(rows),
	)
}
