package render

import "unicode/utf8"

// xml writes s as text of XML 1.0: escaped, and with U+FFFD for what XML can't say (section 2.2).
func (m *markup) xml(s string) *markup {
	start := 0
	for i, r := range s {
		if r >= 0x20 && r < 0xFFFE && r != utf8.RuneError || r > 0xFFFF || r == '\n' || r == '\t' {
			continue
		}
		m.text(s[start:i]).lit("\uFFFD")
		_, size := utf8.DecodeRuneInString(s[i:])
		start = i + size
	}
	return m.text(s[start:])
}

// element writes an element that has text only.
func (m *markup) element(name literal, text string) *markup {
	return m.lit(`<`).lit(name).lit(`>`).xml(text).lit(`</`).lit(name).lit(">\n")
}

const xmlDeclaration literal = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
