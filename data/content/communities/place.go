package communities

import (
	"context"
	"slices"
	"time"

	"plaza/data"
)

// Loads below these count as none, so that a small site chooses among its shards at random.
const (
	smallBytes = 64 << 20
	smallPace  = 100 // comments an hour
)

// lastComments is the number of a shard's newest comments from which its rate is computed.
const lastComments = 200

// The size of a database, and its last comments: primary key, from its end.
const loadOfShard = `SELECT c.page_count * s.page_size, count(l.id), min(l.id)
FROM pragma_page_count c CROSS JOIN pragma_page_size s
LEFT JOIN (SELECT id FROM comments WHERE id > 0 ORDER BY id DESC LIMIT :last) l`

// Load is the load of a shard.
type Load struct {
	Available       bool
	Bytes           int64
	CommentsPerHour float64 // comments an hour
}

// paceOf returns the rate of n comments since the time of first.
func paceOf(n int64, first data.ID, now time.Time) float64 {
	if n == 0 {
		return 0
	}
	return float64(n) / max(now.Sub(first.Time()), time.Second).Hours()
}

// Loads reads the load of all shards, in the order of DB.Shards. Unavailable if none responds.
func (s *Store) Loads(ctx context.Context) ([]Load, error) {
	now, loads := s.Source.Now(), make([]Load, len(s.DB.Shards()))
	r := s.DB.Read()
	for i, shard := range s.DB.Shards() {
		r.FindAt(shard, loadOfShard, data.Args{"last": lastComments}, func(row *data.Row) {
			loads[i] = Load{true, row.Int(), paceOf(row.Int(), row.ID(), now)}
		})
	}
	r.AllowMissing()
	return loads, r.Run(ctx)
}

// place chooses the shard of a new community or profile: the one with the least load, among those that respond. So a new community can be
// used at once, even if a shard is down. Among equal loads it chooses at random. With one shard it reads nothing. Unavailable if no shard
// responds.
func (s *Store) place(ctx context.Context) (shard int, err error) {
	if !s.DB.Several() {
		return 0, nil
	}
	loads, err := s.Loads(ctx)
	if err != nil {
		return 0, err
	}
	least := LeastLoaded(loads)
	return least[int(s.Source.Rand()%uint32(len(least)))], nil
}

const (
	// The first community of a slot writes its row. If two choose the slot at once, both get it, on the shard of the first. Primary keys,
	// index slots_epoch from its end.
	takeSlot = `INSERT INTO slots (slot, shard, epoch) SELECT :slot, :shard, coalesce((SELECT max(epoch) FROM slots), 0) + 1
WHERE EXISTS (SELECT 1 FROM communities WHERE id = :id) ON CONFLICT DO NOTHING`
	slotNow = `SELECT slot, shard, epoch FROM slots WHERE slot = :slot`
)

// newSlot is the slot and the shard of a new community or profile.
type newSlot struct {
	number, shard int
	row           bool // it needs a row in the table slots
}

// findSlot chooses the slot of a new community, by its name in lower case: one of its own, while there are free ones, so that it can be
// moved to another shard alone. With the name "" it chooses one for a profile; profiles share slots. Unavailable.
func (s *Store) findSlot(ctx context.Context, name string) (slot newSlot, err error) {
	if slot.shard, err = s.place(ctx); err != nil {
		return slot, err
	}
	shards := len(s.DB.Shards())
	if shards == 1 && name == "" {
		return slot, nil
	}
	slots := data.NewSlotMap(shards)
	r := s.DB.Read()
	r.Find(data.SlotRows, nil, func(row *data.Row) { slots.Put(int(row.Int()), int(row.Int())) })
	if err := r.Run(ctx); err != nil {
		return slot, err
	}
	if name == "" {
		slot.number = slots.ChooseShared(slot.shard, s.Source.Rand())
	} else {
		slot.number = slots.Choose(slot.shard, name)
	}
	slot.row = slot.number != slot.shard
	return slot, nil
}

// addSlot adds the row of a community's slot to the transaction that creates the community.
func (s *Store) addSlot(w *data.Write, slot newSlot, id data.ID) {
	if !slot.row {
		return
	}
	w.Do(takeSlot, data.Args{"slot": slot.number, "shard": slot.shard, "id": id})
	w.Find(slotNow, data.Args{"slot": slot.number}, func(row *data.Row) {
		s.DB.RememberSlot(int(row.Int()), int(row.Int()), row.Int())
	})
}

// LeastLoaded returns the shards with the least load, among those that respond. A shard's load is its share of all bytes plus its share
// of all comments of an hour, so that neither a large shard nor a busy one gets more.
func LeastLoaded(loads []Load) (least []int) {
	var all Load
	counted := slices.Clone(loads)
	for i := range counted {
		l := &counted[i]
		if !l.Available || l.Bytes < smallBytes {
			l.Bytes = 0
		}
		if !l.Available || l.CommentsPerHour < smallPace {
			l.CommentsPerHour = 0
		}
		all.Bytes, all.CommentsPerHour = all.Bytes+l.Bytes, all.CommentsPerHour+l.CommentsPerHour
	}
	var lowest float64
	for i, l := range counted {
		share := float64(l.Bytes)/float64(max(all.Bytes, 1)) + l.CommentsPerHour/max(all.CommentsPerHour, 1)
		switch {
		case !l.Available:
		case len(least) == 0 || share < lowest:
			least, lowest = []int{i}, share
		case share == lowest:
			least = append(least, i)
		}
	}
	return least
}
