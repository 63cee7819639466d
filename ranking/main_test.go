package ranking

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

// evaluate computes SQL expressions in sqld, which ranks by the same formulas.
func evaluate(t *testing.T, expressions []string) []float64 {
	t.Helper()
	stmts := make([]hrana.Stmt, len(expressions))
	for i, e := range expressions {
		stmts[i].SQL = "SELECT CAST(" + e + " AS REAL)"
	}
	results, err := stacktest.OpenHrana(t).Query(t.Context(), stmts...)
	require.NoError(t, err)
	values := make([]float64, len(results))
	for i, res := range results {
		require.Len(t, res.Rows(), 1)
		require.IsType(t, values[i], res.Rows()[0][0], expressions[i])
		values[i] = res.Rows()[0][0].(float64)
	}
	return values
}
