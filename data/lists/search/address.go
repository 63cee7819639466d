package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"plaza/protocol/weburl"
)

// pasted parses the web address at the beginning of a text. key is "" if there is none.
func pasted(text string) (key, rest string) {
	end := strings.IndexFunc(text, unicode.IsSpace)
	if end < 0 {
		end = len(text)
	}
	address := text[:end]
	switch {
	case startsWith(address, "http://"), startsWith(address, "https://"):
	case startsWith(address, "www."):
		address = "http://" + address
	default:
		return "", text
	}
	if key = weburl.Key(address); key == "" {
		return "", text
	}
	return key, text[end:]
}

// linkEndLen is how many characters of a link's key the index has: the last ones, which distinguish most pages.
const linkEndLen = 20

// linkEnd returns the end of a key, as the index has it.
func linkEnd(key string) string {
	runes := []rune(key)
	return string(runes[max(0, len(runes)-linkEndLen):])
}

// ofLink is the condition on a post x that was found by the end of its link's key.
const ofLink = ` AND x.link_key = :link`

// startsWith reports whether a text has a prefix, in any case.
func startsWith(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}

// lengthOf returns the length of the typed text, in characters, without pasted addresses.
func lengthOf(text string) (n int) {
	for _, word := range strings.Fields(text) {
		if key, _ := pasted(word); key == "" {
			n += utf8.RuneCountInString(word) + 1
		}
	}
	return n - 1
}

// InWords returns a query for words of the pasted address instead of the address: its first words and its last ones. A percent escape
// separates words, because texts have other forms of it.
func (w Words) InWords() Words {
	var terms []Term
	for i, part := range strings.Split(w.Link, "%") {
		if i > 0 {
			part = part[2:]
		}
		words := wordsOf(part)
		if n := len(words) % PhraseMax; n > 0 && len(words) > PhraseMax { // the last phrase has the full length
			terms, words = append(terms, termOf(words[:PhraseMax])), words[n:]
		}
		for some := range slices.Chunk(words, PhraseMax) {
			terms = append(terms, termOf(some))
		}
	}
	if n := len(terms); n > 2 {
		terms = []Term{terms[0], terms[n-1]}
	}
	w.All, w.Link = slices.Concat(w.All, terms), ""
	return w
}

func termOf(words []string) Term { return Term{Text: strings.Join(words, " ")} }
