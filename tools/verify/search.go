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

	"plaza/data/content/searchwords"
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

// searchPage is how many rows are compared together: the more, the more often they share a word.
const searchPage = 4000

// beginning is how many characters of a column are compared, and one more that shows whether a word ends there.
const beginning = 80

// texts selects a page of the view: the id, whether the index has a row, and the beginnings of the columns.
func (s searched) texts() string {
	return s.selected() + fmt.Sprintf(` FROM %s w WHERE w.id > :after ORDER BY w.id LIMIT :limit`, s.view)
}

// textsOf selects the same of :ids.
func (s searched) textsOf() string {
	return s.selected() + fmt.Sprintf(` FROM json_each(:ids) j CROSS JOIN %s w ON w.id = j.value ORDER BY w.id`, s.view)
}

func (s searched) selected() string {
	var b strings.Builder
	fmt.Fprintf(&b, `SELECT w.id, EXISTS (SELECT 1 FROM %s_docsize d WHERE d.id = w.id)`, s.table)
	for _, column := range s.columns {
		if column == "facets" {
			b.WriteString(`, w.facets`)
		} else {
			fmt.Fprintf(&b, `, substr(w.%s, 1, %d)`, column, beginning+1)
		}
	}
	return b.String()
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

// orphan selects the rows of a page of the index that are not in the view.
func (s searched) orphan() string {
	return fmt.Sprintf(`SELECT d.id, EXISTS (SELECT 1 FROM %s w WHERE w.id = d.id) FROM %s_docsize d WHERE d.id > :after ORDER BY d.id
  LIMIT :limit`, s.view, s.table)
}

// repair writes the rows of :ids again.
func (s searched) repair() [2]string {
	return [2]string{
		fmt.Sprintf(`DELETE FROM %s WHERE rowid IN (SELECT value FROM json_each(:ids))`, s.table),
		fmt.Sprintf(`INSERT INTO %s (rowid, %s) SELECT w.id, w.%s FROM json_each(:ids) j CROSS JOIN %s w ON w.id = j.value WHERE NOT
  EXISTS (SELECT 1 FROM %s_docsize d WHERE d.id = w.id)`,
			s.table, strings.Join(s.columns, ", "), strings.Join(s.columns, ", w."), s.view, s.table),
	}
}

// search compares an index of the search with its view.
func (v *verifier) search(ctx context.Context, db *database, s searched) error {
	for after := int64(0); ; {
		rows, err := rowsOf(ctx, db.Client, s.texts(), named("after", after), named("limit", searchPage))
		if err != nil {
			return err
		}
		wrong, err := s.lacking(ctx, db, rows)
		if err == nil && len(wrong) > 0 { // a second read, because they may have changed between the two statements
			var again [][]any
			if again, err = rowsOf(ctx, db.Client, s.textsOf(), named("ids", jsonOf(slices.Sorted(maps.Keys(wrong))))); err == nil {
				wrong, err = s.lacking(ctx, db, again)
			}
		}
		if err != nil {
			return err
		}
		var found []Difference
		for _, id := range slices.Sorted(maps.Keys(wrong)) {
			found = append(found, Difference{Database: db.name, Table: s.table, Key: fmt.Sprint(id), Column: "row", Stored: wrong[id][0],
				Computed: wrong[id][1], Repaired: v.Repair})
		}
		if err := v.writeAnew(ctx, db, s, slices.Sorted(maps.Keys(wrong))); err != nil {
			return err
		}
		v.report(found...)
		v.read(db, s.table, len(rows))
		if len(rows) < searchPage {
			break
		}
		after = rows[len(rows)-1][0].(int64)
	}
	return v.orphanWords(ctx, db, s)
}

// lacking returns the stored and the correct content, by ids, of the rows of the view that differ.
func (s searched) lacking(ctx context.Context, db *database, rows [][]any) (map[int64][2]string, error) {
	wrong := map[int64][2]string{}
	having := map[string][]int64{} // the rows that should have a word
	var first, last int64
	for _, row := range rows {
		id := row[0].(int64)
		if row[1] == int64(0) {
			wrong[id] = [2]string{"missing", "there"}
			continue
		}
		if first == 0 {
			first = id
		}
		last = id
		for i, column := range s.columns {
			text, _ := row[2+i].(string)
			for _, word := range wordsOf(text, column == "facets") {
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
	found, err := rowsOf(ctx, db.Client, s.having(), named("words", jsonOf(queries)), named("first", first), named("last", last))
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

// orphanWords finds rows of the index that are not in the view.
func (v *verifier) orphanWords(ctx context.Context, db *database, s searched) error {
	for after := int64(0); ; {
		rows, err := rowsOf(ctx, db.Client, s.orphan(), named("after", after), named("limit", pageRows))
		if err != nil {
			return err
		}
		var wrong []int64
		var found []Difference
		for _, row := range rows {
			after = row[0].(int64)
			if row[1] == int64(0) {
				wrong = append(wrong, after)
				found = append(found, Difference{Database: db.name, Table: s.table, Key: fmt.Sprint(after), Column: "row", Stored: "there",
					Computed: "gone, as nobody may find it", Repaired: v.Repair})
			}
		}
		if err := v.writeAnew(ctx, db, s, wrong); err != nil {
			return err
		}
		v.report(found...)
		v.read(db, s.table, len(rows))
		if len(rows) < pageRows {
			return nil
		}
	}
}

// writeAnew repairs rows of an index, a few at a time.
func (v *verifier) writeAnew(ctx context.Context, db *database, s searched, ids []int64) error {
	if !v.Repair {
		return nil
	}
	for some := range slices.Chunk(ids, repairStep) {
		for _, sql := range s.repair() {
			if _, err := v.write(ctx, db.Client, sql, named("ids", jsonOf(some))); err != nil {
				return err
			}
		}
	}
	return nil
}
