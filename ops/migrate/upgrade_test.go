package migrate_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data/schema"
	"plaza/test/stacktest"
)

// manySteps alter a table, fill a column in pieces, add an index, rebuild a table and change a trigger. createdByManySteps is the same as
// new CREATE statements.
var manySteps = slices.Concat([]schema.Step{step("first", marks[0].SQL+";"+notes[0].SQL)}, marks[1:], notes[1:])

const createdByManySteps = `CREATE TABLE marks (who INTEGER NOT NULL, what TEXT NOT NULL, n INTEGER NOT NULL,
  visits INTEGER NOT NULL DEFAULT 0, twice INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (who, what)) STRICT, WITHOUT ROWID;
CREATE INDEX marks_twice ON marks (twice);
CREATE TRIGGER marks_added AFTER INSERT ON marks BEGIN UPDATE marks SET twice = 2 * n WHERE who = new.who AND what = new.what; END;
CREATE TRIGGER marks_changed AFTER UPDATE OF n ON marks BEGIN UPDATE marks SET twice = 2 * n WHERE who = new.who AND what = new.what; END;
CREATE TABLE notes (who INTEGER NOT NULL, id INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (who, id)) STRICT, WITHOUT ROWID;
CREATE TABLE authors (who INTEGER PRIMARY KEY) STRICT;
CREATE TRIGGER authors_came AFTER INSERT ON authors BEGIN INSERT INTO notes (id, who, text) VALUES (1000 + new.who, new.who, 'hello'); END;
` + schema.Record

// A database with the tables of step 1 and rows, and without a record of steps, runs all steps and keeps each row.
func TestEveryRowOutlivesTheSteps(t *testing.T) {
	client := stacktest.OpenHrana(t)
	exec(t, client, schema.Split(manySteps[0].SQL)...)
	exec(t, client, fill, `INSERT INTO notes (id, who, text) SELECT value, value % 7, 'old ' || value FROM generate_series(1, 95)`,
		`INSERT INTO authors (who) VALUES (1), (2)`)
	content := func() (all [][][]any) {
		for table, columns := range map[string]string{"marks": "who, what, n", "notes": "id, who, text", "authors": "who"} {
			all = append(all, query(t, client, fmt.Sprintf("SELECT '%s', %s FROM %s ORDER BY %[2]s", table, columns, table)))
		}
		slices.SortFunc(all, func(a, b [][]any) int { return len(a) - len(b) })
		return all
	}
	before := content()
	require.Equal(t, []int{2, 95, 97}, []int{len(before[0]), len(before[1]), len(before[2])})

	require.NoError(t, run(t.Context(), client, manySteps))
	assert.Equal(t, schema.Objects(createdByManySteps), objects(t, client))
	assert.Equal(t, before, content(), "no row was lost or changed")
	assert.EqualValues(t, len(manySteps), query(t, client, schema.Taken)[0][0])
	require.NoError(t, run(t.Context(), client, manySteps), "and nothing is left to do")
}
