package data_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/storetest"
)

func TestSlotMap(t *testing.T) {
	m := data.NewSlotMap(3)
	for slot, shard := range map[int]int{500: 2, 1: 0, 7: 9} {
		m.Put(slot, shard)
	}
	for slot, want := range map[int]int{0: 0, 1: 0, 2: 2, 500: 2} {
		shard, ok := m.ShardOf(slot)
		require.True(t, ok)
		require.Equal(t, want, shard, slot)
	}
	for _, slot := range []int{3, 7, 1023} {
		_, ok := m.ShardOf(slot)
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
	shard, ok := m.ShardOf(m.Choose(2, "gophers"))
	require.True(t, ok, "all are taken")
	require.Equal(t, 2, shard)
}

// TestSlotsAreLearned: an instance finds what is in a slot that came or moved after it has read where slots are.
func TestSlotsAreLearned(t *testing.T) {
	directory, shards := threeDatabases(t)
	db, id := data.NewDB(directory, shards...), data.NewID(data.Epoch, 400, data.KindOther, 1)
	require.NoError(t, db.ReadSlots(storetest.Ctx))
	found, _, err := names(t, db, data.HomeOfID(id))
	require.NoError(t, err)
	require.Empty(t, found)
	write := func(sql string) {
		_, err := directory.Tx(storetest.Ctx, storetest.StmtOf(sql))
		require.NoError(t, err)
	}
	write("INSERT INTO slots (slot, shard, epoch) VALUES (400, 1, 1)")
	found, _, err = names(t, db, data.HomeOfID(id))
	require.NoError(t, err)
	require.Equal(t, []string{"second"}, found)
	require.Equal(t, db.Shards()[1], db.ShardOf(id))
	write("UPDATE slots SET shard = 0, epoch = 2 WHERE slot = 400")
	write("INSERT INTO slots (slot, shard, epoch) VALUES (1, 0, 3)")
	require.NoError(t, db.ReadSlots(storetest.Ctx))
	require.Equal(t, []data.Where{db.Shards()[0], db.Shards()[0]}, []data.Where{db.ShardOf(id), db.ShardOf(onSecond)})
	db.RememberSlot(400, 1, 1)
	require.Equal(t, db.Shards()[0], db.ShardOf(id), "what is older changes nothing")

	// Another instance makes a slot, and this one makes one after that, before it has read of the other.
	write("INSERT INTO slots (slot, shard, epoch) VALUES (401, 1, 4)")
	db.RememberSlot(500, 0, 5)
	other := data.NewID(data.Epoch, 401, data.KindOther, 1)
	require.NoError(t, db.KnowSlots(storetest.Ctx, other))
	require.Equal(t, db.Shards()[1], db.ShardOf(other))
}
