package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/content/tags"
	"plaza/locale"
	"plaza/protocol/weburl"
)

// Limits of what may be asked for.
const (
	TextMax   = 200 // characters
	WordsMax  = 12  // words, those of phrases too
	PhraseMax = 6   // words of a phrase
	prefixMin = 4   // letters before a *: those of the index's own prefixes, or more
)

// Term is a word or phrase that is looked for.
type Term struct {
	Text   string
	Prefix bool // the last word may go on
}

// words are the words of a term.
func (t Term) words() []string { return strings.Fields(t.Text) }

// String is the term as it may be typed.
func (t Term) String() string {
	if len(t.words()) > 1 {
		return `"` + t.Text + `"`
	}
	if t.Prefix {
		return t.Text + "*"
	}
	return t.Text
}

// last is the last word, the one that may go on.
func (t Term) last() string { return t.Text[strings.LastIndexByte(t.Text, ' ')+1:] }

// Words are what somebody looks for, as they have typed it.
type Words struct {
	All     []Term            // each has to be there
	None    []Term            // and none of these
	Link    string            // the key (weburl.Key) of an address that was pasted; "" for none
	Filters map[string]string // by the names of filterNames
}

// filterNames are the names that a filter may have in front of its colon.
var filterNames = map[string]string{
	"community": "community", "c": "community", "author": "author", "u": "author", "user": "author",
	"kind": "kind", "tag": "tag", "domain": "domain", "site": "domain",
}

// Parse reads what somebody has typed: words, "phrases", begin* for all words that begin so, -word for what must not be there, and filters
// such as author:ann. Invalid, with a sentence that says what to do, where that can't be answered. A text without anything to look for has
// no terms.
func Parse(text string) (Words, error) {
	w := Words{Filters: map[string]string{}}
	if lengthOf(text) > TextMax {
		return w, invalid("That is a lot to look for. Please use at most 200 characters.")
	}
	for rest := strings.TrimSpace(text); rest != ""; rest = strings.TrimLeftFunc(rest, unicode.IsSpace) {
		var err error
		if rest, err = w.next(rest); err != nil {
			return w, err
		}
	}
	n := 0
	for _, t := range append(w.All[:len(w.All):len(w.All)], w.None...) {
		n += len(t.words())
	}
	if n > WordsMax {
		return w, invalid("That is a lot to look for. Please use at most 12 words, those in quotes included.")
	}
	return w, nil
}

// next reads the first word, phrase or filter of a text that begins with one, and returns what follows it.
func (w *Words) next(text string) (rest string, err error) {
	not := len(text) > 1 && text[0] == '-'
	if not {
		text = text[1:]
	}
	name, value, rest, filter := takeFilter(text)
	switch {
	case filter && not:
		return rest, invalid(locale.With("Only words can be left out with a minus, and no filters such as {}:.", name))
	case filter:
		if value = Filter(name, value); value != "" {
			w.Filters[name] = value
		}
		return rest, nil
	}
	if key, rest := pasted(text); key != "" && !not && w.Link == "" {
		w.Link = key
		return rest, nil
	}
	said, rest, quoted := take(text)
	words := wordsOf(said)
	if quoted && len(words) > PhraseMax {
		return rest, invalid(locale.With("Six words can be quoted at most. Please quote less of \"{}\".", strings.Join(words, " ")))
	}
	list := &w.All
	if not {
		list = &w.None
	}
	for some := range slices.Chunk(words, PhraseMax) { // an address may have more words, and nothing between them
		*list = append(*list, Term{Text: strings.Join(some, " ")})
	}
	if len(words) == 0 || quoted || !strings.HasSuffix(said, "*") {
		return rest, nil
	}
	last := &(*list)[len(*list)-1]
	if last.Prefix = true; utf8.RuneCountInString(folded(last.last())) < prefixMin { // marks are no letters of the index
		return rest, invalid("Please put at least 4 letters before a star, as in comp*.")
	}
	return rest, nil
}

// takeFilter takes name:value off the beginning of a text, if it begins so.
func takeFilter(text string) (name, value, rest string, ok bool) {
	head, tail, found := strings.Cut(text, ":")
	name, ok = filterNames[strings.ToLower(head)]
	if !found || !ok || strings.HasPrefix(tail, "//") {
		return "", "", text, false
	}
	if tail == "" || unicode.IsSpace(firstRune(tail)) {
		return name, "", tail, true
	}
	value, rest, _ = take(tail)
	return name, value, rest, true
}

// Filter is the value of a filter as it is compared: a domain without what is around it in an address (weburl.Typed), a name without c/
// and u/ before it.
func Filter(name, value string) string {
	value = strings.TrimSpace(value)
	switch name {
	case "domain":
		if host := weburl.Typed(value); host != "" {
			return host
		}
	case "community", "author":
		value = strings.TrimPrefix(value, "/")
		return strings.TrimPrefix(strings.TrimPrefix(value, "c/"), "u/")
	case "tag":
		return tags.Spell(strings.TrimPrefix(value, "#"))
	}
	return strings.ToLower(value)
}

// take takes a word or a quoted phrase off the beginning of a text. A quote that never ends goes to the end.
func take(text string) (said, rest string, quoted bool) {
	if text[0] == '"' {
		said, rest, _ = strings.Cut(text[1:], `"`)
		return said, rest, true
	}
	if i := strings.IndexFunc(text, unicode.IsSpace); i >= 0 {
		return text[:i], text[i:], false
	}
	return text, "", false
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// wordsOf are the words of a text as the index knows them: letters and digits, without what is between them.
func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !wordRune(r) })
}

// wordRune tells what belongs to a word: what FTS5's tokenizer unicode61 takes for one.
func wordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.Co, r) || unicode.Is(unicode.Mn, r)
}

// Empty tells whether there is nothing to look for.
func (w *Words) Empty() bool { return len(w.All) == 0 && len(w.None) == 0 }

func invalid(message locale.Text) error { return data.Mistake("q", message) }
