package ui

import (
	"strconv"

	g "maragu.dev/gomponents"

	"plaza/locale"
)

// Compact writes a count shortened: 999, 1.2k, 12.3k, 999k, 1.2M. It truncates, so no count looks bigger than it is.
func (m *Markup) Compact(n int64) *Markup {
	u := uint64(n)
	if n < 0 {
		m.b = append(m.b, '-')
		u = -u
	}
	switch {
	case u < 1_000:
		m.b = strconv.AppendUint(m.b, u, 10)
		return m
	case u < 1_000_000:
		return m.oneDecimal(u, 1_000, "{}k")
	case u < 1_000_000_000:
		return m.oneDecimal(u, 1_000_000, "{}M")
	}
	return m.oneDecimal(u, 1_000_000_000, "{}G")
}

// oneDecimal writes a count in a unit. format is the unit's text, such as {}k.
func (m *Markup) oneDecimal(u, unit uint64, format locale.Text) *Markup {
	whole, tenth := u/unit, u%unit/(unit/10)
	before, after, _ := m.language().Around(format, locale.Number{})
	m.Text(before)
	m.b = strconv.AppendUint(m.b, whole, 10)
	if whole < 100 && tenth != 0 {
		m.add(m.language().Decimal)
		m.b = append(m.b, byte('0'+tenth))
	}
	return m.Text(after)
}

// exact writes a count with its thousands separated: 12,345.
func (m *Markup) exact(n int64) *Markup {
	m.b = m.language().AppendNumber(m.b, n)
	return m
}

// Exact is a count as a node: 12,345.
func Exact(n int64) g.Node { return Component(func(m *Markup) { m.exact(n) }) }
