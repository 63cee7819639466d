package unfurl

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/util"
	"golang.org/x/text/encoding/charmap"
)

// unescape replaces character references. Names need their semicolon.
// https://html.spec.whatwg.org/#character-reference-state
func unescape(s string) string {
	if !strings.Contains(s, "&") {
		return s
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, "&")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		text, length := reference(rest)
		if length == 0 {
			text = "&"
		}
		b.WriteString(text)
		s = rest[length:]
	}
}

// longestName is "CounterClockwiseContourIntegral;", the longest reference there is.
const longestName = 32

// reference reads what stands behind "&", and how long it is; 0 when it is none.
func reference(s string) (string, int) {
	if strings.HasPrefix(s, "#") {
		return number(s)
	}
	end := strings.IndexByte(s[:min(len(s), longestName)], ';')
	if end < 1 {
		return "", 0
	}
	if e, ok := util.LookUpHTML5EntityByName(s[:end]); ok {
		return string(e.Characters), end + 1
	}
	return "", 0
}

func number(s string) (string, int) {
	base, i := 10, 1
	if len(s) > 1 && s[1]|0x20 == 'x' {
		base, i = 16, 2
	}
	start := i
	for i < len(s) && (s[i] >= '0' && s[i] <= '9' || base == 16 && s[i]|0x20 >= 'a' && s[i]|0x20 <= 'f') {
		i++
	}
	if i == start {
		return "", 0
	}
	n, err := strconv.ParseUint(s[start:i], base, 32)
	r := rune(unicode.ReplacementChar)
	switch {
	case err != nil || n == 0 || n > unicode.MaxRune:
	case n >= 0x80 && n < 0xa0:
		r = charmap.Windows1252.DecodeByte(byte(n))
	default:
		r = rune(n) // WriteRune makes surrogates U+FFFD
	}
	if i < len(s) && s[i] == ';' {
		i++
	}
	return string(r), i
}

// clean makes one line of a text, without control characters and what turns the direction
// of the text behind it, of limit characters at most. A text of which a quarter is not
// readable says nothing.
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

// isDirection tells whether a character is a mark, embedding, override or isolate of the bidirectional algorithm.
func isDirection(r rune) bool {
	return r == '\u061C' || r == '\u200E' || r == '\u200F' || r >= '\u202A' && r <= '\u202E' || r >= '\u2066' && r <= '\u2069'
}
