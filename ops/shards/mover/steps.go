package mover

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"plaza/data"
	"plaza/data/wire/hrana"
)

// freeze makes both shards refuse writes to the slot, and records the process that moves it.
func (m *Move) freeze(ctx context.Context) error {
	named, err := m.slotShard(ctx, m.Slot)
	if err != nil {
		return err
	}
	for _, shard := range []int{m.From, m.To} {
		earned := int64(noAuthors)
		if shard == named {
			earned = allAuthors
		}
		stmts := append([]hrana.Stmt{{SQL: notLater, Args: []any{m.process}}}, unfreezeStmts(m.Slot)...)
		stmts = append(stmts, hrana.Stmt{SQL: freezeSlot, Args: []any{m.Slot, m.process, earned}})
		for i := range tables {
			stmts = append(stmts, tables[i].freezeStmts(m.Slot)...)
		}
		if _, err := m.Shards[shard].Tx(ctx, stmts...); err != nil {
			return taken(err)
		}
	}
	lost := m.asOwner(ctx, checkOwner)
	if errors.Is(lost, ErrTaken) { // the other process may have ended the move before this one has frozen the slot again
		return errors.Join(lost, m.unfreezeShards(ctx))
	}
	return lost
}

func (m *Move) both() []*hrana.Client { return []*hrana.Client{m.Shards[m.From], m.Shards[m.To]} }

const (
	freezeSlot = `INSERT INTO frozen_slots (slot, run, earned) VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET run = excluded.run`
	// If a later process has frozen the slot, a constraint refuses the slot -1.
	notLater      = `INSERT INTO frozen_slots (slot, run) SELECT -1, 0 WHERE EXISTS (SELECT 1 FROM frozen_slots WHERE run > ?1)`
	unfreezeSlots = `DELETE FROM frozen_slots WHERE slot <> ?1`
)

// events are the events of triggers, with the rows that they see.
var events = []struct {
	name string
	rows []string
}{{"INSERT", []string{"new"}}, {"UPDATE", []string{"old", "new"}}, {"DELETE", []string{"old"}}}

// freezeStmts returns the CREATE statements of the triggers by which a shard refuses writes to rows of a slot, except the move's own
// (Move.tx).
func (t *table) freezeStmts(slot int) (stmts []hrana.Stmt) {
	for _, e := range events {
		when := ""
		for i, row := range e.rows {
			if i > 0 {
				when += " OR "
			}
			when += t.belongs(row, slot)
		}
		stmts = append(stmts, hrana.Stmt{SQL: "CREATE TRIGGER " + t.freezeTrigger(e.name) + " BEFORE " + e.name + " ON " + t.name +
			" WHEN (" + when + ") AND NOT EXISTS (SELECT 1 FROM frozen_slots WHERE writes = 1) BEGIN " +
			"SELECT raise(ABORT, '" + data.SlotFrozen + "'); END"})
	}
	return stmts
}

// freezeTrigger returns the name of such a trigger.
func (t *table) freezeTrigger(event string) string { return "slot_frozen_" + t.name + "_" + event }

// maxPasses limits the passes over all tables. Two or three are usual.
const maxPasses = 10

// copy makes the target's rows equal to the source's, and repeats this until a pass finds no difference: triggers may write wrong rows,
// which later tables or the next pass correct.
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
			return m.addKarma(ctx, to, from, 1)
		}
		if pass == maxPasses {
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
	for _, db := range m.both() { // check that this process still has them frozen
		if err := m.tx(ctx, db); err != nil {
			return err
		}
	}
	return m.asOwner(ctx, moveSlot, m.Slot, m.To)
}

// wait waits until no instance reads the source any more.
func (m *Move) wait(ctx context.Context) error { return m.Sleep(ctx, grace) }

// remove deletes the source's rows, until there are none: triggers may add some.
func (m *Move) remove(ctx context.Context) error {
	from, to := m.Shards[m.From], m.Shards[m.To]
	if err := m.addKarma(ctx, from, to, -1); err != nil {
		return err
	}
	for remaining := 1; remaining > 0; {
		remaining = 0
		for i := len(tables) - 1; i >= 0; i-- {
			t := &tables[i]
			m.now.Table, m.now.Done = t.name, len(tables)-1-i
			err := m.scan(ctx, from, t, func(keys [][]any) error {
				if t.name == "posts" || t.name == "comments" || t.name == "votes" {
					if copies, err := m.rows(ctx, to, t, t.keys, keys); err != nil || len(copies) < len(keys) {
						return cmp.Or(err, ErrDiffer)
					}
				}
				remaining += len(keys)
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

// unfreeze corrects counts on both shards, deletes the source's copies of communities, and allows writes again.
func (m *Move) unfreeze(ctx context.Context) error {
	if err := m.copyCommunities(ctx); err != nil { // settings may have changed since the copy
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
	return m.unfreezeShards(ctx)
}

// unfreezeShards undoes what freeze has done.
func (m *Move) unfreezeShards(ctx context.Context) error {
	for _, db := range m.both() {
		if _, err := db.Tx(ctx, append([]hrana.Stmt{{SQL: notLater, Args: []any{m.process}}}, unfreezeStmts(-1)...)...); err != nil {
			return taken(err)
		}
	}
	return nil
}

// unfreezeStmts returns the statements that delete a shard's rows of frozen slots, except one slot's, and its triggers.
func unfreezeStmts(except int) []hrana.Stmt {
	stmts := []hrana.Stmt{{SQL: unfreezeSlots, Args: []any{except}}}
	for i := range tables {
		for _, e := range events {
			stmts = append(stmts, hrana.Stmt{SQL: "DROP TRIGGER IF EXISTS " + tables[i].freezeTrigger(e.name)})
		}
	}
	return stmts
}

const (
	// Each shard has its own beginning of the week.
	countWeek = `UPDATE community_stats SET week_posts = (SELECT count(*) FROM posts p WHERE p.community_id = community_stats.community_id
  AND p.status = 'published' AND p.created_at > coalesce((SELECT since FROM weeks WHERE what = 'posts'), 0))
WHERE community_id IN (SELECT id FROM communities` + inSlot + `)`
	// Only the shard knows the waiting items.
	countWaiting = `UPDATE communities SET waiting = coalesce((SELECT s.waiting + s.cases FROM community_stats s
  WHERE s.community_id = communities.id), 0)` + inSlot
	// Entries about moderators and settings have ids of the directory, where they stay.
	forgetDecided = `DELETE FROM moderation_counts WHERE community_id IN (SELECT id FROM communities` + inSlot + `)`
	countDecided  = `INSERT INTO moderation_counts (community_id, month, actor_id, action, entries, undone)
SELECT l.community_id, CAST(strftime('%Y%m', (l.id >> 22) / 1000 + 1767225600, 'unixepoch') AS INTEGER), l.actor_id, l.action, count(*),
  count(l.undone_by)
FROM (SELECT id FROM communities` + inSlot + `) k CROSS JOIN moderation_log l ON l.community_id = k.id GROUP BY 1, 2, 3, 4`
)

// count recomputes the counts of a shard that depend on more than the slot's rows.
func (m *Move) count(ctx context.Context, db *hrana.Client) error {
	var stmts []hrana.Stmt
	for _, sql := range []string{countWeek, countWaiting, forgetDecided, countDecided} {
		stmts = append(stmts, hrana.Stmt{SQL: sql, Args: []any{m.Slot}})
	}
	return m.tx(ctx, db, stmts...)
}
