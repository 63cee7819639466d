package hrana_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
)

func TestRefused(t *testing.T) {
	c := stacktest.OpenHrana(t)
	mustTx(t, c, sql("CREATE TABLE v (id INTEGER PRIMARY KEY, n INTEGER NOT NULL CHECK (n < 9)) STRICT"),
		sql("CREATE TRIGGER bad BEFORE UPDATE ON v WHEN new.id = 2 BEGIN SELECT RAISE(ABORT, 'poisoned'); END"),
		sql("INSERT INTO v VALUES (1, 1), (2, 2)"))
	for name, s := range map[string]hrana.Stmt{
		"a trigger":          sql("UPDATE v SET n = 3"),
		"a check":            sql("UPDATE v SET n = 10 WHERE id = 1"),
		"a NULL":             sql("INSERT INTO v VALUES (3, NULL)"),
		"a taken key":        sql("INSERT INTO v VALUES (1, 1)"),
		"another type":       sql("INSERT INTO v VALUES (3, 'three')"),
		"an overflowing sum": sql("INSERT INTO v SELECT 3, sum(n) FROM (SELECT 9223372036854775807 AS n UNION ALL SELECT 1)"),
		"malformed JSON":     sql("INSERT INTO v SELECT 3, count(*) FROM json_each('[')"),
	} {
		_, err := c.Tx(t.Context(), s)
		require.True(t, hrana.IsRefused(err), "%s: %v", name, err)
	}
	_, err := c.Tx(t.Context(), sql("SELECT 1 FROM nothing"))
	require.False(t, hrana.IsRefused(err), "no table: %v", err)
	require.True(t, hrana.IsFaulty(err), "no table: %v", err)
	for name, s := range map[string]hrana.Stmt{
		"no column": sql("SELECT nothing FROM v"), "no syntax": sql("SELEC 1"), "no statement": sql("-- nothing"),
		"two statements":    sql("SELECT 1; SELECT 2"),
		"too few arguments": sql("SELECT ?"),
	} {
		_, err := c.Query(t.Context(), s)
		require.True(t, hrana.IsFaulty(err), "%s: %v", name, err)
		require.False(t, hrana.IsUnavailable(err), "%s: %v", name, err)
	}
	dead := hrana.New(hrana.Options{URL: "http://127.0.0.1:1", Attempts: 1})
	_, err = dead.Tx(t.Context(), sql("SELECT 1"))
	require.False(t, hrana.IsRefused(err) || hrana.IsFaulty(err), "no server: %v", err)
	require.False(t, hrana.IsRefused(&hrana.Error{Code: "SQLITE_BUSY"}))
	require.False(t, hrana.IsRefused(&hrana.Error{Code: "SQLITE_FULL"}))
	require.False(t, hrana.IsRefused(nil))
}
