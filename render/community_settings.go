package render

import (
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// CommunitySettingsPage is /c/{name}/settings. Fields: revision, title, description, sidebar,
// colour, rule-N-title and rule-N-text for N from 1 to Rules.
type CommunitySettingsPage struct {
	Frame
	Community string // name
	Palette   []Swatch
	Rules     int // rows
	Form      Form
}

// Swatch is a colour to choose.
type Swatch struct{ Name, Colour string }

// CommunitySettings is the form by which moderators change a community.
func CommunitySettings(p CommunitySettingsPage) g.Node {
	f := p.Form
	return page(p.Frame, "", nil,
		h.Form(h.Class("sheet submit"), sentTo(communityURL(p.Community)+"/settings"),
			h.P(h.Class("crumb"), h.A(h.Href(communityURL(p.Community)), icon(p.Community, f.Values["colour"]), g.Text("c/"+p.Community))),
			h.H1(g.Text("Community settings")),
			formError(f),
			hidden("revision", f.Values["revision"]),
			field(f, input{name: "title", label: "Title", hint: "What people see, such as “Bread baking”.", kind: "text", attrs: g.Group{h.Required(), h.AutoComplete("off")}}),
			field(f, input{name: "description", label: "Description", hint: "One line: what belongs here?", kind: "textarea", attrs: g.Group{h.Rows("3")}}),
			field(f, input{name: "sidebar", label: "Sidebar", hint: "Longer: what newcomers should know. Markdown.", kind: "textarea", attrs: g.Group{h.Rows("10")}}),
			colourField(f, "Colour of the icon", p.Palette, func(colour string) g.Node { return icon(p.Community, colour) }),
			rules(f, p.Rules),
			submit("Save the settings"),
		),
	)
}

// colourField is a field to choose a colour from a list. draw makes the icon in a colour.
func colourField(f Form, label string, list []Swatch, draw func(colour string) g.Node) g.Node {
	problem := f.Errors["colour"]
	return h.FieldSet(h.Class("field swatches"), g.If(problem != "", h.Aria("describedby", "colour-error")),
		h.Legend(g.Text(label)),
		g.If(problem != "", h.P(h.Class("wrong"), h.ID("colour-error"), g.Text(problem))),
		h.Div(g.Map(list, func(s Swatch) g.Node {
			return h.Label(
				h.Input(h.Type("radio"), h.Name("colour"), h.Value(s.Colour), h.Required(), g.If(s.Colour == f.Values["colour"], h.Checked())),
				h.Span(draw(s.Colour), g.Text(s.Name)),
			)
		})),
	)
}

// ruleField is the name of the field for the title or text of the n-th rule, from 1.
func ruleField(n int, part string) string { return "rule-" + strconv.Itoa(n) + "-" + part }

// ruleFields are the names of the fields of all rules that a form can have.
func ruleFields() (names []string) {
	for n := 1; n <= 15; n++ {
		names = append(names, ruleField(n, "title"), ruleField(n, "text"))
	}
	return names
}

// rules are the fields of so many rules.
func rules(f Form, count int) g.Node {
	rows := make(g.Group, count)
	for i := range rows {
		n := strconv.Itoa(i + 1)
		rows[i] = h.Li(
			field(f, input{name: ruleField(i+1, "title"), label: "Rule " + n, kind: "text", attrs: g.Group{h.AutoComplete("off")}}),
			field(f, input{name: ruleField(i+1, "text"), label: "Explanation of rule " + n, kind: "textarea", attrs: g.Group{h.Rows("2")}}),
		)
	}
	return h.FieldSet(h.Class("field rows"),
		h.Legend(g.Text("Rules")),
		h.P(h.Class("hint"), g.Text("At most 15. An empty row is no rule; saving brings new empty rows.")),
		h.Ol(rows),
	)
}
