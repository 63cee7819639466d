package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/searchwords"
)

// A rare word may be a mistake. The words that differ from it by one letter are generated here, and looked up in the index. That is one
// look-up for each, at any size of the index.
const (
	// spelledWords is how many words of a search are checked.
	spelledWords = 3
	// spelledMin and spelledMax are the limits of the length of such a word. Short words resemble too many others.
	spelledMin, spelledMax = 4, 16
	// likelier is how many times as frequent as the typed word another word must be, to be suggested.
	likelier = 20
)

// howMany selects those of :words that the index has, and how many posts or comments have each. The number of a common word is known, and
// the list of another word is short enough to be counted. Primary key of search_common; FTS5 looks a word up.
const howMany = `WITH counted (word, found) AS MATERIALIZED (SELECT j.value, coalesce((SELECT k.found FROM search_common k
  WHERE k.about = '{table}' AND k.word = j.value), (SELECT t.doc FROM {table}_terms t WHERE t.term = j.value), 0) FROM json_each(:words) j)
SELECT word, found FROM counted WHERE found > 0`

// Spelling suggests a correction of a search. Read it after Run.
type Spelling struct {
	words []string         // of the search, as the index has them
	found map[string]int64 // by word: how many posts or comments have it
}

// FindSpelling looks up words that resemble those of a query: in posts, or in comments.
func (s *Store) FindSpelling(r *data.Read, q Query, comments bool) *Spelling {
	sp := &Spelling{found: map[string]int64{}}
	var list []string
	for _, t := range q.Words.All {
		asked, _ := searchwords.QueryWords(t.Text)
		for _, a := range asked {
			word := a.Text
			if n := utf8.RuneCountInString(word); t.Prefix || a.OfRun || n < spelledMin || n > spelledMax || len(sp.words) == spelledWords ||
				strings.ContainsFunc(word, unicode.IsNumber) || slices.Contains(sp.words, word) {
				continue
			}
			sp.words, list = append(sp.words, word), append(list, resembling(word)...)
		}
	}
	if len(list) == 0 {
		return sp
	}
	slices.Sort(list)
	ix, words := &ofPosts, asJSON(slices.Compact(list))
	if comments {
		ix = &ofComments
	}
	for _, place := range s.places(&q) {
		r.FindAt(place, ix.fill(howMany), data.Args{"words": words}, func(row *data.Row) {
			word := strings.Clone(row.Text())
			sp.found[word] += row.Int()
		})
	}
	return sp
}

// Correct returns the typed text with the suggested words; "" if there are none.
func (sp *Spelling) Correct(text string) string {
	typed := text
	for _, word := range sp.words {
		if meant := sp.meant(word); meant != "" {
			text = replaceWord(text, word, meant)
		}
	}
	if _, err := Parse(text); text == typed || err != nil {
		return ""
	}
	return text
}

// meant returns the most common of the words that resemble a word; "" if none is likelier times as common as the word.
func (sp *Spelling) meant(word string) (meant string) {
	highest := max(1, sp.found[word]*likelier)
	for _, w := range resembling(word) {
		if n := sp.found[w]; w != word && (n > highest || n == highest && (meant == "" || w < meant)) {
			highest, meant = n, w
		}
	}
	return meant
}

// folded returns a word as the index compares it.
func folded(word string) string {
	words, _ := termOf([]string{word}).words()
	return strings.Join(words, " ")
}

// alphabets are the letters to try.
var alphabets = []struct {
	script  *unicode.RangeTable
	letters string
}{{unicode.Latin, "abcdefghijklmnopqrstuvwxyz"}, {unicode.Cyrillic, "абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґўјљњћђџ"},
	{unicode.Greek, "αβγδεζηθικλμνξοπρστυφχψω"}}

// resembling returns a word and all that differ from it by one letter: one more, one less, another one, or two neighbours swapped.
func resembling(word string) []string {
	letters, alphabet := []rune(word), ""
	for _, a := range alphabets {
		if unicode.Is(a.script, letters[0]) {
			alphabet = a.letters
		}
	}
	list := []string{word}
	for i := range len(letters) + 1 {
		before, after := string(letters[:i]), letters[i:]
		for _, l := range alphabet {
			list = append(list, before+string(l)+string(after))
			if len(after) > 0 {
				list = append(list, before+string(l)+string(after[1:]))
			}
		}
		if len(after) > 0 {
			list = append(list, before+string(after[1:]))
		}
		if len(after) > 1 {
			list = append(list, before+string(after[1])+string(after[0])+string(after[2:]))
		}
	}
	return list
}

// replaceWord replaces a word in a typed text, unless it belongs to a filter or is excluded.
func replaceWord(text, word, by string) string {
	for at := 0; at < len(text); {
		start := strings.IndexFunc(text[at:], searchwords.IsWordRune)
		if start < 0 {
			break
		}
		start += at
		end := len(text)
		if n := strings.IndexFunc(text[start:], func(r rune) bool { return !searchwords.IsWordRune(r) }); n >= 0 {
			end = start + n
		}
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		if free := start == 0 || !isDash(before) && before != ':'; free && folded(text[start:end]) == word {
			return text[:start] + by + text[end:]
		}
		at = end
	}
	return text
}
