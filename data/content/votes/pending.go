package votes

import (
	"context"
	"time"

	"plaza/data"
)

// Pending is what waits for a delta run: targets with votes, and posts with new comments, that the counters do not include yet.
type Pending struct {
	Targets []data.ID
	Posts   []data.ID
}

// pendingLimit is how many targets, and how many posts, FindPending finds on a shard at most. After these are applied, the next call
// finds others.
const pendingLimit = 1000

// The newest targets come first. The recursion goes from one target to the next by the primary keys of vote_deltas and count_deltas, so
// that :limit counts targets, however many rows each has. Targets in a frozen slot don't count. It reads at most twenty rows of a target.
// A row's time comes from an instance, whose clock may be wrong. So a row whose time is at least :waited in the future counts as
// one that has waited, too.
const (
	pendingTargets = `WITH RECURSIVE t (id) AS (SELECT max(d.target_id) FROM vote_deltas d
    WHERE (d.target_id >> 12) & 1023` + data.NotFrozen + `
  UNION ALL SELECT (SELECT max(d.target_id) FROM vote_deltas d
    WHERE d.target_id < t.id AND (d.target_id >> 12) & 1023` + data.NotFrozen + `)
  FROM t WHERE t.id IS NOT NULL LIMIT :limit)
SELECT t.id FROM t WHERE EXISTS (SELECT 1 FROM (SELECT d.created_at FROM vote_deltas d WHERE d.target_id = t.id LIMIT 20)
  WHERE abs(` + data.DatabaseNow + ` - created_at) >= :waited)`
	pendingPosts = `WITH RECURSIVE t (id) AS (SELECT max(d.post_id) FROM count_deltas d WHERE (d.post_id >> 12) & 1023` + data.NotFrozen + `
  UNION ALL SELECT (SELECT max(d.post_id) FROM count_deltas d WHERE d.post_id < t.id AND (d.post_id >> 12) & 1023` + data.NotFrozen + `)
  FROM t WHERE t.id IS NOT NULL LIMIT :limit)
SELECT t.id FROM t WHERE EXISTS (SELECT 1 FROM (SELECT d.created_at FROM count_deltas d WHERE d.post_id = t.id LIMIT 20)
  WHERE abs(` + data.DatabaseNow + ` - created_at) >= :waited)`
)

// FindPending finds on every shard what has waited for a delta run for at least some time, because its message was lost. With an error it
// returns the results of the other shards.
func (s *Store) FindPending(ctx context.Context, waited time.Duration) (p Pending, err error) {
	r, now := s.DB.Read(), s.Source.DatabaseNow()
	args := data.Args{"now": now, "waited": waited, "limit": pendingLimit}
	r.FindAll(pendingTargets, args, func(row *data.Row) { p.Targets = append(p.Targets, row.ID()) })
	r.FindAll(pendingPosts, args, func(row *data.Row) { p.Posts = append(p.Posts, row.ID()) })
	err = r.Run(ctx)
	return p, err
}
