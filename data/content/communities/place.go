package communities

import (
	"context"
	"slices"
	"time"

	"plaza/data"
)

// Loads below these count as none. So the shards of a small site are chosen among by chance.
const (
	smallBytes = 64 << 20
	smallPace  = 100 // comments an hour
)

// lastComments is how many of a shard's comments its pace is measured by.
const lastComments = 200

// The size of a database, and its last comments: primary key, from its end.
const loadOfShard = `SELECT c.page_count * s.page_size, count(l.id), min(l.id)
FROM pragma_page_count c CROSS JOIN pragma_page_size s
LEFT JOIN (SELECT id FROM comments WHERE id > 0 ORDER BY id DESC LIMIT :last) l`

// Load says how much a shard has to do.
type Load struct {
	Answers bool
	Bytes   int64
	Pace    float64 // comments an hour
}

// paceOf is the pace of n comments of which first was the first.
func paceOf(n int64, first data.ID, now time.Time) float64 {
	if n == 0 {
		return 0
	}
	return float64(n) / max(now.Sub(first.Time()), time.Second).Hours()
}

// Loads asks all shards, which are in their order, how much they have to do. Unavailable when none answers.
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

// place chooses the shard of a new community or profile: the one that has the least to do, of those that answer. So a new community can be
// used at once, though a shard is away. Where several have the same load, chance decides. With one shard there is nothing to ask.
// Unavailable when no shard answers.
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
	// A slot is taken with the community that is the first in it. If another one was faster, both have it, on the shard of that one. Primary
	// keys, index slots_epoch from its end.
	takeSlot = `INSERT INTO slots (slot, shard, epoch) SELECT :slot, :shard, coalesce((SELECT max(epoch) FROM slots), 0) + 1
WHERE EXISTS (SELECT 1 FROM communities WHERE id = :id) ON CONFLICT DO NOTHING`
	slotNow = `SELECT slot, shard, epoch FROM slots WHERE slot = :slot`
)

// slot is where a new community or profile goes.
type slot struct {
	number, shard int
	row           bool // the table slots has to say so
}

// findSlot chooses the slot of a new community, by its name in lower case: one of its own, as long as there are any, so that it can move to
// another shard by itself. Without a name it is for a profile. Profiles share slots. Unavailable.
func (s *Store) findSlot(ctx context.Context, name string) (at slot, err error) {
	if at.shard, err = s.place(ctx); err != nil {
		return at, err
	}
	shards := len(s.DB.Shards())
	if shards == 1 && name == "" {
		return at, nil
	}
	slots := data.NewSlotMap(shards)
	r := s.DB.Read()
	r.Find(data.SlotsOf, nil, func(row *data.Row) { slots.Put(int(row.Int()), int(row.Int())) })
	if err := r.Run(ctx); err != nil {
		return at, err
	}
	if name == "" {
		at.number = slots.ChooseShared(at.shard, s.Source.Rand())
	} else {
		at.number = slots.Choose(at.shard, name)
	}
	at.row = at.number != at.shard
	return at, nil
}

// take has the transaction that makes a community take its slot.
func (s *Store) take(w *data.Write, at slot, id data.ID) {
	if !at.row {
		return
	}
	w.Do(takeSlot, data.Args{"slot": at.number, "shard": at.shard, "id": id})
	w.Find(slotNow, data.Args{"slot": at.number}, func(row *data.Row) {
		s.DB.RememberSlot(int(row.Int()), int(row.Int()), row.Int())
	})
}

// LeastLoaded returns which shards have the least load, of those that answer. A shard's load is its share of all bytes and its share of all
// comments of an hour, so that neither a large shard nor a busy one gets more.
func LeastLoaded(loads []Load) (least []int) {
	var all Load
	counted := slices.Clone(loads)
	for i := range counted {
		l := &counted[i]
		if !l.Answers || l.Bytes < smallBytes {
			l.Bytes = 0
		}
		if !l.Answers || l.Pace < smallPace {
			l.Pace = 0
		}
		all.Bytes, all.Pace = all.Bytes+l.Bytes, all.Pace+l.Pace
	}
	var lowest float64
	for i, l := range counted {
		share := float64(l.Bytes)/float64(max(all.Bytes, 1)) + l.Pace/max(all.Pace, 1)
		switch {
		case !l.Answers:
		case len(least) == 0 || share < lowest:
			least, lowest = []int{i}, share
		case share == lowest:
			least = append(least, i)
		}
	}
	return least
}
