package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/content/tags"
	"plaza/data/searchwords"
	"plaza/locale"
	"plaza/protocol/weburl"
)

// Limits of a query.
const (
	TextMax   = 200 // characters
	WordsMax  = 12  // words, including those of phrases
	PhraseMax = 6   // words of a phrase
	prefixMin = 4   // letters before a *, at least: the length of the prefixes in the index

	// pairsAWord is how many pairs of characters count as a word: most words of Chinese have two characters, and so begin two pairs.
	pairsAWord = 2
)

// Term is a word or phrase to search.
type Term struct {
	Text   string // words, as they were typed
	Prefix bool   // the last word may be a prefix
}

// words returns the words of the index (searchwords.QueryWords), and whether the last one may be a prefix. Pairs of characters need no
// star.
func (t Term) words() (words []string, begins bool) {
	asked, begins := searchwords.QueryWords(t.Text)
	for _, word := range asked {
		words = append(words, word.Text)
	}
	return words, begins || t.Prefix && len(asked) > 0 && !asked[len(asked)-1].OfRun
}

// inRun reports whether a term is one word with characters of a run.
func (t Term) inRun() bool {
	asked, _ := searchwords.QueryWords(t.Text)
	return slices.ContainsFunc(asked, func(w searchwords.Word) bool { return w.OfRun }) && !strings.Contains(t.Text, " ")
}

// isWord reports whether a term is one word of the index.
func (t Term) isWord() bool {
	words, begins := t.words()
	return len(words) == 1 && !begins
}

// pairs returns the length of a term, in pairs of characters.
func (t Term) pairs() (n int) {
	asked, _ := searchwords.QueryWords(t.Text)
	for _, word := range asked {
		if n++; !word.OfRun {
			n += pairsAWord - 1
		}
	}
	return n
}

// String returns the term as it may be typed.
func (t Term) String() string {
	if strings.Contains(t.Text, " ") {
		return `"` + t.Text + `"`
	}
	if t.Prefix {
		return t.Text + "*"
	}
	return t.Text
}

// last returns the last word, which may be a prefix.
func (t Term) last() string { return t.Text[strings.LastIndexByte(t.Text, ' ')+1:] }

// Words is a parsed query.
type Words struct {
	All     []Term            // all of these must match
	None    []Term            // and none of these
	Link    string            // the key (weburl.Key) of a pasted address; "" for none
	Filters map[string]string // by the names in filterNames
}

// filterNames are the names that a filter may have in front of its colon.
var filterNames = map[string]string{
	"community": "community", "c": "community", "author": "author", "u": "author", "user": "author",
	"kind": "kind", "tag": "tag", "domain": "domain", "site": "domain",
}

// Parse parses a typed text: words, phrases in any quotation marks, begin* for all words with a prefix, any dash before an excluded word or
// phrase, and filters such as author:ann. Invalid for a query that can't be searched, with a sentence that says how to change it. A text
// without anything to search has no terms.
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
		n += t.pairs()
	}
	if n > WordsMax*pairsAWord {
		return w, invalid("That is a lot to look for. Please use at most 12 words, those in quotes included.")
	}
	return w, nil
}

// next parses the first word, phrase or filter of a text, and returns the rest.
func (w *Words) next(text string) (rest string, err error) {
	first, size := utf8.DecodeRuneInString(text)
	not := isDash(first) && len(text) > size
	if not {
		text = text[size:]
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
	typed, rest, quoted := take(text, endsWord)
	words := wordsOf(typed)
	if quoted && termOf(words).pairs() > PhraseMax*pairsAWord {
		return rest, invalid(locale.With("Six words can be quoted at most. Please quote less of \"{}\".", strings.Join(words, " ")))
	}
	list := &w.All
	if not {
		list = &w.None
	}
	*list = append(*list, phrases(words)...) // an address may have many words, and no spaces
	if len(words) == 0 || quoted || !strings.HasSuffix(typed, "*") {
		return rest, nil
	}
	last := &(*list)[len(*list)-1]
	last.Prefix = true
	if asked, begins := last.words(); begins && !last.inRun() && utf8.RuneCountInString(asked[len(asked)-1]) < prefixMin {
		return rest, invalid("Please put at least 4 letters before a star, as in comp*.")
	}
	return rest, nil
}

// phrases returns terms of adjacent words. There are several if the words do not fit into one phrase.
func phrases(words []string) (list []Term) {
	for _, word := range words {
		for _, piece := range pieces(word) {
			if n := len(list); n > 0 {
				if longer := (Term{Text: list[n-1].Text + " " + piece}); longer.pairs() <= PhraseMax*pairsAWord {
					list[n-1] = longer
					continue
				}
			}
			list = append(list, Term{Text: piece})
		}
	}
	return list
}

// pieces cuts a long run of characters into pieces that fit into a phrase. Each begins with the last character of the one before, so that
// no pair is lost.
func pieces(word string) (list []string) {
	from, parts := 0, searchwords.Split(word)
	for i, p := range parts {
		if i > 0 && (Term{Text: word[from:p.End]}).pairs() > PhraseMax*pairsAWord {
			list = append(list, word[from:parts[i-1].End])
			if from = p.Start; p.Follows(parts[i-1]) {
				from = parts[i-1].Start
			}
		}
	}
	return append(list, word[from:])
}

// takeFilter cuts name:value off the beginning of a text, if it is there.
func takeFilter(text string) (name, value, rest string, ok bool) {
	head, tail, found := strings.Cut(text, ":")
	name, ok = filterNames[strings.ToLower(head)]
	if !found || !ok || strings.HasPrefix(tail, "//") {
		return "", "", text, false
	}
	if tail == "" || unicode.IsSpace(firstRune(tail)) {
		return name, "", tail, true
	}
	value, rest, _ = take(tail, unicode.IsSpace)
	return name, value, rest, true
}

// Filter returns the value of a filter as it is compared: a domain without the rest of its address (weburl.Typed), a name without c/ and
// u/ before it.
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

// take cuts a quoted phrase off the beginning of a text, or the text until ends is true. A quote without an end extends to the end of the
// text.
func take(text string, ends func(rune) bool) (taken, rest string, quoted bool) {
	if taken, rest, quoted = takeQuoted(text); quoted {
		return taken, rest, true
	}
	for i, r := range text {
		if unicode.IsSpace(r) || i > 0 && ends(r) {
			return text[:i], text[i:], false
		}
	}
	return text, "", false
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// wordsOf returns the words of a text as they were typed: letters and digits, without other characters.
func wordsOf(text string) []string {
	words := strings.FieldsFunc(text, func(r rune) bool { return !searchwords.IsWordRune(r) })
	return slices.DeleteFunc(words, func(word string) bool { return termOf([]string{word}).pairs() == 0 })
}

// Empty reports whether there is nothing to search.
func (w *Words) Empty() bool { return len(w.All) == 0 && len(w.None) == 0 }

func invalid(message locale.Text) error { return data.Mistake("q", message) }
