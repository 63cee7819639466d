package reports

import (
	"context"
	"strings"

	"plaza/data"
)

// countedTogether limits the communities of one statement of CopyCounts.
const countedTogether = 1000

// On each shard, the triggers queue_items_opened and queue_items_counted, and quarantines_found and quarantines_settled, count waiting
// items in community_stats; community_stats_begun and community_stats_counted copy the counts to communities.
const (
	// Index communities_waiting.
	waitingCounts = `SELECT c.id, c.waiting FROM communities c WHERE c.waiting > 0 ORDER BY c.waiting DESC, c.id DESC LIMIT :limit`
	copyCount     = `UPDATE communities SET waiting = :waiting WHERE id = :id`
)

// Waiting is the number of waiting items in a community.
type Waiting struct {
	Cases int64 // of the queue
	Votes int64 // bursts of votes in quarantine
}

// Unique index on name_key, primary key.
const waitingIn = `SELECT s.waiting, s.cases FROM communities k CROSS JOIN community_stats s ON s.community_id = k.id
WHERE k.name_key = :community`

// FindWaiting reads how many items wait in a community along with a page.
func FindWaiting(r *data.Read, community string) *Waiting {
	w := &Waiting{}
	r.FindAt(data.In(community), waitingIn, data.Args{"community": strings.ToLower(community)},
		func(row *data.Row) { w.Cases, w.Votes = row.Int(), row.Int() })
	return w
}

// CopyCounts writes the numbers of waiting items into the directory, for communities whose shards are other databases. Moderators' pages
// show them. With one database it does nothing. The numbers of shards that are down stay unchanged.
func (s *Store) CopyCounts(ctx context.Context) error {
	if !s.DB.HasShards() {
		return nil
	}
	counts, copies, complete := map[data.ID]int64{}, map[data.ID]int64{}, true
	r := s.DB.Read()
	s.DB.FindSlots(r) // first, for Same
	args := data.Args{"limit": countedTogether}
	for _, where := range s.DB.Databases() {
		r.FindAt(where, waitingCounts, args, func(row *data.Row) {
			id, n := row.ID(), row.Int()
			complete = complete && row.Count() < countedTogether
			home := data.At(id)
			switch {
			case s.DB.InDirectory(home): // a trigger updates it
			case where == data.In(""):
				copies[id] = n
			case s.DB.Holds(where, id): // while it moves, two shards have it
				counts[id] = n
			}
		})
	}
	r.AllowMissing()
	if err := r.Run(ctx); err != nil {
		return err
	}
	w := s.DB.Write()
	changed := false
	for id, n := range counts {
		if copies[id] != n {
			w.Do(copyCount, data.Args{"id": id, "waiting": n})
			changed = true
		}
	}
	for id := range copies {
		if counts[id] == 0 && complete && !r.Misses(id) {
			w.Do(copyCount, data.Args{"id": id, "waiting": 0})
			changed = true
		}
	}
	if !changed {
		return nil
	}
	return w.Run(ctx)
}
