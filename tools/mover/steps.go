package mover

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"plaza/data"
	"plaza/data/wire/hrana"
)

// close makes both shards refuse writes to the slot, and records the process that moves it.
func (m *Move) close(ctx context.Context) error {
	named, err := m.named(ctx, m.Slot)
	if err != nil {
		return err
	}
	for _, shard := range []int{m.From, m.To} {
		earned := int64(nobody)
		if shard == named {
			earned = everybody
		}
		stmts := append([]hrana.Stmt{{SQL: notLater, Args: []any{m.process}}}, opens(m.Slot)...)
		stmts = append(stmts, hrana.Stmt{SQL: closeSlot, Args: []any{m.Slot, m.process, earned}})
		for i := range tables {
			stmts = append(stmts, tables[i].closes(m.Slot)...)
		}
		if _, err := m.Shards[shard].Tx(ctx, stmts...); err != nil {
			return taken(err)
		}
	}
	lost := m.mine(ctx, askMine)
	if errors.Is(lost, ErrTaken) { // the other process may have ended the move before this one has closed the shards again
		return errors.Join(lost, m.reopen(ctx))
	}
	return lost
}

func (m *Move) both() []*hrana.Client { return []*hrana.Client{m.Shards[m.From], m.Shards[m.To]} }

const (
	closeSlot = `INSERT INTO closed_slots (slot, run, earned) VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET run = excluded.run`
	// If a later process has closed the shard, a constraint refuses the slot -1.
	notLater  = `INSERT INTO closed_slots (slot, run) SELECT -1, 0 WHERE EXISTS (SELECT 1 FROM closed_slots WHERE run > ?1)`
	openSlots = `DELETE FROM closed_slots WHERE slot <> ?1`
)

// events are the events of triggers, with the rows that they see.
var events = []struct {
	name string
	rows []string
}{{"INSERT", []string{"new"}}, {"UPDATE", []string{"old", "new"}}, {"DELETE", []string{"old"}}}

// closes returns the CREATE statements of the triggers by which a shard refuses writes to rows of a slot, except the move's own
// (Move.tx).
func (t *table) closes(slot int) (stmts []hrana.Stmt) {
	for _, e := range events {
		when := ""
		for i, row := range e.rows {
			if i > 0 {
				when += " OR "
			}
			when += t.belongs(row, slot)
		}
		stmts = append(stmts, hrana.Stmt{SQL: "CREATE TRIGGER " + t.closing(e.name) + " BEFORE " + e.name + " ON " + t.name +
			" WHEN (" + when + ") AND NOT EXISTS (SELECT 1 FROM closed_slots WHERE writes = 1) BEGIN " +
			"SELECT raise(ABORT, '" + data.SlotClosed + "'); END"})
	}
	return stmts
}

// closing returns the name of such a trigger.
func (t *table) closing(event string) string { return "slot_closed_" + t.name + "_" + event }

// passesMost is how many passes over all tables there are at most. Two or three are usual.
const passesMost = 10

// copy makes the target's rows equal to the source's, until a pass over all of them finds no difference: wrong rows from triggers are
// corrected in later tables, or in the next pass.
func (m *Move) copy(ctx context.Context) error {
	from, to := m.Shards[m.From], m.Shards[m.To]
	results, err := from.Query(ctx, hrana.Stmt{SQL: `SELECT count(*) FROM communities` + inSlot, Args: []any{m.Slot}})
	switch {
	case err != nil:
		return err
	case results[0].Rows()[0][0] == int64(0):
		return ErrOrder
	}
	if err := m.copyCommunities(ctx); err != nil {
		return err
	}
	for pass := 0; ; pass++ {
		differ := 0
		for i := range tables {
			m.now.Table, m.now.Done = tables[i].name, i
			some, err := m.sync(ctx, &tables[i])
			if err != nil {
				return fmt.Errorf("%s: %w", tables[i].name, err)
			}
			differ += some
			m.now.Rows += some
		}
		if differ == 0 {
			return m.earn(ctx, to, from, 1)
		}
		if pass == passesMost {
			return ErrDiffer
		}
	}
}

// switchOver records in the directory that the slot is on the target.
func (m *Move) switchOver(ctx context.Context) error {
	if m.Replicas {
		if err := m.Sleep(ctx, replicaWait); err != nil {
			return err
		}
	}
	for _, db := range m.both() { // they are still closed by this process
		if err := m.tx(ctx, db); err != nil {
			return err
		}
	}
	return m.mine(ctx, moveSlot, m.Slot, m.To)
}

// wait waits until no instance reads the source any more.
func (m *Move) wait(ctx context.Context) error { return m.Sleep(ctx, grace) }

// remove deletes the source's rows, until there are none: triggers may add some.
func (m *Move) remove(ctx context.Context) error {
	from, to := m.Shards[m.From], m.Shards[m.To]
	if err := m.earn(ctx, from, to, -1); err != nil {
		return err
	}
	for left := 1; left > 0; {
		left = 0
		for i := len(tables) - 1; i >= 0; i-- {
			t := &tables[i]
			m.now.Table, m.now.Done = t.name, len(tables)-1-i
			err := m.scan(ctx, from, t, func(keys [][]any) error {
				if t.name == "posts" || t.name == "comments" || t.name == "votes" {
					if there, err := m.rows(ctx, to, t, t.keys, keys); err != nil || len(there) < len(keys) {
						return cmp.Or(err, ErrDiffer)
					}
				}
				left += len(keys)
				m.now.Rows += len(keys)
				return m.tx(ctx, from, t.removes(keys)...)
			})
			if err != nil {
				return fmt.Errorf("%s: %w", t.name, err)
			}
		}
	}
	return nil
}

// open allows writes again, on both shards: the source has rows of other slots.
func (m *Move) open(ctx context.Context) error {
	if err := m.copyCommunities(ctx); err != nil { // settings may have been changed since, and copied to the source
		return err
	}
	for _, db := range m.both() {
		if err := m.count(ctx, db); err != nil {
			return err
		}
	}
	from := m.Shards[m.From]
	if from != m.Directory {
		if err := m.tx(ctx, from, hrana.Stmt{SQL: `DELETE FROM communities` + inSlot, Args: []any{m.Slot}}); err != nil {
			return err
		}
	}
	return m.reopen(ctx)
}

// reopen undoes what this process has closed.
func (m *Move) reopen(ctx context.Context) error {
	for _, db := range m.both() {
		if _, err := db.Tx(ctx, append([]hrana.Stmt{{SQL: notLater, Args: []any{m.process}}}, opens(-1)...)...); err != nil {
			return taken(err)
		}
	}
	return nil
}

// opens returns the statements that remove everything about closed slots on a shard: all rows except one slot's, and the triggers.
func opens(but int) []hrana.Stmt {
	stmts := []hrana.Stmt{{SQL: openSlots, Args: []any{but}}}
	for i := range tables {
		for _, e := range events {
			stmts = append(stmts, hrana.Stmt{SQL: "DROP TRIGGER IF EXISTS " + tables[i].closing(e.name)})
		}
	}
	return stmts
}

const (
	// The week of posts begins at a time of the shard's own.
	countWeek = `UPDATE community_stats SET week_posts = (SELECT count(*) FROM posts p WHERE p.community_id = community_stats.community_id
  AND p.status = 'published' AND p.created_at > coalesce((SELECT since FROM weeks WHERE what = 'posts'), 0))
WHERE community_id IN (SELECT id FROM communities` + inSlot + `)`
	// The shard has its waiting items.
	countWaiting = `UPDATE communities SET waiting = coalesce((SELECT s.waiting + s.cases FROM community_stats s
  WHERE s.community_id = communities.id), 0)` + inSlot
	// Entries about moderators and settings have ids of the directory, where they stay.
	forgetDecided = `DELETE FROM moderation_counts WHERE community_id IN (SELECT id FROM communities` + inSlot + `)`
	countDecided  = `INSERT INTO moderation_counts (community_id, month, actor_id, action, made, undone)
SELECT l.community_id, CAST(strftime('%Y%m', (l.id >> 22) / 1000 + 1767225600, 'unixepoch') AS INTEGER), l.actor_id, l.action, count(*),
  count(l.undone_by)
FROM (SELECT id FROM communities` + inSlot + `) k CROSS JOIN moderation_log l ON l.community_id = k.id GROUP BY 1, 2, 3, 4`
)

// count computes again the counts of a shard that include rows of other slots.
func (m *Move) count(ctx context.Context, db *hrana.Client) error {
	var stmts []hrana.Stmt
	for _, sql := range []string{countWeek, countWaiting, forgetDecided, countDecided} {
		stmts = append(stmts, hrana.Stmt{SQL: sql, Args: []any{m.Slot}})
	}
	return m.tx(ctx, db, stmts...)
}
