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
