package mover

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"plaza/data/wire/hrana"
)

const (
	// A statement has at most rowValues values; SQLite's limit is 32,766.
	rowValues = 2000
	// One transaction copies or deletes at most maxRows rows, or maxLargeRows of a table with large rows.
	maxRows      = 1000
	maxLargeRows = 50
)

// scan calls each with the keys of the slot's rows in a table, for some rows at a time.
func (m *Move) scan(ctx context.Context, db *hrana.Client, t *table, each func(keys [][]any) error) error {
	keys, atOnce := strings.Join(t.keys, ", "), maxRows
	if t.large {
		atOnce = maxLargeRows
	}
	for after := []any(nil); ; {
		where := ""
		if after != nil {
			marks := strings.TrimSuffix(strings.Repeat("?, ", len(t.keys)), ", ")
			where = " WHERE (" + keys + ") > (" + marks + ")"
		}
		// The last row that was read is the cursor of the next part, whether or not it belongs to the slot.
		results, err := db.Query(ctx, hrana.Stmt{SQL: "WITH part AS MATERIALIZED (SELECT " + keys + ", " + t.belongs("x", m.Slot) +
			" AS here, row_number() OVER () AS n FROM (SELECT " + t.readColumns() + " FROM " + t.name + where + " ORDER BY " + keys + " LIMIT ?" +
			") x) SELECT " + keys + ", here FROM part WHERE here OR n = (SELECT max(n) FROM part) ORDER BY n",
			Args: append(slices.Clone(after), cmp.Or(m.Scanned, defaultScanned))})
		if err != nil {
			return err
		}
		rows := results[0].Rows()
		if len(rows) == 0 {
			return nil
		}
		var here [][]any
		for _, row := range rows {
			if after = row[:len(t.keys):len(t.keys)]; row[len(t.keys)] == int64(1) {
				here = append(here, after)
			}
		}
		for some := range slices.Chunk(here, atOnce) {
			if err := each(some); err != nil {
				return err
			}
			if err := m.After(m.now.Step, false); err != nil {
				return err
			}
		}
		m.Progress(m.now)
	}
}

// sync makes the target's rows of a table equal to the source's, and returns how many differed.
func (m *Move) sync(ctx context.Context, t *table) (differ int, err error) {
	from, to := m.Shards[m.From], m.Shards[m.To]
	columns, err := m.columnsOf(ctx, t.name)
	if err != nil {
		return 0, err
	}
	err = m.scan(ctx, from, t, func(keys [][]any) error {
		rows, err := m.rows(ctx, from, t, columns, keys)
		if err != nil {
			return err
		}
		copies, err := m.rows(ctx, to, t, columns, keys)
		if err != nil {
			return err
		}
		before := map[string]string{}
		for _, row := range copies {
			before[listOf(t.keyOf(columns, row))] = listOf(row)
		}
		rows = slices.DeleteFunc(rows, func(row []any) bool { return before[listOf(t.keyOf(columns, row))] == listOf(row) })
		if len(rows) == 0 {
			return nil
		}
		differ += len(rows)
		stmts := append(upserts(t.name, t.keys, columns, rows), undoTriggers(t.name, columns, rows)...)
		if t.name == "posts" {
			previews, err := m.previews(ctx, keys)
			if err != nil {
				return err
			}
			stmts = append(stmts, previews...)
		}
		return m.tx(ctx, to, stmts...)
	})
	if err != nil {
		return 0, err
	}
	err = m.scan(ctx, to, t, func(keys [][]any) error {
		rows, err := m.rows(ctx, from, t, t.keys, keys)
		if err != nil {
			return err
		}
		inSource := map[string]bool{}
		for _, key := range rows {
			inSource[listOf(key)] = true
		}
		keys = slices.DeleteFunc(slices.Clone(keys), func(key []any) bool { return inSource[listOf(key)] })
		if len(keys) == 0 {
			return nil
		}
		differ += len(keys)
		return m.tx(ctx, to, t.removes(keys)...)
	})
	return differ, err
}

// undoTriggers returns statements that delete what the target's triggers add for inserted rows. Later tables copy the correct rows.
func undoTriggers(table string, columns []string, rows [][]any) []hrana.Stmt {
	list := func(names ...string) []any {
		keys := make([][]any, len(rows))
		for i, row := range rows {
			for _, name := range names {
				keys[i] = append(keys[i], row[slices.Index(columns, name)])
			}
		}
		return []any{listOf(keys)}
	}
	switch table {
	case "votes":
		return []hrana.Stmt{{SQL: `DELETE FROM vote_deltas WHERE (target_id, user_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?1))`,
			Args: list("target_id", "user_id")}}
	case "comments":
		return []hrana.Stmt{{SQL: `DELETE FROM count_deltas WHERE (post_id, path) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?1))`,
			Args: list("post_id", "path")}}
	case "moderation_log":
		return []hrana.Stmt{{SQL: `DELETE FROM outbox WHERE job = 'decided' AND subject_id IN (SELECT value ->> 0 FROM json_each(?1))`,
			Args: list("id")}}
	}
	return nil
}

// removes returns the statements that delete the rows with these keys.
func (t *table) removes(keys [][]any) (stmts []hrana.Stmt) {
	list := []any{listOf(keys)}
	where := " WHERE (" + strings.Join(t.keys, ", ") + ") IN (SELECT x." + strings.Join(t.keys, ", x.") + t.byKeys() + ")"
	if t.name == "posts" { // triggers remove posts from tags and days when the status changes
		stmts = append(stmts, hrana.Stmt{SQL: forgetPreviews, Args: list},
			hrana.Stmt{SQL: "UPDATE posts SET status = 'deleted'" + where, Args: list})
	}
	return append(stmts, hrana.Stmt{SQL: "DELETE FROM " + t.name + where, Args: list})
}

// rows returns these columns of a shard's rows with these keys.
func (m *Move) rows(ctx context.Context, db *hrana.Client, t *table, columns []string, keys [][]any) ([][]any, error) {
	results, err := db.Query(ctx, hrana.Stmt{SQL: "SELECT x." + strings.Join(columns, ", x.") + t.byKeys(), Args: []any{listOf(keys)}})
	if err != nil {
		return nil, err
	}
	return results[0].Rows(), nil
}

// columnsOf returns the columns of a table, which are the same on all shards.
func (m *Move) columnsOf(ctx context.Context, table string) ([]string, error) {
	if columns := m.columns[table]; columns != nil {
		return columns, nil
	}
	results, err := m.Shards[m.To].Query(ctx, hrana.Stmt{SQL: `SELECT name FROM pragma_table_info(?1)`, Args: []any{table}})
	if err != nil {
		return nil, err
	}
	for _, row := range results[0].Rows() {
		m.columns[table] = append(m.columns[table], row[0].(string))
	}
	return m.columns[table], nil
}

// byKeys returns a FROM clause with the rows x of keys, which are a JSON array of arrays.
func (t *table) byKeys() string {
	var on []string
	for i, key := range t.keys {
		on = append(on, "x."+key+" = j.value ->> "+string(rune('0'+i)))
	}
	return " FROM json_each(?1) j CROSS JOIN " + t.name + " x ON " + strings.Join(on, " AND ")
}

func (t *table) keyOf(columns []string, row []any) []any {
	key := make([]any, len(t.keys))
	for i, name := range t.keys {
		key[i] = row[slices.Index(columns, name)]
	}
	return key
}

func listOf[T any](list []T) string {
	text, _ := json.Marshal(list) // encoding texts and integers can't fail
	return string(text)
}

// upserts returns the statements that write rows.
func upserts(table string, keys, columns []string, rows [][]any) (stmts []hrana.Stmt) {
	one := "(" + strings.Repeat("?, ", len(columns)-1) + "?)"
	var set []string
	for _, c := range columns {
		if !slices.Contains(keys, c) {
			set = append(set, c+" = excluded."+c)
		}
	}
	conflict := " ON CONFLICT (" + strings.Join(keys, ", ") + ") DO NOTHING"
	if len(set) > 0 {
		conflict = strings.TrimSuffix(conflict, "NOTHING") + "UPDATE SET " + strings.Join(set, ", ")
	}
	for some := range slices.Chunk(rows, max(rowValues/len(columns), 1)) {
		stmts = append(stmts, hrana.Stmt{SQL: "INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") VALUES " +
			strings.Repeat(one+", ", len(some)-1) + one + conflict, Args: slices.Concat(some...)})
	}
	return stmts
}

const (
	// If another process has frozen the slot since, a constraint refuses the slot -1.
	guard = `INSERT INTO frozen_slots (slot, run) SELECT -1, 0
WHERE NOT EXISTS (SELECT 1 FROM frozen_slots WHERE slot = ?1 AND run = ?2)`
	mayWrite  = `UPDATE frozen_slots SET writes = 1 WHERE slot = ?1`
	mayNoMore = `UPDATE frozen_slots SET writes = 0 WHERE slot = ?1`
)

func (m *Move) guard() hrana.Stmt { return hrana.Stmt{SQL: guard, Args: []any{m.Slot, m.process}} }

// tx runs statements on a shard in one transaction, which may write to the frozen slot. If another process has taken over the move, it
// returns ErrTaken and changes nothing.
func (m *Move) tx(ctx context.Context, db *hrana.Client, stmts ...hrana.Stmt) error {
	begin := []hrana.Stmt{m.guard(), {SQL: mayWrite, Args: []any{m.Slot}}}
	_, err := db.Tx(ctx, slices.Concat(begin, stmts, []hrana.Stmt{{SQL: mayNoMore, Args: []any{m.Slot}}})...)
	return taken(err)
}

// taken returns ErrTaken for the error of guard and notLater.
func taken(err error) error {
	if err != nil && strings.Contains(err.Error(), "CHECK constraint failed: slot") {
		return ErrTaken
	}
	return err
}
