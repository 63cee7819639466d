package searchwords

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"plaza/data/ascii"
)

// letters maps letters to the ones they are compared as, beyond Unicode's decompositions and the Latin letters that data/ascii
// converts. The Arabic ones are from Lucene's ArabicNormalizer and PersianNormalizer.
var letters = map[rune]string{
	'ŋ': "n", 'ς': "σ",
	'ى': "ي", 'ی': "ي", 'ک': "ك", 'ہ': "ه", 'ە': "ه", 'ة': "ه", 'ٱ': "ا", 'ـ': "",
	'װ': "וו", 'ױ': "וי", 'ײ': "יי",
}

// composing are the marks that make another letter of Cyrillic, each with its base letters: й, ў, ї, ќ and ѓ.
var composing = map[rune]string{'\u0306': "иу", '\u0308': "і", '\u0301': "кг"}

// fold returns the form of a word for comparison: in lower case, in the usual forms of letters, without accents, vowel points and
// invisible characters.
//
// Vowel signs of India, voicing of kana, and tone marks of Thai and Lao stay, because they distinguish words. FTS5 would end a word at
// most of them. So the index has a private-use character for each.
func fold(word string) string {
	var b strings.Builder
	var before rune
	for _, r := range word {
		if r < utf8.RuneSelf {
			before = unicode.ToLower(r)
			b.WriteRune(before)
			continue
		}
		for _, r := range decomposed(r) {
			r = unicode.ToLower(r)
			if base := composing[r]; base != "" && strings.ContainsRune(base, before) {
				b.WriteRune(r)
			} else if !isOmitted(r) {
				b.WriteString(compared(r))
			}
			before = r
		}
	}
	return strings.Map(inIndex, norm.NFC.String(b.String()))
}

// decomposed returns the decomposition of r, or r itself if it has none or is a fraction.
func decomposed(r rune) string {
	if d := string(norm.NFKD.PropertiesString(string(r)).Decomposition()); d != "" && !strings.ContainsRune(d, '⁄') {
		return d
	}
	return string(r)
}

// isOmitted reports whether a character is invisible, or a mark that does not distinguish words, by its combining class.
func isOmitted(r rune) bool {
	if isIgnored(r) || unicode.Is(unicode.Me, r) {
		return true
	}
	class := norm.NFD.PropertiesString(string(r)).CCC()
	return class == 1 || class == 7 || class >= 10 && class <= 36 || class >= 200
}

func compared(r rune) string {
	if letter, ok := letters[r]; ok {
		return letter
	}
	if r >= utf8.RuneSelf && unicode.Is(unicode.Latin, r) {
		if latin := ascii.Fold(string(r)); latin != "" && strings.Trim(latin, "abcdefghijklmnopqrstuvwxyz") == "" {
			return latin
		}
	}
	if unicode.Is(unicode.Nd, r) {
		return string('0' + digit(r))
	}
	return string(r)
}

// digit returns the value of a decimal digit of any script: Unicode has them in tens.
func digit(r rune) rune {
	for _, tens := range unicode.Nd.R16 {
		if r <= rune(tens.Hi) {
			return (r - rune(tens.Lo)) % 10
		}
	}
	for _, tens := range unicode.Nd.R32 {
		if r <= rune(tens.Hi) {
			return (r - rune(tens.Lo)) % 10
		}
	}
	return 0
}

// marksInIndex is the plane of Unicode that the index uses for marks.
const marksInIndex = 0xf0000

func inIndex(r rune) rune {
	switch {
	case unicode.Is(unicode.M, r):
		return marksInIndex | r&0xffff
	case IsWordRune(r):
		return r
	}
	return ' '
}
