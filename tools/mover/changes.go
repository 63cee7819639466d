package mover

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"plaza/data"
	"plaza/data/wire/hrana"
)

// events are what triggers wait for, and the rows that they see.
var events = []struct {
	name string
	rows []string
}{{"INSERT", []string{"new"}}, {"UPDATE", []string{"old", "new"}}, {"DELETE", []string{"old"}}}

func triggerName(kind, table, event string) string {
	return "slot_" + kind + "_" + table + "_" + strings.ToLower(event)
}

// triggerNames are all triggers that a move makes.
func triggerNames() (names []string) {
	for _, t := range tables {
		for _, e := range events {
			names = append(names, triggerName("noted", t.name, e.name), triggerName("closed", t.name, e.name))
		}
	}
	return names
}

// notes are the statements that make the triggers by which the source notes what changes.
func (m *Move) notes() (stmts []hrana.Stmt) {
	for i := range tables {
		t := &tables[i]
		for _, e := range events {
			var body, when []string
			for _, row := range e.rows {
				when = append(when, t.belongs(row, fmt.Sprint(m.slot)))
				body = append(body, "INSERT INTO slot_changes (name, row) VALUES ('"+t.name+"', json_array("+row+"."+
					strings.Join(t.keys, ", "+row+".")+")) ON CONFLICT (name, row) DO UPDATE SET times = times + 1;")
			}
			stmts = append(stmts, hrana.Stmt{SQL: "CREATE TRIGGER IF NOT EXISTS " + triggerName("noted", t.name, e.name) + " AFTER " + e.name +
				" ON " + t.name + " WHEN " + strings.Join(when, " OR ") + " BEGIN " + strings.Join(body, " ") + " END"})
		}
	}
	return stmts
}

// closes are the statements that make the triggers by which the source refuses writes.
func (m *Move) closes() (stmts []hrana.Stmt) {
	for i := range tables {
		t := &tables[i]
		for _, e := range events {
			var when []string
			for _, row := range e.rows {
				when = append(when, t.belongs(row, fmt.Sprint(m.slot)))
			}
			stmts = append(stmts, hrana.Stmt{SQL: "CREATE TRIGGER IF NOT EXISTS " + triggerName("closed", t.name, e.name) + " BEFORE " + e.name +
				" ON " + t.name + " WHEN " + strings.Join(when, " OR ") + " BEGIN SELECT raise(ABORT, '" + data.SlotClosed + "'); END"})
		}
	}
	return stmts
}

const (
	changesOf = `SELECT row, times FROM slot_changes WHERE name = ?1 LIMIT 500`
	// A row that has changed again meanwhile stays.
	changesDone = `DELETE FROM slot_changes WHERE name = ?1 AND (row, times) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?2))`
)

// copyChanges copies rows that have changed, up to 500 of each table, and returns how many they were.
func (m *Move) copyChanges(ctx context.Context) (copied int, err error) {
	for i := range tables {
		t := &tables[i]
		results, err := m.source.Query(ctx, hrana.Stmt{SQL: changesOf, Args: []any{t.name}})
		if err != nil {
			return 0, err
		}
		rows := results[0].Rows
		if len(rows) == 0 {
			continue
		}
		var keys, done [][]any
		for _, row := range rows {
			var key []any
			d := json.NewDecoder(strings.NewReader(row[0].(string)))
			d.UseNumber()
			if err := d.Decode(&key); err != nil {
				return 0, err
			}
			keys, done = append(keys, integers(key)), append(done, row)
		}
		if err := m.copyRows(ctx, t, keys); err != nil {
			return 0, fmt.Errorf("%s: %w", t.name, err)
		}
		text, _ := json.Marshal(done) // texts and integers can always be encoded
		if err := exec(ctx, m.source, changesDone, t.name, string(text)); err != nil {
			return 0, err
		}
		copied += len(rows)
	}
	return copied, nil
}
