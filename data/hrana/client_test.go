package hrana_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/hrana"
	"plaza/stack/stacktest"
)

func TestProbe(t *testing.T) {
	c := stacktest.OpenHrana(t)
	res, err := c.Tx(t.Context(), hrana.Stmt{SQL: "CREATE TABLE t(a UNIQUE, b)"}, hrana.Stmt{SQL: "INSERT INTO t VALUES(?,?)", Args: []any{1, "x"}})
	require.NoError(t, err)
	t.Log(res)
	_, err = c.Tx(t.Context(), hrana.Stmt{SQL: "INSERT INTO t VALUES(?,?)", Args: []any{2, "x"}}, hrana.Stmt{SQL: "INSERT INTO t VALUES(?,?)", Args: []any{1, "x"}})
	require.True(t, hrana.IsUnique(err))
	t.Logf("%#v", err)
	res, err = c.Query(t.Context(), hrana.Stmt{SQL: "SELECT * FROM t"})
	t.Log(res, err)
	stacktest.OpenSchema(t)
}
