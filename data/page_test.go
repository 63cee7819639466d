package data_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/storetest"
)

func TestPage(t *testing.T) {
	directory, shards := threeDatabases(t)
	db := data.NewDB(directory, shards...)
	// Each row is [item, value, id].
	const rows = `SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(:rows) LIMIT :limit`
	find := func(p *data.Page[string], r *data.Read, where data.Where, list string) {
		p.FindAt(r, where, rows, data.Args{"rows": list}, func(row *data.Row) (string, float64, data.ID) {
			return row.Text(), row.Float(), row.ID()
		})
	}
	read := func(limit int, lists ...string) (items []string, next data.Cursor) {
		t.Helper()
		p, r := data.NewPage[string](data.OrderTop, limit), db.Read()
		for i, list := range lists {
			find(p, r, db.Shards()[i%len(shards)], list)
		}
		require.NoError(t, r.Run(storetest.Ctx))
		require.Equal(t, p.Next(), p.Next())
		return p.Items(), p.Next()
	}
	t.Run("keeps the order of one statement", func(t *testing.T) {
		for limit, want := range map[int]data.Cursor{1: {Order: 't', Value: 1, ID: 4}, 2: {Order: 't', Value: 3, ID: 2}, 3: {}, 4: {}} {
			items, next := read(limit, `[["a", 1, 4], ["b", 3, 2], ["c", 2, 6]]`)
			require.Equal(t, []string{"a", "b", "c"}[:min(limit, 3)], items)
			require.Equal(t, want, next)
		}
	})
	t.Run("sorts what one statement found in no order", func(t *testing.T) {
		p, r := data.NewPage[string](data.OrderTop, 2).Sorted(), db.Read()
		find(p, r, db.Shards()[0], `[["c", 1, 4], ["b", 3, 2], ["a", 3, 6]]`)
		require.NoError(t, r.Run(storetest.Ctx))
		require.Equal(t, []string{"a", "b"}, p.Items())
		require.Equal(t, data.Cursor{Order: 't', Value: 3, ID: 2}, p.Next())
	})
	t.Run("merges what several have found, each once", func(t *testing.T) {
		lists := []string{`[["a", 9, 2], ["d", 5, 4], ["e", 5, 2]]`, `[["b", 7, 6], ["c", 5, 8], ["f", 1, 8]]`, `[["b", 7, 6], ["c", 5, 8]]`}
		for limit, want := range map[int]data.Cursor{2: {Order: 't', Value: 7, ID: 6}, 3: {Order: 't', Value: 5, ID: 8}} {
			items, next := read(limit, lists...)
			require.Equal(t, []string{"a", "b", "c"}[:limit], items)
			require.Equal(t, want, next)
		}
	})
	t.Run("is empty without items", func(t *testing.T) {
		items, next := read(3)
		require.Empty(t, items)
		require.Zero(t, next)
	})
	t.Run("has what the other databases found when one is unavailable", func(t *testing.T) {
		db := data.NewDB(directory, shards[0], unavailable())
		p, r := data.NewPage[string](data.OrderTop, 2), db.Read()
		for i, list := range []string{`[["b", 2, 2]]`, `[["c", 1, 2]]`, `[["a", 3, 4]]`} {
			find(p, r, db.Shards()[i%2], list)
		}
		storetest.CodeOf(t, r.Run(storetest.Ctx), data.Unavailable, "")
		require.Equal(t, []string{"a", "b"}, p.Items())
		require.Zero(t, p.Next())
	})
}
