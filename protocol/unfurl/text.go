package unfurl

import (
	"strings"
	"unicode"
)

// clean returns one line of at most limit characters, without control characters and characters that change the direction of text. If
// more than a quarter of it is U+FFFD, the result is "".
func clean(s string, limit int) string {
	var b strings.Builder
	length, broken, gap := 0, 0, false
	for _, r := range s {
		if unicode.IsSpace(r) {
			gap = true
			continue
		}
		if unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Bidi_Control, r) || r == '\uFEFF' || r == '\u200B' {
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
