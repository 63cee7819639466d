// Package migrate runs the missing schema steps of databases while the site serves, and makes their triggers and views
// (docs/operations/upgrade.md). The steps are in data/schema. It is native code.
//
// The idea: each step, and each piece of a step that changes a large table, is one transaction. Its first statement records it in
// schema_steps, and the database refuses a second record. So a step can't run twice after a lost response or a kill, or on two machines.
//
// Begin with Open and Database. The tests have steps of their own.
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

// Database is a database with its missing steps.
type Database struct {
	client   *hrana.Client
	steps    []schema.Step
	triggers string       // CREATE statements of triggers and views
	records  []stepRecord // in the database, in order; the last step may be in progress
	stale    bool         // it has other triggers or views
}

// stepRecord is a database's record of a step.
type stepRecord struct {
	name    string
	reached string // JSON array: the key of the last row that a step in pieces has changed; "" before the first
	done    bool
}

// Progress is the progress of a step in this run.
type Progress struct {
	Number int
	Name   string
	Rows   int // that a step in pieces has read
	Done   bool
}

// Open reads the record of steps of a database, and changes nothing. It returns an error if Run can't bring the database to the last step:
// the record has unknown steps, or there is no record and the tables are not those of step 1. triggers are the CREATE statements of all
// triggers and views that it must have; with "" it keeps those of the steps.
func Open(ctx context.Context, client *hrana.Client, steps []schema.Step, triggers string) (*Database, error) {
	d := &Database{client: client, steps: steps, triggers: triggers}
	have, err := d.objects(ctx)
	if err != nil {
		return d, err
	}
	d.stale = d.isStale(have)
	if _, ok := have["table schema_steps"]; ok {
		if err := d.readRecords(ctx); err != nil || len(d.records) > 0 {
			return d, err
		}
	}
	return d, d.allowsFirst(have)
}

// Ready reports whether Run would change nothing.
func (d *Database) Ready() bool { return d.Step() == len(d.steps) && !d.stale }

// Step returns the number of the last step that is done in the database.
func (d *Database) Step() int {
	n := len(d.records)
	if n > 0 && !d.records[n-1].done {
		n--
	}
	return n
}

const (
	objects = `SELECT type || ' ' || name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name <> 'sqlite_sequence'
  AND name NOT IN (SELECT l.name FROM pragma_table_list l WHERE l.type = 'shadow')`
	record = `SELECT number, name, reached, done_at IS NOT NULL FROM schema_steps ORDER BY number`
)

// readRecords reads the record of steps, and returns an error if it is not of the steps in d.steps.
func (d *Database) readRecords(ctx context.Context) error {
	results, err := d.client.Query(ctx, hrana.Stmt{SQL: record})
	if err != nil {
		return err
	}
	d.records = nil
	rows := results[0].Rows()
	for i, row := range rows {
		t := stepRecord{strings.Clone(row[1].(string)), strings.Clone(row[2].(string)), row[3].(int64) == 1}
		switch number := row[0].(int64); {
		case number != int64(i+1):
			return fmt.Errorf("it remembers step %d and not step %d: somebody has changed schema_steps", number, i+1)
		case i == len(d.steps):
			return fmt.Errorf("it is at step %d (%s), and this build knows only %d: use the build that has migrated it, or a newer one",
				len(rows), rows[len(rows)-1][1], len(d.steps))
		case t.name != d.steps[i].Name:
			return fmt.Errorf("its step %d is %q and that of this build %q: it was migrated by a build of another branch", i+1, t.name,
				d.steps[i].Name)
		}
		d.records = append(d.records, t)
	}
	return nil
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

// allowsFirst returns an error if step 1 can't run in a database without a record of steps: a table of step 1 exists with another
// statement, or Run would drop an unknown trigger or view.
func (d *Database) allowsFirst(have map[string]string) error {
	var differ []string
	for object, statement := range schema.Objects(d.steps[0].SQL) {
		if old, ok := have[object]; ok && old != statement {
			differ = append(differ, object)
		}
	}
	known := schema.Objects(d.triggers)
	for object := range programs(have) { // they would be dropped
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

// Run runs the missing steps, and then creates the triggers and views. It may be killed at any moment, be run again, and run on several
// machines at once: a step, or a piece of a step, is committed together with its record.
func (d *Database) Run(ctx context.Context, report func(Progress)) error {
	visited := 0
	for d.Step() < len(d.steps) {
		number := d.Step() + 1
		step := d.steps[number-1]
		rows, err := 0, error(nil)
		switch {
		case step.Batch.Table == "":
			stmts := append([]hrana.Stmt{begin(number, step.Name, true)}, statements(step.SQL)...)
			err = d.commit(ctx, number, stepRecord{name: step.Name, done: true}, stmts)
		case len(d.records) < number:
			err = d.commit(ctx, number, stepRecord{name: step.Name}, []hrana.Stmt{begin(number, step.Name, false)})
		default:
			rows, err = d.piece(ctx, number, step)
		}
		if before := d.records; errors.Is(err, errOvertaken) { // another run may have changed schema_steps
			if err = d.readRecords(ctx); err == nil && slices.Equal(d.records, before) {
				err = errOvertaken
			}
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

// programs returns the triggers and views among objects, without those of a move in progress (ops/shards/mover), which are temporary.
func programs(objects map[string]string) map[string]string {
	found := maps.Clone(objects)
	maps.DeleteFunc(found, func(object, _ string) bool {
		return !strings.HasPrefix(object, "trigger ") && !strings.HasPrefix(object, "view ") ||
			strings.HasPrefix(object, "trigger slot_frozen_")
	})
	return found
}

// replace replaces triggers and views, in one transaction, unless the database has those of the build.
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
	// It fails, because the column refuses NULL, if the database is at a later step: a newer build has other triggers.
	stillLast := hrana.Stmt{SQL: `UPDATE schema_steps SET reached = iif((SELECT max(number) FROM schema_steps) = :number, reached, NULL)
WHERE number = :number`, Named: []hrana.Named{{Name: "number", Value: len(d.steps)}}}
	_, err = d.client.Tx(ctx, append([]hrana.Stmt{stillLast}, d.replacement(objects)...)...)
	var e *hrana.Error
	switch {
	case errors.As(err, &e) && e.Step == 0 && hrana.IsRefused(err):
		return cmp.Or(d.readRecords(ctx), errOvertaken)
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

// replacement returns statements that drop the triggers and views among objects, and create those of the build.
func (d *Database) replacement(objects map[string]string) (stmts []hrana.Stmt) {
	have := programs(objects)
	maps.Copy(have, schema.Objects(d.triggers))             // another run may be making them
	for _, object := range slices.Sorted(maps.Keys(have)) { // triggers before the views that they are on
		kind, name, _ := strings.Cut(object, " ")
		stmts = append(stmts, hrana.Stmt{SQL: "DROP " + strings.ToUpper(kind) + ` IF EXISTS "` + strings.ReplaceAll(name, `"`, `""`) + `"`})
	}
	return append(stmts, statements(d.triggers)...)
}

func statements(sql string) (stmts []hrana.Stmt) {
	for _, one := range schema.Split(sql) {
		stmts = append(stmts, hrana.Stmt{SQL: one})
	}
	return stmts
}

// errOvertaken means that nothing was changed, because the record of steps has changed since it was read.
var errOvertaken = errors.New("the database refuses the record of the step, but no other run has written one")

// begin returns a statement that records that a step has begun, or is done. If the step has a record, the statement and its transaction
// fail, because the number is unique.
func begin(number int, name string, done bool) hrana.Stmt {
	return hrana.Stmt{
		SQL:   `INSERT INTO schema_steps (number, name, done_at) VALUES (:number, :name, iif(:done, ` + now + `, NULL))`,
		Named: []hrana.Named{{Name: "number", Value: number}, {Name: "name", Value: name}, {Name: "done", Value: done}},
	}
}

const now = `CAST(unixepoch('now', 'subsec') * 1000 AS INTEGER)`

// commit runs a transaction whose first statement writes a record to schema_steps, and adds the record to d.records. If the database
// refuses that statement, the error is errOvertaken. The last transaction of the last step also creates the triggers and views, so a
// database at that step has them.
func (d *Database) commit(ctx context.Context, number int, record stepRecord, stmts []hrana.Stmt) error {
	if record.done && number == len(d.steps) && d.triggers != "" {
		objects, err := d.objects(ctx)
		if err != nil {
			return err
		}
		stmts = append(stmts, d.replacement(objects)...)
	}
	recording := 0 // index of the statement
	if len(d.records) == 0 {
		stmts, recording = append([]hrana.Stmt{{SQL: schema.Record}}, stmts...), 1
	}
	_, err := d.client.Tx(ctx, stmts...)
	var e *hrana.Error
	switch {
	case err == nil:
		if d.Step() < len(d.records) { // the last step is still in progress
			d.records = d.records[:len(d.records)-1]
		}
		d.records = append(d.records, record)
		return nil
	case hrana.IsBusy(err):
		return fmt.Errorf("%w: it waited, or others waited for it, for more than five seconds. Run this step when nobody writes, or change "+
			"it to run in pieces", err)
	case !errors.As(err, &e) || e.Step < 0 || e.Step >= len(stmts):
		return err
	case e.Step == recording && hrana.IsRefused(err):
		return errOvertaken
	}
	return fmt.Errorf("%w\n%s", err, stmts[e.Step].SQL)
}

// Differences compares the database with schema.sql and triggers.sql and returns what is missing or different, like "index posts_hot".
// Additional objects don't matter.
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

// FullSchema returns the statements that bring an empty database to the state after Run, in one transaction: schema.sql, triggers.sql, and
// the records of all steps.
func FullSchema() (stmts []hrana.Stmt) {
	stmts = statements(plaza.Schema + plaza.Triggers)
	for i, step := range schema.Steps() {
		stmts = append(stmts, hrana.Stmt{
			SQL:   `INSERT INTO schema_steps (number, name, done_at) VALUES (:number, :name, ` + now + `) ON CONFLICT DO NOTHING`,
			Named: []hrana.Named{{Name: "number", Value: i + 1}, {Name: "name", Value: step.Name}},
		})
	}
	return stmts
}
