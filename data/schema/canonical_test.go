package schema

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCanonical(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"comments and white space":      {"CREATE TABLE t ( -- a table\n\ta INTEGER, /* b */ b\n)", "CREATE TABLE t ( a INTEGER , b )"},
		"IF NOT EXISTS":                 {"create table if not exists t(a)", "create table t ( a )"},
		"a quoted name, as of a rename": {`CREATE TABLE "t2" (a)`, "CREATE TABLE t2 ( a )"},
		"a name that needs its quotes":  {`CREATE TABLE "a b" ("c-d")`, `CREATE TABLE "a b" ( "c-d" )`},
		"text is left alone":            {"SELECT 'a  -- \"b\"'", "SELECT 'a  -- \"b\"'"},
		"a column that was added":       {"CREATE TABLE t (\n  a INTEGER  -- the last\n, b TEXT)", "CREATE TABLE t ( a INTEGER , b TEXT )"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) { assert.Equal(t, tt.want, Canonical(tt.in)) })
	}
}

func TestObject(t *testing.T) {
	tests := []struct{ in, kind, name string }{
		{"CREATE TABLE IF NOT EXISTS users (id)", "table", "users"},
		{"CREATE TABLE users(id)", "table", "users"},
		{"CREATE UNIQUE INDEX IF NOT EXISTS a ON t (b)", "index", "a"},
		{"create index a on t (b)", "index", "a"},
		{"CREATE TRIGGER a AFTER INSERT ON table_of BEGIN SELECT 1; END", "trigger", "a"},
		{`CREATE VIEW "v" AS SELECT 1`, "view", "v"},
		{"ALTER TABLE t ADD COLUMN a", "", ""},
		{"CREATE", "", ""},
		{"CREATE TABLE", "", ""},
		{"", "", ""},
	}
	for _, tt := range tests {
		kind, name := Object(tt.in)
		assert.Equal(t, [2]string{tt.kind, tt.name}, [2]string{kind, name}, tt.in)
	}
}

func TestParameters(t *testing.T) {
	assert.Equal(t, []string{"first_id", "last_id"}, Parameters("UPDATE t SET a = ':no', b = 1 -- :neither\nWHERE id BETWEEN :first_id AND :last_id OR id = :first_id"))
}

func TestVersionIsThatOfTheLastStep(t *testing.T) {
	steps := Steps()
	require.Len(t, steps, Version)
	for i, step := range steps {
		assert.NotEmpty(t, step.Name, "step %d", i+1)
	}
}

func FuzzCanonical(f *testing.F) {
	f.Add(`CREATE TABLE IF NOT EXISTS "a" (b TEXT DEFAULT 'x''y' /* c */); -- d`)
	f.Fuzz(func(t *testing.T, sql string) {
		once := Canonical(sql)
		if again := Canonical(once); again != once {
			t.Fatalf("%q is canonical, and again %q", once, again)
		}
		Object(sql)
		Parameters(sql)
	})
}
