package unfurl

import (
	"strings"
	"unicode"
)

// clean returns one line of at most limit characters, without control characters and characters that change the direction of the text
// behind it. If a quarter of it is not readable, it is "".
func clean(s string, limit int) string {
	var b strings.Builder
	length, broken, gap := 0, 0, false
	for _, r := range s {
		if unicode.IsSpace(r) {
			gap = true
			continue
		}
		if unicode.Is(unicode.Cc, r) || isDirection(r) || r == '\uFEFF' || r == '\u200B' {
			continue
		}
		if r == unicode.ReplacementChar {
			broken++
		}
		if gap && length > 0 && length < limit-1 {
			b.WriteByte(' ')
			length++
		}
		gap = false
		if length >= limit-1 {
			b.WriteRune('…')
			length++
			break
		}
		b.WriteRune(r)
		length++
	}
	if broken*4 > length {
		return ""
	}
	return b.String()
}

// isDirection reports whether a character is a mark, embedding, override or isolate of the bidirectional algorithm.
func isDirection(r rune) bool {
	return r == '\u061C' || r == '\u200E' || r == '\u200F' || r >= '\u202A' && r <= '\u202E' || r >= '\u2066' && r <= '\u2069'
}
