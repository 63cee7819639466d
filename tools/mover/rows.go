package mover

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"plaza/data/wire/hrana"
)

// A statement has at most rowValues values, of the 32,766 that SQLite takes.
const rowValues = 2000

// schema is what a database has of a table.
type schema struct {
	columns  []string
	triggers []hrana.Stmt // of those that rest while rows are copied: how they are made again
	drops    []hrana.Stmt // of the same
}

// schemaOf reads the columns of a table, and which triggers rest.
func schemaOf(ctx context.Context, db *hrana.Client, t *table) (*schema, error) {
	results, err := db.Query(ctx, hrana.Stmt{SQL: `SELECT name FROM pragma_table_info(?1)`, Args: []any{t.name}},
		hrana.Stmt{SQL: `SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?1 ORDER BY rowid`, Args: []any{t.name}})
	if err != nil {
		return nil, err
	}
	s := &schema{}
	for _, row := range results[0].Rows {
		s.columns = append(s.columns, row[0].(string))
	}
	for _, row := range results[1].Rows {
		if name := row[0].(string); !slices.Contains(t.keeps, name) {
			s.drops = append(s.drops, hrana.Stmt{SQL: "DROP TRIGGER " + name})
			s.triggers = append(s.triggers, hrana.Stmt{SQL: row[1].(string)})
		}
	}
	return s, nil
}

// resting runs statements on a table in one transaction in which its triggers rest. Nobody else ever sees the table without them.
func (s *schema) resting(ctx context.Context, db *hrana.Client, stmts ...hrana.Stmt) error {
	_, err := db.Tx(ctx, slices.Concat(s.drops, stmts, s.triggers)...)
	return err
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
	if len(keys) == 0 {
		return nil
	}
	list, err := json.Marshal(keys)
	if err != nil {
		return err
	}
	at, err := m.schema(ctx, m.target, t)
	if err != nil {
		return err
	}
	results, err := m.source.Query(ctx, hrana.Stmt{SQL: "SELECT x." + strings.Join(at.columns, ", x.") + t.byKeys(), Args: []any{string(list)}})
	if err != nil {
		return err
	}
	there := map[string]bool{}
	var stmts []hrana.Stmt
	for some := range slices.Chunk(results[0].Rows, max(rowValues/len(at.columns), 1)) {
		stmts = append(stmts, t.upsert(at.columns, some))
		for _, row := range some {
			there[t.keyOf(at.columns, row)] = true
		}
	}
	var gone [][]any
	for _, key := range keys {
		if text, _ := json.Marshal(key); !there[string(text)] { // texts and integers can always be encoded
			gone = append(gone, key)
		}
	}
	return at.resting(ctx, m.target, append(t.remove(gone), stmts...)...)
}

func (t *table) keyOf(columns []string, row []any) string {
	key := make([]any, len(t.keys))
	for i, name := range t.keys {
		key[i] = row[slices.Index(columns, name)]
	}
	text, _ := json.Marshal(key) // texts and integers can always be encoded
	return string(text)
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
	return hrana.Stmt{SQL: sql, Args: slices.Concat(rows...)}
}

// remove are the statements that delete rows. A post leaves the lists of tags and days by its status, as the triggers that keep those know.
func (t *table) remove(keys [][]any) []hrana.Stmt {
	if len(keys) == 0 {
		return nil
	}
	list, _ := json.Marshal(keys) // texts and integers can always be encoded
	those := " WHERE (" + strings.Join(t.keys, ", ") + ") IN (SELECT x." + strings.Join(t.keys, ", x.") + t.byKeys() + ")"
	var stmts []hrana.Stmt
	if t.name == "posts" {
		stmts = append(stmts, hrana.Stmt{SQL: "UPDATE posts SET status = 'deleted'" + those, Args: []any{string(list)}})
	}
	return append(stmts, hrana.Stmt{SQL: "DELETE FROM " + t.name + those, Args: []any{string(list)}})
}
