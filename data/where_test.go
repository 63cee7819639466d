package data_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// unavailable is a database that does not respond.
func unavailable() *hrana.Client {
	return hrana.New(hrana.Options{URL: "http://127.0.0.1:1", Attempts: 1})
}

// threeDatabases are a directory and two shards, each with a table t of one row that names it, and a community on each
// shard.
func threeDatabases(t *testing.T) (directory *hrana.Client, shards []*hrana.Client) {
	t.Helper()
	open := func(name string) *hrana.Client {
		c := stacktest.OpenSchema(t)
		_, err := c.Tx(storetest.Ctx, storetest.StmtOf("CREATE TABLE t (name TEXT UNIQUE, n)"), storetest.StmtOf("INSERT INTO t VALUES (?1, 1)",
			name))
		require.NoError(t, err)
		return c
	}
	directory, shards = open("directory"), []*hrana.Client{open("first"), open("second")}
	for name, id := range map[string]int64{"Ants": 1 << 22, "Bees": 1<<22 + 1<<12, "Far": 1<<22 + 7<<12} {
		_, err := directory.Tx(storetest.Ctx, storetest.StmtOf("INSERT INTO communities (id, name, name_key, title, colour, creator_id, "+
			"created_at) VALUES (?1, ?2, lower(?2), '', '', 1, 1)", id, name))
		require.NoError(t, err)
	}
	return directory, shards
}

// names reads t in places, and returns how many requests that took.
func names(t *testing.T, db *data.DB, places ...data.Where) (found []string, requests int64, err error) {
	t.Helper()
	metered, meter := hrana.WithMeter(storetest.Ctx)
	r := db.Read()
	for _, where := range places {
		r.FindAt(where, "SELECT name FROM t", nil, func(row *data.Row) { found = append(found, row.Text()) })
	}
	err = r.Run(metered)
	return found, meter.Requests(), err
}

const (
	onFirst  = data.ID(1 << 22)
	onSecond = data.ID(1<<22 + 1<<12)
	onNone   = data.ID(1<<22 + 2<<12)
)

func TestWhere(t *testing.T) {
	directory, shards := threeDatabases(t)
	open := func() *data.DB { return data.NewDB(directory, shards...) } // an instance without cached communities
	first, second := open().Shards()[0], open().Shards()[1]

	t.Run("an instance asks once where slots are; then an id needs no look-up, and each database one request", func(t *testing.T) {
		db := open()
		for _, want := range []int64{4, 3} {
			found, requests, err := names(t, db, data.At(onSecond), data.In(""), data.At(onFirst), data.At(onSecond+2))
			require.NoError(t, err)
			require.ElementsMatch(t, []string{"second", "second", "directory", "first"}, found)
			require.EqualValues(t, want, requests)
		}
	})
	t.Run("communities are asked of the directory, all in one request, and once an instance", func(t *testing.T) {
		db := open()
		for _, want := range []int64{3, 2} {
			found, requests, err := names(t, db, data.In("ants"), data.In("BEES"), data.In("Ants"))
			require.NoError(t, err)
			require.ElementsMatch(t, []string{"first", "second", "first"}, found)
			require.EqualValues(t, want, requests)
		}
		home, err := db.Home(storetest.Ctx, "Bees")
		require.NoError(t, err)
		require.Equal(t, db.Shards()[1], home)
		require.Equal(t, db.ShardOf(onSecond), home)
		require.Equal(t, 1, home.Shard())
		require.True(t, db.Same(home, data.At(onSecond+4)))
		require.False(t, db.Same(home, data.In("")))
		require.False(t, db.Same(data.At(onNone), data.At(onNone)), "a place that is not there")
	})
	t.Run("what is not there finds no rows", func(t *testing.T) {
		found, _, err := names(t, open(), data.In("nobody"), data.In("far"), data.At(onNone), data.In("ants"),
			data.In("\xff"))
		require.NoError(t, err)
		require.Equal(t, []string{"first"}, found)
		_, err = open().Home(storetest.Ctx, "nobody")
		require.Equal(t, data.NotFound, data.ErrorCode(err))
		_, err = open().Home(storetest.Ctx, "far")
		require.Equal(t, data.NotFound, data.ErrorCode(err))
	})
	t.Run("what is not there can't be written to", func(t *testing.T) {
		for _, where := range []data.Where{data.In("nobody"), data.In("far"), data.At(onNone)} {
			w := open().WriteAt(where)
			w.Do("UPDATE t SET n = 1", nil)
			require.Equal(t, data.NotFound, data.ErrorCode(w.Run(storetest.Ctx)))
		}
	})
	t.Run("a statement for no place is an error", func(t *testing.T) {
		found, _, err := names(t, open(), data.Where{}, data.In(""))
		require.Equal(t, data.Internal, data.ErrorCode(err))
		require.Equal(t, []string{"directory"}, found)
		w := open().WriteAt(data.Where{})
		w.Do("UPDATE t SET n = 1", nil)
		require.Equal(t, data.Internal, data.ErrorCode(w.Run(storetest.Ctx)))
	})
	t.Run("without the directory, an instance reads what it knows the place of", func(t *testing.T) {
		db := data.NewDB(unavailable(), shards...)
		db.Remember("Ants", onFirst)
		found, _, err := names(t, db, data.In("ants"), data.In("bees"), data.At(onSecond))
		require.Equal(t, data.Unavailable, data.ErrorCode(err))
		require.ElementsMatch(t, []string{"first", "second"}, found)
	})
	t.Run("without a shard, the others are read all the same", func(t *testing.T) {
		found, _, err := names(t, data.NewDB(directory, unavailable(), shards[1]), data.At(onFirst), data.At(onSecond), data.In(""))
		require.Equal(t, data.Unavailable, data.ErrorCode(err))
		require.ElementsMatch(t, []string{"second", "directory"}, found)
	})
	t.Run("a page that may lack shards is made of those that answer, and names the others", func(t *testing.T) {
		read := func(db *data.DB, sql string, unavailable []data.Where, places ...data.Where) (found []string, r *data.Read, err error) {
			r = db.Read()
			r.AllowMissing(unavailable...)
			for _, where := range places {
				r.FindAt(where, sql, nil, func(row *data.Row) { found = append(found, row.Text()) })
			}
			return found, r, r.Run(storetest.Ctx)
		}
		const sql = "SELECT name FROM t"
		all := []data.Where{first, second, data.In("")}
		one := data.NewDB(directory, unavailable(), shards[1])
		found, r, err := read(one, sql, nil, all...)
		require.NoError(t, err)
		require.ElementsMatch(t, []string{"second", "directory"}, found)
		require.Equal(t, all[:1], r.Missing())
		require.False(t, r.Complete())

		found, r, err = read(open(), sql, nil, all...)
		require.NoError(t, err)
		require.Len(t, found, 3)
		require.True(t, r.Complete())

		_, r, err = read(open(), sql, all[:1], all...)
		require.NoError(t, err)
		require.Equal(t, all[:1], r.Missing(), "known to be unavailable, it is not asked")

		_, _, err = read(one, sql, nil, all[0], all[2])
		require.Equal(t, data.Unavailable, data.ErrorCode(err), "no shard has answered")
		_, r, err = read(data.NewDB(directory, directory, unavailable()), sql, nil, all...)
		require.NoError(t, err, "the directory is a shard that answers")
		require.Equal(t, all[1:2], r.Missing())
		_, _, err = read(data.NewDB(unavailable(), shards...), sql, nil, all...)
		require.Equal(t, data.Unavailable, data.ErrorCode(err), "the directory is never missing")
		_, _, err = read(data.NewDB(unavailable(), unavailable(), shards[1]), sql, nil, all...)
		require.Equal(t, data.Unavailable, data.ErrorCode(err))
		_, _, err = read(one, "SELECT nothing FROM t", nil, all...)
		require.Equal(t, data.Internal, data.ErrorCode(err), "a refused statement is a mistake, and no shard that is unavailable")
		_, _, err = read(data.NewDB(unavailable()), sql, nil, data.In(""), data.At(onFirst))
		require.Equal(t, data.Unavailable, data.ErrorCode(err), "there is one database")
	})
	t.Run("what can be said without any shard needs the directory alone, and gets the errors of the others", func(t *testing.T) {
		read := func(db *data.DB, sqlOfShards string) (found []string, failed map[data.Where]data.Code, r *data.Read, err error) {
			r, failed = db.Read(), map[data.Where]data.Code{}
			r.AllowFailing(func(shard data.Where, err error) { failed[shard] = data.ErrorCode(err) })
			r.Find("SELECT name FROM t", nil, func(row *data.Row) { found = append(found, row.Text()) })
			for _, shard := range db.Shards() {
				r.FindAt(shard, sqlOfShards, nil, func(row *data.Row) { found = append(found, row.Text()) })
			}
			return found, failed, r, r.Run(storetest.Ctx)
		}
		const sql = "SELECT name FROM t"
		found, failed, r, err := read(data.NewDB(directory, unavailable(), unavailable()), sql)
		require.NoError(t, err)
		require.Equal(t, []string{"directory"}, found)
		require.Equal(t, map[data.Where]data.Code{first: data.Unavailable, second: data.Unavailable}, failed)
		require.Len(t, r.Missing(), 2)
		found, failed, _, err = read(open(), "SELECT nothing FROM t")
		require.NoError(t, err)
		require.Equal(t, []string{"directory"}, found)
		require.Equal(t, map[data.Where]data.Code{first: data.Internal, second: data.Internal}, failed)
		_, _, _, err = read(data.NewDB(unavailable(), shards...), sql)
		require.Equal(t, data.Unavailable, data.ErrorCode(err))
	})
	t.Run("with one database all places are it, and one request", func(t *testing.T) {
		db := data.NewDB(shards[0])
		found, requests, err := names(t, db, data.In(""), data.In("ants"), data.In("nobody"), data.At(onFirst))
		require.NoError(t, err)
		require.Len(t, found, 4)
		require.EqualValues(t, 1, requests)
		require.Equal(t, []data.Where{data.In("")}, db.Databases())
		require.True(t, db.Same(db.Shards()[0], data.In("")))
	})
	t.Run("a directory that is a shard, too, is one database", func(t *testing.T) {
		db := data.NewDB(directory, directory, shards[1])
		require.Len(t, db.Shards(), 2)
		require.Equal(t, []data.Where{data.In(""), db.Shards()[1]}, db.Databases())
	})
}

// TestFindCached: results about a member are cached by their arguments.
func TestFindCached(t *testing.T) {
	s := storetest.Open(t)
	s.Exec("CREATE TABLE t (name, n)")
	s.Exec("INSERT INTO t VALUES ('ann', 1), ('ben', 2)")
	ask := func(member data.ID, name string) (n, requests int64) {
		metered, meter := hrana.WithMeter(storetest.Ctx)
		r := s.DB.Read()
		r.For(member, data.Changes{Last: *s.Clock, Public: *s.Clock}, *s.Clock)
		r.FindCached(name, "SELECT n FROM t WHERE name = :name", data.Args{"name": name}, func(row *data.Row) { n = row.Int() })
		require.NoError(t, r.Run(metered))
		return n, meter.Requests()
	}
	for _, tt := range []struct {
		says     string
		member   data.ID
		name     string
		n        int64
		requests int64
	}{
		{"the first time it is asked", 1, "ann", 1, 1},
		{"the second time it is known", 1, "ann", 1, 0},
		{"something else is not", 1, "ben", 2, 1},
		{"nor to another member", 2, "ann", 1, 1},
		{"a visitor asks each time", 0, "ann", 1, 1},
		{"a visitor asks each time", 0, "ann", 1, 1},
	} {
		n, requests := ask(tt.member, tt.name)
		require.Equal(t, []int64{tt.n, tt.requests}, []int64{n, requests}, tt.says)
	}
	s.DB.InvalidateMember(1)
	_, requests := ask(1, "ann")
	require.EqualValues(t, 1, requests, "after a change")
}

func TestProfilesHaveNames(t *testing.T) {
	id := data.NewID(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), 3, data.KindOther, 5)
	name := data.ProfileOf(id)
	require.True(t, data.IsProfile(name))
	require.Equal(t, id, data.MemberOf(name))
	require.Equal(t, id, data.MemberOf(strings.ToUpper(name)))
	for _, other := range []string{"gophers", "u_gophers", "u-", "u-1", "u-nonsense", "u-" + id.String(), ""} {
		require.Zero(t, data.MemberOf(other), other)
	}
}
