package ui

import (
	"cmp"
	"io"

	g "maragu.dev/gomponents"

	"plaza/locale"
)

// Say writes a text of the interface in the language of the page, escaped. Arguments are those of locale.With, or nodes. A node, such as a
// link, replaces its "{}".
func (m *Markup) Say(t locale.Text, arguments ...any) *Markup {
	if len(arguments) == 0 {
		return m.Text(m.language().Say(t))
	}
	m.language().Each(t, locale.NumberAmong(arguments), func(words string) { m.Text(words) }, func(i int) {
		if i >= len(arguments) {
			return
		}
		switch a := arguments[i].(type) {
		case g.Node:
			m.Node(a)
		case string:
			m.Text(a)
		case int64:
			m.exact(a)
		case int:
			m.exact(int64(a))
		default:
			m.Say(locale.With("{}", a))
		}
	})
	return m
}

// SayWhen is Say if on.
func (m *Markup) SayWhen(on bool, t locale.Text) *Markup {
	if on {
		m.Say(t)
	}
	return m
}

// Count writes a text whose one argument is a count, such as "{} comment|{} comments".
func (m *Markup) Count(n int64, t locale.Text) *Markup {
	before, after, ok := m.language().Around(t, locale.Number{N: n, Known: true})
	if m.Text(before); ok {
		m.exact(n).Text(after)
	}
	return m
}

// Counted writes a rounded count, with the exact one as its title.
func (m *Markup) Counted(n int64, t locale.Text) *Markup {
	m.Lit(`<span title="`).Count(n, t).Lit(`">`)
	before, after, ok := m.language().Around(t, locale.Number{N: n, Known: true})
	if m.Text(before); ok {
		m.Compact(n).Text(after)
	}
	return m.Lit(`</span>`)
}

// Counted is Markup.Counted as a node.
func Counted(n int64, t locale.Text) g.Node { return Component(func(m *Markup) { m.Counted(n, t) }) }

// Noun writes the singular or plural for a number, such as "point|points", without the number.
func (m *Markup) Noun(n int64, t locale.Text) *Markup { return m.Count(n, t) }

// language is the page's language.
func (m *Markup) language() *locale.Language {
	if m.lang == nil {
		return locale.English
	}
	return m.lang
}

// Script has the addresses of a script, by the tag of the language.
type Script map[string]string

// Src is the address of a script in the language of the page.
func Src(s Script) g.Node { return source(s) }

type source Script

// Type makes the node an attribute.
func (source) Type() g.NodeType { return g.AttributeType }

// Render writes the attribute.
func (s source) Render(w io.Writer) error {
	return Component(func(m *Markup) { m.Lit(` src="`).Text(Script(s).address(m.language())).Lit(`"`) }).Render(w)
}

// address is the address in a language. A language for tests has no scripts, so its address is the English one.
func (s Script) address(l *locale.Language) string { return cmp.Or(s[l.Tag], s[locale.English.Tag]) }

// T is a text of the interface as a node (Markup.Say).
func T(t locale.Text, arguments ...any) g.Node {
	return Component(func(m *Markup) { m.Say(t, arguments...) })
}

// Attr is an attribute whose value is a text of the interface. Its arguments can't be nodes.
func Attr(name Literal, t locale.Text, arguments ...any) g.Node { return attribute{name, t, arguments} }

type attribute struct {
	name      Literal
	text      locale.Text
	arguments []any
}

// Type makes the node an attribute.
func (attribute) Type() g.NodeType { return g.AttributeType }

// Render writes the attribute.
func (a attribute) Render(w io.Writer) error {
	return Component(func(m *Markup) {
		m.Lit(" ").Lit(a.name).Lit(`="`).Say(a.text, a.arguments...).Lit(`"`)
	}).Render(w)
}
