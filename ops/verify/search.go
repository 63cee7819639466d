package verify

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"plaza/data/searchwords"
)

// searched is an index of the search: a view has its correct content. The last column of most is facets.
type searched struct {
	table, view string
	columns     []string
}

var searches = []searched{
	{"search_posts", "post_words", []string{"title", "body", "facets"}},
	{"search_comments", "comment_words", []string{"body", "facets"}},
	{"search_communities", "community_words", []string{"name", "about"}},
	{"search_people", "person_words", []string{"name", "about"}},
}

// beginning is how many characters of a column are compared, and one more that tells whether a word ends there.
const beginning = 80

// values are what statements select of rows of the view: whether the index has a row, and how the columns begin.
func (s searched) values() []string {
	values := []string{fmt.Sprintf("EXISTS (SELECT 1 FROM %s_docsize d WHERE d.id = x.id)", s.table)}
	for _, column := range s.columns {
		if column == "facets" {
			values = append(values, "x.facets")
		} else {
			values = append(values, fmt.Sprintf("substr(x.%s, 1, %d)", column, beginning+1))
		}
	}
	return values
}

// having selects for each of :words, which are queries of one word, the rows from :first to :last that the index finds. FTS5 seeks to the
// first of them at once. For a phrase it would read all rows before, because it begins with the phrase's first match.
func (s searched) having() string {
	return fmt.Sprintf(`SELECT (SELECT json_group_array(s.rowid) FROM %[1]s s WHERE s.%[1]s MATCH j.value AND s.rowid BETWEEN :first AND :last)
  FROM json_each(:words) j ORDER BY j.key`, s.table)
}

// wordsOf returns the words at the beginning of a column, or all of a facet's. FTS5 may take signs outside ASCII for letters, so a word
// beside one of these is left out.
func wordsOf(text string, whole bool) []string {
	if runes := []rune(text); !whole && len(runes) > beginning {
		last := strings.LastIndexFunc(string(runes[:beginning]), unicode.IsSpace)
		text = text[:max(last, 0)]
	}
	var words []string
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r < utf8.RuneSelf && !isAlphanumeric(r) }) {
		plain := strings.IndexFunc(word, func(r rune) bool { return !searchwords.IsOfWord(r) }) < 0
		if plain && len(searchwords.Split(word)) > 0 { // invisible characters make no word
			words = append(words, strings.ToLower(word))
		}
	}
	return words
}

func isAlphanumeric(r rune) bool {
	return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// check looks for rows of the index that the view doesn't have, and repairs these and others.
func (s searched) check() check {
	columns := strings.Join(s.columns, ", w.")
	return check{table: s.table, from: s.table + "_docsize", columns: []column{{name: "row", was: "0",
		is: fmt.Sprintf("NOT EXISTS (SELECT 1 FROM %s w WHERE w.id = x.id)", s.view), stored: "there", computed: "gone, as nobody may find it"}},
		repair: []string{fmt.Sprintf("DELETE FROM %s WHERE rowid IN (SELECT value FROM json_each(:rows))", s.table),
			fmt.Sprintf("INSERT INTO %s (rowid, %s) SELECT w.id, w.%s FROM json_each(:rows) j CROSS JOIN %s w ON w.id = j.value\n"+
				"WHERE NOT EXISTS (SELECT 1 FROM %[1]s_docsize d WHERE d.id = w.id)", s.table, strings.Join(s.columns, ", "), columns, s.view)}}
}

func (v *verifier) search(ctx context.Context, db *database, s searched) error {
	orphans := s.check().whole()
	// The more rows are compared at once, the more often do they share a word.
	p := paged{table: s.table, query: page(s.view, keysOf("id"), s.values()...), keys: keysOf("id"), size: 4000}
	if err := v.pages(ctx, db, p, func(rows [][]any) error {
		wrong, err := s.lacking(ctx, db, rows)
		if err == nil && len(wrong) > 0 { // a second look, because somebody may have changed them between the two statements
			ids := jsonOf(slices.Collect(maps.Keys(wrong)))
			if rows, err = db.rows(ctx, again(s.view, "id", s.values()...), named("ids", ids)); err == nil {
				wrong, err = s.lacking(ctx, db, rows)
			}
		}
		if err != nil {
			return err
		}
		var ids []any
		var found [][]Difference
		for _, id := range slices.Sorted(maps.Keys(wrong)) {
			f := db.finding(s.table, id, "row", wrong[id][0], wrong[id][1], nil)
			ids, found = append(ids, id), append(found, f.differences)
		}
		return v.repairRows(ctx, db, orphans, ids, found)
	}); err != nil {
		return err
	}
	return v.check(ctx, db, orphans)
}

// lacking returns the stored and the correct content, by ids, of the rows of the view that differ.
func (s searched) lacking(ctx context.Context, db *database, rows [][]any) (map[int64][2]string, error) {
	wrong := map[int64][2]string{}
	having := map[string][]int64{} // the rows that should have a word
	var there []int64
	for _, row := range rows {
		id := idOf(row)
		if row[1] == int64(0) {
			wrong[id] = [2]string{"missing", "there"}
			continue
		}
		there = append(there, id)
		for i, column := range s.columns {
			for _, word := range wordsOf(str(row[2+i]), column == "facets") {
				query := column + ` : "` + word + `"`
				if list := having[query]; len(list) == 0 || list[len(list)-1] != id {
					having[query] = append(list, id)
				}
			}
		}
	}
	if len(having) == 0 {
		return wrong, nil
	}
	queries := slices.Sorted(maps.Keys(having))
	found, err := db.rows(ctx, s.having(), named("words", jsonOf(queries)), named("first", there[0]), named("last", there[len(there)-1]))
	if err != nil {
		return nil, err
	}
	for i, row := range found {
		var list []int64
		if err := json.Unmarshal([]byte(row[0].(string)), &list); err != nil {
			return nil, err
		}
		for _, id := range having[queries[i]] {
			if _, ok := slices.BinarySearch(list, id); !ok {
				wrong[id] = [2]string{"other words", "its words"}
			}
		}
	}
	return wrong, nil
}

// wordings are the columns with words for the search of a text (data/searchwords). Rows that an export or another version has left
// without words get them here, and triggers write the index. Copies of communities have none.
func wordings(directory bool) []check {
	list := []check{wording("posts", "title", "words"), wording("post_texts", "text", "words"), wording("comments", "body", "words"),
		wording("users", "bio", "words")}
	if directory {
		list = append(list, wording("communities", "title", "words"), wording("communities", "description", "about_words"))
	}
	return list
}

// wording selects texts and their words, without texts of ASCII, which have none: about 1.5 MB, as a response of sqld has 10 MB at most.
func wording(table, text, words string) check {
	return check{table: table, keys: keysOf("rowid"), inputs: []string{"x." + text}, columns: columnsOf(words), size: 500, step: 500,
		short: true, compute: func(_, in []any) []any { return []any{searchwords.Words(str(in[0]))} },
		find: fmt.Sprintf(`SELECT x.id, iif(x.words = '' AND length(x.text) = octet_length(x.text), '', x.text), x.words
FROM (SELECT t.id, t.text, t.words, sum(octet_length(t.text) + octet_length(t.words)) OVER (ORDER BY t.id
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes
  FROM (SELECT p.rowid AS id, p.%[2]s AS text, p.%[3]s AS words FROM %[1]s p
    WHERE p.rowid > :rowid ORDER BY p.rowid LIMIT :limit) t) x
WHERE x.bytes IS NULL OR x.bytes < 1500000 ORDER BY x.id`, table, text, words)}
}
