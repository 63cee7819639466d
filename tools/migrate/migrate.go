// Package migrate runs the missing schema steps of databases while the site serves, and makes their triggers and views
// (docs/operations/upgrade.md). The steps are in data/schema. It is native code.
//
// The idea: each step, and each piece of a step that changes a large table, is one transaction. Its first statement records it in
// schema_steps, and the database refuses a second record. So a lost response, a kill or a second machine can't run a step twice.
//
// Begin with Open and Database. Step 1 makes the tables of 1.0, so the tests have steps of their own.
package migrate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"plaza"
	"plaza/data/schema"
	"plaza/data/wire/hrana"
)

// Database is a database on its way to the last step.
type Database struct {
	client   *hrana.Client
	steps    []schema.Step
	triggers string  // CREATE statements of triggers and views
	taken    []taken // by the database, in order; the last one may be under way
	stale    bool    // it has other triggers or views
}

// taken is what a database remembers of a step.
type taken struct {
	name    string
	reached string // JSON array: the key of the last row that a step in pieces has changed; "" before the first
	done    bool
}

// Progress is what a step has done so far in this run.
type Progress struct {
	Number int
	Name   string
	Rows   int // that a step in pieces has visited
	Done   bool
}

// Open reads which steps a database has taken, and changes nothing. It fails when the database is not one that the steps
// can bring to the last of them: it has taken steps that are not among them, or it has other tables than step 1 makes. triggers are the
// CREATE statements of all triggers and views that it is to have; with "" it keeps those that the steps make.
func Open(ctx context.Context, client *hrana.Client, steps []schema.Step, triggers string) (*Database, error) {
	d := &Database{client: client, steps: steps, triggers: triggers}
	return d, d.read(ctx)
}

// Ready tells that Run would change nothing.
func (d *Database) Ready() bool { return d.Step() == len(d.steps) && !d.stale }

// Step is the number of the last step that the database has taken.
func (d *Database) Step() int {
	n := len(d.taken)
	if n > 0 && !d.taken[n-1].done {
		n--
	}
	return n
}

const (
	objects = `SELECT type || ' ' || name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name <> 'sqlite_sequence'
  AND name NOT IN (SELECT l.name FROM pragma_table_list l WHERE l.type = 'shadow')`
	record = `SELECT number, name, reached, done_at IS NOT NULL FROM schema_steps ORDER BY number`
)

func (d *Database) read(ctx context.Context) error {
	have, err := d.objects(ctx)
	if err != nil {
		return err
	}
	d.stale = d.isStale(have)
	if _, ok := have["table schema_steps"]; !ok {
		return d.fitsFirst(have)
	}
	if err := d.readTaken(ctx); err != nil || len(d.taken) > 0 {
		return err
	}
	return d.fitsFirst(have)
}

// readTaken reads what the database remembers of steps, and fails when they are not the steps that are known here.
func (d *Database) readTaken(ctx context.Context) error {
	results, err := d.client.Query(ctx, hrana.Stmt{SQL: record})
	if err != nil {
		return err
	}
	d.taken = nil
	for i, row := range results[0].Rows() {
		number, name, reached, done := row[0].(int64), strings.Clone(row[1].(string)), strings.Clone(row[2].(string)), row[3].(int64) == 1
		if number != int64(i+1) {
			return fmt.Errorf("it remembers step %d and not step %d: somebody has changed schema_steps", number, i+1)
		}
		d.taken = append(d.taken, taken{name, reached, done})
	}
	return d.known()
}

// objects reads the canonical statements of everything in the database, by kind and name.
func (d *Database) objects(ctx context.Context) (map[string]string, error) {
	results, err := d.client.Query(ctx, hrana.Stmt{SQL: objects})
	if err != nil {
		return nil, err
	}
	have := map[string]string{}
	for _, row := range results[0].Rows() {
		have[row[0].(string)] = schema.Canonical(row[1].(string))
	}
	return have, nil
}

// fitsFirst tells whether step 1 may be taken by a database that remembers no step: it is empty, or it has tables that are, each, as step 1
// makes them, and no triggers and views of others.
func (d *Database) fitsFirst(have map[string]string) error {
	var differ []string
	for object, statement := range schema.Objects(d.steps[0].SQL) {
		if old, ok := have[object]; ok && old != statement {
			differ = append(differ, object)
		}
	}
	known := schema.Objects(d.triggers)
	for object := range programs(have) { // they would go
		if _, ok := known[object]; !ok && d.triggers != "" {
			differ = append(differ, object)
		}
	}
	if len(differ) == 0 {
		return nil
	}
	slices.Sort(differ)
	return fmt.Errorf("it was made by a build from which no step leads here: not as in step 1 (%s): %s", d.steps[0].Name,
		strings.Join(differ, ", "))
}

// known tells whether the steps that the database has taken are the ones that are known here.
func (d *Database) known() error {
	for i, t := range d.taken {
		if i == len(d.steps) {
			return fmt.Errorf("it is at step %d (%s), and this build knows only %d: use the build that has migrated it, or a newer one",
				len(d.taken), d.taken[len(d.taken)-1].name, len(d.steps))
		}
		if want := d.steps[i].Name; t.name != want {
			return fmt.Errorf("its step %d is %q and that of this build %q: it was migrated by a build of another branch", i+1, t.name, want)
		}
	}
	return nil
}

// Run takes the steps that are left, and then makes the triggers and views. It may be ended at any moment, by whatever means, and be run
// again, also by several at once: a step, or a piece of one, is committed together with the note that it is done.
func (d *Database) Run(ctx context.Context, report func(Progress)) error {
	visited := 0
	for d.Step() < len(d.steps) {
		number := d.Step() + 1
		step := d.steps[number-1]
		rows, err := d.next(ctx, number, step)
		if errors.Is(err, errOvertaken) {
			err = d.follow(ctx)
		}
		if err != nil {
			return fmt.Errorf("step %d (%s): %w", number, step.Name, err)
		}
		visited += rows
		done := d.Step() >= number
		report(Progress{number, step.Name, visited, done})
		if done {
			visited = 0
		}
	}
	return d.replace(ctx)
}

// programs are the triggers and views among objects. Those of a move under way (tools/mover) are left out: they come and go with it.
func programs(objects map[string]string) map[string]string {
	found := maps.Clone(objects)
	maps.DeleteFunc(found, func(object, _ string) bool {
		return !strings.HasPrefix(object, "trigger ") && !strings.HasPrefix(object, "view ") ||
			strings.HasPrefix(object, "trigger slot_closed_")
	})
	return found
}

// replace makes triggers and views anew, in one transaction, unless the database has those of the build.
func (d *Database) replace(ctx context.Context) error {
	if d.triggers == "" {
		return nil
	}
	objects, err := d.objects(ctx)
	if err != nil {
		return err
	}
	if d.stale = d.isStale(objects); !d.stale {
		return nil
	}
	_, err = d.client.Tx(ctx, append([]hrana.Stmt{stillLast(len(d.steps))}, d.replacement(objects)...)...)
	var e *hrana.Error
	switch {
	case errors.As(err, &e) && e.Step == 0 && hrana.IsRefused(err):
		return cmp.Or(d.readTaken(ctx), errOvertaken)
	case hrana.IsBusy(err):
		return fmt.Errorf("triggers and views: %w: try again when fewer write", err)
	case err != nil:
		return fmt.Errorf("triggers and views: %w", err)
	}
	d.stale = false
	return nil
}

func (d *Database) isStale(objects map[string]string) bool {
	return d.triggers != "" && !maps.Equal(programs(objects), schema.Objects(d.triggers))
}

// stillLast ends the transaction if the database has taken a later step: a newer build has other triggers. The column refuses NULL.
func stillLast(number int) hrana.Stmt {
	return hrana.Stmt{SQL: `UPDATE schema_steps SET reached = iif((SELECT max(number) FROM schema_steps) = :number, reached, NULL)
WHERE number = :number`, Named: []hrana.Named{{Name: "number", Value: number}}}
}

// replacement drops the triggers and views among objects, and makes those of the build.
func (d *Database) replacement(objects map[string]string) (stmts []hrana.Stmt) {
	have := programs(objects)
	maps.Copy(have, schema.Objects(d.triggers))             // somebody else may be making them
	for _, object := range slices.Sorted(maps.Keys(have)) { // triggers before the views that they are on
		kind, name, _ := strings.Cut(object, " ")
		stmts = append(stmts, hrana.Stmt{SQL: "DROP " + strings.ToUpper(kind) + ` IF EXISTS "` + strings.ReplaceAll(name, `"`, `""`) + `"`})
	}
	for _, sql := range schema.Split(d.triggers) {
		stmts = append(stmts, hrana.Stmt{SQL: sql})
	}
	return stmts
}

// withTriggers adds the triggers and views to the transaction of the last step. So a database that has taken it has them.
func (d *Database) withTriggers(ctx context.Context, number int, stmts []hrana.Stmt) ([]hrana.Stmt, error) {
	if number < len(d.steps) || d.triggers == "" {
		return stmts, nil
	}
	objects, err := d.objects(ctx)
	if err != nil {
		return nil, err
	}
	return append(stmts, d.replacement(objects)...), nil
}

// follow reads anew what the database remembers, after somebody else has changed it.
func (d *Database) follow(ctx context.Context) error {
	before := d.taken
	if err := d.readTaken(ctx); err != nil {
		return err
	}
	if slices.Equal(d.taken, before) {
		return errOvertaken
	}
	return nil
}

// errOvertaken says that nothing was changed, because the database is no longer where it was when it was read.
var errOvertaken = errors.New("the database doesn't take it, although nobody else has taken it")

// next takes a step, or begins one in pieces, or does its next piece.
func (d *Database) next(ctx context.Context, number int, step schema.Step) (rows int, err error) {
	switch {
	case step.Batch.Table == "":
		return 0, d.take(ctx, number, step)
	case len(d.taken) < number:
		return 0, d.commit(ctx, taken{name: step.Name}, begin(number, step.Name, false))
	}
	return d.piece(ctx, number, step)
}

// take takes a step in one transaction.
func (d *Database) take(ctx context.Context, number int, step schema.Step) error {
	stmts := []hrana.Stmt{begin(number, step.Name, true)}
	for _, sql := range schema.Split(step.SQL) {
		stmts = append(stmts, hrana.Stmt{SQL: sql})
	}
	stmts, err := d.withTriggers(ctx, number, stmts)
	if err != nil {
		return err
	}
	return d.commit(ctx, taken{name: step.Name, done: true}, stmts...)
}

// begin notes that a step has begun, or that it is done. It breaks a uniqueness, and with it ends the transaction, when that
// was noted before.
func begin(number int, name string, done bool) hrana.Stmt {
	return hrana.Stmt{
		SQL:   `INSERT INTO schema_steps (number, name, done_at) VALUES (:number, :name, iif(:done, ` + now + `, NULL))`,
		Named: []hrana.Named{{Name: "number", Value: number}, {Name: "name", Value: name}, {Name: "done", Value: done}},
	}
}

const now = `CAST(unixepoch('now', 'subsec') * 1000 AS INTEGER)`

// commit runs a transaction of which the first statement is a note in schema_steps, and remembers what was noted. When the
// database refuses that note, the error is errOvertaken.
func (d *Database) commit(ctx context.Context, noted taken, stmts ...hrana.Stmt) error {
	note := 0
	if len(d.taken) == 0 {
		stmts, note = append([]hrana.Stmt{{SQL: schema.Record}}, stmts...), 1
	}
	_, err := d.client.Tx(ctx, stmts...)
	var e *hrana.Error
	switch {
	case err == nil:
		d.note(noted)
		return nil
	case hrana.IsBusy(err):
		return fmt.Errorf("%w: it had to wait, or the others for it, for more than five seconds. Take this step when nobody writes, or do it "+
			"in pieces", err)
	case !errors.As(err, &e) || e.Step < 0 || e.Step >= len(stmts):
		return err
	case e.Step == note && hrana.IsRefused(err):
		return errOvertaken
	}
	return fmt.Errorf("%w\n%s", err, stmts[e.Step].SQL)
}

// note remembers what a transaction has noted of a step.
func (d *Database) note(t taken) {
	if d.Step() == len(d.taken) {
		d.taken = append(d.taken, t)
		return
	}
	d.taken[len(d.taken)-1] = t
}

// Differences compares the database with schema.sql and triggers.sql and returns what is missing or different, like "index posts_hot".
// What else there is doesn't matter.
func (d *Database) Differences(ctx context.Context) (differ []string, err error) {
	have, err := d.objects(ctx)
	if err != nil {
		return nil, err
	}
	want := schema.Objects(plaza.Schema + plaza.Triggers)
	for _, object := range slices.Sorted(maps.Keys(want)) {
		if have[object] != want[object] {
			differ = append(differ, object)
		}
	}
	return differ, nil
}

// Whole are the statements that make all that an empty database has after Run, in one transaction: schema.sql, triggers.sql, and the note
// that every step is done.
func Whole() (stmts []hrana.Stmt) {
	for _, sql := range schema.Split(plaza.Schema + plaza.Triggers) {
		stmts = append(stmts, hrana.Stmt{SQL: sql})
	}
	for i, step := range schema.Steps() {
		stmts = append(stmts, hrana.Stmt{
			SQL:   `INSERT INTO schema_steps (number, name, done_at) VALUES (:number, :name, ` + now + `) ON CONFLICT DO NOTHING`,
			Named: []hrana.Named{{Name: "number", Value: i + 1}, {Name: "name", Value: step.Name}},
		})
	}
	return stmts
}
