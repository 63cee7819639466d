package search

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"plaza/data"
	"plaza/locale"
)

// FTS5 advances in the list of each word until all of them have the same post. Common words that rarely occur together, or never in the
// order of a phrase, make it read all entries of all lists. So a search first estimates how many entries it would read, from the lengths of
// the lists of common words (search_common) and the number of pages between two places of the index. An entry is one post or comment.
const (
	// entriesMax is how many entries a search may read for one kind of candidate. They take about 60 ms.
	entriesMax = 250_000
	// entriesPerLeap: if one word is rare, FTS5 jumps from one of its posts to the next in the lists of the others. A jump counts as this many
	// entries, because it takes as long.
	entriesPerLeap = 25
	// wholeTimes is the factor for a prefix that is shorter or longer than prefixMin: FTS5 merges the lists of all its words before the first
	// match, once for each kind of candidate.
	wholeTimes = 5
	// entriesPerPage of the index.
	entriesPerPage = 500
)

// weight is the input for weighing a term.
type weight struct {
	Query  string   `json:"q"`
	Words  []string `json:"w"`             // as the index has them
	Prefix string   `json:"p,omitempty"`   // the prefix of the last word
	Times  int      `json:"x,omitempty"`   // how often its list is read
	May    int      `json:"may,omitempty"` // 1: it may be left out
	Not    int      `json:"no,omitempty"`  // 1: excluded
}

// Expensive reports whether a search reads several lists of the index, so that it may take long.
func (w *Words) Expensive() bool { return len(w.weights()) > 0 }

// weights returns the weights of a query's terms: first the terms of All, then those of None. There are none if the search reads only one
// list, from its end.
func (w *Words) weights() []weight {
	if len(w.All) == 1 && len(w.None) == 0 {
		words, begins := w.All[0].words()
		if len(words) == 1 && (!begins || utf8.RuneCountInString(words[0]) == prefixMin) {
			return nil
		}
	}
	var list []weight
	for i, t := range slices.Concat(w.All, w.None) {
		words, begins := t.words()
		term := weight{Query: all([]Term{t}, ""), Words: words}
		switch last := len(words) - 1; {
		case begins:
			term.Prefix, term.Words, term.Times = words[last], words[:last], 1
			if utf8.RuneCountInString(term.Prefix) != prefixMin {
				term.Times = wholeTimes
			}
		case last == 0 && i < len(w.All):
			term.May = 1
		}
		if i >= len(w.All) {
			term.Not = 1
		}
		list = append(list, term)
	}
	return list
}

const (
	// weighing are common table expressions, the last of which is judged: the terms, whether each is kept, and whether the search is within
	// the limit. Of words that may be left out, the rarest stay: at least one, and as many as are within the limit together. Each expression
	// refers only to the one before, because SQLite plans them again wherever they are used. Primary key of search_common.
	weighing = `WITH spelt (n, query, may, not_it, found) AS MATERIALIZED (
SELECT j.key, j.value ->> 'q', j.value ->> 'may' IS 1, j.value ->> 'no' IS 1, coalesce((SELECT k.found FROM search_common k
  WHERE k.about = '{table}' AND k.word = w.value), 0)
FROM json_each(:terms) j CROSS JOIN json_each(j.value, '$.w') w{begun}),
leveled (n, query, may, not_it, found, leaps) AS MATERIALIZED (SELECT n, query, may, not_it, found,
  {leap} * max({rare}, iif(may OR not_it, coalesce(min(iif(not_it, NULL, found)) OVER (), found), min(found) OVER (PARTITION BY n)))
  FROM spelt), weighed (n, query, may, not_it, entries) AS MATERIALIZED (SELECT n, query, may, not_it, sum(min(found, leaps)) FROM leveled
  GROUP BY n, query, may, not_it), chosen (n, query, may, not_it, entries, kept) AS MATERIALIZED (SELECT n, query, may, not_it, entries,
  may = 0 OR sum(entries) OVER (ORDER BY may, entries, n ROWS UNBOUNDED PRECEDING) <= :most OR row_number() OVER (PARTITION BY not_it
  ORDER BY may, entries, n) = 1 FROM weighed),
judged (n, query, not_it, entries, kept, ok) AS MATERIALIZED (SELECT n, query, not_it, entries, kept,
  sum(iif(kept, entries, 0)) OVER () <= :most OR sum(kept) OVER () = 1 AND max(kept AND may) OVER () = 1 FROM chosen)`
	// begun adds the prefixes to spelt. search_common has only the common words with each.
	begun = `
UNION ALL SELECT j.key, j.value ->> 'q', 0, j.value ->> 'no' IS 1, (j.value ->> 'x') * (` + begins +
		`) FROM json_each(:terms) j WHERE j.value ->> 'p' <> ''`

	// begins estimates the number of entries of words that begin with j.value ->> 'p': from pages between two places of each part of the
	// index, and common words.
	begins = `(SELECT coalesce(sum(k.found), 0) FROM search_common k WHERE k.about = '{table}' AND k.word >= j.value ->> 'p'
  AND k.word < (j.value ->> 'p') || '` + lastRune + `')
+ (WITH RECURSIVE parts (id) AS (SELECT min(y.segid) FROM {table}_idx y UNION ALL
  SELECT (SELECT min(y.segid) FROM {table}_idx y WHERE y.segid > parts.id) FROM parts WHERE parts.id IS NOT NULL)
SELECT coalesce(sum(coalesce((SELECT y.pgno / 2 FROM {table}_idx y WHERE y.segid = parts.id
    AND y.term <= CAST('0' || (j.value ->> 'p') || '` + lastRune + `' AS BLOB) ORDER BY y.term DESC LIMIT 1), 0)
  - coalesce((SELECT y.pgno / 2 FROM {table}_idx y WHERE y.segid = parts.id
    AND y.term <= CAST('0' || (j.value ->> 'p') AS BLOB) ORDER BY y.term DESC LIMIT 1), 0)), 0) * {page} FROM parts)`

	// weighedTerms selects the result for each term.
	weighedTerms = `SELECT n, entries, kept, ok FROM judged`
)

// keptWords are the words to search, of judged.
const keptWords = `group_concat(iif(kept AND NOT not_it, query, NULL), ' AND ')`

// nothing is a query that finds nothing, because no text has such a word.
const nothing = `"nothingislookedfor"`

// lastRune sorts after every character of a word.
const lastRune = "\U0010FFFF"

// with returns the common table expressions that weigh words for an index.
func (ix *index) with(w *Words) string {
	begins := ""
	if slices.ContainsFunc(w.weights(), func(term weight) bool { return term.Prefix != "" }) {
		begins = begun
	}
	return strings.NewReplacer("{table}", ix.table, "{rare}", strconv.Itoa(CommonFrom), "{leap}", strconv.Itoa(entriesPerLeap), "{page}",
		strconv.Itoa(entriesPerPage)).
		Replace(strings.ReplaceAll(weighing, "{begun}", begins))
}

// Weighed says which words of a search were left out, or that it was refused, because it would read too much of the index. Read it after
// Run.
type Weighed struct {
	Omitted   []string // words that were left out because nearly every text has them
	costliest Term     // if the search was refused: the phrase, prefix or excluded word that costs the most
	entries   int64
}

// Refusal returns how the user can change a search that was refused; "" for one that ran.
func (j *Weighed) Refusal() locale.Text {
	switch t := j.costliest; {
	case t.Text == "":
		return ""
	case t.inRun():
		return locale.With("Very many texts have {}. Please look for more characters.", t.Text)
	case t.Prefix:
		return locale.With("Very many words begin with {}. Please put more letters before the star.", t.last())
	case strings.Contains(t.Text, " "):
		return locale.With("The words of {} are everywhere. Please quote fewer of them, or leave the quotes out.", t.String())
	default:
		return locale.With("The word {} is everywhere. Please search without -{}.", t.Text, t.Text)
	}
}

// weigh reads, along with a page, which words a shard leaves out. args are the arguments of the search.
func (q *Query) weigh(r *data.Read, place data.Where, ix *index, args data.Args, j *Weighed) {
	terms := slices.Concat(q.Words.All, q.Words.None)
	r.FindAt(place, ix.with(&q.Words)+"\n"+weighedTerms, data.Args{"terms": args["terms"], "most": args["most"]}, func(row *data.Row) {
		n, entries, kept, ok := int(row.Int()), row.Int(), row.Bool(), row.Bool()
		switch {
		case !kept && !slices.Contains(j.Omitted, terms[n].Text):
			j.Omitted = append(j.Omitted, terms[n].Text)
		case kept && !ok && entries > j.entries && (n >= len(q.Words.All) || !terms[n].isWord()):
			j.costliest, j.entries = terms[n], entries
		}
	})
}

func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // texts and numbers
	}
	return string(text)
}
