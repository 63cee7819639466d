package markdown

import (
	"html"
	"strings"
	"unicode/utf8"
)

// PlainText returns what everybody may read of the HTML, without tags, and at most n characters of it.
func (h HTML) PlainText(n int) string {
	var b strings.Builder
	text := string(h.Public())
	for text != "" && b.Len() < 4*n {
		before, rest, _ := strings.Cut(text, "<")
		b.WriteString(html.UnescapeString(before))
		tag, after, _ := strings.Cut(rest, ">")
		if !inline[strings.TrimPrefix(tag, "/")] && !strings.HasPrefix(tag, "a ") {
			b.WriteByte(' ')
		}
		text = after
	}
	plain := strings.Join(strings.Fields(b.String()), " ")
	if utf8.RuneCountInString(plain) <= n {
		return plain
	}
	return string([]rune(plain)[:n]) + "…"
}

// inline are elements that can be within a word.
var inline = map[string]bool{"a": true, "em": true, "strong": true, "code": true, "del": true, "sup": true}
