package search

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"plaza/data/searchwords"
)

// Piece is a part of a snippet.
type Piece struct {
	Text   string
	Marked bool // it matches the query
}

// snippetLen is the maximum number of characters of a snippet.
const snippetLen = 240

// Snippet returns the part of a plain text around the first of the words, with all words in it marked. If the text has none of them, it
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

// spans returns where words of the query, or of its phrases, are in the text; in a run of characters, where the typed ones are.
func (w *Words) spans(text string) (spans [][2]int) {
	parts := searchwords.Split(text)
	for _, t := range w.All {
		wanted := searchwords.Split(t.Text)
		for len(wanted) > 0 {
			n := 1
			for n < len(wanted) && wanted[n].Follows(wanted[n-1]) {
				n++
			}
			prefix := t.Prefix && n == len(wanted)
			for i := 0; i+n <= len(parts); i++ {
				if isAt(parts[i:], wanted[:n], prefix) {
					spans = append(spans, [2]int{parts[i].Start, parts[i+n-1].End})
				}
			}
			wanted = wanted[n:]
		}
	}
	slices.SortFunc(spans, func(a, b [2]int) int { return cmp.Or(a[0]-b[0], b[1]-a[1]) })
	joined := spans[:0]
	for _, s := range spans {
		if n := len(joined); n > 0 && s[0] < joined[n-1][1] {
			joined[n-1][1] = max(joined[n-1][1], s[1])
		} else {
			joined = append(joined, s)
		}
	}
	return joined
}

// isAt reports whether parts begin with a word, or with characters of a run.
func isAt(parts, wanted []searchwords.Part, prefix bool) bool {
	for i, w := range wanted {
		p := parts[i]
		if p.Text != w.Text && !(prefix && !w.InRun && strings.HasPrefix(p.Text, w.Text)) || i > 0 && !p.Follows(parts[i-1]) {
			return false
		}
	}
	return true
}

// window returns the part of the text that a snippet shows: it begins some words before the first span.
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

// back returns the beginning of the first word in the n characters before at.
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
