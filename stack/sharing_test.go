package stack_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
	"plaza/stack"
)

func TestSharingProxy(t *testing.T) {
	s := startSQLD(t, stack.SQLDOptions{})
	proxy, err := stack.StartSharingProxy(s.URL)
	require.NoError(t, err)
	t.Cleanup(func() { proxy.Close() })
	c := hrana.New(hrana.Options{URL: proxy.URL, Token: s.Token})
	ask := func(sql string) [][]any {
		res, err := c.Tx(t.Context(), hrana.Stmt{SQL: sql})
		require.NoError(t, err)
		return res[0].Rows()
	}
	ask("CREATE TABLE t (id INTEGER PRIMARY KEY)")
	ask("INSERT INTO t VALUES (7)")
	assert.Equal(t, [][]any{{int64(7)}}, ask("SELECT last_insert_rowid()"), "the next request has the same connection")
	assert.Equal(t, [][]any{{int64(0)}}, exec1(t, s, "SELECT last_insert_rowid()").Rows(), "which others have not")

	var clients sync.WaitGroup
	for range 30 {
		clients.Go(func() { _, err := c.Tx(t.Context(), hrana.Stmt{SQL: "SELECT count(*) FROM t"}); assert.NoError(t, err) })
	}
	clients.Wait()
	for range 10 {
		exec1(t, s, "SELECT 1") // a connection of its own has room
	}

	_, err = c.Tx(t.Context(), hrana.Stmt{SQL: "INSERT INTO t VALUES (8)"}, hrana.Stmt{SQL: "INSERT INTO t VALUES (7)"})
	require.Error(t, err)
	assert.Equal(t, [][]any{{int64(1)}}, ask("SELECT count(*) FROM t"), "a transaction that failed leaves nothing behind")
}
