package verify

import (
	"context"
	"fmt"
	"strings"
)

// searched is an index of the search: what is to be in it is a view.
type searched struct{ table, view, columns string }

var searches = []searched{
	{"search_posts", "post_words", "title, body, facets"},
	{"search_comments", "comment_words", "body, facets"},
	{"search_communities", "community_words", "name, about"},
	{"search_people", "person_words", "name, about"},
}

// said is, as SQL, a part of what MATCH is asked: that a column begins with what the view has. Of long texts these are the first 80 characters,
// up to a space. It is left out where a text has no letters and digits of ASCII, because it may have no words then.
func said(column string) string {
	begin := fmt.Sprintf(`iif(length(w.%[1]s) <= 80, w.%[1]s, rtrim(substr(w.%[1]s, 1, 80), replace(substr(w.%[1]s, 1, 80), ' ', '')))`, column)
	return fmt.Sprintf(`iif(%[1]s GLOB '*[a-zA-Z0-9]*', ' AND %[2]s : ^ "' || replace(%[1]s, '"', '""') || '"', '')`, begin, column)
}

// find selects of a page of the view which rows the index lacks, or has with other words.
func (s searched) find() string {
	match := []string{}
	for _, column := range strings.Split(s.columns, ", ") {
		if column == "facets" {
			match = append(match, `' AND facets : ("' || replace(w.facets, ' ', '" AND "') || '")'`)
		} else {
			match = append(match, said(column))
		}
	}
	return fmt.Sprintf(`WITH page AS MATERIALIZED (SELECT w.id, substr(%[1]s, 6) AS words FROM %[2]s w WHERE w.id > :after ORDER BY w.id LIMIT :limit)
SELECT p.id, EXISTS (SELECT 1 FROM %[3]s_docsize d WHERE d.id = p.id), p.words = '' OR EXISTS (SELECT 1 FROM %[3]s s WHERE s.%[3]s MATCH p.words AND s.rowid = p.id) FROM page p ORDER BY p.id`,
		strings.Join(match, " || "), s.view, s.table)
}

// stray selects of a page of the index which rows have nothing in the view.
func (s searched) stray() string {
	return fmt.Sprintf(`SELECT d.id, EXISTS (SELECT 1 FROM %s w WHERE w.id = d.id) FROM %s_docsize d WHERE d.id > :after ORDER BY d.id LIMIT :limit`, s.view, s.table)
}

// mend writes the rows of :ids anew.
func (s searched) mend() [2]string {
	return [2]string{
		fmt.Sprintf(`DELETE FROM %s WHERE rowid IN (SELECT value FROM json_each(:ids))`, s.table),
		fmt.Sprintf(`INSERT INTO %s (rowid, %s) SELECT w.id, w.%s FROM json_each(:ids) j CROSS JOIN %s w ON w.id = j.value WHERE NOT EXISTS (SELECT 1 FROM %s_docsize d WHERE d.id = w.id)`,
			s.table, s.columns, strings.ReplaceAll(s.columns, ", ", ", w."), s.view, s.table),
	}
}

// search compares an index of the search with what it is about.
func (v *verifier) search(ctx context.Context, db *database, s searched) error {
	err := v.indexPages(ctx, db, s, s.find(), func(row []any) (stored, computed string) {
		switch {
		case row[1] == int64(0):
			return "missing", "there"
		case row[2] == int64(0):
			return "other words", "its words"
		}
		return "", ""
	})
	if err != nil {
		return err
	}
	return v.indexPages(ctx, db, s, s.stray(), func(row []any) (stored, computed string) {
		if row[1] == int64(0) {
			return "there", "gone, as nobody may find it"
		}
		return "", ""
	})
}

// indexPages goes through pages of ids. judge tells of a row what differs; "" is nothing.
func (v *verifier) indexPages(ctx context.Context, db *database, s searched, find string, judge func(row []any) (stored, computed string)) error {
	for after := int64(0); ; {
		rows, err := rowsOf(ctx, db.Client, find, named("after", after), named("limit", strayPage))
		if err != nil {
			return err
		}
		var wrong [][]any
		var found []Difference
		for _, row := range rows {
			after = row[0].(int64)
			if stored, computed := judge(row); stored != "" {
				wrong = append(wrong, row[:1])
				found = append(found, Difference{Database: db.name, Table: s.table, Key: fmt.Sprint(after), Column: "row", Stored: stored, Computed: computed, Mended: v.Repair})
			}
		}
		for rest := wrong; v.Repair && len(rest) > 0; rest = rest[min(len(rest), mendStep):] {
			ids := make([]int64, 0, mendStep)
			for _, row := range rest[:min(len(rest), mendStep)] {
				ids = append(ids, row[0].(int64))
			}
			for _, sql := range s.mend() {
				if _, err := write(ctx, db.Client, sql, named("ids", jsonOf(ids))); err != nil {
					return err
				}
			}
		}
		v.report(found...)
		v.read(db, s.table, len(rows))
		if len(rows) < strayPage {
			return nil
		}
	}
}
