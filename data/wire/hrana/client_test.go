package hrana_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
)

func sql(text string, args ...any) hrana.Stmt { return hrana.Stmt{SQL: text, Args: args} }

func mustTx(t *testing.T, c *hrana.Client, stmts ...hrana.Stmt) []hrana.Result {
	t.Helper()
	res, err := c.Tx(t.Context(), stmts...)
	require.NoError(t, err)
	return res
}

func mustQuery(t *testing.T, c *hrana.Client, stmts ...hrana.Stmt) []hrana.Result {
	t.Helper()
	res, err := c.Query(t.Context(), stmts...)
	require.NoError(t, err)
	return res
}

func count(t *testing.T, c *hrana.Client, table string) int64 {
	t.Helper()
	return mustQuery(t, c, sql("SELECT count(*) FROM "+table))[0].Rows()[0][0].(int64)
}

func asError(t *testing.T, err error) *hrana.Error {
	t.Helper()
	var e *hrana.Error
	require.ErrorAs(t, err, &e)
	return e
}

func TestValues(t *testing.T) {
	c := stacktest.OpenHrana(t)
	mustTx(t, c, sql("CREATE TABLE v (id INTEGER PRIMARY KEY, v ANY) STRICT"))
	big := strings.Repeat("tall ✓ \"quoted\"\n", 20_000)
	tests := map[string]struct{ in, out any }{
		"null":                           {nil, nil},
		"true is 1":                      {true, int64(1)},
		"false is 0":                     {false, int64(0)},
		"an int":                         {42, int64(42)},
		"zero":                           {int64(0), int64(0)},
		"2^53 + 1, which JSON rounds":    {int64(1<<53 + 1), int64(1<<53 + 1)},
		"the largest integer":            {int64(math.MaxInt64), int64(math.MaxInt64)},
		"the smallest integer":           {int64(math.MinInt64), int64(math.MinInt64)},
		"a float":                        {1.5, 1.5},
		"a float that looks integral":    {5.0, 5.0},
		"the largest float":              {math.MaxFloat64, math.MaxFloat64},
		"the smallest float":             {math.SmallestNonzeroFloat64, math.SmallestNonzeroFloat64},
		"a float with all its digits":    {0.1 + 0.2, 0.1 + 0.2},
		"an empty text":                  {"", ""},
		"unicode beyond the first plane": {"grüße 世界 😀👩‍👩‍👧 \u202e\u2028\ufeff", "grüße 世界 😀👩‍👩‍👧 \u202e\u2028\ufeff"},
		"quotes, backslashes, controls":  {"\"'\\\x01\x1f\x7f\t\r\n\b\f</script>", "\"'\\\x01\x1f\x7f\t\r\n\b\f</script>"},
		"a text with NUL inside":         {"a\x00b", "a\x00b"},
		"a text that looks like JSON":    {`{"type":"null"}`, `{"type":"null"}`},
		"a long text":                    {big, big},
		"an empty blob":                  {[]byte{}, []byte{}},
		"a blob of one byte":             {[]byte{0xff}, []byte{0xff}},
		"a blob of two bytes":            {[]byte{0, 0xff}, []byte{0, 0xff}},
		"a blob of three bytes":          {[]byte{0, 1, 2}, []byte{0, 1, 2}},
		"a nil slice is an empty blob":   {[]byte(nil), []byte{}},
	}
	for name, tt := range tests {
		t.Run(name+" comes back as it was stored", func(t *testing.T) {
			id := mustTx(t, c, sql("INSERT INTO v (v) VALUES (?)", tt.in))[0].LastInsertRowID
			res := mustQuery(t, c, sql("SELECT v, ?1 FROM v WHERE id = ?2", tt.in, id))
			require.Len(t, res[0].Rows(), 1)
			assert.Equal(t, []any{tt.out, tt.out}, res[0].Rows()[0])
		})
	}
	t.Run("negative zero keeps its sign", func(t *testing.T) {
		res := mustQuery(t, c, sql("SELECT ?", math.Copysign(0, -1)))
		assert.True(t, math.Signbit(res[0].Rows()[0][0].(float64)))
	})

	type id int64
	refused := map[string]struct {
		in   any
		says string
	}{
		"NaN":                      {math.NaN(), "argument 2 is NaN"},
		"infinity":                 {math.Inf(-1), "argument 2 is -Inf"},
		"a text that is not UTF-8": {"\xff", "argument 2 is not valid UTF-8"},
		"a named type":             {id(1), "argument 2 has type hrana_test.id"},
		"an unsigned integer":      {uint64(1), "argument 2 has type uint64"},
	}
	for name, tt := range refused {
		t.Run(name+" is refused before anything is sent", func(t *testing.T) {
			ctx, meter := hrana.WithMeter(t.Context())
			for _, call := range []func(context.Context, ...hrana.Stmt) ([]hrana.Result, error){c.Query, c.Tx} {
				_, err := call(ctx, sql("SELECT 1"), sql("SELECT ?, ?", 1, tt.in))
				e := asError(t, err)
				assert.Equal(t, 1, e.Step)
				assert.Contains(t, e.Message, tt.says)
			}
			assert.Zero(t, meter.Requests())
		})
	}
	t.Run("an infinity computed by SQL is a clear error", func(t *testing.T) {
		_, err := c.Query(t.Context(), sql("SELECT 1e308 * 10"))
		assert.ErrorContains(t, err, "infinity")
	})
}

func TestQuery(t *testing.T) {
	c := stacktest.OpenHrana(t)
	mustTx(t, c, sql("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)"),
		sql("INSERT INTO t VALUES (1, 'one'), (2, 'two'), (3, 'three')"))

	t.Run("answers every statement in order", func(t *testing.T) {
		res := mustQuery(t, c, sql("SELECT b FROM t WHERE a = ?", 2), sql("SELECT a, b FROM t ORDER BY a"))
		assert.Equal(t, []string{"b"}, res[0].Columns)
		assert.Equal(t, [][]any{{"two"}}, res[0].Rows())
		assert.Equal(t, []string{"a", "b"}, res[1].Columns)
		assert.Equal(t, [][]any{{int64(1), "one"}, {int64(2), "two"}, {int64(3), "three"}}, res[1].Rows())
	})
	t.Run("an empty result keeps its columns", func(t *testing.T) {
		res := mustQuery(t, c, sql("SELECT a AS x, b FROM t WHERE a > 9"))
		assert.Equal(t, []string{"x", "b"}, res[0].Columns)
		assert.Empty(t, res[0].Rows())
	})
	t.Run("no statements cost no request", func(t *testing.T) {
		ctx, meter := hrana.WithMeter(t.Context())
		res, err := c.Query(ctx)
		require.NoError(t, err)
		assert.Empty(t, res)
		assert.Zero(t, meter.Requests())
	})
	t.Run("the first failing statement is named", func(t *testing.T) {
		res, err := c.Query(t.Context(), sql("SELECT 1"), sql("SELECT * FROM nope"), sql("SELECT * FROM nope2"))
		assert.Nil(t, res)
		e := asError(t, err)
		assert.Equal(t, 1, e.Step)
		assert.Contains(t, e.Message, "no such table: nope")
		assert.Zero(t, e.Status)
	})
	t.Run("an error of the whole batch inside HTTP 200 is found", func(t *testing.T) {
		for text, code := range map[string]string{
			"SELEC 1": "SQL_PARSE_ERROR", "SELECT 1; SELECT 2": "SQL_MANY_STATEMENTS", "-- nothing": "SQL_NO_STATEMENT",
		} {
			_, err := c.Query(t.Context(), sql("SELECT 1"), sql(text))
			e := asError(t, err)
			assert.Equal(t, code, e.Code)
			assert.Equal(t, -1, e.Step)
		}
	})
	t.Run("too few arguments are an error of their statement", func(t *testing.T) {
		_, err := c.Query(t.Context(), sql("SELECT ?, ?", 1))
		assert.Equal(t, "ARGS_INVALID", asError(t, err).Code)
	})
	t.Run("a numbered parameter is used twice", func(t *testing.T) {
		res := mustQuery(t, c, sql("SELECT ?2, ?1, ?2", "a", "b"))
		assert.Equal(t, [][]any{{"b", "a", "b"}}, res[0].Rows())
	})
	t.Run("1000 rows and 1000 statements arrive whole", func(t *testing.T) {
		const thousand = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT i, 'x' || i FROM n"
		res := mustQuery(t, c, sql(thousand))
		require.Len(t, res[0].Rows(), 1000)
		for i, row := range res[0].Rows() {
			require.Equal(t, int64(i+1), row[0])
		}
		stmts := make([]hrana.Stmt, 1000)
		for i := range stmts {
			stmts[i] = sql("SELECT ?", i)
		}
		for i, r := range mustQuery(t, c, stmts...) {
			require.Equal(t, int64(i), r.Rows()[0][0])
		}
	})
	t.Run("rows of a result can grow without touching the next", func(t *testing.T) {
		res := mustQuery(t, c, sql("SELECT a, b FROM t ORDER BY a"))
		_ = append(res[0].Rows()[0], "grown")
		assert.Equal(t, []any{int64(2), "two"}, res[0].Rows()[1])
	})
}

func TestTx(t *testing.T) {
	open := func(t *testing.T) *hrana.Client {
		c := stacktest.OpenHrana(t)
		mustTx(t, c, sql("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT UNIQUE, c CHECK (c > 0))"),
			sql("CREATE TABLE child (id INTEGER PRIMARY KEY, t INTEGER REFERENCES t DEFERRABLE INITIALLY DEFERRED)"),
			sql("CREATE TABLE named (k TEXT PRIMARY KEY) WITHOUT ROWID"),
			sql("CREATE TRIGGER no_nine BEFORE INSERT ON t WHEN NEW.c = 9 BEGIN SELECT RAISE(ABORT, 'no nines'); END"),
			sql("INSERT INTO t VALUES (1, 'one', 1)"), sql("INSERT INTO named VALUES ('x')"))
		return c
	}
	t.Run("commits everything and returns the results of the statements only", func(t *testing.T) {
		c := open(t)
		res := mustTx(t, c, sql("INSERT INTO t (b) VALUES (?)", "two"),
			sql("UPDATE t SET c = 2"), sql("SELECT b FROM t ORDER BY a"), sql("DELETE FROM t WHERE a = 1 RETURNING b"))
		require.Len(t, res, 4)
		assert.Equal(t, int64(2), res[0].LastInsertRowID)
		assert.Equal(t, int64(2), res[1].RowsAffected)
		assert.Equal(t, [][]any{{"one"}, {"two"}}, res[2].Rows())
		assert.Equal(t, [][]any{{"one"}}, res[3].Rows())
		assert.Equal(t, int64(1), count(t, c, "t"))
	})
	failing := map[string]struct {
		stmt hrana.Stmt
		code string
		uniq bool
	}{
		"a unique violation":          {sql("INSERT INTO t (b) VALUES ('one')"), "SQLITE_CONSTRAINT", true},
		"a primary key violation":     {sql("INSERT INTO t (a) VALUES (1)"), "SQLITE_CONSTRAINT", true},
		"a text key violation":        {sql("INSERT INTO named VALUES ('x')"), "SQLITE_CONSTRAINT", true},
		"a check violation":           {sql("INSERT INTO t (c) VALUES (0)"), "SQLITE_CONSTRAINT", false},
		"a trigger's refusal":         {sql("INSERT INTO t (c) VALUES (9)"), "SQLITE_CONSTRAINT", false},
		"a missing table":             {sql("INSERT INTO nope VALUES (1)"), "SQLITE_UNKNOWN", false},
		"an insert or rollback":       {sql("INSERT OR ROLLBACK INTO t (a) VALUES (1)"), "SQLITE_CONSTRAINT", true},
		"a statement short of values": {sql("INSERT INTO t (b) VALUES (?)"), "ARGS_INVALID", false},
	}
	for name, tt := range failing {
		t.Run(name+" in the middle undoes all and is named", func(t *testing.T) {
			c := open(t)
			res, err := c.Tx(t.Context(), sql("INSERT INTO t (b) VALUES ('before')"), tt.stmt,
				sql("INSERT INTO t (b) VALUES ('after')"))
			assert.Nil(t, res)
			e := asError(t, err)
			assert.Equal(t, 1, e.Step)
			assert.Equal(t, tt.code, e.Code)
			assert.Equal(t, tt.uniq, hrana.IsUnique(err), e.Message)
			assert.False(t, hrana.IsBusy(err))
			assert.False(t, hrana.IsUnavailable(err))
			assert.Equal(t, int64(1), count(t, c, "t"))
			mustTx(t, c, sql("INSERT INTO t (b) VALUES ('next')")) // no transaction was left open
		})
	}
	t.Run("a commit that is refused undoes all and blames no statement", func(t *testing.T) {
		c := open(t)
		_, err := c.Tx(t.Context(), sql("INSERT INTO child VALUES (1, 77)"))
		e := asError(t, err)
		assert.Equal(t, -1, e.Step)
		assert.Contains(t, e.Message, "FOREIGN KEY")
		assert.Equal(t, int64(0), count(t, c, "child"))
		mustTx(t, c, sql("INSERT INTO child VALUES (1, 1)"))
	})
	t.Run("a statement that does not parse undoes all", func(t *testing.T) {
		c := open(t)
		_, err := c.Tx(t.Context(), sql("DELETE FROM t"), sql("SELEC"))
		assert.Equal(t, "SQL_PARSE_ERROR", asError(t, err).Code)
		assert.Equal(t, int64(1), count(t, c, "t"))
	})
	t.Run("a result too large for the server undoes all", func(t *testing.T) {
		c := open(t)
		_, err := c.Tx(t.Context(), sql("DELETE FROM t"), sql("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12) "+
			"SELECT hex(zeroblob(500000)) FROM n"))
		t.Log(err)
		require.Error(t, err)
		assert.Equal(t, int64(1), count(t, c, "t"))
	})
}

func TestBatch(t *testing.T) {
	open := func(t *testing.T) *hrana.Client {
		c := stacktest.OpenHrana(t)
		mustTx(t, c, sql("CREATE TABLE t (a INTEGER PRIMARY KEY)"), sql("INSERT INTO t VALUES (1)"))
		return c
	}
	insert := func(n int) hrana.Stmt { return sql("INSERT INTO t VALUES (?)", n) }
	t.Run("every step gets its own result or error, and what went before stays", func(t *testing.T) {
		c := open(t)
		out, err := c.Batch(t.Context(), []hrana.Step{
			{Stmt: insert(2)}, {Stmt: insert(1)}, {Stmt: sql("SELECT a FROM t ORDER BY a")},
		})
		require.NoError(t, err)
		require.Len(t, out, 3)
		assert.Nil(t, out[0].Err)
		assert.Equal(t, int64(1), out[0].Result.RowsAffected)
		assert.True(t, hrana.IsUnique(out[1].Err))
		assert.Equal(t, 1, out[1].Err.Step)
		assert.Equal(t, [][]any{{int64(1)}, {int64(2)}}, out[2].Result.Rows())
	})
	conditions := map[string]struct {
		cond hrana.Cond
		runs bool
	}{
		"none":                   {hrana.Cond{}, true},
		"ok of a good step":      {hrana.IfOK(0), true},
		"ok of a failed step":    {hrana.IfOK(1), false},
		"ok of a skipped step":   {hrana.IfOK(2), false},
		"error of a good step":   {hrana.IfError(0), false},
		"error of a failed step": {hrana.IfError(1), true},
		"error of a skipped step, which sqld holds for failed": {hrana.IfError(2), true},
		"not":                          {hrana.Not(hrana.IfOK(1)), true},
		"and":                          {hrana.And(hrana.IfOK(0), hrana.IfError(1)), true},
		"and with one that fails":      {hrana.And(hrana.IfOK(0), hrana.IfOK(1)), false},
		"or":                           {hrana.Or(hrana.IfOK(1), hrana.IfOK(0)), true},
		"or with none that holds":      {hrana.Or(hrana.IfOK(1), hrana.IfError(0)), false},
		"conditions inside conditions": {hrana.Not(hrana.Or(hrana.And(hrana.IfOK(0), hrana.IfOK(1)), hrana.IfOK(2))), true},
	}
	c := open(t)
	for name, tt := range conditions {
		t.Run("a step runs only if its condition holds: "+name, func(t *testing.T) {
			out, err := c.Batch(t.Context(), []hrana.Step{
				{Stmt: sql("SELECT 1")}, {Stmt: insert(1)}, {Stmt: sql("SELECT 2"), If: hrana.IfOK(1)},
				{Stmt: sql("SELECT 3"), If: tt.cond},
			})
			require.NoError(t, err)
			assert.Equal(t, !tt.runs, out[3].Skipped)
			assert.Nil(t, out[3].Err)
		})
	}
	t.Run("a condition on a later step is refused", func(t *testing.T) {
		_, err := c.Batch(t.Context(), []hrana.Step{{Stmt: sql("SELECT 1"), If: hrana.Not(hrana.IfOK(0))}})
		assert.ErrorContains(t, err, "not an earlier one")
		_, err = c.Batch(t.Context(), []hrana.Step{{Stmt: sql("SELECT 1"), If: hrana.Not(hrana.Cond{})}})
		assert.ErrorContains(t, err, "empty condition")
	})
}
