package data_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/test/storetest"
)

func TestWrite(t *testing.T) {
	s := storetest.Open(t)
	s.Exec("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE, n)")

	t.Run("a change tells how many rows it was, and a look what is there then", func(t *testing.T) {
		w := s.DB.Write()
		added := w.Do("INSERT INTO t (id, name, n) VALUES (:id, :name, 1), (:id + 1, 'ben', 1)", data.Args{"id": data.ID(1), "name": "ann"})
		changed := w.Do("UPDATE t SET n = n + 1 WHERE id > :id", data.Args{"id": data.ID(1)})
		var returned, there []string
		w.Find("UPDATE t SET n = 7 WHERE name = 'ann' RETURNING name", nil, func(r *data.Row) { returned = append(returned, r.Text()) })
		w.Find("SELECT name, n FROM t ORDER BY id", nil, func(r *data.Row) {
			require.Equal(t, 2, r.Count())
			there = append(there, r.Text()+" "+data.ID(r.Int()).String())
		})
		require.Zero(t, added.Rows)
		require.NoError(t, w.Run(storetest.Ctx))
		require.Equal(t, []int64{2, 1}, []int64{added.Rows, changed.Rows})
		require.Equal(t, []string{"ann"}, returned)
		require.Equal(t, []string{"ann 7", "ben 2"}, there)
	})
	t.Run("what is taken is told, and nothing is written", func(t *testing.T) {
		w := s.DB.Write()
		w.Do("UPDATE t SET n = 100", nil)
		w.Do("INSERT INTO t (name) VALUES (:name)", data.Args{"name": "ann"})
		err := w.Run(storetest.Ctx)
		require.True(t, data.IsTaken(err), "%v", err)
		require.False(t, data.IsRefused(errors.New("another")))
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM t WHERE n = 100"))
	})
	t.Run("what the database refuses is told from a database that is unavailable", func(t *testing.T) {
		w := s.DB.Write()
		w.Do("INSERT INTO t (name, n) VALUES ('carl', json_extract(:text, '$'))", data.Args{"text": "{"})
		err := w.Run(storetest.Ctx)
		require.Equal(t, data.Internal, data.ErrorCode(err))
		require.ErrorContains(t, err, "The database refused a statement")
		require.NotContains(t, err.Error(), "reached")
		require.ErrorContains(t, err, "malformed JSON", "what the log has to say")
		require.True(t, data.IsRefused(err), "%v", err)
		require.False(t, data.IsTaken(err))
		for name, statement := range map[string]string{
			"a key of another type": "INSERT INTO t (id) VALUES ('one')", "syntax": "UPDAT t SET n = 1", "no table": "UPDATE nothing SET n = 1",
			"no column": "UPDATE t SET nothing = 1",
		} {
			w := s.DB.Write()
			w.Do(statement, nil)
			err := w.Run(storetest.Ctx)
			require.Equal(t, data.Internal, data.ErrorCode(err), "%s: %v", name, err)
			require.ErrorContains(t, err, "The database refused a statement", name)
		}
		r := s.DB.Read()
		r.Find("SELECT nothing FROM t", nil, func(*data.Row) {})
		err = r.Run(storetest.Ctx)
		require.Equal(t, data.Internal, data.ErrorCode(err), "a read: %v", err)
		require.ErrorContains(t, err, "The database refused a statement")
		w = data.NewDB(unavailable()).Write()
		w.Do("DELETE FROM t", nil)
		err = w.Run(storetest.Ctx)
		require.Equal(t, data.Unavailable, data.ErrorCode(err))
		require.False(t, data.IsRefused(err))
	})
	t.Run("a name too many, too few or wrong is an error", func(t *testing.T) {
		for _, args := range []data.Args{{"id": 1, "name": "x"}, nil, {"ID": 1}} {
			w := s.DB.Write()
			w.Do("UPDATE t SET n = 0 WHERE id = :id", args)
			require.ErrorContains(t, w.Run(storetest.Ctx), "ARGS_INVALID")
		}
	})
	t.Run("a scan that fails is the error", func(t *testing.T) {
		broken := errors.New("broken")
		for says, scan := range map[string]func(*data.Row){
			"broken":                     func(r *data.Row) { r.Fail(nil); r.Fail(broken); r.Fail(errors.New("later")) },
			"column 0 is string, not an": func(r *data.Row) { r.Int() },
			"not a time":                 func(r *data.Row) { r.Time() },
			"not a number":               func(r *data.Row) { r.Float() },
			"column 1 is int64, not te":  func(r *data.Row) { r.Text(); r.Text() },
			"row has 2 columns":          func(r *data.Row) { r.Text(); r.Int(); r.Int() },
		} {
			w := s.DB.Write()
			w.Find("SELECT 'text', 1", nil, scan)
			err := w.Run(storetest.Ctx)
			require.ErrorContains(t, err, says)
			require.Equal(t, data.Internal, data.ErrorCode(err))
		}
	})
	t.Run("nothing to write asks nobody", func(t *testing.T) {
		require.NoError(t, data.NewDB(unavailable()).Write().Run(storetest.Ctx))
	})
}

func TestArgs(t *testing.T) {
	s := storetest.Open(t)
	at := time.Date(2026, 11, 21, 12, 0, 0, 1_000_000, time.UTC)
	r := s.DB.Read()
	n := 0
	r.Find(`SELECT :id, :at, :at, :never, :never, :life, :float, :yes, :nothing, (SELECT group_concat(value, ' ')
  FROM json_each(:ids)),
  (SELECT group_concat(value, ' ') FROM json_each(:names)), (SELECT count(*) FROM json_each(:none)), (SELECT count(*)
  FROM json_each(:noids))`,
		data.Args{"id": data.ID(math.MaxInt64), "at": at, "never": time.Time{}, "life": time.Minute, "float": 0.5, "yes": true, "nothing": nil,
			"ids": []data.ID{1, 1<<53 + 1}, "names": []string{"a \"b\"", "ü"}, "none": []string(nil), "noids": []data.ID(nil)}, func(row *data.Row) {
			n++
			require.Equal(t, data.ID(math.MaxInt64), row.ID())
			require.Equal(t, at.UnixMilli(), row.Int())
			require.Equal(t, at, row.Time())
			require.Nil(t, row.Value(), "the zero time is NULL")
			require.True(t, row.Time().IsZero(), "and back")
			require.EqualValues(t, 60_000, row.Int())
			require.Equal(t, 0.5, row.Float())
			require.True(t, row.Bool())
			require.False(t, row.Bool())
			require.Equal(t, "1 9007199254740993", row.Text())
			require.Equal(t, "a \"b\" ü", row.Text())
			require.Zero(t, row.Int())
			require.Zero(t, row.Int())
		})
	require.NoError(t, r.Run(storetest.Ctx))
	require.Equal(t, 1, n)

	a := data.Actor{UserID: 7, SessionID: 8, IssuedAt: at}
	require.Equal(t, data.Args{"id": data.ID(1), "actor": data.ID(7), "session": data.ID(8), "issued": at.UnixMilli()},
		a.Args(data.Args{"id": data.ID(1)}))
	require.Len(t, a.Args(nil), 3)
}

func TestSeveralDatabases(t *testing.T) {
	directory, shards := threeDatabases(t)
	db := data.NewDB(directory, unavailable(), shards[1])
	add := func(w *data.Write) {
		w.Do("UPDATE t SET n = n + 1", nil)
	}
	counted := func(c *hrana.Client) int64 {
		results, err := c.Query(storetest.Ctx, storetest.StmtOf("SELECT n FROM t"))
		require.NoError(t, err)
		return results[0].Rows()[0][0].(int64)
	}
	t.Run("a write to each of them is missed by none but what is down", func(t *testing.T) {
		var seen []string
		err := db.WriteEach(storetest.Ctx, db.Databases(), func(w *data.Write) {
			add(w)
			w.Find("SELECT name FROM t", nil, func(r *data.Row) { seen = append(seen, r.Text()) })
		})
		require.Equal(t, data.Unavailable, data.ErrorCode(err))
		require.ErrorContains(t, err, "thread shard 0: ")
		require.NotContains(t, err.Error(), "thread shard 1")
		require.Equal(t, []string{"directory", "second"}, seen)
		require.Equal(t, []int64{2, 2}, []int64{counted(directory), counted(shards[1])})
		require.NoError(t, db.WriteEach(storetest.Ctx, []data.Where{data.In("")}, add))
		require.EqualValues(t, 3, counted(directory))
	})
	t.Run("nor is what is done on each, one after the other", func(t *testing.T) {
		var done []data.Where
		err := data.OnEach(db.Databases(), func(where data.Where) error {
			w := db.WriteAt(where)
			add(w)
			done = append(done, where)
			return w.Run(storetest.Ctx)
		})
		require.Equal(t, data.Unavailable, data.ErrorCode(err))
		require.ErrorContains(t, err, "thread shard 0: ")
		require.Equal(t, db.Databases(), done)
		require.Equal(t, []int64{4, 3}, []int64{counted(directory), counted(shards[1])})
	})
}

func TestInSteps(t *testing.T) {
	directory, shards := threeDatabases(t)
	db := data.NewDB(directory, shards[0], unavailable())
	for _, c := range []*hrana.Client{directory, shards[0]} {
		_, err := c.Tx(storetest.Ctx, storetest.StmtOf("INSERT INTO t SELECT 'row ' || value, 1 FROM json_each('[1,2,3,4,5,6,7,8,9]')"))
		require.NoError(t, err)
	}
	deleted := func(places []data.Where, most int) (rows []int64, err error) {
		err = db.InSteps(storetest.Ctx, places, most, func(w *data.Write) func() bool {
			c := w.Do("DELETE FROM t WHERE name IN (SELECT name FROM t WHERE name LIKE 'row %' LIMIT :step)", data.Args{"step": 2})
			return func() bool {
				rows = append(rows, c.Rows)
				return c.Rows == 2
			}
		})
		return rows, err
	}
	rows, err := deleted([]data.Where{data.In("")}, 3)
	require.NoError(t, err)
	require.Equal(t, []int64{2, 2, 2}, rows, "no more than the call may do")
	rows, err = deleted([]data.Where{data.In("")}, 3)
	require.NoError(t, err)
	require.Equal(t, []int64{2, 1}, rows, "until nothing is left")
	rows, err = deleted(append([]data.Where{db.Shards()[1]}, db.Shards()[0]), 9)
	require.Equal(t, []int64{2, 2, 2, 2, 1}, rows, "the others go on without one that is down")
	storetest.CodeOf(t, err, data.Unavailable, "")
}

// TestOnce: a form makes a thing once, whichever responses are lost.
func TestOnce(t *testing.T) {
	s, line := openLosing(t, 1)
	s.Exec("CREATE TABLE things (id INTEGER PRIMARY KEY, says TEXT)")
	next := data.ID(100)
	send := func(author data.ID, token, says string) (created *data.Created, found string, err error) {
		next++
		once := data.IdempotencyKey{Author: author, Form: "thing", Token: token, ID: next, Digest: data.DigestOf(says)}
		w := s.DB.Write()
		created = w.Once(once, *s.Clock, "INSERT INTO things SELECT :id, :says WHERE :says <> '' AND "+data.KeyUnused,
			data.Args{"id": next, "says": says})
		w.Find("SELECT x.says FROM idempotency_keys m JOIN things x ON x.id = m.result_id WHERE "+data.ByForm, once.Args(nil),
			func(r *data.Row) { found = r.Text() })
		return created, found, w.Run(storetest.Ctx)
	}
	things := func() int64 { return s.One("SELECT count(*) FROM things").(int64) }

	t.Run("with one answer lost, the next try of the transaction finds its own thing", func(t *testing.T) {
		line.next = 1
		created, found, err := send(1, "", "one")
		require.NoError(t, err)
		require.Zero(t, line.next)
		require.Equal(t, next, created.ID)
		require.False(t, created.Before() || created.Other())
		require.Equal(t, "one", found)
		require.EqualValues(t, 1, things())
	})
	t.Run("with all answers lost, the form sent again finds it", func(t *testing.T) {
		line.next = 1000
		_, _, err := send(1, "token", "two")
		line.next = 0
		require.Equal(t, data.Unavailable, data.ErrorCode(err))
		first := next
		created, found, err := send(1, "token", "two")
		require.NoError(t, err)
		require.Equal(t, first, created.ID)
		require.True(t, created.Before())
		require.False(t, created.Other())
		require.Equal(t, "two", found)
		require.EqualValues(t, 2, things())

		r := s.DB.Read()
		look := r.FindCreated(data.IdempotencyKey{Author: 1, Form: "thing", Token: "token", Digest: data.DigestOf("two")})
		none := r.FindCreated(data.IdempotencyKey{Author: 1, Form: "other", Token: "token"})
		require.NoError(t, r.Run(storetest.Ctx))
		require.Equal(t, first, look.ID)
		require.False(t, look.Other())
		require.Zero(t, none.ID)
	})
	t.Run("changed and sent again it makes nothing, and says so", func(t *testing.T) {
		created, found, err := send(1, "token", "three")
		require.NoError(t, err)
		require.True(t, created.Other() && created.Before())
		require.Equal(t, "two", found)
		require.EqualValues(t, 2, things())
	})
	t.Run("another member's form of the same token makes its own", func(t *testing.T) {
		created, _, err := send(2, "token", "three")
		require.NoError(t, err)
		require.Equal(t, next, created.ID)
		require.EqualValues(t, 3, things())
	})
	t.Run("what could not be made is not recorded", func(t *testing.T) {
		created, _, err := send(2, "another", "")
		require.NoError(t, err)
		require.Zero(t, created.ID)
		require.False(t, created.Other() || created.Before())
		created, _, err = send(2, "another", "four")
		require.NoError(t, err)
		require.Equal(t, next, created.ID)
	})
}
