package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"plaza/data/content/ascii"
)

// Piece is a part of a snippet.
type Piece struct {
	Text   string
	Marked bool // it is what was looked for
}

// snippetLen is how many characters a snippet has, at most.
const snippetLen = 240

// Snippet returns the part of a plain text that has the first of the words, with all words in it marked. Without any of them in the text it
// is the text's beginning.
func (w *Words) Snippet(text string) []Piece {
	spans := w.spans(text)
	from, to := window(text, spans)
	var pieces []Piece
	add := func(part string, marked bool) {
		if part != "" {
			pieces = append(pieces, Piece{part, marked})
		}
	}
	if from > 0 {
		add("… ", false)
	}
	at := from
	for _, s := range spans {
		if s[0] >= at && s[1] <= to {
			add(text[at:s[0]], false)
			add(text[s[0]:s[1]], true)
			at = s[1]
		}
	}
	add(text[at:to], false)
	if to < len(text) {
		add(" …", false)
	}
	return pieces
}

// spans are where words of the text are that are looked for.
func (w *Words) spans(text string) (spans [][2]int) {
	for at := 0; at < len(text); {
		start := strings.IndexFunc(text[at:], wordRune)
		if start < 0 {
			break
		}
		start += at
		end := len(text)
		if n := strings.IndexFunc(text[start:], func(r rune) bool { return !wordRune(r) }); n >= 0 {
			end = start + n
		}
		if w.has(text[start:end]) {
			spans = append(spans, [2]int{start, end})
		}
		at = end
	}
	return spans
}

// has tells whether a word is one of those that are looked for, or in one of the phrases.
func (w *Words) has(word string) bool {
	word = folded(word)
	for _, t := range w.All {
		parts := strings.Fields(t.Text)
		for i, p := range parts {
			if p = folded(p); p == word || t.Prefix && i == len(parts)-1 && strings.HasPrefix(word, p) {
				return true
			}
		}
	}
	return false
}

// folded is a word as the index compares it, about: without letter case and marks, and with one sigma.
func folded(word string) string {
	return strings.Map(unicode.ToLower, strings.Map(func(r rune) rune {
		switch {
		case r < utf8.RuneSelf:
		case r == 'ς':
			return 'σ'
		case r >= 0x300 && r <= 0x331 && unicode.Is(unicode.Mn, r): // what FTS5 takes for a mark
			return -1
		case unicode.Is(unicode.Latin, r):
			if f := ascii.Fold(string(r)); len(f) == 1 {
				return rune(f[0])
			}
		}
		return r
	}, fold(word)))
}

// window is the part of the text that a snippet shows: it begins some words before the first span.
func window(text string, spans [][2]int) (from, to int) {
	if len(spans) > 0 {
		from = back(text, spans[0][0], snippetLen/4)
	}
	to = from
	for n := 0; n < snippetLen && to < len(text); n++ {
		_, size := utf8.DecodeRuneInString(text[to:])
		to += size
	}
	if to < len(text) {
		if cut := strings.LastIndexByte(text[from:to], ' '); cut > 0 && (len(spans) == 0 || from+cut >= spans[0][1]) {
			to = from + cut
		}
	}
	return from, to
}

// back goes n characters back, to the beginning of a word.
func back(text string, at, n int) int {
	from := at
	for ; n > 0 && from > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(text[:from])
		from -= size
	}
	if from > 0 {
		if cut := strings.IndexByte(text[from:at], ' '); cut >= 0 {
			return from + cut + 1
		}
	}
	return from
}
