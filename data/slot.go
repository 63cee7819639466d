package data

import (
	"context"
	"errors"
	"hash/fnv"
	"slices"
	"strings"
)

// Slots is the number of slots in ids. All posts and comments of a community have its slot, and a slot is on one shard. Most communities
// have a slot of their own, so that they can move to another shard by themselves.
const Slots = 1 << slotBits

// SlotMap maps slots to shards. Slots without a row in the directory's table slots are on the shard with their number.
type SlotMap struct {
	shards int
	rows   map[int]int
}

// SlotRows is the statement with the rows for SlotMap.Put. Index slots_epoch.
const SlotRows = `SELECT slot, shard FROM slots WHERE epoch > 0`

// NewSlotMap returns the map of a site with that number of shards, without rows.
func NewSlotMap(shards int) *SlotMap { return &SlotMap{shards, map[int]int{}} }

// Put adds a row of the table slots.
func (m *SlotMap) Put(slot, shard int) { m.rows[slot] = shard }

// Of returns the number of the shard of a slot. ok is false for an unused slot, and for one on an unknown shard.
func (m *SlotMap) Of(slot int) (shard int, ok bool) {
	if m.shards == 1 {
		return 0, true
	}
	shard, ok = m.rows[slot]
	if !ok {
		shard = slot
	}
	return shard, shard < m.shards
}

// On returns the used slots of a shard, in order.
func (m *SlotMap) On(shard int) []int {
	list := []int{}
	for slot := range Slots {
		if _, row := m.rows[slot]; !row && slot >= m.shards {
			continue
		}
		if s, ok := m.Of(slot); ok && s == shard {
			list = append(list, slot)
		}
	}
	return list
}

// sharedSlots is how many slots, the first ones, no community has alone: their numbers are also numbers of shards.
const sharedSlots = 64

// Choose chooses the slot of a new community on a shard from the community's name in lower case. It is a free slot or, if none is free, a
// slot of the shard (ChooseShared). Sites choose the same slot for the same name, unless it is taken. So a community that is exported from
// one site and imported into another can keep the ids of its posts.
func (m *SlotMap) Choose(shard int, name string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name)) // it never fails
	first, unshared := int(h.Sum32()), Slots-sharedSlots
	for i := range unshared {
		slot := sharedSlots + (first+i)%unshared
		if _, taken := m.rows[slot]; !taken && slot >= m.shards {
			return slot
		}
	}
	return m.ChooseShared(shard, uint32(first))
}

// ChooseShared chooses a shared slot of a shard, by a random number.
func (m *SlotMap) ChooseShared(shard int, random uint32) int {
	if s, ok := m.Of(shard); ok && s == shard {
		return shard
	}
	list := m.On(shard)
	if len(list) == 0 {
		return shard
	}
	return list[int(random%uint32(len(list)))]
}

// RememberSlot caches the shard of a slot, unless a later epoch is known. FindSlots still reads all rows after the last epoch that it has
// read.
func (db *DB) RememberSlot(slot, shard int, epoch int64) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if epoch > db.epochs[slot] {
		db.slots.Put(slot, shard)
		db.epochs[slot] = epoch
	}
}

// ShardOf returns the shard, one of DB.Shards, of the row with an id. It is for comparing and grouping by shard. For a slot that
// this instance does not know yet (KnowSlots), it returns At(id).
func (db *DB) ShardOf(id ID) Where { return db.shardOf(At(id)) }

// shardOf returns the shard of a place from At, if its slot is known. Other places are returned unchanged.
func (db *DB) shardOf(w Where) Where {
	if w.kind != onSlot {
		return w
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	if shard, ok := db.slots.Of(w.number); ok {
		return db.homes[shard]
	}
	return w
}

// Holds reports whether a shard, one of DB.Shards, holds the row with an id.
func (db *DB) Holds(shard Where, id ID) bool { return db.ShardOf(id) == shard }

// Group groups ids by their shards, by the cached slots.
func (db *DB) Group(ids []ID) map[Where][]ID {
	groups := map[Where][]ID{}
	for _, id := range ids {
		groups[db.ShardOf(id)] = append(groups[db.ShardOf(id)], id)
	}
	return groups
}

// ByShard is Group with recent slots (RecentSlots), for callers that conclude that a missing row was deleted.
func (db *DB) ByShard(ctx context.Context, ids []ID) (map[Where][]ID, error) {
	if err := db.RecentSlots(ctx, ids...); err != nil {
		return nil, err
	}
	return db.Group(ids), nil
}

// Locate returns the shard of the row with an id. The error is NotFound or Unavailable.
func (db *DB) Locate(ctx context.Context, id ID) (Where, error) {
	_ = db.RecentSlots(ctx) // without the directory, use the cached slots
	if err := db.KnowSlots(ctx, id); err != nil {
		return Where{}, err
	}
	if shard := db.ShardOf(id); shard.kind == onShard {
		return shard, nil
	}
	return Where{}, errNothingThere
}

// SlotsOn returns the slots of some of DB.Shards, as cached.
func (db *DB) SlotsOn(shards []Where) (slots []int) {
	db.mu.Lock()
	defer db.mu.Unlock()
	for _, shard := range shards {
		slots = append(slots, db.slots.On(shard.number)...)
	}
	return slots
}

// Misses reports whether the shard of the row with an id is in Missing.
func (r *Read) Misses(id ID) bool {
	return len(r.missing) > 0 && slices.Contains(r.missing, r.db.ShardOf(id))
}

// Slot returns the slot of a community, for ids of new posts and decisions there. An instance reads the directory once for each
// community. The error is NotFound or Unavailable.
func (db *DB) Slot(ctx context.Context, community string) (int, error) {
	key := strings.ToLower(community)
	db.mu.Lock()
	id, ok := db.communities[key]
	db.mu.Unlock()
	if !ok {
		if err := db.findCommunities(ctx, []string{key}, func(_ string, found ID) { id = found }); err != nil {
			return 0, err
		}
		if id == 0 {
			return 0, ErrNoCommunity
		}
	}
	return id.Slot(), nil
}

// NotFrozen ends a condition that begins with the slot of a row: the slot is not frozen (table frozen_slots). The rows of a moving slot
// are on two shards, and both have frozen it. So jobs skip these rows until the slot has moved. The subquery runs once in a statement, and
// sqld counts one row for it.
const NotFrozen = ` IS NOT (SELECT max(frozen.slot) FROM frozen_slots frozen)`

// SlotFrozen is the error of a shard for a write to a slot that is moving (ops/shards/mover).
const SlotFrozen = "this slot is frozen"

var errMoving = errors.New("the slot is moving to another shard")

// IsMoving reports whether a write failed because its rows are moving to another shard. After the move, a retry succeeds.
func IsMoving(err error) bool { return errors.Is(err, errMoving) }
