package data

import (
	"context"
	"errors"
	"hash/fnv"
	"slices"
	"strings"
)

// Slots is how many slots ids can name. All posts and comments of a community have its slot, and a slot is on one shard. Most communities
// have a slot of their own, so that they can move to another shard by themselves.
const Slots = 1 << slotBits

// SlotMap says on which shards slots are. Slots without a row in the directory's table slots are on the shard of the same number.
type SlotMap struct {
	shards int
	rows   map[int]int
}

// SlotsOf is the statement whose rows SlotMap.Put takes. Index slots_epoch.
const SlotsOf = `SELECT slot, shard FROM slots WHERE epoch > 0`

// NewSlotMap returns the map of a site with as many shards, and no rows yet.
func NewSlotMap(shards int) *SlotMap { return &SlotMap{shards, map[int]int{}} }

// Put takes a row of the table slots.
func (m *SlotMap) Put(slot, shard int) { m.rows[slot] = shard }

// Of returns the number of the shard on which a slot is. It is false for a slot that nobody uses yet, and for one on a shard that is
// not there.
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

// On are the slots of a shard that are in use, in order.
func (m *SlotMap) On(shard int) []int {
	list := []int{}
	for slot := range Slots {
		if _, row := m.rows[slot]; !row && slot >= m.shards {
			continue
		}
		if of, ok := m.Of(slot); ok && of == shard {
			list = append(list, slot)
		}
	}
	return list
}

// sharedSlots are the slots that no community has for itself: those with the numbers of shards.
const sharedSlots = 64

// Choose chooses the slot of a new community on a shard, by its name in lower case: one that nobody has, as long as there are any, else one
// of the shard's. Sites choose the same slot for the same name, unless it is taken. So a community that is exported from one site and
// imported into another can keep the ids of its posts.
func (m *SlotMap) Choose(shard int, name string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name)) // it never fails
	first, own := int(h.Sum32()), Slots-sharedSlots
	for i := range own {
		slot := sharedSlots + (first+i)%own
		if _, taken := m.rows[slot]; !taken && slot >= m.shards {
			return slot
		}
	}
	return m.ChooseShared(shard, uint32(first))
}

// ChooseShared chooses a slot of a shard that others have, too, by a random number.
func (m *SlotMap) ChooseShared(shard int, random uint32) int {
	if of, ok := m.Of(shard); ok && of == shard {
		return shard
	}
	list := m.On(shard)
	if len(list) == 0 {
		return shard
	}
	return list[int(random%uint32(len(list)))]
}

// RememberSlot notes on which shard a slot is. What was noted at a later epoch stays. It says nothing of other slots: FindSlots still reads
// those of earlier epochs.
func (db *DB) RememberSlot(slot, shard int, epoch int64) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if epoch > db.epochs[slot] {
		db.slots.Put(slot, shard)
		db.epochs[slot] = epoch
	}
}

// ShardOf is the shard, one of DB.Shards, that holds what an id names. It is for what has to be compared, or gathered for each shard.
// A slot of which this instance does not know yet (KnowSlots) stays At.
func (db *DB) ShardOf(id ID) Where { return db.shardOf(At(id)) }

// shardOf resolves a place of At. Others stay what they are.
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

// Holds tells whether a shard, one of DB.Shards, holds what an id names.
func (db *DB) Holds(shard Where, id ID) bool { return db.ShardOf(id) == shard }

// Group sorts ids by the shards that hold what they name, as far as this instance knows.
func (db *DB) Group(ids []ID) map[Where][]ID {
	groups := map[Where][]ID{}
	for _, id := range ids {
		groups[db.ShardOf(id)] = append(groups[db.ShardOf(id)], id)
	}
	return groups
}

// ByShard is Group for what goes by it to find that something is not there any more (RecentSlots).
func (db *DB) ByShard(ctx context.Context, ids []ID) (map[Where][]ID, error) {
	if err := db.RecentSlots(ctx, ids...); err != nil {
		return nil, err
	}
	return db.Group(ids), nil
}

// Locate returns the shard that holds what an id names. NotFound and Unavailable.
func (db *DB) Locate(ctx context.Context, id ID) (Where, error) {
	_ = db.RecentSlots(ctx) // without the directory what is known is the best there is
	if err := db.KnowSlots(ctx, id); err != nil {
		return Where{}, err
	}
	if at := db.ShardOf(id); at.kind == onShard {
		return at, nil
	}
	return Where{}, errNothingThere
}

// SlotsOn are the slots of some of DB.Shards, as far as this instance knows.
func (db *DB) SlotsOn(shards []Where) (slots []int) {
	db.mu.Lock()
	defer db.mu.Unlock()
	for _, shard := range shards {
		slots = append(slots, db.slots.On(shard.number)...)
	}
	return slots
}

// Misses tells whether the shard that holds what an id names is among Missing.
func (r *Read) Misses(id ID) bool { return slices.Contains(r.missing, r.db.ShardOf(id)) }

// Slot returns the slot of a community. Ids of new posts, and of what is decided there, carry it. An instance asks the directory once for
// each community. NotFound and Unavailable.
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

// NotClosed ends a condition on the slot of a row: this shard takes writes of the row (table closed_slots). The rows of a slot that moves
// are on two shards, and both have closed it. So jobs leave them alone until it has moved. The subquery runs once a statement, and sqld
// counts one row for it.
const NotClosed = ` IS NOT (SELECT max(closed.slot) FROM closed_slots closed)`

// SlotClosed is the error with which a shard refuses a write to a slot that moves to another one (tools/mover).
const SlotClosed = "this slot is closed"

var errMoving = errors.New("the slot is moving to another shard")

// IsMoving tells whether a write failed because what it changes moves to another shard at the moment. Once that is done it succeeds there.
func IsMoving(err error) bool { return errors.Is(err, errMoving) }
