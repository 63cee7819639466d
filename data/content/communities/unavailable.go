package communities

import (
	"context"
	"strconv"
	"strings"
	"time"

	"plaza/data"
)

// A page that lacks shards names up to maxNamed of their communities. They are searched among the maxSearched largest of the site, because
// no index lists the communities of a shard.
const (
	maxNamed    = 5
	maxSearched = 200
)

// namesOn are communities of some shards.
type namesOn struct {
	names []string
	more  bool
}

// Index communities_members, from its end. An id's bits 12 to 21 are its slot.
const largestOn = `SELECT c.name,
  (SELECT count(*) FROM (SELECT 1 FROM communities WHERE kind = 'community' AND members >= 0 LIMIT :nameable))
FROM (SELECT id, name, members FROM communities WHERE kind = 'community' AND members >= 0 ORDER BY members DESC, id DESC LIMIT :nameable) c
WHERE (c.id >> 12) & 1023 IN (SELECT CAST(value AS INTEGER) FROM json_each(:slots)) LIMIT :most`

// LargestOn returns the names of the largest communities of some shards, and whether there may be others. It is for pages that lack these
// shards. It returns nil while the directory does not respond. An instance reads the directory every two seconds at most, also after
// a failure, because each page waits for a slow directory.
func (s *Store) LargestOn(ctx context.Context, shards []data.Where) (names []string, more bool) {
	numbers := make([]string, len(shards))
	for i, shard := range shards {
		numbers[i] = strconv.Itoa(shard.Shard())
	}
	key, now := strings.Join(numbers, " "), s.Source.Now()
	if found, ok := s.unavailable.Get(key, now, time.Time{}); ok {
		return found.names, found.more
	}
	var found namesOn
	r := s.DB.Read()
	args := data.Args{"slots": s.DB.SlotsOn(shards), "nameable": maxSearched, "most": maxNamed + 1}
	r.Find(largestOn, args, func(row *data.Row) {
		name, all := row.Text(), row.Int()
		found.names = append(found.names, strings.Clone(name))
		found.more = all == maxSearched || len(found.names) > maxNamed
	})
	if err := r.Run(ctx); err != nil {
		s.unavailable.Put(key, namesOn{}, s.Source.Now(), 0) // not now: the failed read may have taken seconds
		return nil, false
	}
	found.names = found.names[:min(len(found.names), maxNamed)]
	s.unavailable.Put(key, found, now, 0)
	return found.names, found.more
}
