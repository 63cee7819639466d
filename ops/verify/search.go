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

// searchIndex is an FTS5 table, and the view with its correct content. The last column of most is facets.
type searchIndex struct {
	table, view string
	columns     []string
}

var searchIndexes = []searchIndex{
	{"search_posts", "post_words", []string{"title", "body", "facets"}},
	{"search_comments", "comment_words", []string{"body", "facets"}},
	{"search_communities", "community_words", []string{"name", "about"}},
	{"search_people", "person_words", []string{"name", "about"}},
}

// prefixLen is how many characters of a column are compared. One more is read, to see whether a word ends there.
const prefixLen = 80

// values returns what statements select from the view: whether the index has the row, and how the columns begin.
func (s searchIndex) values() []string {
	values := []string{fmt.Sprintf("EXISTS (SELECT 1 FROM %s_docsize d WHERE d.id = x.id)", s.table)}
	for _, column := range s.columns {
		if column == "facets" {
			values = append(values, "x.facets")
		} else {
			values = append(values, fmt.Sprintf("substr(x.%s, 1, %d)", column, prefixLen+1))
		}
	}
	return values
}

// matches returns a statement: for each of :words, which are queries of one word, the rows from :first to :last that match it. FTS5 seeks
// to :first at once; for a phrase it would read all rows from the phrase's first match.
func (s searchIndex) matches() string {
	return fmt.Sprintf(`SELECT (SELECT json_group_array(s.rowid) FROM %[1]s s WHERE s.%[1]s MATCH j.value AND s.rowid BETWEEN :first AND :last)
  FROM json_each(:words) j ORDER BY j.key`, s.table)
}

// wordsOf returns the words at the beginning of a column, or all of them if whole, as for facets. It skips words next to other characters
// than ASCII, because FTS5 may count these as letters.
func wordsOf(text string, whole bool) []string {
	if runes := []rune(text); !whole && len(runes) > prefixLen {
		last := strings.LastIndexFunc(string(runes[:prefixLen]), unicode.IsSpace)
		text = text[:max(last, 0)]
	}
	var words []string
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r < utf8.RuneSelf && !isAlphanumeric(r) }) {
		plain := strings.IndexFunc(word, func(r rune) bool { return !searchwords.IsWordRune(r) }) < 0
		if plain && len(searchwords.Split(word)) > 0 { // invisible characters are no word
			words = append(words, strings.ToLower(word))
		}
	}
	return words
}

func isAlphanumeric(r rune) bool {
	return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// check returns a check that finds rows of the index that the view doesn't have. Its repair also writes missing and wrong rows.
func (s searchIndex) check() check {
	columns := strings.Join(s.columns, ", w.")
	return check{table: s.table, from: s.table + "_docsize", columns: []column{{name: "row", storedText: "there",
		computedText: "gone, as nobody may find it", stored: "0",
		computed: fmt.Sprintf("NOT EXISTS (SELECT 1 FROM %s w WHERE w.id = x.id)", s.view)}},
		repair: []string{fmt.Sprintf("DELETE FROM %s WHERE rowid IN (SELECT value FROM json_each(:rows))", s.table),
			fmt.Sprintf("INSERT INTO %s (rowid, %s) SELECT w.id, w.%s FROM json_each(:rows) j CROSS JOIN %s w ON w.id = j.value\n"+
				"WHERE NOT EXISTS (SELECT 1 FROM %[1]s_docsize d WHERE d.id = w.id)", s.table, strings.Join(s.columns, ", "), columns, s.view)}}
}

func (v *verifier) search(ctx context.Context, db *database, s searchIndex) error {
	orphans := s.check().withDefaults()
	// The more rows a page has, the more of them share the query of a word.
	p := pageQuery{table: s.table, query: page(s.view, keysOf("id"), s.values()...), keys: keysOf("id"), size: 4000}
	if err := v.pages(ctx, db, p, func(rows [][]any) error {
		wrong, err := s.compareRows(ctx, db, rows)
		if err == nil && len(wrong) > 0 { // read again: a row may have changed between the two statements
			ids := jsonOf(slices.Collect(maps.Keys(wrong)))
			if rows, err = db.rows(ctx, pageOf(s.view, "id", s.values()...), named("ids", ids)); err == nil {
				wrong, err = s.compareRows(ctx, db, rows)
			}
		}
		if err != nil {
			return err
		}
		var ids []any
		var found [][]Difference
		for _, id := range slices.Sorted(maps.Keys(wrong)) {
			ids = append(ids, id)
			found = append(found, db.finding(s.table, id, "row", wrong[id][0], wrong[id][1], nil).differences)
		}
		return v.repairRows(ctx, db, orphans, ids, found)
	}); err != nil {
		return err
	}
	return v.check(ctx, db, orphans)
}

// compareRows returns what a report shows as stored and as correct for each row of the view that the index lacks or has with other words.
func (s searchIndex) compareRows(ctx context.Context, db *database, rows [][]any) (map[int64][2]string, error) {
	wrong, expected := map[int64][2]string{}, map[string][]int64{} // expected: ids of the rows with a word, by its query
	var indexed []int64
	for _, row := range rows {
		id := idOf(row)
		if row[1] == int64(0) {
			wrong[id] = [2]string{"missing", "there"}
			continue
		}
		indexed = append(indexed, id)
		for i, column := range s.columns {
			for _, word := range wordsOf(str(row[2+i]), column == "facets") {
				query := column + ` : "` + word + `"`
				if list := expected[query]; len(list) == 0 || list[len(list)-1] != id {
					expected[query] = append(list, id)
				}
			}
		}
	}
	if len(expected) == 0 {
		return wrong, nil
	}
	queries := slices.Sorted(maps.Keys(expected))
	found, err := db.rows(ctx, s.matches(), named("words", jsonOf(queries)), named("first", indexed[0]), named("last", slices.Max(indexed)))
	if err != nil {
		return nil, err
	}
	for i, row := range found {
		var list []int64
		if err := json.Unmarshal([]byte(row[0].(string)), &list); err != nil {
			return nil, err
		}
		for _, id := range expected[queries[i]] {
			if _, ok := slices.BinarySearch(list, id); !ok {
				wrong[id] = [2]string{"other words", "its words"}
			}
		}
	}
	return wrong, nil
}

// wordChecks are of the columns with the search words of a text (data/searchwords). An import or another version may have left them empty;
// the repair writes them, and triggers write the index. Copies of communities have none.
func wordChecks(directory bool) []check {
	list := []check{wordCheck("posts", "title", "words"), wordCheck("post_texts", "text", "words"), wordCheck("comments", "body", "words"),
		wordCheck("users", "bio", "words")}
	if directory {
		list = append(list, wordCheck("communities", "title", "words"), wordCheck("communities", "description", "about_words"))
	}
	return list
}

// wordCheck selects texts and their words, but not the text if it is ASCII, which has none. A page has about 1.5 MB: sqld's limit is 10 MB.
func wordCheck(table, text, words string) check {
	return check{table: table, keys: keysOf("rowid"), inputs: []string{"x." + text}, columns: columnsOf(words), size: 500, step: 500,
		short: true, compute: func(_, in []any) []any { return []any{searchwords.Words(str(in[0]))} },
		find: fmt.Sprintf(`SELECT x.id, iif(x.words = '' AND length(x.text) = octet_length(x.text), '', x.text), x.words
FROM (SELECT t.id, t.text, t.words, sum(octet_length(t.text) + octet_length(t.words)) OVER (ORDER BY t.id
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes
  FROM (SELECT p.rowid AS id, p.%[2]s AS text, p.%[3]s AS words FROM %[1]s p
    WHERE p.rowid > :rowid ORDER BY p.rowid LIMIT :limit) t) x
WHERE x.bytes IS NULL OR x.bytes < 1500000 ORDER BY x.id`, table, text, words)}
}
