package stacktest_test

import (
	"database/sql"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	_ "github.com/tursodatabase/libsql-client-go/libsql"

	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

func TestDatabases(t *testing.T) {
	t.Run("every test has its own", func(t *testing.T) {
		one, two := stacktest.OpenHrana(t), stacktest.OpenHrana(t)
		for _, c := range []*hrana.Client{one, two} {
			_, err := c.Tx(t.Context(), hrana.Stmt{SQL: "CREATE TABLE t (a)"}, hrana.Stmt{SQL: "INSERT INTO t VALUES (1)"})
			require.NoError(t, err)
		}
	})
	t.Run("they open while others are at work", func(t *testing.T) {
		start := time.Now()
		for range 10 {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				_, err := stacktest.OpenHrana(t).Tx(t.Context(), hrana.Stmt{SQL: "CREATE TABLE t (a)"})
				require.NoError(t, err)
			})
		}
		t.Cleanup(func() { t.Logf("10 in %v", time.Since(start).Round(time.Millisecond)) })
	})
	t.Run("they are gone after the test", func(t *testing.T) {
		var url string
		var client *http.Client
		t.Run("inner", func(t *testing.T) { url, client = stacktest.OpenDB(t) })
		_, err := hrana.New(hrana.Options{URL: url, HTTP: client}).Query(t.Context(), hrana.Stmt{SQL: "SELECT 1"})
		require.ErrorContains(t, err, "doesn't exist")
	})
	t.Run("a plain URL works for database/sql", func(t *testing.T) {
		db, err := sql.Open("libsql", stacktest.OpenURL(t))
		require.NoError(t, err)
		defer db.Close()
		var n int
		require.NoError(t, db.QueryRow("SELECT 42").Scan(&n))
		assert.Equal(t, 42, n)
	})
	t.Run("what is written grows with each transaction that writes, and with no other", func(t *testing.T) {
		c := stacktest.OpenSchema(t)
		written := func(stmts ...hrana.Stmt) int64 {
			_, err := c.Tx(t.Context(), stmts...)
			require.NoError(t, err)
			n, known := stacktest.Written(c)
			require.True(t, known)
			return n
		}
		last := written(hrana.Stmt{SQL: "SELECT 1"})
		for i := range 50 {
			require.Equal(t, last, written(hrana.Stmt{SQL: "SELECT count(*) FROM contact_messages"}))
			now := written(hrana.Stmt{SQL: "INSERT INTO contact_messages (id, name, member, email, body) VALUES (1, ?1, 0, ?1, ?1) ON CONFLICT DO UPDATE SET body = body || ?1", Args: []any{"a"}})
			require.Greater(t, now, last, "write %d", i)
			require.Equal(t, now, written(hrana.Stmt{SQL: "UPDATE contact_messages SET body = 1 WHERE id = 2"}))
			last = now
		}
	})
	t.Run("schema.sql can be applied, twice", func(t *testing.T) {
		start := time.Now()
		c := stacktest.OpenSchema(t)
		t.Logf("in %v", time.Since(start).Round(time.Millisecond))
		stacktest.ApplySchema(t, c)
	})
}
