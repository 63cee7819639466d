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

// dropTriggers are the statements that take all triggers of a move away. Then the shard has closed no slot.
func dropTriggers() (stmts []hrana.Stmt) {
	stmts = append(stmts, hrana.Stmt{SQL: openSlots})
	for _, t := range tables {
		for _, e := range events {
			for _, kind := range []string{"noted", "closed"} {
				stmts = append(stmts, hrana.Stmt{SQL: "DROP TRIGGER IF EXISTS " + triggerName(kind, t.name, e.name)})
			}
		}
	}
	return stmts
}

// byOthers is a condition: it is not the move itself that writes.
const byOthers = " AND NOT EXISTS (SELECT 1 FROM copied_writes)"

// notes are the statements that make the triggers by which a shard notes what changes. On the target these are changes that jobs of its
// other rows make when they come across a copy. shared says whether tables are among them whose rows serve several slots.
func (m *Move) notes(shared bool) (stmts []hrana.Stmt) {
	for i := range tables {
		t := &tables[i]
		if t.shared && !shared {
			continue
		}
		for _, e := range events {
			if t.shared && e.name != "DELETE" {
				continue
			}
			var body, when []string
			for _, row := range e.rows {
				when = append(when, t.belongs(row, fmt.Sprint(m.Slot)))
				body = append(body, "INSERT INTO slot_changes (name, row, version) VALUES ('"+t.name+"', json_array("+row+"."+
					strings.Join(t.keys, ", "+row+".")+"), random()) ON CONFLICT (name, row) DO UPDATE SET version = random();")
			}
			stmts = append(stmts, hrana.Stmt{SQL: "CREATE TRIGGER IF NOT EXISTS " + triggerName("noted", t.name, e.name) + " AFTER " + e.name +
				" ON " + t.name + " WHEN (" + strings.Join(when, " OR ") + ")" + byOthers + " BEGIN " + strings.Join(body, " ") + " END"})
		}
	}
	return stmts
}

// closes are the statements that make the triggers by which the source refuses writes. Work of the slot in the outbox waits from then on.
func (m *Move) closes() (stmts []hrana.Stmt) {
	stmts = append(stmts, hrana.Stmt{SQL: closeSlot, Args: []any{m.Slot}})
	for i := range tables {
		t := &tables[i]
		if t.shared || t.lets == "true" {
			continue
		}
		for _, e := range events {
			var belongs []string
			for _, row := range e.rows {
				belongs = append(belongs, t.belongs(row, fmt.Sprint(m.Slot)))
			}
			when := "(" + strings.Join(belongs, " OR ") + ")" + byOthers
			if t.lets != "" && e.name == "UPDATE" {
				when += " AND NOT (" + t.lets + ")"
			}
			stmts = append(stmts, hrana.Stmt{SQL: "CREATE TRIGGER IF NOT EXISTS " + triggerName("closed", t.name, e.name) + " BEFORE " + e.name +
				" ON " + t.name + " WHEN " + when + " BEGIN SELECT raise(ABORT, '" + data.SlotClosed + "'); END"})
		}
	}
	return stmts
}

// changesAtOnce are read of each table at a time.
const changesAtOnce = 500

const (
	changesNow    = `SELECT row, version FROM slot_changes WHERE name = ?1 LIMIT ?2`
	forgetChanges = `DELETE FROM slot_changes`
	// A row that has changed again meanwhile stays, also when this is sent again after a lost answer.
	changesDone = `DELETE FROM slot_changes WHERE name = ?1 AND (row, version) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?2))`
)

// copyChanges copies rows that have changed on the source, and those whose copy has changed on the target, some of each table. It returns
// how many they were.
func (m *Move) copyChanges(ctx context.Context) (copied int, err error) {
	for _, db := range []*hrana.Client{m.source, m.target} {
		some, err := m.copyNoted(ctx, db)
		if err != nil {
			return 0, err
		}
		copied += some
	}
	m.now.Table, m.now.Done = "changes", len(tables)
	m.Progress(m.now)
	return copied, m.After(m.now.Step, false)
}

// copyNoted copies rows that one of the shards has noted.
func (m *Move) copyNoted(ctx context.Context, db *hrana.Client) (copied int, err error) {
	stmts := make([]hrana.Stmt, len(tables))
	for i := range tables {
		stmts[i] = hrana.Stmt{SQL: changesNow, Args: []any{tables[i].name, min(changesAtOnce, m.scanned())}}
	}
	results, err := db.Query(ctx, stmts...)
	if err != nil {
		return 0, err
	}
	for i := range tables {
		t := &tables[i]
		changed := results[i].Rows()
		if len(changed) == 0 {
			continue
		}
		var keys [][]any
		for _, row := range changed {
			var key []any
			d := json.NewDecoder(strings.NewReader(row[0].(string)))
			d.UseNumber()
			if err := d.Decode(&key); err != nil {
				return 0, err
			}
			keys = append(keys, integers(key))
		}
		if err := m.copyRows(ctx, t, keys); err != nil {
			return 0, fmt.Errorf("%s: %w", t.name, err)
		}
		if err := m.exec(ctx, db, changesDone, t.name, listOf(changed)); err != nil {
			return 0, err
		}
		copied += len(changed)
	}
	return copied, nil
}
