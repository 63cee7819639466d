package schema

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestSplit(t *testing.T) {
	trigger := "CREATE TRIGGER a AFTER INSERT ON t WHEN CASE WHEN new.x THEN 1 END BEGIN\n\tUPDATE t SET y = 'END;'; -- END;\n\tDELETE FROM u;\nEND"
	tests := map[string]struct {
		in   string
		want []string
	}{
		"nothing":                             {"", nil},
		"only comments and semicolons":        {" ;; -- a;\n/* b; */ ;\n", nil},
		"one statement without a semicolon":   {"SELECT 1", []string{"SELECT 1"}},
		"two statements":                      {"SELECT 1;\nSELECT 2;\n", []string{"SELECT 1", "SELECT 2"}},
		"comments between are dropped":        {"-- one\nSELECT 1; /* two; */ SELECT 2 -- three", []string{"SELECT 1", "SELECT 2"}},
		"comments inside stay":                {"SELECT -- a;b\n 1;", []string{"SELECT -- a;b\n 1"}},
		"semicolons in quotes":                {"SELECT ';', \";\", `;`, [;], 'it''s;';SELECT 2", []string{"SELECT ';', \";\", `;`, [;], 'it''s;'", "SELECT 2"}},
		"a trigger":                           {trigger + "; SELECT 1;", []string{trigger, "SELECT 1"}},
		"a trigger that may exist":            {"create trigger if not exists a after delete on t begin select 1; end; select 2", []string{"create trigger if not exists a after delete on t begin select 1; end", "select 2"}},
		"a temporary trigger":                 {"CREATE /**/ TEMP\nTRIGGER a BEGIN x; END;y", []string{"CREATE /**/ TEMP\nTRIGGER a BEGIN x; END", "y"}},
		"CASE that ends a statement's line":   {"CREATE TRIGGER a BEGIN UPDATE t SET x = CASE WHEN 1 THEN 2 END; DELETE FROM t; END;b", []string{"CREATE TRIGGER a BEGIN UPDATE t SET x = CASE WHEN 1 THEN 2 END; DELETE FROM t; END", "b"}},
		"a space and a comment before END":    {"CREATE TRIGGER a BEGIN x; /* ; */ END /* ; */ ; b", []string{"CREATE TRIGGER a BEGIN x; /* ; */ END", "b"}},
		"a table called trigger":              {"CREATE TABLE trigger_log (a); CREATE TABLE \"TRIGGER\" (b);", []string{"CREATE TABLE trigger_log (a)", "CREATE TABLE \"TRIGGER\" (b)"}},
		"BEGIN outside a trigger":             {"BEGIN; SELECT 1; END; SELECT 2", []string{"BEGIN", "SELECT 1", "END", "SELECT 2"}},
		"a byte-order mark":                   {"\ufeffSELECT 1;", []string{"SELECT 1"}},
		"names beyond ASCII":                  {"SELECT é;SELECT 'ü;'", []string{"SELECT é", "SELECT 'ü;'"}},
		"a quote without end":                 {"SELECT 1; SELECT 'a; b", []string{"SELECT 1", "SELECT 'a; b"}},
		"a trigger without end":               {"CREATE TRIGGER a BEGIN x; y;", []string{"CREATE TRIGGER a BEGIN x; y;"}},
		"division and minus are not comments": {"SELECT 1/2-1; SELECT 3", []string{"SELECT 1/2-1", "SELECT 3"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, tt.want, Split(tt.in))
		})
	}
}

func TestSplitOfJoined(t *testing.T) {
	statement := rapid.SampledFrom([]string{
		"SELECT 1", "INSERT INTO t VALUES ('a;b', \";\")", "CREATE TABLE t (\n\ta -- first;\n)",
		"CREATE TRIGGER x AFTER INSERT ON t BEGIN DELETE FROM u; SELECT CASE WHEN 1 THEN 2 END; END",
	})
	gap := rapid.SampledFrom([]string{";", ";\n", " ; ", "; -- it's; \"\n", ";/* ' ; */;"})
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(statement, 1, 6).Draw(t, "statements")
		var b strings.Builder
		for _, s := range want {
			b.WriteString(s + gap.Draw(t, "gap"))
		}
		assert.Equal(t, want, Split(b.String()))
	})
}

func FuzzSplit(f *testing.F) {
	f.Add("CREATE TRIGGER a BEGIN x; END; -- '\n SELECT 'a''b' /* */;")
	f.Fuzz(func(t *testing.T, sql string) {
		for _, s := range Split(sql) {
			if s == "" || !strings.Contains(sql, s) {
				t.Fatalf("%q is not a part of %q", s, sql)
			}
			if again := Split(s); len(again) != 1 || again[0] != s {
				t.Fatalf("%q splits again into %q", s, again)
			}
		}
	})
}
