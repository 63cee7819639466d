package data_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/storetest"
)

func TestRecord(t *testing.T) {
	s := storetest.Open(t)
	read := func(sql string) (got []any, called bool, err error) {
		r := s.DB.Read()
		r.Find(sql, nil, func(row *data.Row) {
			row.Record(func(in *data.Row) {
				called = true
				got = []any{in.Text(), in.Int(), in.Text(), in.Bool()}
			})
			got = append(got, row.Text())
		})
		err = r.Run(storetest.Ctx)
		return got, called, err
	}
	t.Run("has any text, integers up to the largest, and NULL", func(t *testing.T) {
		got, called, err := read(`SELECT (SELECT json_array('two' || char(10) || 'lines "é" \ ' || char(31),
  9223372036854775807, NULL, 1)), 'next'`)
		require.NoError(t, err)
		require.True(t, called)
		require.Equal(t, []any{"two\nlines \"é\" \\ \x1f", int64(9223372036854775807), "", true, "next"}, got)
	})
	t.Run("of nothing is not read", func(t *testing.T) {
		got, called, err := read(`SELECT (SELECT json_array(1) WHERE false), 'next'`)
		require.NoError(t, err)
		require.False(t, called)
		require.Equal(t, []any{"next"}, got)
	})
	t.Run("that does not fit is an error", func(t *testing.T) {
		for _, sql := range []string{`SELECT '[1.5]', ''`, `SELECT '["a"', ''`, `SELECT '{}', ''`, `SELECT '["a"] ["b"]', ''`,
			`SELECT json_array('a'), ''`, `SELECT json_array('a', 'b', 'c', 1), ''`, `SELECT 7, ''`} {
			_, _, err := read(sql)
			require.Error(t, err, sql)
		}
	})
}

func TestUnpack(t *testing.T) {
	s := storetest.Open(t)
	read := func(sql string, scan func(*data.Row)) error {
		r := s.DB.Read()
		r.Find(sql, nil, scan)
		return r.Run(storetest.Ctx)
	}
	t.Run("has integers of any size, and zeros for NULL", func(t *testing.T) {
		for range 2 { // rows begin anew
			var got []any
			require.NoError(t, read(`SELECT 'before', format('%d %d %d %d %d %d', 9223372036854775807, -9223372036854775808, -7, NULL, 1, NULL), 'next'
UNION ALL SELECT 'before', '0 0 0 0 0 0', 'next'`, func(row *data.Row) {
				got = append(got, row.Text())
				row.Unpack()
				got = append(got, row.Int(), row.Int(), row.ID(), row.Int(), row.Bool(), row.Time().IsZero(), row.Text())
			}))
			require.Equal(t, []any{"before", int64(9223372036854775807), int64(-9223372036854775808), data.ID(-7), int64(0), true, true, "next",
				"before", int64(0), int64(0), data.ID(0), int64(0), false, true, "next"}, got)
		}
	})
	t.Run("must be read whole, and have numbers alone", func(t *testing.T) {
		two := func(row *data.Row) { row.Unpack(); row.Int(); row.Int() }
		require.NoError(t, read(`SELECT '1 2'`, two))
		for _, sql := range []string{`SELECT '1 2 3'`, `SELECT '1'`, `SELECT '1 x'`, `SELECT '1.5 2'`, `SELECT 7`} {
			require.Error(t, read(sql, two), sql)
		}
		require.Error(t, read(`SELECT '1 2', 'next'`, func(row *data.Row) { row.Unpack(); row.Text() }))
	})
}
