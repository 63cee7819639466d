package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"plaza/protocol/weburl"
)

// pasted parses the web address at the beginning of a text. key is its weburl.Key, or "" if there is none.
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

// ofLink is the condition that a post x, found by the end of its link's key, has the whole key.
const ofLink = ` AND x.link_key = :link`

// startsWith reports whether a text has a prefix, ignoring case.
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

// InWords returns the query with words of the pasted address, the first and the last ones, instead of the address. A percent escape
// separates words, because texts write it in other ways.
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
		for phrase := range slices.Chunk(words, PhraseMax) {
			terms = append(terms, termOf(phrase))
		}
	}
	if n := len(terms); n > 2 {
		terms = []Term{terms[0], terms[n-1]}
	}
	w.All, w.Link = slices.Concat(w.All, terms), ""
	return w
}

func termOf(words []string) Term { return Term{Text: strings.Join(words, " ")} }
