package rules

import (
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"
)

// required returns texts, in the form of folded, of which every match of a pattern contains at least one, or nothing if there are no such
// texts of at least two bytes. A search for them is much faster than for the pattern, which most texts don't match.
func required(re *syntax.Regexp) (texts []string) {
	switch re.Op {
	case syntax.OpLiteral:
		if text := folded(string(re.Rune)); len(text) >= 2 {
			return []string{text}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if x := required(sub); shortest(x) > shortest(texts) {
				texts = x
			}
		}
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			x := required(sub)
			if len(x) == 0 {
				return nil
			}
			texts = append(texts, x...)
		}
	}
	return texts
}

// shortest returns the length of the shortest of some texts, 0 for none.
func shortest(texts []string) (n int) {
	for i, x := range texts {
		if i == 0 || len(x) < n {
			n = len(x)
		}
	}
	return n
}

// folded returns a text in which letters that a case-insensitive pattern treats as equal are equal.
func folded(text string) string {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return strings.Map(fold, text)
		}
	}
	return strings.ToLower(text)
}

// fold returns the last letter of those that are equal in any case, or an ASCII letter in lower case.
func fold(r rune) rune {
	best := r
	for x := unicode.SimpleFold(r); x != r; x = unicode.SimpleFold(x) {
		if 'a' <= x && x <= 'z' || best > unicode.MaxASCII && x > best {
			best = x
		}
	}
	return best
}
