package ui

import "strconv"

// Compact writes a count shortened: 999, 1.2k, 12.3k, 999k, 1.2M. It cuts instead of
// rounding, so no count looks bigger than it is.
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
		return m.oneDecimal(u, 1_000).Lit("k")
	case u < 1_000_000_000:
		return m.oneDecimal(u, 1_000_000).Lit("M")
	}
	return m.oneDecimal(u, 1_000_000_000).Lit("G")
}

func (m *Markup) oneDecimal(u, unit uint64) *Markup {
	whole, tenth := u/unit, u%unit/(unit/10)
	m.b = strconv.AppendUint(m.b, whole, 10)
	if whole < 100 && tenth != 0 {
		m.b = append(m.b, '.', byte('0'+tenth))
	}
	return m
}

// exact writes a count with its thousands separated: 12,345.
func (m *Markup) exact(n int64) *Markup {
	m.b = appendExact(m.b, n)
	return m
}

func Exact(n int64) string { return string(appendExact(nil, n)) }

func appendExact(b []byte, n int64) []byte {
	u := uint64(n)
	if n < 0 {
		b = append(b, '-')
		u = -u
	}
	var digits [20]byte
	all := strconv.AppendUint(digits[:0], u, 10)
	for i, digit := range all {
		if i > 0 && (len(all)-i)%3 == 0 {
			b = append(b, ',')
		}
		b = append(b, digit)
	}
	return b
}

// Plural writes "1 comment", "12,345 comments", "0 replies".
func (m *Markup) Plural(n int64, one, many Literal) *Markup {
	return m.exact(n).Lit(" ").Noun(n, one, many)
}

func (m *Markup) Noun(n int64, one, many Literal) *Markup {
	if n == 1 || n == -1 {
		return m.Lit(one)
	}
	return m.Lit(many)
}

// Counted writes a rounded count with the exact one behind it.
func (m *Markup) Counted(n int64, one, many Literal) *Markup {
	m.Lit(`<span title="`).Plural(n, one, many).Lit(`">`)
	return m.Compact(n).Lit(" ").Noun(n, one, many).Lit(`</span>`)
}

// Many is plural for what is no literal.
func Many(n int64, word string) string {
	if n != 1 {
		word += "s"
	}
	return Exact(n) + " " + word
}
