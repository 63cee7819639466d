package ui

import (
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
)

func Cancel(address string) g.Node {
	if address == "" {
		return nil
	}
	return h.A(h.Class("cancel"), h.Href(address), T("Cancel"))
}

func Checkbox(f Form, name string, label, hint locale.Text) g.Node {
	return h.Label(h.Input(h.Type("checkbox"), h.Name(name), h.Value("1"), g.If(f.Values[name] != "", h.Checked())),
		h.Span(T(label), h.Span(h.Class("hint"), g.Text(" "), T(hint))))
}

// formLink writes a link to a form about a comment. The script opens the form below the comment.
func (m *Markup) formLink(on bool, address Literal, label locale.Text, id string) *Markup {
	if !on {
		return m
	}
	return m.Lit(`<a class="opens" href="`).Lit(address).Lit(`?target=`).Text(id).Lit(`">`).Say(label).Lit(`</a>`)
}

const MarkdownHint locale.Text = "Markdown works: *emphasis*, **strong**, > quotation, `code`, [link](https://…)."

// LinkField is the name of the field for the label or url of the n-th link, from 1.
func LinkField(n int, part string) string { return "link-" + strconv.Itoa(n) + "-" + part }

// BodyControl is the text area of a comment, with its error. placeholder is "" for none. With required it must have text; a comment with
// pictures needs none.
func BodyControl(f Form, control string, placeholder locale.Text, required bool) g.Node {
	problem := f.Errors["body"]
	return g.Group{
		g.If(problem != "", h.P(h.Class("wrong"), h.ID(control+"-error"), T(problem))),
		h.Textarea(h.ID(control), h.Name("body"), h.Rows("4"), g.If(required, h.Required()),
			g.If(placeholder != "", Attr("placeholder", placeholder)),
			g.If(problem != "", g.Group{h.Aria("invalid", "true"), h.Aria("describedby", control+"-error"), autoFocus{invalid: true}}),
			g.Text(NewlineSafe(f.Values["body"]))),
	}
}
