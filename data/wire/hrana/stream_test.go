package hrana_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
)

func TestStream(t *testing.T) {
	t.Run("has one state of the database, or a transaction, over many requests", func(t *testing.T) {
		url, client := stacktest.OpenDB(t)
		c := hrana.New(hrana.Options{URL: url, HTTP: client})
		ctx := context.Background()
		one := func(s *hrana.Stream, sql string) any {
			t.Helper()
			results, err := s.Run(ctx, hrana.Stmt{SQL: sql})
			require.NoError(t, err)
			return results[0].Rows()[0][0]
		}
		_, err := c.Tx(ctx, hrana.Stmt{SQL: "CREATE TABLE t (a INTEGER, r REAL, s TEXT)"},
			hrana.Stmt{SQL: "INSERT INTO t VALUES (1, 0.1, 'ä\"\n')"})
		require.NoError(t, err)

		reader, other := c.Stream(), c.Stream()
		_, err = reader.Run(ctx, hrana.Stmt{SQL: "BEGIN"}, hrana.Stmt{SQL: "SELECT count(*) FROM t"})
		require.NoError(t, err)
		for n := range 3 {
			_, err = c.Tx(ctx, hrana.Stmt{SQL: "INSERT INTO t VALUES (?1, 0, '')", Args: []any{n}})
			require.NoError(t, err)
			require.Equal(t, int64(1), one(reader, "SELECT count(*) FROM t"), "one state of the database")
			require.Equal(t, int64(n+2), one(other, "SELECT count(*) FROM t"))
		}
		results, err := reader.Run(ctx, hrana.Stmt{SQL: "SELECT a, r, s, x'00' FROM t WHERE a = :a",
			Named: []hrana.Named{{Name: "a", Value: 1}}}, hrana.Stmt{SQL: "SELECT NULL"})
		require.NoError(t, err)
		require.Equal(t, [][]any{{int64(1), 0.1, "ä\"\n", []byte{0}}}, results[0].Rows())
		require.Equal(t, [][]any{{nil}}, results[1].Rows())

		_, err = reader.Run(ctx, hrana.Stmt{SQL: "SELECT 1"}, hrana.Stmt{SQL: "SELECT missing FROM t"}, hrana.Stmt{SQL: "DELETE FROM t"})
		var refused *hrana.Error
		require.True(t, errors.As(err, &refused))
		require.Equal(t, 1, refused.Step)
		require.Equal(t, int64(1), one(reader, "SELECT count(*) FROM t"), "the stream goes on after a statement that was refused")

		writer := c.Stream()
		_, err = writer.Run(ctx, hrana.Stmt{SQL: "BEGIN IMMEDIATE"}, hrana.Stmt{SQL: "DELETE FROM t"})
		require.NoError(t, err)
		writer.Close(ctx)
		require.Equal(t, int64(4), one(other, "SELECT count(*) FROM t"), "what was not committed is rolled back")
		_, err = c.Tx(ctx, hrana.Stmt{SQL: "DELETE FROM t"})
		require.NoError(t, err, "and waits for nobody")
		_, err = writer.Run(ctx, hrana.Stmt{SQL: "SELECT 1"})
		require.ErrorContains(t, err, "the stream is closed")
		reader.Close(ctx)
		results, err = other.Last(ctx, hrana.Stmt{SQL: "SELECT 5"}, hrana.Stmt{SQL: "SELECT 6"})
		require.NoError(t, err)
		require.Equal(t, int64(6), results[1].Rows()[0][0])
		_, err = other.Run(ctx, hrana.Stmt{SQL: "SELECT 1"})
		require.ErrorContains(t, err, "the stream is closed")
		results, err = c.Stream().Last(ctx, hrana.Stmt{SQL: "SELECT 7"})
		require.NoError(t, err)
		require.Equal(t, int64(7), results[0].Rows()[0][0])
	})
	t.Run("a stream that the server has forgotten is not begun anew", func(t *testing.T) {
		url, client := stacktest.OpenDB(t)
		responses := 0
		forgetful := transport(func(r *http.Request) (*http.Response, error) {
			if responses++; responses > 1 {
				return &http.Response{StatusCode: http.StatusBadRequest, Body: io.NopCloser(strings.NewReader(`{"error":"The stream has expired"}`)),
					Header: http.Header{}}, nil
			}
			return client.Do(r)
		})
		s := hrana.New(hrana.Options{URL: url, HTTP: forgetful}).Stream()
		for n := range 3 {
			_, err := s.Run(context.Background(), hrana.Stmt{SQL: "SELECT 1"})
			require.Equal(t, n > 0, err != nil, fmt.Sprint(n, err))
		}
		require.Equal(t, 2, responses, "who is gone is not asked")
	})
}
