package verify

import (
	"context"
	"fmt"
	"strconv"

	"plaza/data/content/searchwords"
)

// worded is a text column, and the column with its words for the search (data/content/searchwords). Rows that an export or another
// version has written without words get them here, and triggers write the index.
type worded struct{ table, text, words string }

var wordeds = []worded{
	{"posts", "title", "words"}, {"post_texts", "text", "words"}, {"comments", "body", "words"}, {"users", "bio", "words"},
	{"communities", "title", "words"}, {"communities", "description", "about_words"},
}

// A page has at most so many rows, and texts and words of about so many bytes: a response of sqld has 10 MB at most.
const (
	wordsPage  = 500
	wordsBytes = 1_500_000
)

// page selects texts and their words, without ASCII texts, which have none.
func (d worded) page() string {
	return fmt.Sprintf(`SELECT x.id, iif(x.words = '' AND length(x.text) = octet_length(x.text), '', x.text), x.words
FROM (SELECT t.id, t.text, t.words, sum(octet_length(t.text) + octet_length(t.words)) OVER (ORDER BY t.id
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes
  FROM (SELECT p.rowid AS id, p.%[2]s AS text, p.%[3]s AS words FROM %[1]s p WHERE p.rowid > :after ORDER BY p.rowid LIMIT :limit) t) x
WHERE x.bytes IS NULL OR x.bytes < :bytes ORDER BY x.id`, d.table, d.text, d.words)
}

// repair writes the words of :list, unless their texts have changed since.
func (d worded) repair() string {
	return fmt.Sprintf(`UPDATE %[1]s AS x SET %[3]s = j.value ->> 2 FROM json_each(:list) j WHERE x.rowid = j.value ->> 0
  AND x.%[2]s = j.value ->> 1`, d.table, d.text, d.words)
}

// words compares the stored words of texts with computed ones.
func (v *verifier) words(ctx context.Context, db *database, d worded) error {
	if d.table == "communities" && !db.directory { // copies have none
		return nil
	}
	for after := int64(0); ; {
		rows, err := rowsOf(ctx, db.Client, d.page(), named("after", after), named("limit", wordsPage), named("bytes", wordsBytes))
		if err != nil || len(rows) == 0 {
			return err
		}
		var list [][3]any
		var found []Difference
		for _, row := range rows {
			after = row[0].(int64)
			stored, computed := str(row[2]), searchwords.Words(str(row[1]))
			if stored == computed {
				continue
			}
			list = append(list, [3]any{after, row[1], computed})
			found = append(found, Difference{Database: db.name, Table: d.table, Key: strconv.FormatInt(after, 10), Column: d.words,
				Stored: text(stored), Computed: text(computed)})
		}
		if v.Repair && len(list) > 0 {
			n, err := v.write(ctx, db.Client, d.repair(), named("list", jsonOf(list)))
			if err != nil {
				return err
			}
			for i := range found {
				found[i].Repaired = n == int64(len(list)) // otherwise some texts have changed, and the next run checks them
			}
		}
		v.report(found...)
	}
}
