package mover

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/tools/verify"
)

// copy hides the slot on the target, has both shards note what changes, and copies all rows. place is how far it came.
func (m *Move) copy(ctx context.Context, place string) error {
	if err := m.exec(ctx, m.target, hideSlot, m.Slot); err != nil {
		return err
	}
	if err := m.copyCommunities(ctx); err != nil {
		return err
	}
	for _, db := range []*hrana.Client{m.source, m.target} {
		stmts := m.notes(db == m.source)
		if place == "" { // what an earlier move of another slot may have left
			stmts = slices.Concat(dropTriggers(), stmts)
		}
		if err := m.tx(ctx, db, stmts...); err != nil {
			return err
		}
	}
	var p struct {
		Table string
		After []any
	}
	if place != "" {
		d := json.NewDecoder(strings.NewReader(place))
		d.UseNumber()
		if err := d.Decode(&p); err != nil {
			return err
		}
	}
	for i := range tables {
		t := &tables[i]
		if t.shared || p.Table != "" && t.name != p.Table {
			continue
		}
		m.now.Table, m.now.Done = t.name, i
		if err := m.scan(ctx, m.source, t, integers(p.After), func(keys [][]any) error { return m.copyRows(ctx, t, keys) }, true); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		p.Table, p.After = "", nil
	}
	if err := m.copyUntil(ctx, fewChanges); err != nil {
		return err
	}
	if err := m.compare(ctx); err != nil {
		return err
	}
	return m.copyUntil(ctx, fewChanges)
}

// copyUntil copies what has changed until so few rows were left.
func (m *Move) copyUntil(ctx context.Context, few int) error {
	for {
		if left, err := m.copyChanges(ctx); err != nil || left <= few {
			return err
		}
	}
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
		// The last row says where to go on. It is among the others if it belongs to the slot.
		results, err := db.Query(ctx, hrana.Stmt{SQL: "WITH part AS MATERIALIZED (SELECT " + keys + ", " + t.belongs("x", fmt.Sprint(m.Slot)) +
			" AS here, row_number() OVER () AS n FROM (SELECT " + t.looks() + " FROM " + t.name + where + " ORDER BY " + keys + " LIMIT " +
			fmt.Sprint(m.scanned()) + ") x) SELECT " + keys + ", here FROM part WHERE here OR n = (SELECT max(n) FROM part) ORDER BY n",
			Args: after})
		if err != nil {
			return err
		}
		rows := results[0].Rows()
		if len(rows) == 0 {
			return nil
		}
		var here [][]any
		for _, row := range rows {
			if row[len(t.keys)] == int64(1) {
				here = append(here, row[:len(t.keys):len(t.keys)])
			}
		}
		if len(here) > 0 {
			if err := each(here); err != nil {
				return err
			}
		}
		after = rows[len(rows)-1][:len(t.keys):len(t.keys)]
		m.Progress(m.now)
		if note {
			text, _ := json.Marshal(map[string]any{"Table": t.name, "After": after}) // texts and integers can always be encoded
			err = m.mine(ctx, movePlace, string(text))
		} else {
			err = m.beat(ctx)
		}
		if err == nil && !m.comparing {
			err = m.After(m.now.Step, false)
		}
		if err != nil {
			return err
		}
	}
}

// scanned is how many rows one statement of scan looks at.
func (m *Move) scanned() int { return cmp.Or(m.Scanned, scanned) }

// close has the source refuse writes to the slot, and copies what is left.
func (m *Move) close(ctx context.Context, _ string) error {
	if err := m.tx(ctx, m.source, m.closes()...); err != nil {
		return err
	}
	return m.copyUntil(ctx, 0)
}

// switchOver has the directory say where the slot is, and lists that merge all shards take it from there. For a moment they take it from
// both: that is milder than from none, should the process end there.
func (m *Move) switchOver(ctx context.Context, _ string) error {
	if err := m.copyCommunities(ctx); err != nil {
		return err
	}
	if m.Replicas {
		if err := m.wait(ctx, replicaWait); err != nil {
			return err
		}
	}
	named, err := m.namesTarget(ctx)
	if err == nil && !named { // otherwise members write there already
		// Jobs of the target may have changed its copies since the close, for long if nobody has worked on the move.
		err = m.copyUntil(ctx, 0)
	}
	if err != nil {
		return err
	}
	if err := m.mine(ctx, moveSlot, m.Slot, m.To); err != nil {
		return err
	}
	ids, err := m.communities(ctx)
	if err != nil {
		return err
	}
	// What is counted with other rows of a shard goes on from there: each is counted as it is shown.
	stmts := []hrana.Stmt{{SQL: showSlot, Args: []any{m.Slot}}, {SQL: countWeek, Args: []any{ids}},
		{SQL: countWaiting, Args: []any{m.Slot}}, {SQL: forgetChanges}}
	if err := m.tx(ctx, m.target, slices.Concat(dropTriggers(), stmts)...); err != nil {
		return err
	}
	return m.exec(ctx, m.source, hideSlot, m.Slot)
}

// remove waits until no instance reads the source any more, and deletes its rows.
func (m *Move) remove(ctx context.Context, _ string) error {
	if err := m.wait(ctx, grace); err != nil {
		return err
	}
	// Settings that an instance has stored meanwhile may have gone to the source.
	if err := m.copyCommunities(ctx); err != nil {
		return err
	}
	for i := len(tables) - 1; i >= 0; i-- {
		t := &tables[i]
		if t.shared {
			continue
		}
		m.now.Table, m.now.Done = t.name, len(tables)-1-i
		if err := m.scan(ctx, m.source, t, nil, func(keys [][]any) error { return m.removeRows(ctx, t, keys) }, false); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return m.removeCommunities(ctx)
}

func (m *Move) removeRows(ctx context.Context, t *table, keys [][]any) error {
	for some := range slices.Chunk(keys, t.atOnce()) {
		if err := m.beat(ctx); err != nil {
			return err
		}
		stmts := t.remove(some)
		if t.name == "posts" {
			stmts = slices.Insert(stmts, 0, hrana.Stmt{SQL: forgetPreviews, Args: []any{listOf(some)}})
		}
		if err := m.withoutTriggers(ctx, m.source, stmts...); err != nil {
			return err
		}
		m.now.Rows += len(some)
	}
	return nil
}

// decided is from which entry of the log to which the slot has any.
const decided = `SELECT min(l.id), max(l.id) FROM json_each(?1) j CROSS JOIN moderation_log l ON l.community_id = j.value`

// end counts anew and takes away what the move has made.
func (m *Move) end(ctx context.Context, _ string) error {
	ids, err := m.communities(ctx)
	if err != nil {
		return err
	}
	results, err := m.target.Query(ctx, hrana.Stmt{SQL: decided, Args: []any{ids}})
	if err != nil {
		return err
	}
	if first, ok := results[0].Rows()[0][0].(int64); ok {
		for _, db := range []*hrana.Client{m.source, m.target} {
			if err := verify.CountDecisions(ctx, db, data.ID(first), data.ID(results[0].Rows()[0][1].(int64)), m.checkHolder(), m.beat); err != nil {
				return taken(err)
			}
		}
	}
	stmts := []hrana.Stmt{{SQL: forgetChanges}, {SQL: "DELETE FROM slot_karma"}, {SQL: showSlot, Args: []any{m.Slot}}}
	return m.tx(ctx, m.source, slices.Concat(stmts, dropTriggers())...)
}
