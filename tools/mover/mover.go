// Package mover moves a community, with all that has its slot, from one shard to another while the site runs.
//
// Reading goes on all the time. Members read the rows of the source until the directory says that the slot is on the target. Until then the
// target's copies are hidden from lists that merge all shards (table hidden_slots), and after it those of the source.
//
// Writing waits for seconds. Triggers on the source note which rows change while all are copied. Those on the target note which copies
// change, by jobs of its other rows, so that these are copied again. When few are left, other triggers close the slot: the source refuses
// writes to its rows. What has changed is copied, and the directory says where the slot is now. An instance whose write was refused asks
// the directory and tries again (data.Write). Work of the slot waits in the outbox (table closed_slots), and does not hold up other work of
// the shard. Other jobs of the source that come across a closed row fail, and do their work when they run again.
//
// # Steps
//
//   - copy: hide the slot on the target, note what changes on both shards, copy all rows, then what has changed, and compare which rows
//     there are
//   - close: refuse writes on the source, copy what has changed since
//   - switch: have the directory name the target, show the slot there, and hide it on the source. From the first to the last of these
//     requests to the next step members can't export their data, and lists may show a post twice (data.Merge)
//   - karma: count what depends on other rows of these shards; what authors have earned in the slot goes from their karma on the source to
//     that on the target (karma.go)
//   - remove: wait until no instance reads the source any more, and delete its rows
//   - end: count what depended on the deleted rows, take the triggers away
//
// The directory's table slot_moves says which step comes next. Each step may be ended at any point and repeated. One process at a time
// works on a move: it says every few seconds that it is there, and another one waits until it has been silent for half a minute. A process
// that slept so long may wake right before it writes. So both shards know the process that took the move over (table slot_holder), and
// refuse each transaction of another one (holder.go).
//
// # What is moved
//
// tables.go lists the tables, and the test of it says of each other table of the schema why it is not among them. If you add a table or a
// kind of work, that test asks for a decision.
package mover

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"plaza/data"
	"plaza/data/wire/hrana"
)

// Move is a move on its way.
type Move struct {
	Directory *hrana.Client
	Shards    []*hrana.Client // by number. One of them may be the directory: the same client
	// Replicas says that instances read pages from replicas, which may be behind by data.ReplicaLag.
	Replicas bool
	Sleep    func(context.Context, time.Duration) error
	// Progress is told how far it is; nil: nobody is.
	Progress func(Progress)
	// Scanned is how many rows one statement looks at; 0: as many as usual.
	Scanned int
	// After is called after each step and after each transaction within one, and ends the move with its error; nil: nothing is. Tests stop
	// there.
	After func(step string, whole bool) error

	State
	source, target *hrana.Client
	columns        map[string][]string // by table
	posts          map[int64]bool      // that the target is known to have
	comparing      bool                // it changes no rows
	holder         string
	seen           time.Time // when the directory was told last that this process works on it
	now            Progress
}

// Progress says how far a step is.
type Progress struct {
	Step  string
	Table string // "" when the step has begun
	Done  int    // of as many tables
	Of    int
	Rows  int // that were copied or deleted in this run of the step
}

// State is how far a move has come.
type State struct {
	Slot     int
	From, To int
	// Community is one in the slot, of which the others move along; "" if there is none.
	Community string
	Step      string // that comes next; "" when none is under way
	place     string
	silent    time.Duration // for how long nobody has said to work on it
	named     bool          // the directory names the target
}

// Waits tells that nobody works on the move.
func (s *State) Waits() bool { return s.silent > gone }

// Closed tells that nobody can write in the slot until the move goes on.
func (s *State) Closed() bool { return !s.named && (s.Step == StepClose || s.Step == StepSwitch) }

// The steps of a move, as slot_moves names the one that comes next.
const (
	StepCopy   = "copy"
	StepClose  = "close"
	StepSwitch = "switch"
	StepKarma  = "karma"
	StepRemove = "remove"
	StepEnd    = "end"
)

const (
	// An instance goes by what it has read of slots for at most 30 seconds (site.Store.Refresh), and may have read it from a replica. Work
	// that began then may last. Only the command waits for the rest.
	grace = 3 * time.Minute
	// What replicas may lack is there after that.
	replicaWait = data.ReplicaLag + time.Second
	// scanned is how many rows one statement looks at.
	scanned = 10_000
	// fewChanges are copied within a second.
	fewChanges = 200
	// Whoever works on a move says so after said, and is gone when it has been silent for gone.
	said = 5 * time.Second
	gone = 30 * time.Second
)

const (
	moveNow = `SELECT slot, source, target, community_name, step, place,
  CAST(unixepoch('now', 'subsec') * 1000 AS INTEGER) - seen_at,
  target IS (SELECT shard FROM slots WHERE slots.slot = slot_moves.slot) FROM slot_moves WHERE id = 1`
	seenNow = `seen_at = CAST(unixepoch('now', 'subsec') * 1000 AS INTEGER)`
	// Since the slot was looked up, another process may have moved it.
	beginMove = `INSERT INTO slot_moves (id, slot, source, target, community_name, step, holder, seen_at)
SELECT 1, ?1, ?2, ?3, coalesce((SELECT name FROM communities WHERE kind = 'community' AND ((id >> 12) & 1023) = ?1
    ORDER BY id LIMIT 1), ''), 'copy', ?4, CAST(unixepoch('now', 'subsec') * 1000 AS INTEGER)
WHERE (SELECT shard FROM slots WHERE slot = ?1) = ?2 ON CONFLICT DO NOTHING`
	// Since the move was read, another process may have ended it and begun another one.
	takeMove = `UPDATE slot_moves SET holder = ?4, ` + seenNow + ` WHERE id = 1 AND slot = ?1 AND source = ?2 AND target = ?3
  AND seen_at < CAST(unixepoch('now', 'subsec') * 1000 AS INTEGER) - ?5`
	isMine    = ` WHERE id = 1 AND holder = ?1`
	sayMine   = `UPDATE slot_moves SET ` + seenNow + isMine
	leaveMove = `UPDATE slot_moves SET seen_at = 0` + isMine
	moveStep  = `UPDATE slot_moves SET step = ?2, place = '', ` + seenNow + isMine
	movePlace = `UPDATE slot_moves SET place = ?2, ` + seenNow + isMine
	endMove   = `DELETE FROM slot_moves` + isMine
	moveSlot  = `UPDATE slots SET shard = ?3, epoch = (SELECT max(epoch) FROM slots) + 1, moved = (SELECT max(epoch) FROM slots) + 1
WHERE slot = ?2 AND shard <> ?3
  AND EXISTS (SELECT 1 FROM slot_moves` + isMine + `)`
	shardOf  = `SELECT shard FROM slots WHERE slot = ?1`
	hideSlot = `INSERT INTO hidden_slots (slot) VALUES (?1) ON CONFLICT DO NOTHING`
	isHidden = `SELECT 1 FROM hidden_slots WHERE slot = ?1`
	showSlot = `DELETE FROM hidden_slots WHERE slot = ?1`

	closeSlot = `INSERT INTO closed_slots (slot) VALUES (?1) ON CONFLICT DO NOTHING`
	openSlots = `DELETE FROM closed_slots`
)

// Reasons why a slot is not moved.
var (
	ErrOther  = errors.New("another move is not finished: finish it first")
	ErrTaken  = errors.New("another process works on this move")
	ErrShared = errors.New("it shares the slot of its shard with profiles, and stays there")
	ErrThere  = errors.New("it is on that shard")
	ErrShard  = errors.New("there is no such shard")
	ErrSame   = errors.New("both shards are one database")
	ErrStep   = errors.New("the directory names another shard than the step of the move needs: was the directory restored alone?")
	ErrOrder  = errors.New("a shard is another database than when the move began: do LIBSQL_SHARD_URLS name the same ones in the same order?")
)

// Look returns the move that is under way.
func Look(ctx context.Context, directory *hrana.Client) (s State, err error) {
	results, err := directory.Query(ctx, hrana.Stmt{SQL: moveNow})
	if err != nil || len(results[0].Rows()) == 0 {
		return s, err
	}
	row := results[0].Rows()[0]
	s.Slot, s.From, s.To = int(row[0].(int64)), int(row[1].(int64)), int(row[2].(int64))
	s.Community, s.Step, s.place = row[3].(string), row[4].(string), row[5].(string)
	s.silent, s.named = time.Duration(row[6].(int64))*time.Millisecond, row[7] == int64(1)
	return s, nil
}

// Check tells why a slot can't move to a shard; nil if it can, or is on its way there.
func (m *Move) Check(ctx context.Context, slot, to int) error {
	s, err := Look(ctx, m.Directory)
	if err != nil {
		return err
	}
	if s.Step != "" {
		if s.Slot != slot || s.To != to {
			return ErrOther
		}
		if max(s.From, s.To) >= len(m.Shards) {
			return ErrShard
		}
		m.State = s
		return nil
	}
	results, err := m.Directory.Query(ctx, hrana.Stmt{SQL: data.SlotsOf})
	if err != nil {
		return err
	}
	from := -1
	for _, row := range results[0].Rows() {
		if row[0] == int64(slot) {
			from = int(row[1].(int64))
		}
	}
	switch {
	case to >= len(m.Shards) || to < 0 || from >= len(m.Shards):
		return ErrShard
	case from < 0:
		return ErrShared
	case from == to:
		return ErrThere
	case m.Shards[from] == m.Shards[to]:
		return ErrSame
	}
	m.State = State{Slot: slot, From: from, To: to}
	return nil
}

// Run moves a slot to a shard, or goes on with that move.
func (m *Move) Run(ctx context.Context, slot, to int) error {
	m.columns, m.posts, m.holder = map[string][]string{}, map[int64]bool{}, rand.Text()
	if m.Progress == nil {
		m.Progress = func(Progress) {}
	}
	if m.After == nil {
		m.After = func(string, bool) error { return nil }
	}
	if err := m.Check(ctx, slot, to); err != nil {
		return err
	}
	if err := m.take(ctx); err != nil {
		return err
	}
	err := m.run(ctx)
	if err != nil && !errors.Is(err, ErrTaken) {
		leave, cancel := context.WithTimeout(context.WithoutCancel(ctx), said)
		defer cancel()
		_, _ = m.Directory.Tx(leave, hrana.Stmt{SQL: leaveMove, Args: []any{m.holder}}) // the next one need not wait; without it, it does
	}
	return err
}

func (m *Move) run(ctx context.Context) error {
	if err := m.hold(ctx); err != nil {
		return err
	}
	steps := []struct {
		name string
		do   func(context.Context, string) error
	}{{StepCopy, m.copy}, {StepClose, m.close}, {StepSwitch, m.switchOver}, {StepKarma, m.karma}, {StepRemove, m.remove}, {StepEnd, m.end}}
	for i, s := range steps {
		if s.name != m.Step {
			continue
		}
		m.now = Progress{Step: s.name, Of: len(tables)}
		m.Progress(m.now)
		if err := s.do(ctx, m.place); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		if err := m.After(s.name, true); err != nil {
			return err
		}
		if i+1 == len(steps) {
			return m.mine(ctx, endMove)
		}
		m.Step, m.place = steps[i+1].name, ""
		if err := m.mine(ctx, moveStep, m.Step); err != nil {
			return err
		}
	}
	return nil
}

// take begins the move or takes it over, once nobody else works on it.
func (m *Move) take(ctx context.Context) error {
	m.source, m.target = m.Shards[m.From], m.Shards[m.To]
	stmt := hrana.Stmt{SQL: beginMove, Args: []any{m.Slot, m.From, m.To, m.holder}}
	if m.Step != "" {
		stmt = hrana.Stmt{SQL: takeMove, Args: append(stmt.Args, gone.Milliseconds())}
	}
	results, err := m.Directory.Tx(ctx, stmt, hrana.Stmt{SQL: `SELECT step, place FROM slot_moves` + isMine, Args: []any{m.holder}})
	if err != nil {
		return err
	}
	rows := results[1].Rows()
	if len(rows) == 0 { // a second try finds what the first has written
		return ErrTaken
	}
	m.Step, m.place = rows[0][0].(string), rows[0][1].(string) // another process may have come further since they were read
	m.seen = now()
	return nil
}

// now is the time of the wall clock, which goes on while the computer sleeps.
func now() time.Time { return time.Now().Round(0) }

// mine changes the row of the move, as long as no other process has taken it over.
func (m *Move) mine(ctx context.Context, sql string, args ...any) error {
	results, err := m.Directory.Tx(ctx, hrana.Stmt{SQL: `SELECT 1 FROM slot_moves` + isMine, Args: []any{m.holder}},
		hrana.Stmt{SQL: sql, Args: append([]any{m.holder}, args...)})
	if err != nil {
		return err
	}
	if len(results[0].Rows()) == 0 && sql != endMove { // which a second try finds done
		return ErrTaken
	}
	m.seen = now()
	return nil
}

// beat says that this process works on the move. It is called before each transaction that changes rows.
func (m *Move) beat(ctx context.Context) error {
	if now().Sub(m.seen) < said {
		return nil
	}
	return m.mine(ctx, sayMine)
}

// wait sleeps, and says meanwhile that this process works on the move.
func (m *Move) wait(ctx context.Context, d time.Duration) error {
	for ; d > 0; d -= said {
		if err := m.Sleep(ctx, min(d, said)); err != nil {
			return err
		}
		if err := m.beat(ctx); err != nil {
			return err
		}
	}
	return nil
}
