package mover

import (
	"context"
	"slices"
	"strings"

	"plaza/data/wire/hrana"
)

const (
	holdShard = `INSERT INTO slot_holder (id, holder) VALUES (1, ?1) ON CONFLICT DO UPDATE SET holder = excluded.holder`
	// A constraint of the table refuses the id 2. With 1 nothing is written.
	checkHolder = `INSERT INTO slot_holder (id, holder) SELECT iif(EXISTS (SELECT 1 FROM slot_holder WHERE holder = ?1), 1, 2), ?1 WHERE true
ON CONFLICT DO NOTHING`
)

// hold has both shards refuse what another process that worked on the move may still write. Where a shard must hide the slot and does not,
// it is not the shard that the move began with.
//
// Another process may take the move over before this one gets here. Then this one's name replaces the other's on the shards, and the other
// ends with ErrTaken. This one finds at the end of hold that it does not hold the move, and ends, too. A third run goes on.
//
// ErrStep if the directory already names the target at the steps copy and close, or names another shard at karma, remove and end.
func (m *Move) hold(ctx context.Context) error {
	shown, err := m.namesTarget(ctx) // the step that names the target shows the slot there next
	if err != nil {
		return err
	}
	if m.Step != StepSwitch && shown == (m.Step == StepCopy || m.Step == StepClose) {
		return ErrStep
	}
	for _, db := range []*hrana.Client{m.source, m.target} {
		results, err := db.Tx(ctx, hrana.Stmt{SQL: holdShard, Args: []any{m.holder}}, hrana.Stmt{SQL: isHidden, Args: []any{m.Slot}})
		if err != nil {
			return err
		}
		hidden := len(results[1].Rows()) > 0
		if !hidden && (db == m.target && !shown && (m.Step != StepCopy || m.place != "") ||
			db == m.source && (m.Step == StepKarma || m.Step == StepRemove)) {
			return ErrOrder
		}
	}
	return m.mine(ctx, sayMine)
}

// namesTarget tells whether the directory says that the slot is on the target.
func (m *Move) namesTarget(ctx context.Context) (bool, error) {
	results, err := m.Directory.Query(ctx, hrana.Stmt{SQL: shardOf, Args: []any{m.Slot}})
	return err == nil && len(results[0].Rows()) > 0 && results[0].Rows()[0][0] == int64(m.To), err
}

// tx runs statements on a shard in one transaction. ErrTaken if another process has taken the move over. Nothing is changed then.
func (m *Move) tx(ctx context.Context, db *hrana.Client, stmts ...hrana.Stmt) error {
	_, err := db.Tx(ctx, slices.Concat([]hrana.Stmt{m.checkHolder()}, stmts)...)
	return taken(err)
}

// checkHolder fails if another process has taken the move over. taken makes its error ErrTaken.
func (m *Move) checkHolder() hrana.Stmt { return hrana.Stmt{SQL: checkHolder, Args: []any{m.holder}} }

func taken(err error) error {
	if err != nil && strings.Contains(err.Error(), "CHECK constraint failed: id = 1") {
		return ErrTaken
	}
	return err
}

// exec is tx of one statement.
func (m *Move) exec(ctx context.Context, db *hrana.Client, sql string, args ...any) error {
	return m.tx(ctx, db, hrana.Stmt{SQL: sql, Args: args})
}

// withoutTriggers is tx, in which triggers leave to the move what they would write (triggers.sql, copied_writes). Nobody else ever
// sees the row by which they know.
func (m *Move) withoutTriggers(ctx context.Context, db *hrana.Client, stmts ...hrana.Stmt) error {
	return m.tx(ctx, db, slices.Concat([]hrana.Stmt{{SQL: `INSERT INTO copied_writes (id) VALUES (1)`}}, stmts,
		[]hrana.Stmt{{SQL: `DELETE FROM copied_writes`}})...)
}
