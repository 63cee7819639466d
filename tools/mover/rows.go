package mover

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"plaza/data/wire/hrana"
)

const (
	// A statement has at most rowValues values, of the 32,766 that SQLite takes.
	rowValues = 2000
	// One transaction copies or deletes at most so many rows.
	rowsAtOnce  = 500
	largeAtOnce = 50
)

// columnsOf are the columns of a table, which are the same on all shards.
func (m *Move) columnsOf(ctx context.Context, t *table) ([]string, error) {
	if columns := m.columns[t.name]; columns != nil {
		return columns, nil
	}
	results, err := m.target.Query(ctx, hrana.Stmt{SQL: `SELECT name FROM pragma_table_info(?1)`, Args: []any{t.name}})
	if err != nil {
		return nil, err
	}
	for _, row := range results[0].Rows() {
		m.columns[t.name] = append(m.columns[t.name], row[0].(string))
	}
	return m.columns[t.name], nil
}

// byKeys joins the rows of keys, which are a JSON array of arrays.
func (t *table) byKeys() string {
	var on []string
	for i, key := range t.keys {
		on = append(on, "x."+key+" = j.value ->> "+string(rune('0'+i)))
	}
	return " FROM json_each(?1) j CROSS JOIN " + t.name + " x ON " + strings.Join(on, " AND ")
}

// copyRows makes the rows of some keys on the target what they are on the source: those that are not there any more go.
func (m *Move) copyRows(ctx context.Context, t *table, keys [][]any) error {
	for some := range slices.Chunk(keys, t.atOnce()) {
		err := m.copySome(ctx, t, some)
		if err != nil && len(m.posts) > 0 && strings.Contains(err.Error(), "FOREIGN KEY constraint failed") {
			// The target has lost a post that it had.
			clear(m.posts)
			err = m.copySome(ctx, t, some)
		}
		if err != nil {
			return err
		}
		m.now.Rows += len(some)
	}
	return nil
}

// atOnce is how many rows one transaction copies or deletes.
func (t *table) atOnce() int {
	if t.large {
		return largeAtOnce
	}
	return rowsAtOnce
}

func (m *Move) copySome(ctx context.Context, t *table, keys [][]any) error {
	if err := m.beat(ctx); err != nil {
		return err
	}
	list := listOf(keys)
	columns, err := m.columnsOf(ctx, t)
	if err != nil {
		return err
	}
	results, err := m.source.Query(ctx, hrana.Stmt{SQL: "SELECT x." + strings.Join(columns, ", x.") + t.byKeys(), Args: []any{list}})
	if err != nil {
		return err
	}
	rows := results[0].Rows()
	if t.ofPost {
		if rows, err = m.copyPosts(ctx, t, columns, rows); err != nil {
			return err
		}
	}
	there := map[string]bool{}
	for _, row := range rows {
		there[listOf(t.keyOf(columns, row))] = true
	}
	var gone [][]any
	for _, key := range keys {
		if !there[listOf(key)] {
			gone = append(gone, key)
		}
	}
	if t.shared {
		if gone, err = m.unlinked(ctx, gone); err != nil {
			return err
		}
	}
	stmts := slices.Concat(t.earnedBefore(columns, keys, rows), t.remove(gone), t.upserts(columns, rows), t.earnedAfter(keys))
	err = m.withoutTriggers(ctx, m.target, stmts...)
	if hrana.IsUnique(err) && t.unique != nil {
		// The target still has a row that had these values before. It may be one of these rows, too.
		if err = m.noteOld(ctx, t, columns, rows); err == nil {
			err = m.withoutTriggers(ctx, m.target, slices.Concat([]hrana.Stmt{t.freeValues(columns, rows)}, stmts)...)
		}
	}
	if t.name == "posts" && len(gone) > 0 {
		clear(m.posts)
	}
	if err != nil || t.name != "posts" && t.name != "outbox" {
		return err
	}
	return m.copyPreviews(ctx, t, keys)
}

func listOf[T any](list []T) string {
	text, _ := json.Marshal(list) // texts and integers can always be encoded
	return string(text)
}

func (t *table) keyOf(columns []string, row []any) []any {
	key := make([]any, len(t.keys))
	for i, name := range t.keys {
		key[i] = row[slices.Index(columns, name)]
	}
	return key
}

// upserts are the statements that write rows.
func (t *table) upserts(columns []string, rows [][]any) (stmts []hrana.Stmt) {
	for some := range slices.Chunk(rows, max(rowValues/len(columns), 1)) {
		stmts = append(stmts, t.upsert(columns, some))
	}
	return stmts
}

func (t *table) upsert(columns []string, rows [][]any) hrana.Stmt {
	one := "(" + strings.Repeat("?, ", len(columns)-1) + "?)"
	var set []string
	for _, c := range columns {
		if !slices.Contains(t.keys, c) {
			set = append(set, c+" = excluded."+c)
		}
	}
	sql := "INSERT INTO " + t.name + " (" + strings.Join(columns, ", ") + ") VALUES " + strings.Repeat(one+", ", len(rows)-1) + one +
		" ON CONFLICT (" + strings.Join(t.keys, ", ") + ") DO "
	if len(set) == 0 {
		sql += "NOTHING"
	} else {
		sql += "UPDATE SET " + strings.Join(set, ", ")
	}
	if t.shared {
		sql += " WHERE " + t.name + ".fetched_at < excluded.fetched_at" // the target may know more
	}
	return hrana.Stmt{SQL: sql, Args: slices.Concat(rows...)}
}

// remove are the statements that delete rows. A post leaves the lists of tags and days by its status, as the triggers that keep those know.
func (t *table) remove(keys [][]any) []hrana.Stmt {
	if len(keys) == 0 {
		return nil
	}
	list := listOf(keys)
	those := " WHERE (" + strings.Join(t.keys, ", ") + ") IN (SELECT x." + strings.Join(t.keys, ", x.") + t.byKeys() + ")"
	var stmts []hrana.Stmt
	if t.name == "posts" {
		stmts = append(stmts, hrana.Stmt{SQL: "UPDATE posts SET status = 'deleted'" + those, Args: []any{list}})
	}
	return append(stmts, hrana.Stmt{SQL: "DELETE FROM " + t.name + those, Args: []any{list}})
}

// old is a condition on rows of the target that have the same values in a unique index as others, which are ?1.
func (t *table) old() string {
	where := " WHERE (" + strings.Join(t.unique, ", ") + ") IN (SELECT value ->> 0, value ->> 1 FROM json_each(?1))"
	if t.uniqueStatus != "" {
		where += " AND status = '" + t.uniqueStatus + "'"
	}
	return where
}

func (t *table) oldArgs(columns []string, rows [][]any) []any {
	var values [][]any
	for _, row := range rows {
		if t.uniqueStatus == "" || row[slices.Index(columns, "status")] == t.uniqueStatus {
			values = append(values, []any{row[slices.Index(columns, t.unique[0])], row[slices.Index(columns, t.unique[1])]})
		}
	}
	return []any{listOf(values)}
}

// freeValues has such rows of the target give these values up. Their own come with the rows of the source. Posts get another slug: what
// hangs on a post, such as its text and what its author has earned, stays.
func (t *table) freeValues(columns []string, rows [][]any) hrana.Stmt {
	sql := "DELETE FROM " + t.name
	if t.name == "posts" {
		sql = "UPDATE posts SET slug = 'moving-' || id"
	}
	return hrana.Stmt{SQL: sql + t.old(), Args: t.oldArgs(columns, rows)}
}

// noteOld has the source note those rows, so that they are copied again.
func (m *Move) noteOld(ctx context.Context, t *table, columns []string, rows [][]any) error {
	results, err := m.target.Query(ctx, hrana.Stmt{SQL: "SELECT json_array(" + strings.Join(t.keys, ", ") + ") FROM " + t.name + t.old(),
		Args: t.oldArgs(columns, rows)})
	if err != nil || len(results[0].Rows()) == 0 {
		return err
	}
	return m.exec(ctx, m.source, noteRows, t.name, listOf(slices.Concat(results[0].Rows()...)))
}

const noteRows = `INSERT INTO slot_changes (name, row, version) SELECT ?1, value, random() FROM json_each(?2) WHERE true
ON CONFLICT (name, row) DO UPDATE SET version = random()`
