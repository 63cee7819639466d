package search

import (
	"strconv"
	"strings"

	"plaza/data"
)

// How many candidates there are of each kind.
const (
	newest    = 200 // matches of any kind
	titled    = 100 // with a match in the title
	good      = 60  // with a score of at least 10; as many with at least 100, and with at least 1,000
	magnitude = 150 // of each number of digits of the score, for the order top

	candidatesMax = 500 // in total
)

// digitsMax is the maximum number of digits of a score that the index distinguishes.
const digitsMax = 7

// index is an index to search: its table, and the row x that it is about.
type index struct {
	table   string
	from    string // from the candidates i (id, bonus) to x
	visible string // a condition
}

// The weights of relevance: a match in the title counts as much as a thirtyfold score, and a year as much as a tenfold score.
const (
	relevance = `i.bonus + log10(max(x.score, 1)) + x.created_at / 31557600000.0`
	inTitle   = "1.5"
)

var (
	ofPosts    = index{"search_posts", ` CROSS JOIN posts x ON x.id = i.id`, `x.status = 'published'`}
	ofComments = index{"search_comments", ` CROSS JOIN comments x ON x.id = i.id CROSS JOIN posts p ON p.id = x.post_id`,
		`x.status = 'published' AND x.held = 0 AND p.status = 'published'`}
)

const (
	// candidates are the newest matches, in the table's own order. Narrowed ones are not read if latest has all matches.
	candidates = `SELECT * FROM (SELECT s.rowid, {bonus} FROM {table} s WHERE s.{table} MATCH ((SELECT words
  FROM asked){narrowed}{without}){since} ORDER BY s.rowid DESC LIMIT {limit})`
	// asked are the words of a search; askedOf the words that remain after weighing.
	asked   = `WITH asked (words) AS MATERIALIZED (SELECT {asked})`
	askedOf = `{weighing},
asked (words, titles) AS MATERIALIZED (SELECT iif(min(ok), {asked}, 'facets : ` + nothing +
		`'), iif(min(ok), 'title : (' || {kept} || ')', 'facets : ` + nothing + `') FROM judged)`

	// rankedNew and ranked are common table expressions, the last of which is ranked. It has the :limit items after the cursor (:value and
	// :id), the number of candidates, and whether there are more matches than were ranked. For the window a post that was first a draft has
	// the time of its id, when the draft was begun.
	rankedNew = `{asked},
ranked (id, value, places, more) AS MATERIALIZED (SELECT i.rowid, 0, 0, 0 FROM {table} i{from}
  WHERE i.{table} MATCH ((SELECT words FROM asked){narrowed}{without}){since} AND i.rowid < :id AND {visible}
  ORDER BY i.rowid DESC LIMIT :limit)`
	ranked = `{asked},
latest (id, bonus) AS MATERIALIZED ({latest}),
known (n) AS MATERIALIZED (SELECT count(*) FROM latest),
found (id, bonus) AS MATERIALIZED ({found} LIMIT {limit}),
visible (id, value) AS MATERIALIZED (SELECT i.id, {value} FROM (SELECT id, max(bonus) AS bonus FROM found GROUP BY id)
  i{from} WHERE {visible}),
ranked (id, value, places, more) AS MATERIALIZED (SELECT id, value, (SELECT count(*) FROM visible),
  (SELECT n FROM known) >= {newest} FROM visible
WHERE value < :value OR value = :value AND id < :id ORDER BY value DESC, id DESC LIMIT :limit)`
)

const ofLatest = `SELECT id, bonus FROM latest`

// moreThanLatest is a limit of 0 if latest has all matches: two words that rarely occur together are then searched only once or twice.
var moreThanLatest = `iif((SELECT n FROM known) < ` + strconv.Itoa(newest) + `, 0, {limit})`

// magnitudes are the facets of scores of at least 10, 100 and 1,000.
var magnitudes = []string{`"s2" OR "s3" OR "s4" OR "s5" OR "s6" OR "s7"`, `"s3" OR "s4" OR "s5" OR "s6" OR "s7"`,
	`"s4" OR "s5" OR "s6" OR "s7"`}

// since is the condition that an id, which begins with its milliseconds since data.Epoch, is in the window.
var since = ` AND s.rowid > ((` + data.DatabaseNow + ` - :window - ` + strconv.FormatInt(data.Epoch.UnixMilli(), 10) + `) << 22)`

// rankedSQL returns the beginning of a statement: the common table expressions rankedNew or ranked. It adds to the arguments of e.
func (q *Query) rankedSQL(ix *index, e *expression) string {
	since := since
	if q.Window.Duration() <= 0 {
		since = ""
	}
	visible := ix.visible
	if q.Link != "" {
		visible += ofLink
	}
	words := asked
	if e.weighs {
		words = strings.ReplaceAll(askedOf, "{weighing}", ix.with(&q.Words))
	}
	words = strings.NewReplacer("{asked}", strings.Join(e.parts, ` || ' AND ' || `), "{kept}", keptWords).Replace(words)
	fill := func(sql string, more ...string) string {
		return strings.NewReplacer(append(more, "{table}", ix.table, "{since}", since, "{from}", ix.from,
			"{visible}", visible, "{newest}", strconv.Itoa(newest), "{asked}", words,
			"{narrowed}", "", "{without}", e.without)...).Replace(sql)
	}
	latest := fill(candidates, "{bonus}", "0", "{limit}", strconv.Itoa(newest))
	var found []string
	add := func(limit string, bonus string, narrowed string) {
		found = append(found, fill(candidates, "{bonus}", bonus, "{limit}", limit, "{narrowed}", ` || ' AND ' || `+narrowed))
	}
	unlessAll := func(limit int) string { return fill(moreThanLatest, "{limit}", strconv.Itoa(limit)) }
	value := relevance
	switch q.Order {
	case OrderNew:
		return strings.NewReplacer("i.id", "i.rowid", "s.rowid", "i.rowid").Replace(fill(rankedNew))
	case OrderTop:
		value = "x.score"
		digits := digitsMax
		if !q.After.IsZero() {
			digits = min(digits, len(strconv.Itoa(max(int(q.After.Value), 0))))
		}
		for ; digits > 1; digits-- {
			add(unlessAll(magnitude), "0", `'facets : "s`+strconv.Itoa(digits)+`"'`)
		}
	default:
		if len(q.Words.All) > 0 && ix == &ofPosts {
			titles := ":titles"
			if e.weighs {
				titles = "(SELECT titles FROM asked)"
			} else {
				e.args["titles"] = "title : (" + all(q.Words.All, " AND ") + ")"
			}
			add(strconv.Itoa(titled), inTitle, titles)
		}
		for _, m := range magnitudes {
			add(unlessAll(good), "0", `'facets : (`+m+`)'`)
		}
	}
	found = append(found, ofLatest)
	return fill(ranked, "{latest}", latest, "{found}", strings.Join(found, "\nUNION ALL "), "{limit}", strconv.Itoa(candidatesMax), "{value}",
		value)
}
