package migrate_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza"
	"plaza/data/schema"
	"plaza/data/wire/hrana"
	"plaza/ops/migrate"
	"plaza/test/stacktest"
)

func TestTheStepsMakeTheTablesOfSchemaSQL(t *testing.T) {
	stepped, whole := stacktest.OpenHrana(t), stacktest.OpenHrana(t)
	db, err := migrate.Open(t.Context(), stepped, schema.Steps(), plaza.Triggers)
	require.NoError(t, err)
	require.NoError(t, db.Run(t.Context(), quiet))
	assert.Equal(t, schema.Objects(plaza.Schema+plaza.Triggers), objects(t, stepped),
		"make a step of what was changed in schema.sql (docs/operations/schema-steps.md)")

	_, err = whole.Tx(t.Context(), migrate.FullSchema()...)
	require.NoError(t, err)
	assert.Equal(t, objects(t, stepped), objects(t, whole))
	const record = `SELECT number, name, reached, done_at IS NOT NULL FROM schema_steps ORDER BY number`
	assert.Equal(t, query(t, stepped, record), query(t, whole, record))
	assert.EqualValues(t, schema.Version, query(t, stepped, schema.Taken)[0][0])

	db, err = migrate.Open(t.Context(), whole, schema.Steps(), plaza.Triggers)
	require.NoError(t, err)
	assert.Equal(t, schema.Version, db.Step())
	assert.True(t, db.Ready())
}

// TestTriggersAreReplaced has a database with the triggers and views of another build. This build does not know some of them.
func TestTriggersAreReplaced(t *testing.T) {
	client := stacktest.OpenHrana(t)
	_, err := client.Tx(t.Context(), migrate.FullSchema()...)
	require.NoError(t, err)
	exec(t, client, "DROP TRIGGER votes_cast", "CREATE TRIGGER votes_cast AFTER INSERT ON votes BEGIN DELETE FROM outbox; END",
		"DROP VIEW tag_counters", "CREATE VIEW tag_counters AS SELECT 1 AS name", "CREATE VIEW former AS SELECT id FROM posts",
		"CREATE TRIGGER former_changed INSTEAD OF UPDATE ON former BEGIN DELETE FROM outbox; END",
		`CREATE TRIGGER "my-trigger" AFTER INSERT ON votes BEGIN SELECT 1; END`, "INSERT INTO weeks VALUES ('posts', 42)",
		"CREATE TABLE theirs (x)", "CREATE TRIGGER slot_frozen_posts_insert AFTER INSERT ON posts BEGIN SELECT 1; END")
	tables := objects(t, client)

	dbs := make([]*migrate.Database, 3)
	for i := range dbs {
		dbs[i], err = migrate.Open(t.Context(), client, schema.Steps(), plaza.Triggers)
		require.NoError(t, err)
		require.False(t, dbs[i].Ready())
	}
	errs := make([]error, len(dbs))
	var machines sync.WaitGroup
	for i, db := range dbs {
		machines.Go(func() { errs[i] = db.Run(t.Context(), quiet) })
	}
	machines.Wait()
	assert.Equal(t, make([]error, len(dbs)), errs)
	assert.True(t, dbs[0].Ready())

	want := schema.Objects(plaza.Schema + plaza.Triggers)
	for _, object := range []string{"table theirs", "trigger slot_frozen_posts_insert"} { // the trigger of a move in progress
		want[object] = tables[object]
	}
	assert.Equal(t, want, objects(t, client))
	assert.EqualValues(t, 42, query(t, client, "SELECT since FROM weeks")[0][0])
}

// TestTheLastStepHasItsTriggers cuts the connection at each request. In any case, a database with the last step has all triggers and
// views.
func TestTheLastStepHasItsTriggers(t *testing.T) {
	url, transport := stacktest.OpenDB(t)
	client := hrana.New(hrana.Options{URL: url, HTTP: transport})
	whole := false
	for left := 0; !whole; left++ {
		cut := &cutter{transport: transport, left: left, after: left%2 == 1}
		db, err := migrate.Open(t.Context(), hrana.New(hrana.Options{URL: url, HTTP: cut, Attempts: 1}), schema.Steps(), plaza.Triggers)
		if err == nil {
			err = db.Run(t.Context(), quiet)
		}
		whole = err == nil
		have := objects(t, client)
		if _, began := have["table schema_steps"]; began {
			assert.Equal(t, schema.Objects(plaza.Schema+plaza.Triggers), have, "cut at request %d", left)
		}
		require.Less(t, left, 20)
	}
}

// TestAnOlderBuildLeavesNewerTriggers: a newer build runs its step while an older one is about to make its own triggers.
func TestAnOlderBuildLeavesNewerTriggers(t *testing.T) {
	client := stacktest.OpenHrana(t)
	_, err := client.Tx(t.Context(), migrate.FullSchema()...)
	require.NoError(t, err)
	exec(t, client, "DROP TRIGGER votes_cast")
	older, err := migrate.Open(t.Context(), client, schema.Steps(), plaza.Triggers)
	require.NoError(t, err)
	exec(t, client, fmt.Sprintf("INSERT INTO schema_steps (number, name, done_at) VALUES (%d, 'newer', 1)", schema.Version+1))
	require.ErrorContains(t, older.Run(t.Context(), quiet), "this build knows only")
	assert.NotContains(t, objects(t, client), "trigger votes_cast")
}

func TestADatabaseOfOthersIsRefused(t *testing.T) {
	client := stacktest.OpenHrana(t)
	exec(t, client, "CREATE TABLE theirs (x)", "CREATE VIEW their_view AS SELECT x FROM theirs")
	_, err := migrate.Open(t.Context(), client, schema.Steps(), plaza.Triggers)
	require.ErrorContains(t, err, "view their_view")
}

func TestTriggersThatAreRefusedChangeNothing(t *testing.T) {
	client := stacktest.OpenHrana(t)
	_, err := client.Tx(t.Context(), migrate.FullSchema()...)
	require.NoError(t, err)
	before := objects(t, client)
	db, err := migrate.Open(t.Context(), client, schema.Steps(), plaza.Triggers+"CREATE TRIGGER x AFTER INSERT ON nowhere BEGIN SELECT 1; END;")
	require.NoError(t, err)
	require.ErrorContains(t, db.Run(t.Context(), quiet), "triggers and views: ")
	assert.Equal(t, before, objects(t, client))
}

func TestSeveralAtOnceOnAnEmptyDatabase(t *testing.T) {
	for name, test := range map[string]struct {
		steps []schema.Step
		want  map[string]string
	}{
		"the site's steps": {schema.Steps(), schema.Objects(plaza.Schema)},
		"many steps":       {manySteps, schema.Objects(createdByManySteps)},
	} {
		t.Run(name, func(t *testing.T) {
			url, transport := stacktest.OpenDB(t)
			errs := make([]error, 3)
			var machines sync.WaitGroup
			for i := range errs {
				machines.Go(func() { errs[i] = run(t.Context(), hrana.New(hrana.Options{URL: url, HTTP: transport}), test.steps) })
			}
			machines.Wait()
			assert.Equal(t, make([]error, 3), errs)
			assert.Equal(t, test.want, objects(t, hrana.New(hrana.Options{URL: url, HTTP: transport})))
		})
	}
}

// step makes a step that is one transaction.
func step(name, sql string) schema.Step { return schema.Step{Name: name, SQL: sql} }

func TestRefusedDatabases(t *testing.T) {
	steps := []schema.Step{step("first", "CREATE TABLE IF NOT EXISTS a (x); CREATE INDEX IF NOT EXISTS a_x ON a (x)"),
		step("second", "ALTER TABLE a ADD COLUMN y")}
	longer := append(steps[:2:2], step("third", "CREATE TABLE b (x)"))
	other := []schema.Step{steps[0], step("elsewhere", "CREATE TABLE c (x)")}
	client := stacktest.OpenHrana(t)
	require.NoError(t, run(t.Context(), client, longer))
	before := objects(t, client)
	t.Run("one that a newer build has migrated", func(t *testing.T) {
		assert.EqualError(t, run(t.Context(), client, steps), "it is at step 3 (third), and this build knows only 2: use the build that has "+
			"migrated it, or a newer one")
	})
	t.Run("one that a build of another branch has migrated", func(t *testing.T) {
		assert.EqualError(t, run(t.Context(), client, other), `its step 2 is "second" and that of this build "elsewhere": it was migrated by a `+
			`build of another branch`)
	})
	t.Run("one whose steps were forgotten by hand", func(t *testing.T) {
		exec(t, client, "DELETE FROM schema_steps WHERE number = 2")
		assert.EqualError(t, run(t.Context(), client, longer), "it remembers step 3 and not step 2: somebody has changed schema_steps")
	})
	assert.Equal(t, before, objects(t, client), "nothing was changed")

	t.Run("one with other tables than step 1 makes, and no memory of steps", func(t *testing.T) {
		client := stacktest.OpenHrana(t)
		exec(t, client, "CREATE TABLE a (x, z)", "CREATE INDEX a_x ON a (z)")
		assert.EqualError(t, run(t.Context(), client, steps), "it was made by a build from which no step leads here: not as in step 1 (first): "+
			"index a_x, table a")
		assert.Len(t, objects(t, client), 2)
	})
	t.Run("but not one that has some of the tables of step 1, and tables of others", func(t *testing.T) {
		client := stacktest.OpenHrana(t)
		exec(t, client, "CREATE TABLE a (x) -- as ever", "CREATE TABLE theirs (x)")
		require.NoError(t, run(t.Context(), client, steps))
		assert.Contains(t, objects(t, client), "index a_x")
		assert.EqualValues(t, 2, query(t, client, schema.Taken)[0][0])
	})
}

func TestAStepThatFails(t *testing.T) {
	client := stacktest.OpenHrana(t)
	steps := []schema.Step{step("first", "CREATE TABLE a (x UNIQUE)"), step("second", "CREATE TABLE b (x); INSERT INTO a VALUES (1), (1); "+
		"CREATE TABLE c (x)")}
	err := run(t.Context(), client, steps)
	require.ErrorContains(t, err, "step 2 (second): ")
	require.ErrorContains(t, err, "INSERT INTO a VALUES (1), (1)")
	assert.NotContains(t, objects(t, client), "table b", "all of it or nothing")
	assert.EqualValues(t, 1, query(t, client, schema.Taken)[0][0])

	steps[1].SQL = "CREATE TABLE b (x); INSERT INTO a VALUES (1), (2); CREATE TABLE c (x)"
	require.NoError(t, run(t.Context(), client, steps), "the repaired step is taken")
	assert.EqualValues(t, 2, query(t, client, schema.Taken)[0][0])
}

func TestDifferences(t *testing.T) {
	client := stacktest.OpenHrana(t)
	db, err := migrate.Open(t.Context(), client, schema.Steps(), plaza.Triggers)
	require.NoError(t, err)
	require.NoError(t, db.Run(t.Context(), quiet))
	differ, err := db.Differences(t.Context())
	require.NoError(t, err)
	assert.Empty(t, differ)
	exec(t, client, "DROP INDEX posts_hot", "DROP TRIGGER votes_cast", "CREATE TRIGGER votes_cast AFTER INSERT ON votes "+
		"BEGIN DELETE FROM outbox; END", "CREATE TABLE theirs (x)")
	differ, err = db.Differences(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{"index posts_hot", "trigger votes_cast"}, differ)
}
