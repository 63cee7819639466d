package migrate_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data/schema"
	"plaza/ops/migrate"
	"plaza/test/stacktest"
)

// The rules of docs/operations/schema-steps.md about ALTER TABLE: its result equals a new CREATE statement.
func TestAlteredTables(t *testing.T) {
	client := stacktest.OpenHrana(t)
	exec(t, client,
		"CREATE TABLE IF NOT EXISTS plain (\n\tid INTEGER PRIMARY KEY, -- the key\n\tname TEXT -- the last\n) STRICT",
		"CREATE TABLE keyed (a INTEGER, -- the first\n\tb INTEGER, -- the second\n\tPRIMARY KEY (a, b)\n) STRICT, WITHOUT ROWID",
		"ALTER TABLE plain ADD COLUMN size INTEGER NOT NULL DEFAULT 0",
		"ALTER TABLE keyed ADD COLUMN size INTEGER NOT NULL DEFAULT 0",
		"CREATE TABLE other (id INTEGER PRIMARY KEY)",
		"CREATE INDEX others ON other (id)",
		"ALTER TABLE other RENAME TO another")
	want := schema.Objects(`CREATE TABLE plain (id INTEGER PRIMARY KEY, name TEXT, size INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE keyed (a INTEGER, b INTEGER, size INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (a, b)) STRICT, WITHOUT ROWID;
CREATE TABLE another (id INTEGER PRIMARY KEY);
CREATE INDEX others ON another (id)`)
	assert.Equal(t, want, objects(t, client))
}

// notes get a key by their author: the table is rebuilt, as docs/operations/schema-steps.md describes.
var notes = []schema.Step{
	step("first", `CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, who INTEGER NOT NULL, text TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS authors (who INTEGER PRIMARY KEY) STRICT;
CREATE TRIGGER IF NOT EXISTS authors_came AFTER INSERT ON authors BEGIN
  INSERT INTO notes (id, who, text) VALUES (1000 + new.who, new.who, 'hello');
END`),
	step("begin", `CREATE TABLE notes_new (who INTEGER NOT NULL, id INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (who, id)) STRICT,
  WITHOUT ROWID;
CREATE TRIGGER notes_copy_added AFTER INSERT ON notes BEGIN INSERT INTO notes_new (who, id, text) VALUES (new.who, new.id, new.text); END;
CREATE TRIGGER notes_copy_changed AFTER UPDATE ON notes BEGIN
  DELETE FROM notes_new WHERE who = old.who AND id = old.id;
  INSERT INTO notes_new (who, id, text) VALUES (new.who, new.id, new.text);
END;
CREATE TRIGGER notes_copy_deleted AFTER DELETE ON notes BEGIN DELETE FROM notes_new WHERE who = old.who AND id = old.id; END`),
	{Name: "copy", Batch: schema.Batch{Table: "notes", Key: []string{"id"}, Rows: 10},
		SQL: `INSERT INTO notes_new (who, id, text) SELECT who, id, text FROM notes WHERE id BETWEEN :first_id AND :last_id
  ON CONFLICT DO NOTHING`},
	// Triggers of other tables that refer to the table are dropped first: SQLite renames nothing while one of them refers to a missing
	// table.
	step("swap", `DROP TRIGGER authors_came;
DROP TABLE notes;
ALTER TABLE notes_new RENAME TO notes;
CREATE TRIGGER authors_came AFTER INSERT ON authors BEGIN INSERT INTO notes (id, who, text) VALUES (1000 + new.who, new.who, 'hello');
  END`),
}

func TestATableIsRebuiltWhileTheSiteWrites(t *testing.T) {
	const old = `INSERT INTO notes (id, who, text) SELECT value, value % 7, 'old ' || value FROM generate_series(1, 95)`
	writes := func(n int) []string { // behind and before the copied rows, also to the same rows again
		return []string{
			fmt.Sprintf(`INSERT INTO authors (who) VALUES (%d)`, n),
			fmt.Sprintf(`INSERT INTO notes (id, who, text) VALUES (-%d, 3, 'new')`, n),
			fmt.Sprintf(`UPDATE notes SET text = text || ' changed', who = who + 1 WHERE id %% 11 = %d`, n%11),
			fmt.Sprintf(`DELETE FROM notes WHERE id IN (%d, %d)`, n*3, 95-n),
		}
	}
	client := stacktest.OpenHrana(t)
	require.NoError(t, run(t.Context(), client, notes[:1]))
	exec(t, client, old)
	db, err := migrate.Open(t.Context(), client, notes, "")
	require.NoError(t, err)
	n := 0
	require.NoError(t, db.Run(t.Context(), func(migrate.Progress) {
		n++
		exec(t, client, writes(n)...)
	}))
	require.Greater(t, n, 10)

	plain := stacktest.OpenHrana(t) // the same on a table that is not rebuilt
	require.NoError(t, run(t.Context(), plain, notes[:1]))
	exec(t, plain, old)
	for i := range n {
		exec(t, plain, writes(i+1)...)
	}
	const all = `SELECT id, who, text FROM notes ORDER BY id`
	assert.Equal(t, query(t, plain, all), query(t, client, all))
	created := objects(t, client)
	assert.Equal(t, schema.Canonical(`CREATE TABLE notes (who INTEGER NOT NULL, id INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (who, `+
		`id)) STRICT, WITHOUT ROWID`), created["table notes"])
	assert.Len(t, created, 4, "notes, authors and its trigger, schema_steps")
}
