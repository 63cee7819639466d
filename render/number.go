package render

import "strconv"

// compact writes a count shortened: 999, 1.2k, 12.3k, 999k, 1.2M. It cuts instead of
// rounding, so no count looks bigger than it is.
func (m *markup) compact(n int64) *markup {
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
		return m.oneDecimal(u, 1_000).lit("k")
	case u < 1_000_000_000:
		return m.oneDecimal(u, 1_000_000).lit("M")
	}
	return m.oneDecimal(u, 1_000_000_000).lit("G")
}

func (m *markup) oneDecimal(u, unit uint64) *markup {
	whole, tenth := u/unit, u%unit/(unit/10)
	m.b = strconv.AppendUint(m.b, whole, 10)
	if whole < 100 && tenth != 0 {
		m.b = append(m.b, '.', byte('0'+tenth))
	}
	return m
}

// exact writes a count with its thousands separated: 12,345.
func (m *markup) exact(n int64) *markup {
	m.b = appendExact(m.b, n)
	return m
}

func exact(n int64) string { return string(appendExact(nil, n)) }

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

// plural writes "1 comment", "12,345 comments", "0 replies".
func (m *markup) plural(n int64, one, many literal) *markup {
	return m.exact(n).lit(" ").noun(n, one, many)
}

func (m *markup) noun(n int64, one, many literal) *markup {
	if n == 1 || n == -1 {
		return m.lit(one)
	}
	return m.lit(many)
}

// counted writes a rounded count with the exact one behind it.
func (m *markup) counted(n int64, one, many literal) *markup {
	m.lit(`<span title="`).plural(n, one, many).lit(`">`)
	return m.compact(n).lit(" ").noun(n, one, many).lit(`</span>`)
}

// many is plural for what is no literal.
func many(n int64, word string) string {
	if n != 1 {
		word += "s"
	}
	return exact(n) + " " + word
}
