package migrate_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza"
	"plaza/data/schema"
	"plaza/stack/stacktest"
)

// testdata/first.sql.gz is the dump of a database that the last build before steps has made: `plaza migrate`, `plaza import` of its
// samples, `plaza seed --users 60 --comments 500 --votes 2500`, all votes and comments counted.
func TestADatabaseFromBeforeSteps(t *testing.T) {
	client := stacktest.OpenHrana(t)
	stacktest.Restore(t, client, "testdata/first.sql.gz")
	made := objects(t, client)
	require.Equal(t, schema.Objects(schema.Steps()[0].SQL), made, "step 1 is what that build has made")

	// Every row, by the columns that there were.
	columns := map[string]string{}
	for _, row := range query(t, client, `SELECT m.name, group_concat(c.name) FROM sqlite_schema m JOIN pragma_table_info(m.name) c
WHERE m.type = 'table' AND m.sql IS NOT NULL GROUP BY m.name`) {
		columns[row[0].(string)] = row[1].(string)
	}
	require.Len(t, columns, strings.Count(schema.Steps()[0].SQL, "CREATE TABLE"))
	content := func() map[string][][]any {
		all := map[string][][]any{}
		for table, list := range columns {
			all[table] = query(t, client, "SELECT "+list+" FROM "+table+" ORDER BY "+list)
		}
		return all
	}
	before := content()
	require.Len(t, before["votes"], 3010)
	require.Len(t, before["posts"], 210)

	require.NoError(t, run(t.Context(), client, schema.Steps()))
	assert.Equal(t, schema.Objects(plaza.Schema), objects(t, client))
	assert.Equal(t, before, content(), "no row was lost or changed")
	assert.EqualValues(t, schema.Version, query(t, client, schema.Taken)[0][0])
}
