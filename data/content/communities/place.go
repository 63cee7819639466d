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

// load says how much a shard has to do.
type load struct {
	bytes int64
	pace  float64 // comments an hour
}

// paceOf is the pace of n comments of which first was the first.
func paceOf(n int64, first data.ID, now time.Time) float64 {
	if n == 0 {
		return 0
	}
	return float64(n) / max(now.Sub(first.Time()), time.Second).Hours()
}

// place chooses the shard of a new community or profile: the one that has the least to do, of those that answer. So a new community can be
// used at once, though a shard is away. Where several have the same load, chance decides. With one shard there is nothing to ask.
// Unavailable when no shard answers.
func (s *Store) place(ctx context.Context) (shard int, err error) {
	shards := s.DB.Shards()
	if len(shards) == 1 {
		return shards[0].Shard(), nil
	}
	now, loads := s.Source.Now(), make([]load, len(shards))
	answered := []int{}
	r := s.DB.Read()
	for i, shard := range shards {
		r.Find(shard, loadOfShard, data.Args{"last": lastComments}, func(row *data.Row) {
			loads[i].bytes = row.Int()
			loads[i].pace = paceOf(row.Int(), row.ID(), now)
			answered = append(answered, i)
		})
	}
	r.AllowMissing()
	if err := r.Run(ctx); err != nil {
		return 0, err
	}
	slices.Sort(answered)
	least := leastLoaded(loads, answered)
	return shards[least[int(s.Source.Rand()%uint32(len(least)))]].Shard(), nil
}

// leastLoaded returns which of some shards have the least load. A shard's load is its share of all bytes and its share of all comments of
// an hour, so that neither a large shard nor a busy one gets more.
func leastLoaded(loads []load, of []int) (least []int) {
	var bytes, pace float64
	counted := map[int]load{}
	for _, i := range of {
		l := loads[i]
		if l.bytes < smallBytes {
			l.bytes = 0
		}
		if l.pace < smallPace {
			l.pace = 0
		}
		counted[i], bytes, pace = l, bytes+float64(l.bytes), pace+l.pace
	}
	var lowest float64
	for _, i := range of {
		share := float64(counted[i].bytes)/max(bytes, 1) + counted[i].pace/max(pace, 1)
		switch {
		case len(least) == 0 || share < lowest:
			least, lowest = []int{i}, share
		case share == lowest:
			least = append(least, i)
		}
	}
	return least
}
