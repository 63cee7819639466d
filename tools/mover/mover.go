// Package mover moves a community, with all that has its slot, from one shard to another while the site runs.
//
// Reading goes on all the time. Members read the rows of the source until the directory says that the slot is on the target. Until then the
// target's copies are hidden from lists that merge all shards (data.Shown), and after it those of the source.
//
// Writing waits for seconds. Triggers on the source note which rows change while all are copied. When few are left, other triggers close the
// slot: the source refuses writes to its rows. What has changed is copied, and the directory says where the slot is now. An instance whose
// write was refused asks the directory and tries again (data.Write).
//
// The directory's table slot_moves says which step a move has reached. Each step may be ended at any point and repeated.
package mover

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/wire/hrana"
)

// Move is a move on its way.
type Move struct {
	Directory *hrana.Client
	Shards    []*hrana.Client
	Sleep     func(context.Context, time.Duration) error
	// After is called after each step, and ends the move with its error. Tests stop there.
	After func(step string) error

	slot           int
	from, to       int
	source, target *hrana.Client
	schemas        map[*hrana.Client]map[string]*schema
}

// The steps of a move, as slot_moves names the one that comes next.
const (
	stepCopy   = "copy"
	stepClose  = "close"
	stepSwitch = "switch"
	stepRemove = "remove"
	stepEnd    = "end"
)

const (
	// An instance goes by what it has read of slots for at most 30 seconds (site.Store.Refresh).
	grace = 40 * time.Second
	// rowsAtOnce are scanned, and at most copied, by one transaction.
	rowsAtOnce = 1000
	// fewChanges are copied within a second.
	fewChanges = 200
)

const (
	moveNow   = `SELECT slot, source, target, step, place FROM slot_moves WHERE id = 1`
	beginMove = `INSERT INTO slot_moves (id, slot, source, target, step) VALUES (1, ?1, ?2, ?3, 'copy')`
	moveStep  = `UPDATE slot_moves SET step = ?1, place = '' WHERE id = 1`
	movePlace = `UPDATE slot_moves SET place = ?1 WHERE id = 1`
	endMove   = `DELETE FROM slot_moves WHERE id = 1`
	moveSlot  = `UPDATE slots SET shard = ?2, epoch = (SELECT max(epoch) FROM slots) + 1 WHERE slot = ?1 AND shard <> ?2`
	hideSlot  = `INSERT INTO hidden_slots (slot) VALUES (?1) ON CONFLICT DO NOTHING`
	showSlot  = `DELETE FROM hidden_slots WHERE slot = ?1`
)

// ErrOther is about a move that is not finished, of another slot or to another shard.
var ErrOther = errors.New("another move is not finished: finish it first")

// Run moves a slot to a shard, or goes on with that move.
func (m *Move) Run(ctx context.Context, slot, to int) error {
	m.schemas = map[*hrana.Client]map[string]*schema{}
	step, place, err := m.begin(ctx, slot, to)
	if err != nil {
		return err
	}
	steps := []struct {
		name string
		do   func(context.Context, string) error
	}{{stepCopy, m.copy}, {stepClose, m.close}, {stepSwitch, m.switchOver}, {stepRemove, m.remove}, {stepEnd, m.end}}
	for i, s := range steps {
		if s.name != step {
			continue
		}
		if err := s.do(ctx, place); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		if m.After != nil {
			if err := m.After(s.name); err != nil {
				return err
			}
		}
		if i+1 == len(steps) {
			return exec(ctx, m.Directory, endMove)
		}
		if step, place = steps[i+1].name, ""; true {
			err = exec(ctx, m.Directory, moveStep, step)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func exec(ctx context.Context, db *hrana.Client, sql string, args ...any) error {
	_, err := db.Tx(ctx, hrana.Stmt{SQL: sql, Args: args})
	return err
}

// begin finds the move that is on its way, or notes a new one.
func (m *Move) begin(ctx context.Context, slot, to int) (step, place string, err error) {
	results, err := m.Directory.Query(ctx, hrana.Stmt{SQL: moveNow}, hrana.Stmt{SQL: data.SlotsOf})
	if err != nil {
		return "", "", err
	}
	if rows := results[0].Rows; len(rows) > 0 {
		row := rows[0]
		if row[0] != int64(slot) || row[2] != int64(to) {
			return "", "", ErrOther
		}
		m.use(slot, int(row[1].(int64)), to)
		return row[3].(string), row[4].(string), nil
	}
	from := -1
	for _, row := range results[1].Rows {
		if row[0] == int64(slot) {
			from = int(row[1].(int64))
		}
	}
	switch {
	case from < 0:
		return "", "", errors.New("it shares the slot of its shard with profiles, and stays there")
	case from == to:
		return "", "", errors.New("it is on that shard")
	case to >= len(m.Shards) || to < 0 || from >= len(m.Shards):
		return "", "", errors.New("there is no such shard")
	case m.Shards[from] == m.Shards[to]:
		return "", "", errors.New("both shards are one database")
	}
	m.use(slot, from, to)
	return stepCopy, "", exec(ctx, m.Directory, beginMove, slot, from, to)
}

func (m *Move) use(slot, from, to int) {
	m.slot, m.from, m.to, m.source, m.target = slot, from, to, m.Shards[from], m.Shards[to]
}

func (m *Move) schema(ctx context.Context, db *hrana.Client, t *table) (*schema, error) {
	if m.schemas[db] == nil {
		m.schemas[db] = map[string]*schema{}
	}
	if s := m.schemas[db][t.name]; s != nil {
		return s, nil
	}
	s, err := schemaOf(ctx, db, t)
	m.schemas[db][t.name] = s
	return s, err
}

// copy hides the slot on the target, has the source note what changes, and copies all rows. place is how far it came.
func (m *Move) copy(ctx context.Context, place string) error {
	if err := exec(ctx, m.target, hideSlot, m.slot); err != nil {
		return err
	}
	if err := m.copyCommunities(ctx); err != nil {
		return err
	}
	if _, err := m.source.Tx(ctx, m.notes()...); err != nil {
		return err
	}
	first, after := 0, []any(nil)
	if place != "" {
		var p struct {
			Table string
			After []any
		}
		d := json.NewDecoder(strings.NewReader(place))
		d.UseNumber()
		if err := d.Decode(&p); err != nil {
			return err
		}
		for first < len(tables) && tables[first].name != p.Table {
			first++
		}
		after = integers(p.After)
	}
	for i := first; i < len(tables); i++ {
		if err := m.scan(ctx, m.source, &tables[i], after, func(keys [][]any) error {
			return m.copyRows(ctx, &tables[i], keys)
		}, true); err != nil {
			return fmt.Errorf("%s: %w", tables[i].name, err)
		}
		after = nil
	}
	for left := fewChanges + 1; left > fewChanges; {
		var err error
		if left, err = m.copyChanges(ctx); err != nil {
			return err
		}
	}
	return nil
}

// integers turns the numbers of a key into integers.
func integers(key []any) []any {
	for i, v := range key {
		if n, ok := v.(json.Number); ok {
			key[i], _ = n.Int64() // keys have no other numbers
		}
	}
	return key
}

// scan calls each with the keys of the rows of the slot, some at a time, from after a key on.
func (m *Move) scan(ctx context.Context, db *hrana.Client, t *table, after []any, each func(keys [][]any) error, note bool) error {
	keys := strings.Join(t.keys, ", ")
	for {
		where := ""
		if after != nil {
			marks := strings.TrimSuffix(strings.Repeat("?, ", len(t.keys)), ", ")
			where = " WHERE (" + keys + ") > (" + marks + ")"
		}
		results, err := db.Query(ctx, hrana.Stmt{SQL: "SELECT " + keys + ", " + t.belongs("x", fmt.Sprint(m.slot)) + " FROM " + t.name + " x" + where +
			" ORDER BY " + keys + " LIMIT " + fmt.Sprint(rowsAtOnce), Args: after})
		if err != nil {
			return err
		}
		rows := results[0].Rows
		var here [][]any
		for _, row := range rows {
			if row[len(t.keys)] == int64(1) {
				here = append(here, row[:len(t.keys)])
			}
		}
		if len(here) > 0 {
			if err := each(here); err != nil {
				return err
			}
		}
		if len(rows) < rowsAtOnce {
			return nil
		}
		after = rows[len(rows)-1][:len(t.keys)]
		if note {
			text, _ := json.Marshal(map[string]any{"Table": t.name, "After": after}) // texts and integers can always be encoded
			if err := exec(ctx, m.Directory, movePlace, string(text)); err != nil {
				return err
			}
		}
	}
}

// close has the source refuse writes to the slot, and copies what is left.
func (m *Move) close(ctx context.Context, _ string) error {
	if _, err := m.source.Tx(ctx, m.closes()...); err != nil {
		return err
	}
	for left := 1; left > 0; {
		var err error
		if left, err = m.copyChanges(ctx); err != nil {
			return err
		}
	}
	return nil
}

// switchOver has the directory say where the slot is, and lists that merge all shards take it from there.
func (m *Move) switchOver(ctx context.Context, _ string) error {
	if err := m.copyCommunities(ctx); err != nil {
		return err
	}
	if err := exec(ctx, m.Directory, moveSlot, m.slot, m.to); err != nil {
		return err
	}
	if err := exec(ctx, m.source, hideSlot, m.slot); err != nil {
		return err
	}
	return exec(ctx, m.target, showSlot, m.slot)
}

// remove waits until no instance reads the source any more, and deletes its rows.
func (m *Move) remove(ctx context.Context, _ string) error {
	if err := m.Sleep(ctx, grace); err != nil {
		return err
	}
	for i := len(tables) - 1; i >= 0; i-- {
		t := &tables[i]
		s, err := schemaOf(ctx, m.source, t) // the triggers that close the slot are among those that rest
		if err != nil {
			return err
		}
		if err := m.scan(ctx, m.source, t, nil, func(keys [][]any) error { return s.resting(ctx, m.source, t.remove(keys)...) }, false); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return m.removeCommunities(ctx)
}

// end takes away what the move has made.
func (m *Move) end(ctx context.Context, _ string) error {
	stmts := []hrana.Stmt{{SQL: "DELETE FROM slot_changes"}, {SQL: showSlot, Args: []any{m.slot}}}
	for _, name := range triggerNames() {
		stmts = append(stmts, hrana.Stmt{SQL: "DROP TRIGGER IF EXISTS " + name})
	}
	_, err := m.source.Tx(ctx, stmts...)
	return err
}
