package ui

import "unicode/utf8"

// XML writes s as text of XML 1.0: escaped, and with U+FFFD for characters that XML forbids (section 2.2).
func (m *Markup) XML(s string) *Markup {
	start := 0
	for i, r := range s {
		if r >= 0x20 && r < 0xFFFE && r != utf8.RuneError || r > 0xFFFF || r == '\n' || r == '\t' {
			continue
		}
		m.Text(s[start:i]).Lit("\uFFFD")
		_, size := utf8.DecodeRuneInString(s[i:])
		start = i + size
	}
	return m.Text(s[start:])
}

// Element writes an element that has text only.
func (m *Markup) Element(name Literal, text string) *Markup {
	return m.Lit(`<`).Lit(name).Lit(`>`).XML(text).Lit(`</`).Lit(name).Lit(">\n")
}

const XmlDeclaration Literal = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
