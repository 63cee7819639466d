package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/content/searchwords"
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

	// pairsAWord is how many pairs of characters count as a word: most words of Chinese have two characters, and so begin two pairs.
	pairsAWord = 2
)

// Term is a word or phrase that is looked for.
type Term struct {
	Text   string // words, as they were typed
	Prefix bool   // the last word may go on
}

// words are those of the index (searchwords.Asked), and whether the last one may go on. Pairs of characters need no star.
func (t Term) words() (words []string, begins bool) {
	asked, begins := searchwords.Asked(t.Text)
	for _, word := range asked {
		words = append(words, word.Text)
	}
	return words, begins || t.Prefix && len(asked) > 0 && !asked[len(asked)-1].OfRun
}

// inRun tells whether a term is one word that has characters of a run in it.
func (t Term) inRun() bool {
	asked, _ := searchwords.Asked(t.Text)
	return slices.ContainsFunc(asked, func(w searchwords.Word) bool { return w.OfRun }) && !strings.Contains(t.Text, " ")
}

// isWord tells whether a term is one word of the index.
func (t Term) isWord() bool {
	words, begins := t.words()
	return len(words) == 1 && !begins
}

// pairs is how long a term is, in pairs of characters.
func (t Term) pairs() (n int) {
	asked, _ := searchwords.Asked(t.Text)
	for _, word := range asked {
		if n++; !word.OfRun {
			n += pairsAWord - 1
		}
	}
	return n
}

// String is the term as it may be typed.
func (t Term) String() string {
	if strings.Contains(t.Text, " ") {
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

// Parse reads what somebody has typed: words, phrases in any quotation marks, begin* for all words that begin so, any dash before a word or
// phrase that must not be there, and filters such as author:ann. Invalid, with a sentence that says what to do, where that can't be
// answered. A text without anything to look for has no terms.
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

// next reads the first word, phrase or filter of a text that begins with one, and returns what follows it.
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
	said, rest, quoted := take(text, endsWord)
	words := wordsOf(said)
	if quoted && termOf(words).pairs() > PhraseMax*pairsAWord {
		return rest, invalid(locale.With("Six words can be quoted at most. Please quote less of \"{}\".", strings.Join(words, " ")))
	}
	list := &w.All
	if not {
		list = &w.None
	}
	*list = append(*list, phrases(words)...) // an address may have many words, and nothing between them
	if len(words) == 0 || quoted || !strings.HasSuffix(said, "*") {
		return rest, nil
	}
	last := &(*list)[len(*list)-1]
	last.Prefix = true
	if asked, begins := last.words(); begins && !last.inRun() && utf8.RuneCountInString(asked[len(asked)-1]) < prefixMin {
		return rest, invalid("Please put at least 4 letters before a star, as in comp*.")
	}
	return rest, nil
}

// phrases are words that are next to each other, in as many terms as are needed because a phrase has at most PhraseMax words.
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

// pieces cuts a long run of characters into some that a phrase can have. Each begins with the last character of the one before, so that no
// pair is lost.
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
	value, rest, _ = take(tail, unicode.IsSpace)
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

// take takes a quoted phrase off the beginning of a text, or what is there until ends is true. A quote that never ends goes to the end.
func take(text string, ends func(rune) bool) (said, rest string, quoted bool) {
	if said, rest, quoted = takeQuoted(text); quoted {
		return said, rest, true
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

// wordsOf are the words of a text, as they were typed: letters and digits, without what is between them.
func wordsOf(text string) []string {
	words := strings.FieldsFunc(text, func(r rune) bool { return !searchwords.IsOfWord(r) })
	return slices.DeleteFunc(words, func(word string) bool { return termOf([]string{word}).pairs() == 0 })
}

// Empty tells whether there is nothing to look for.
func (w *Words) Empty() bool { return len(w.All) == 0 && len(w.None) == 0 }

func invalid(message locale.Text) error { return data.Mistake("q", message) }
