package hrana_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
)

func named(text string, args ...hrana.Named) hrana.Stmt { return hrana.Stmt{SQL: text, Named: args} }

func TestNamedArguments(t *testing.T) {
	c := stacktest.OpenHrana(t)
	t.Run("come back as they were given, in any order, each as often as it is named", func(t *testing.T) {
		values := []any{nil, true, int64(math.MinInt64), int64(1<<53 + 1), -0.5, "é\x00\"", []byte{0, 0xff}, []byte{}}
		want := []any{nil, int64(1), int64(math.MinInt64), int64(1<<53 + 1), -0.5, "é\x00\"", []byte{0, 0xff}, []byte{}}
		names := []string{"nothing", "yes", "least", "big", "half", "text", "blob", "empty"}
		var args []hrana.Named
		for i, name := range names {
			args = append([]hrana.Named{{Name: name, Value: values[i]}}, args...)
		}
		res := mustQuery(t, c, named("SELECT :nothing, :yes, :least, :big, :half, :text, :blob, :empty, :big", args...))
		assert.Equal(t, append(want, int64(1<<53+1)), res[0].Rows()[0])
	})
	t.Run("go into transactions beside statements with positional ones", func(t *testing.T) {
		res := mustTx(t, c, sql("CREATE TABLE t (a, b)"), sql("INSERT INTO t VALUES (?1, ?2)", 1, "one"),
			named("INSERT INTO t VALUES (:a, :b)", hrana.Named{Name: "b", Value: "two"}, hrana.Named{Name: "a", Value: 2}),
			sql("SELECT b FROM t ORDER BY a"))
		assert.Equal(t, [][]any{{"one"}, {"two"}}, res[3].Rows())
	})
	refused := map[string]hrana.Stmt{
		"one that the statement has not":            named("SELECT :a", hrana.Named{Name: "a", Value: 1}, hrana.Named{Name: "b", Value: 1}),
		"one of another name":                       named("SELECT :a", hrana.Named{Name: "b", Value: 1}),
		"any for a statement without parameters":    named("SELECT 1", hrana.Named{Name: "a", Value: 1}),
		"some and not all":                          named("SELECT :a, :b", hrana.Named{Name: "a", Value: 1}),
		"none where there should be one":            named("SELECT :a"),
		"positional ones in the same statement":     {SQL: "SELECT :a, ?2", Args: []any{1}, Named: []hrana.Named{{Name: "a", Value: 1}}},
		"a parameter by number among those by name": named("SELECT :a, ?2", hrana.Named{Name: "a", Value: 1}),
	}
	for name, stmt := range refused {
		t.Run("are refused with "+name, func(t *testing.T) {
			_, err := c.Query(t.Context(), stmt)
			assert.Equal(t, 0, asError(t, err).Step, "%v", err)
			_, err = c.Tx(t.Context(), sql("SELECT 1"), stmt)
			require.Error(t, err)
			t.Log(err)
		})
	}
	t.Run("of a type that can't be sent are refused by name", func(t *testing.T) {
		_, err := c.Query(t.Context(), named("SELECT :a", hrana.Named{Name: "a", Value: uint64(1)}))
		assert.ErrorContains(t, err, "argument :a has type uint64")
	})
}
