package hrana_test

import (
	"context"
	dbsql "database/sql"
	"flag"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tursodatabase/libsql-client-go/libsql"
	"pgregory.net/rapid"

	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
)

// oracle runs a statement through libsql-client-go and returns the result in our form.
func oracle(db *dbsql.DB, s hrana.Stmt) (hrana.Result, error) {
	ctx := context.Background()
	if !strings.HasPrefix(s.SQL, "SELECT") && !strings.Contains(s.SQL, "RETURNING") {
		done, err := db.ExecContext(ctx, s.SQL, s.Args...)
		if err != nil {
			return hrana.Result{}, err
		}
		n, _ := done.RowsAffected()
		id, _ := done.LastInsertId()
		return hrana.Result{RowsAffected: n, LastInsertRowID: id}, nil
	}
	rows, err := db.QueryContext(ctx, s.SQL, s.Args...)
	if err != nil {
		return hrana.Result{}, err
	}
	defer rows.Close()
	var res hrana.Result
	res.Columns, _ = rows.Columns()
	var found [][]any
	for rows.Next() {
		row := make([]any, len(res.Columns))
		into := make([]any, len(row))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return res, err
		}
		found = append(found, row)
	}
	res.Table = hrana.TableOf(found...)
	return res, rows.Err()
}

func values() *rapid.Generator[any] {
	return rapid.OneOf(
		rapid.Just[any](nil),
		rapid.Bool().AsAny(),
		rapid.Int64().AsAny(),
		rapid.IntRange(-3, 3).AsAny(),
		rapid.Float64().Filter(func(f float64) bool { return !math.IsInf(f, 0) && !math.IsNaN(f) }).AsAny(),
		rapid.String().AsAny(),
		rapid.SampledFrom([]string{"", "a", "NULL", "'", "\"\\\n\x00", "😀"}).AsAny(),
		rapid.SliceOfN(rapid.Byte(), 0, 40).AsAny(),
	)
}

func statements() *rapid.Generator[hrana.Stmt] {
	text := rapid.SampledFrom([]string{
		"INSERT INTO t (k, v, w) VALUES (?1, ?2, ?3)",
		"INSERT INTO t (k, v, w) VALUES (?1, ?2, ?3) ON CONFLICT (k) DO UPDATE SET v = excluded.v WHERE v IS NOT excluded.v",
		"INSERT INTO t (k, v, w) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING RETURNING *",
		"INSERT INTO other VALUES (?1, ?2)",
		"UPDATE t SET v = ?2 WHERE w IS NOT ?1",
		"UPDATE t SET w = ?2 WHERE k IS ?1 RETURNING k, v, w, typeof(w)",
		"UPDATE missing SET a = ?1",
		"DELETE FROM t WHERE k IS ?1",
		"DELETE FROM t WHERE k IN (SELECT k FROM t ORDER BY k LIMIT 1)",
		"SELECT * FROM t ORDER BY id",
		"SELECT k, v, w, v AS k FROM t WHERE w > ?1 ORDER BY id",
		"SELECT ?1 AS one, ?2 AS two, typeof(?1), typeof(?2), ?1",
		"SELECT count(*), min(v), max(w), total(w) > ?1 FROM t",
		"SELECT hex(v), length(v), quote(?1) FROM t ORDER BY id DESC LIMIT 3",
		"SELECT json_extract(?1, '$.a')",
	})
	return rapid.Custom(func(t *rapid.T) hrana.Stmt {
		s := hrana.Stmt{SQL: text.Draw(t, "sql")}
		for i := range 3 {
			if strings.Contains(s.SQL, fmt.Sprintf("?%d", i+1)) {
				s.Args = append(s.Args, values().Draw(t, fmt.Sprintf("arg %d", i+1)))
			}
		}
		return s
	})
}

// TestOracle runs the same statements on two databases of one sqld, through this package and through libsql-client-go, and compares every
// result and, at the end, the tables. The columns have no declared types: the other client converts some texts to times.
func TestOracle(t *testing.T) {
	const schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, k UNIQUE, v, w); CREATE TABLE other (a PRIMARY KEY, b NOT NULL CHECK (b <> 1)) " +
		"WITHOUT ROWID"
	ours := stacktest.OpenHrana(t)
	connector, err := libsql.NewConnector(stacktest.OpenURL(t))
	require.NoError(t, err)
	theirs := dbsql.OpenDB(connector)
	t.Cleanup(func() { theirs.Close() })
	theirs.SetMaxOpenConns(1)
	for _, s := range strings.Split(schema, ";") {
		mustTx(t, ours, hrana.Stmt{SQL: s})
		_, err := theirs.Exec(s)
		require.NoError(t, err)
	}
	n, failures, rows := 0, 0, 0
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue {
		require.NoError(t, checks.Value.Set("40")) // -rapid.checks=1000 on demand
		defer func() { _ = checks.Value.Set(checks.DefValue) }()
	}
	rapid.Check(t, func(t *rapid.T) {
		for range 5 {
			s := statements().Draw(t, "statement")
			want, wantErr := oracle(theirs, s)
			var got hrana.Result
			var gotErr error
			if strings.HasPrefix(s.SQL, "SELECT") {
				var res []hrana.Result
				if res, gotErr = ours.Query(context.Background(), s); gotErr == nil {
					got = res[0]
				}
			} else {
				var res []hrana.Result
				if res, gotErr = ours.Tx(context.Background(), s); gotErr == nil {
					got = res[0]
				}
			}
			n++
			require.Equal(t, wantErr == nil, gotErr == nil, "theirs: %v, ours: %v", wantErr, gotErr)
			if gotErr != nil {
				failures++
				require.Contains(t, wantErr.Error(), strings.TrimPrefix(asRapidError(t, gotErr).Message, "SQLite error: "))
				continue
			}
			rows += got.Count
			require.Len(t, got.Rows(), want.Count)
			for i := range want.Rows() {
				require.Equal(t, want.Rows()[i], got.Rows()[i])
			}
			if len(want.Columns) > 0 {
				require.Equal(t, want.Columns, got.Columns)
			} else {
				require.Equal(t, want.RowsAffected, got.RowsAffected)
				require.Equal(t, want.LastInsertRowID, got.LastInsertRowID)
			}
		}
	})
	for _, table := range []string{"SELECT * FROM t ORDER BY id", "SELECT * FROM other ORDER BY a"} {
		want, err := oracle(theirs, hrana.Stmt{SQL: table})
		require.NoError(t, err)
		assert.Equal(t, want.Count, mustQuery(t, ours, hrana.Stmt{SQL: table})[0].Count)
		if want.Count > 0 {
			assert.Equal(t, want.Rows(), mustQuery(t, ours, hrana.Stmt{SQL: table})[0].Rows())
		}
	}
	t.Logf("%d statements, %d of them refused, %d rows compared", n, failures, rows)
	if !t.Failed() {
		assert.NotZero(t, failures)
		assert.NotZero(t, rows)
	}
}

func asRapidError(t *rapid.T, err error) *hrana.Error {
	var e *hrana.Error
	require.ErrorAs(t, err, &e)
	return e
}
