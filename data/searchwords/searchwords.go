// Package searchwords converts stored texts and queries to the words that the search compares.
//
// FTS5's tokenizer unicode61 ends words at spaces and punctuation, ignores letter case, and removes accents from Latin letters. That is
// enough for most languages of Europe, so Words changes nothing there. In other languages, Words folds letters that can be written in
// several ways. It cuts runs without spaces into pairs of characters: 北京大学 is 北京 京大 大学 学. So a run is found wherever its pairs follow one
// another. The last character stands by itself, so that each one begins a word of the index.
//
// Begin with Split, which splits texts, queries and snippets in the same way.
package searchwords

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Part is a part of a text: a word, or one character of a run that is written without spaces, with its marks.
type Part struct {
	Start, End int    // where it is in the text, in bytes
	Text       string // in the form for comparison
	InRun      bool
}

// Follows reports whether p and before are characters of a run, p directly after before.
func (p Part) Follows(before Part) bool { return p.InRun && before.InRun && p.Start == before.End }

// Split returns the parts of a text in their order.
func Split(text string) (parts []Part) {
	for at := 0; at < len(text); {
		start := strings.IndexFunc(text[at:], IsWordRune)
		if start < 0 {
			break
		}
		start += at
		at = len(text)
		if n := strings.IndexFunc(text[start:], func(r rune) bool { return !IsWordRune(r) }); n >= 0 {
			at = start + n
		}
		parts = appendParts(parts, text, start, at)
	}
	return parts
}

// appendParts appends the parts of text[at:end], which contains no end of a word.
func appendParts(parts []Part, text string, at, end int) []Part {
	word := -1 // where a word began
	add := func(start, end int, inRun bool) {
		folded := text[start:end]
		if first, size := utf8.DecodeRuneInString(folded); size < len(folded) || !isWhole(first) {
			folded = fold(folded)
		}
		if folded != "" {
			parts = append(parts, Part{start, end, folded, inRun})
		}
	}
	for at < end {
		first, size := utf8.DecodeRuneInString(text[at:])
		next := at + size
		for next < end {
			r, size := utf8.DecodeRuneInString(text[next:])
			if !continues(r) {
				break
			}
			next += size
		}
		inRun := isOfRun(first)
		if inRun && word >= 0 {
			add(word, at, false)
			word = -1
		}
		switch {
		case inRun:
			add(at, next, true)
		case word < 0 && !isIgnored(first):
			word = at
		}
		at = next
	}
	if word >= 0 {
		add(word, end, false)
	}
	return parts
}

// Words returns a text in the form for the index, or "" if the index makes the same words from the text itself.
func Words(text string) string {
	if isPlain(text) {
		return ""
	}
	var b strings.Builder
	parts := Split(text)
	for i, p := range parts {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(p.Text)
		if i+1 < len(parts) && parts[i+1].Follows(p) {
			b.WriteString(parts[i+1].Text)
		}
	}
	return b.String()
}

// Word is a word of a query, as the index has it.
type Word struct {
	Text  string
	OfRun bool // a pair of characters of a run, or a single one, with which words of the index begin
}

// QueryWords returns the words of the index that are adjacent in each text that matches the query. If begins is true, the last one is a
// single character, the beginning of words of the index.
func QueryWords(text string) (words []Word, begins bool) {
	parts := Split(text)
	for i, p := range parts {
		last := i+1 == len(parts)
		switch {
		case !last && parts[i+1].Follows(p):
			words = append(words, Word{p.Text + parts[i+1].Text, true})
		case last && i > 0 && p.Follows(parts[i-1]): // the pair before contains it
		case p.InRun:
			words, begins = append(words, Word{p.Text, true}), last
		default:
			for _, word := range strings.Fields(p.Text) {
				words = append(words, Word{word, false})
			}
		}
	}
	return words, begins
}

// IsWordRune reports whether a character belongs to a word: letters, digits, marks, and invisible characters.
func IsWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9'
	}
	return isWhole(r) || !strings.ContainsRune(apostrophes, r) && (unicode.In(r, unicode.L, unicode.N, unicode.M, unicode.Co) || isIgnored(r))
}

// isWhole reports whether a character has no other form: Chinese characters, syllables of Hangul, and kana. They need no look-up in a
// table.
func isWhole(r rune) bool {
	return r >= 0x4e00 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7a3 || r >= 0x3041 && r <= 0x3096 || r >= 0x30a1 && r <= 0x30fa
}

// apostrophes are the letters that are used as one. Between letters, all apostrophes are equal.
const apostrophes = "\u02b9\u02ba\u02bb\u02bc\u02bd\u02be\u02bf\u02c8\u02ca\u02cb\u02ee\ua78b\ua78c\u07f4\u07f5\u0374"

// isIgnored reports whether a character is invisible: soft hyphens, joiners, marks of direction, variation selectors.
func isIgnored(r rune) bool {
	return r > utf8.RuneSelf && unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// continues reports whether a character stays with the one before it: marks, vowels and ends of a Hangul syllable that is not composed.
func continues(r rune) bool {
	return (r >= 0x300 || r == 0xad) && !isWhole(r) && (unicode.Is(unicode.M, r) || isIgnored(r) || r >= 0x1160 && r <= 0x11ff ||
		r == '\uff9e' || r == '\uff9f')
}

// isOfRun reports whether a character is written without spaces between words. Hangul has spaces, but endings follow words without any.
func isOfRun(r rune) bool {
	return isWhole(r) || r >= 0xe00 && !unicode.Is(unicode.Nd, r) && (r == 'ー' || r == '\uff70' || unicode.In(r, unicode.Han, unicode.Hiragana,
		unicode.Katakana, unicode.Hangul, unicode.Bopomofo, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar))
}

// isPlain reports whether the index makes the same words from a text and from its folded form.
func isPlain(text string) bool {
	var before rune
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf && before < utf8.RuneSelf:
		case isNew(r) && isSeen(before), isNew(before) && isSeen(r):
			return false
		case r >= utf8.RuneSelf && !isPlainRune(r) && (!isOfEmoji(r) || isSeen(before)):
			return false
		}
		before = r
	}
	return true
}

// isSeen reports whether a character belongs to a word and is visible.
func isSeen(r rune) bool { return IsWordRune(r) && !isIgnored(r) }

// isOfEmoji reports whether a character occurs inside emoji, where it ends no word.
func isOfEmoji(r rune) bool { return r == '\ufe0f' || r == '\u200d' }

// isNew reports whether FTS5 may take a symbol for a letter, because it knows only the symbols of Unicode 6.1: most emoji, except faces.
func isNew(r rune) bool {
	return r >= 0x1f000 && (r < 0x1f600 || r > 0x1f640) && unicode.Is(unicode.S, r)
}

func isPlainRune(r rune) bool {
	switch {
	case r >= 'А' && r <= 'я': // most of Cyrillic
		return true
	case !IsWordRune(r):
		return isPlainSign(r)
	case isOfRun(r) || isIgnored(r) || unicode.Is(unicode.M, r):
		return false
	case unicode.Is(unicode.Latin, r) && r != 'Ǡ' && r != 'ǡ': // FTS5 does not change these
		if d := norm.NFD.PropertiesString(string(r)).Decomposition(); len(d) > 0 && d[0] < utf8.RuneSelf {
			return true
		}
	}
	folded := fold(string(r))
	return folded == string(r) || r < 0x528 && r != 0x37f && folded == string(unicode.ToLower(r)) // FTS5 may not know others in lower case
}

// isPlainSign reports whether a sign ends a word for FTS5 as well.
func isPlainSign(r rune) bool {
	return !strings.ContainsRune(apostrophes, r) && (r < 0x600 || r >= 0x1e00 && r < 0x20ba || r >= 0x2100 && r < 0x2b00 ||
		r >= 0x3000 && r < 0xa000 || r >= 0xfe00 && r < 0x10000 || r >= 0x1f000)
}
