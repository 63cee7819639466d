package search

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quotation marks (https://www.unicode.org/reports/tr44/#Quotation_Mark). Languages differ in which one opens and which one closes: “x” „x“
// ”x” «x» »x«. A mark of openings is closed only by the mark at the same place in closings, so 『』 may be within 「」.
const (
	doubles   = "\"“”„‟＂❝❞〝〞〟"
	singles   = "'‘’‚‛＇❛❜`´"
	guillemet = "«»"
	angle     = "‹›"
	openings  = "「『﹁﹃｢⹂"
	closings  = "」』﹂﹄｣⹂"
)

// takeQuoted cuts a quoted phrase off the beginning of a text. A single quotation mark may be an apostrophe: it begins a phrase only if
// another one ends a word.
func takeQuoted(text string) (phrase, rest string, quoted bool) {
	first, size := utf8.DecodeRuneInString(text)
	text = text[size:]
	for _, family := range []string{doubles, guillemet, angle} {
		if strings.ContainsRune(family, first) {
			return upTo(text, func(r rune, _ string) bool { return strings.ContainsRune(family, r) })
		}
	}
	if i := strings.IndexRune(openings, first); i >= 0 {
		closing := firstRune(closings[i:])
		return upTo(text, func(r rune, _ string) bool { return r == closing })
	}
	if strings.ContainsRune(singles, first) {
		ends := func(r rune, after string) bool {
			next := firstRune(after)
			return strings.ContainsRune(singles, r) && !unicode.IsLetter(next) && !unicode.IsNumber(next)
		}
		if phrase, rest, _ = upTo(text, ends); len(phrase) < len(text) {
			return phrase, rest, true
		}
	}
	return "", "", false
}

// upTo cuts a text at the first character for which ends is true, or returns all of it.
func upTo(text string, ends func(r rune, after string) bool) (phrase, rest string, quoted bool) {
	for i, r := range text {
		_, size := utf8.DecodeRuneInString(text[i:]) // not RuneLen(r), because an invalid byte has length 1
		if after := text[i+size:]; ends(r, after) {
			return text[:i], after, true
		}
	}
	return text, "", true
}

// endsWord reports whether a character ends a word without a space after it: quotation marks that can't be apostrophes, except ", and the
// punctuation of scripts without spaces.
func endsWord(r rune) bool {
	return r != '"' && strings.ContainsRune(doubles+guillemet+angle+openings+closings, r) ||
		(r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xff65) && r != '＇' && !isDash(r) && unicode.Is(unicode.P, r)
}

// isDash reports whether a character, written before a word, excludes it: dashes and hyphens of any script, and minus signs.
func isDash(r rune) bool {
	return unicode.Is(unicode.Dash, r) || strings.ContainsRune("➖\u02d7\u2043", r)
}
