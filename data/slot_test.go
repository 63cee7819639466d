package data_test

import (
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func TestSlotMap(t *testing.T) {
	m := data.NewSlotMap(3)
	for slot, shard := range map[int]int{500: 2, 1: 0, 7: 9} {
		m.Put(slot, shard)
	}
	for slot, want := range map[int]int{0: 0, 1: 0, 2: 2, 500: 2} {
		shard, ok := m.Of(slot)
		require.True(t, ok)
		require.Equal(t, want, shard, slot)
	}
	for _, slot := range []int{3, 7, 1023} {
		_, ok := m.Of(slot)
		require.False(t, ok, "nobody uses it, or its shard is not there")
	}
	require.Equal(t, []int{0, 1}, m.On(0))
	require.Empty(t, m.On(1))
	require.Equal(t, []int{2, 500}, m.On(2))
	require.Equal(t, 0, m.ChooseShared(0, 5))

	require.Equal(t, data.NewSlotMap(1).Choose(0, "gophers"), m.Choose(1, "gophers"), "other sites choose the same")
	taken := map[int]bool{500: true}
	for i := range data.Slots - 64 - 1 {
		slot := m.Choose(1, fmt.Sprint("community", i))
		require.False(t, taken[slot], slot)
		require.GreaterOrEqual(t, slot, 64)
		taken[slot] = true
		m.Put(slot, 1)
	}
	shard, ok := m.Of(m.Choose(2, "gophers"))
	require.True(t, ok, "all are taken")
	require.Equal(t, 2, shard)
}

// TestSlotsAreLearned: an instance finds rows in a slot that was added or moved after it has read the slots.
func TestSlotsAreLearned(t *testing.T) {
	directory, shards := threeDatabases(t)
	db, id := data.NewDB(directory, shards...), data.NewID(data.Epoch, 400, data.KindOther, 1)
	require.NoError(t, db.ReadSlots(storetest.Ctx))
	found, _, err := names(t, db, data.At(id))
	require.NoError(t, err)
	require.Empty(t, found)
	write := func(sql string) {
		_, err := directory.Tx(storetest.Ctx, storetest.StmtOf(sql))
		require.NoError(t, err)
	}
	write("INSERT INTO slots (slot, shard, epoch) VALUES (400, 1, 1)")
	found, _, err = names(t, db, data.At(id))
	require.NoError(t, err)
	require.Equal(t, []string{"second"}, found)
	require.Equal(t, db.Shards()[1], db.ShardOf(id))
	write("UPDATE slots SET shard = 0, epoch = 2 WHERE slot = 400")
	write("INSERT INTO slots (slot, shard, epoch) VALUES (1, 0, 3)")
	require.NoError(t, db.ReadSlots(storetest.Ctx))
	require.Equal(t, []data.Where{db.Shards()[0], db.Shards()[0]}, []data.Where{db.ShardOf(id), db.ShardOf(onSecond)})
	db.RememberSlot(400, 1, 1)
	require.Equal(t, db.Shards()[0], db.ShardOf(id), "what is older changes nothing")

	// Another instance makes a slot, and this one makes one after that, before it has read the other's.
	write("INSERT INTO slots (slot, shard, epoch) VALUES (401, 1, 4)")
	db.RememberSlot(500, 0, 5)
	other := data.NewID(data.Epoch, 401, data.KindOther, 1)
	require.NoError(t, db.KnowSlots(storetest.Ctx, other))
	require.Equal(t, db.Shards()[1], db.ShardOf(other))
}

// TestSlotsMoveUnderARead: an idle instance reads the old shard of a slot, and reads along with that that it has moved.
func TestSlotsMoveUnderARead(t *testing.T) {
	directory, shards := threeDatabases(t)
	id := data.NewID(data.Epoch, 400, data.KindOther, 1)
	write := func(sql string, args ...any) {
		t.Helper()
		_, err := directory.Tx(storetest.Ctx, storetest.StmtOf(sql, args...))
		require.NoError(t, err)
	}
	write("INSERT INTO slots (slot, shard, epoch) VALUES (400, 0, 1)")
	write("UPDATE communities SET id = ?1 WHERE name_key = 'ants'", int64(id))
	idle := func(by time.Duration) *data.DB {
		db := data.NewDB(directory, shards...)
		found, _, err := names(t, db, data.At(id), data.In("ants"))
		require.NoError(t, err)
		require.Equal(t, []string{"first", "first"}, found)
		db.AgeSlots(by)
		return db
	}
	fresh, along, old, late := idle(0), idle(6*time.Second), idle(time.Hour), idle(time.Hour)
	changed, ids, cut := idle(0), idle(time.Hour), idle(time.Hour)
	write("UPDATE slots SET shard = 1, epoch = 2 WHERE slot = 400")
	for _, tt := range []struct {
		says     string
		db       *data.DB
		places   []data.Where
		found    []string
		requests int64
	}{
		{"within slotsLife a page that asks no directory does not hear of it", fresh, []data.Where{data.At(id)}, []string{"first"}, 1},
		{"one that asks the directory does, and asks again", along, []data.Where{data.In(""), data.In("Ants")}, []string{"directory", "second"}, 4},
		{"that is one request a database when nothing has moved", along, []data.Where{data.In(""), data.In("ants")}, []string{"directory", "second"}, 2},
		{"and none to the directory", along, []data.Where{data.At(id)}, []string{"second"}, 1},
		{"later any page hears of it", old, []data.Where{data.At(id)}, []string{"second"}, 3},
		{"also one of a community", late, []data.Where{data.In("ants")}, []string{"second"}, 3},
		{"and one without slots, if it asks the directory", ids, []data.Where{data.In("")}, []string{"directory"}, 1},
		{"then the next page knows", ids, []data.Where{data.At(id)}, []string{"second"}, 1},
	} {
		found, requests, err := names(t, tt.db, tt.places...)
		require.NoError(t, err)
		require.Equal(t, tt.found, found, tt.says)
		require.Equal(t, tt.requests, requests, tt.says)
	}

	var found []string
	r := changed.Read()
	r.For(1, data.Changes{Last: time.Now()}, time.Now())
	r.FindAt(id, "SELECT name FROM t", nil, func(row *data.Row) { found = append(found, row.Text()) })
	require.NoError(t, r.Run(storetest.Ctx))
	require.Equal(t, []string{"second"}, found, "a member who has just written finds it")

	found = nil
	r = cut.Read()
	both := data.Args{"more": "of "}
	r.FindByIDs([]data.ID{onSecond, onFirst, id, onSecond + 2}, "SELECT :more || name || json_array_length(:ids) FROM t", both,
		func(row *data.Row) { found = append(found, row.Text()) })
	r.FindByIDs(nil, "SELECT name FROM t", nil, func(*data.Row) { t.Fail() })
	require.NoError(t, r.Run(storetest.Ctx))
	require.Equal(t, []string{"of first1", "of second3"}, found)
}

// TestOldSlotsWithoutTheDirectory: pages of shards need no directory. Callers that conclude from the slots that a row is deleted need it.
func TestOldSlotsWithoutTheDirectory(t *testing.T) {
	_, shards := threeDatabases(t)
	address, client := stacktest.OpenSchemaDB(t)
	line := &cable{client: client}
	db := data.NewDB(hrana.New(hrana.Options{URL: address, HTTP: line, Attempts: 1}), shards...)
	require.NoError(t, db.RecentSlots(storetest.Ctx))
	line.cut.Store(true)
	require.NoError(t, db.RecentSlots(storetest.Ctx, onFirst), "it was a moment ago")
	db.AgeSlots(time.Minute)
	require.Equal(t, data.Unavailable, data.ErrorCode(db.RecentSlots(storetest.Ctx, onFirst)))
	require.NoError(t, db.KnowSlots(storetest.Ctx, onFirst))
	found, _, err := names(t, db, data.At(onFirst))
	require.NoError(t, err)
	require.Equal(t, []string{"first"}, found)
}

// cable is the connection to a database. It can be cut.
type cable struct {
	client *http.Client
	cut    atomic.Bool
}

func (c *cable) Do(r *http.Request) (*http.Response, error) {
	if c.cut.Load() {
		return nil, errors.New("the cable is cut")
	}
	return c.client.Do(r)
}
