// Package mover moves a community, with all rows of its slot, from one shard to another.
//
// No member can write in the community while it moves: both shards refuse writes. So its rows don't change while they are copied, compared
// and deleted, and each step can be repeated. The directory always names one of the two shards, and pages are read there.
//
// Begin with Move.run. tables.go lists what moves.
package mover

import (
	"context"
	"errors"
	"fmt"
	"time"

	"plaza/data"
	"plaza/data/wire/hrana"
)

// Move moves one slot.
type Move struct {
	Directory *hrana.Client
	Shards    []*hrana.Client // by number. One of them may be the directory: the same client
	// Replicas means that instances read pages from replicas, which may be behind by data.ReplicaLag.
	Replicas bool
	Sleep    func(context.Context, time.Duration) error
	// Progress is called with the progress; nil: no calls.
	Progress func(Progress)
	// Scanned is how many rows one statement reads; 0 for the default.
	Scanned int
	// After is called after each step and each transaction of a step. Its error ends the move. nil: no calls. Tests use it.
	After func(step string, whole bool) error

	State
	columns map[string][]string // by table
	process int64               // slot_moves.run of this process
	now     Progress
}

// Progress is the progress of a step.
type Progress struct {
	Step  string
	Table string // "" when the step has begun
	Done  int    // tables
	Of    int    // tables in all
	Rows  int    // copied or deleted rows in this run of the step
}

// State is the move in progress.
type State struct {
	Slot     int
	From, To int
	// Community is the name of a community of the slot; "" if there is none. Other communities of the slot move, too.
	Community string
	Begun     time.Time // zero: no move is in progress
}

// The steps of a move, in their order. If the directory names the new shard already, StepCopy and StepSwitch are left out.
const (
	StepFreeze   = "freeze"
	StepCopy     = "copy"
	StepSwitch   = "switch"
	StepWait     = "wait"
	StepRemove   = "remove"
	StepUnfreeze = "unfreeze"
)

const (
	// An instance uses cached slots for half a minute, and a request that began then may last as long.
	grace = time.Minute
	// After replicaWait, replicas have all earlier writes.
	replicaWait = data.ReplicaLag + time.Second
	// defaultScanned is how many rows one statement reads.
	defaultScanned = 10_000
)

const (
	moveNow = `SELECT slot, source, target, community_name, begun_at FROM slot_moves
WHERE id = (SELECT max(id) FROM slot_moves) AND ended_at IS NULL`
	// It inserts nothing if another process has begun a move, or has moved the slot.
	beginMove = `INSERT INTO slot_moves (slot, source, target, community_name, run, begun_at)
SELECT ?1, ?2, ?3, coalesce((SELECT name FROM communities WHERE kind = 'community' AND ((id >> 12) & 1023) = ?1
    ORDER BY id LIMIT 1), ''), coalesce((SELECT max(run) FROM slot_moves), 0) + 1, CAST(unixepoch('now', 'subsec') * 1000 AS INTEGER)
WHERE (SELECT shard FROM slots WHERE slot = ?1) = ?2
  AND NOT EXISTS (SELECT 1 FROM slot_moves WHERE id = (SELECT max(id) FROM slot_moves) AND ended_at IS NULL)`
	// A move back has the two shards swapped.
	takeMove = `UPDATE slot_moves SET source = ?2, target = ?3, run = (SELECT max(run) FROM slot_moves) + 1
WHERE id = (SELECT max(id) FROM slot_moves) AND ended_at IS NULL AND slot = ?1 AND min(source, target) = min(?2, ?3)
  AND max(source, target) = max(?2, ?3)`
	lastRun = `SELECT run FROM slot_moves WHERE id = (SELECT max(id) FROM slot_moves) AND ended_at IS NULL AND slot = ?1 AND source = ?2
  AND target = ?3`
	whereOwner = ` WHERE id = (SELECT max(id) FROM slot_moves) AND ended_at IS NULL AND run = ?1`
	checkOwner = `SELECT 1 FROM slot_moves` + whereOwner
	hasEnded   = `SELECT 1 FROM slot_moves WHERE run = ?1 AND ended_at IS NOT NULL`
	endMove    = `UPDATE slot_moves SET ended_at = CAST(unixepoch('now', 'subsec') * 1000 AS INTEGER)` + whereOwner
	moveSlot   = `UPDATE slots SET shard = ?3, epoch = (SELECT max(epoch) FROM slots) + 1
WHERE slot = ?2 AND shard <> ?3 AND EXISTS (` + checkOwner + `)`
	shardOf = `SELECT shard FROM slots WHERE slot = ?1`
)

// The errors for a slot that is not moved.
var (
	ErrOther     = errors.New("another move is not finished: finish it first")
	ErrTaken     = errors.New("another process works on this move")
	ErrShared    = errors.New("it shares the slot of its shard with profiles, and stays there")
	ErrSameShard = errors.New("it is on that shard")
	ErrShard     = errors.New("there is no such shard")
	ErrSame      = errors.New("both shards are one database")
	ErrOrder     = errors.New("the shard that it leaves does not have it: do LIBSQL_SHARD_URLS name the same ones in the same order as ever?")
	ErrDiffer    = errors.New("the shards have different rows of it: was one of the databases restored alone?")
)

// Current returns the move in progress.
func Current(ctx context.Context, directory *hrana.Client) (s State, err error) {
	results, err := directory.Query(ctx, hrana.Stmt{SQL: moveNow})
	if err != nil || len(results[0].Rows()) == 0 {
		return s, err
	}
	row := results[0].Rows()[0]
	return State{Slot: int(row[0].(int64)), From: int(row[1].(int64)), To: int(row[2].(int64)), Community: row[3].(string),
		Begun: data.Millis(row[4].(int64))}, nil
}

// Check returns an error if a slot can't move to a shard. It also accepts the move in progress, and its way back.
func (m *Move) Check(ctx context.Context, slot, to int) error {
	s, err := Current(ctx, m.Directory)
	switch {
	case err != nil:
		return err
	case s.Begun.IsZero():
		s = State{Slot: slot, To: to}
		if s.From, err = m.slotShard(ctx, slot); err != nil {
			return err
		}
	case s.Slot != slot || to != s.To && to != s.From:
		return ErrOther
	case to == s.From:
		s.From, s.To = s.To, s.From
	}
	switch {
	case to < 0 || max(s.From, to) >= len(m.Shards):
		return ErrShard
	case s.From < 0:
		return ErrShared
	case s.From == to:
		return ErrSameShard
	case m.Shards[s.From] == m.Shards[to]:
		return ErrSame
	}
	m.State = s
	return nil
}

// slotShard returns the shard that the directory names for a slot; -1 for a slot without a row.
func (m *Move) slotShard(ctx context.Context, slot int) (int, error) {
	results, err := m.Directory.Query(ctx, hrana.Stmt{SQL: shardOf, Args: []any{slot}})
	if err != nil || len(results[0].Rows()) == 0 {
		return -1, err
	}
	return int(results[0].Rows()[0][0].(int64)), nil
}

// Run moves a slot to a shard, or continues that move. If a move from that shard is in progress, it is reversed.
func (m *Move) Run(ctx context.Context, slot, to int) error {
	m.columns = map[string][]string{}
	if m.Progress == nil {
		m.Progress = func(Progress) {}
	}
	if m.After == nil {
		m.After = func(string, bool) error { return nil }
	}
	if err := m.Check(ctx, slot, to); err != nil {
		return err
	}
	sql := takeMove
	if m.Begun.IsZero() {
		sql = beginMove
	}
	args := []any{m.Slot, m.From, m.To}
	results, err := m.Directory.Tx(ctx, hrana.Stmt{SQL: sql, Args: args}, hrana.Stmt{SQL: lastRun, Args: args})
	switch {
	case err != nil:
		return err
	case len(results[1].Rows()) == 0:
		return ErrTaken
	}
	m.process = results[1].Rows()[0][0].(int64)
	return m.run(ctx)
}

func (m *Move) run(ctx context.Context) error {
	named, err := m.slotShard(ctx, m.Slot)
	if err != nil {
		return err
	}
	steps := []step{{StepWait, m.wait}, {StepRemove, m.remove}, {StepUnfreeze, m.unfreeze}}
	if named != m.To {
		steps = append([]step{{StepCopy, m.copy}, {StepSwitch, m.switchOver}}, steps...)
	}
	for _, s := range append([]step{{StepFreeze, m.freeze}}, steps...) {
		m.now = Progress{Step: s.name, Of: len(tables)}
		m.Progress(m.now)
		if err := m.asOwner(ctx, checkOwner); err != nil {
			return err
		}
		if err := s.do(ctx); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		if err := m.After(s.name, true); err != nil {
			return err
		}
	}
	return m.asOwner(ctx, endMove)
}

type step struct {
	name string
	do   func(context.Context) error
}

// asOwner runs a statement in the directory. If another process has taken over the move, it returns ErrTaken and changes nothing.
func (m *Move) asOwner(ctx context.Context, sql string, args ...any) error {
	process := []any{m.process}
	results, err := m.Directory.Tx(ctx, hrana.Stmt{SQL: checkOwner, Args: process}, hrana.Stmt{SQL: sql, Args: append(process, args...)},
		hrana.Stmt{SQL: hasEnded, Args: process})
	if err == nil && len(results[0].Rows()) == 0 && (sql != endMove || len(results[2].Rows()) == 0) { // a retried endMove finds the move ended
		err = ErrTaken
	}
	return err
}
