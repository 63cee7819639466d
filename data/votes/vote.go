package votes

import (
	"context"
	"sync"
	"time"

	"plaza/data"
	"plaza/data/group"
	"plaza/data/hot"
	"plaza/data/hrana"
	"plaza/ranking"
)

// VoteStore records votes, folds them into the counters and keeps brigades out.
type Store struct {
	DB     *data.DB
	Hot    *hot.Sets
	Source data.Source
	Limits ranking.Thresholds // of what is a brigade; the zero value finds none
	// Together is how many votes one transaction takes at most; 0 is 100, 1 is none
	// together with others.
	Together int
	// Nudge is told which targets have new votes, once a transaction and before anybody
	// who voted in it is answered; nil for nobody.
	Nudge func(context.Context, []data.ID)

	mu     sync.Mutex // never held across I/O
	groups map[*hrana.Client]*group.Group[casting]
}

// VoteState is a target as its voter sees it right after the vote.
type State struct {
	Ups, Downs int64
	Mine       int
	AuthorID   data.ID
	URL        string // of the target's own page
	Moderated  bool   // by the voter, who sees counts as they are
}

// Pending is what the counters of one shard don't know yet: targets with votes, and
// posts with new comments.
type Pending struct {
	Targets []data.ID
	Posts   []data.ID
}

// pendingLimit bounds the targets, and the posts, that one look finds on a shard; when these
// are folded, the next look sees others.
const pendingLimit = 1000

// The newest targets first, from one to the next by the indexes vote_deltas_target and
// count_deltas_post, so that however much waits for one target, it takes one place of ?3.
// Of a target's rows twenty are looked at. The time of a row is an instance's: one that
// is as far ahead as it would have to be behind has waited, too.
const (
	pendingTargets = `WITH RECURSIVE t (id) AS (SELECT max(target_id) FROM vote_deltas
  UNION ALL SELECT (SELECT max(d.target_id) FROM vote_deltas d WHERE d.target_id < t.id) FROM t WHERE t.id IS NOT NULL LIMIT ?3)
SELECT t.id FROM t WHERE EXISTS (SELECT 1 FROM (SELECT d.created_at FROM vote_deltas d WHERE d.target_id = t.id LIMIT 20)
  WHERE abs(coalesce(?1, ` + data.OldDatabaseNow + `) - created_at) >= ?2)`
	pendingPosts = `WITH RECURSIVE t (id) AS (SELECT max(post_id) FROM count_deltas
  UNION ALL SELECT (SELECT max(d.post_id) FROM count_deltas d WHERE d.post_id < t.id) FROM t WHERE t.id IS NOT NULL LIMIT ?3)
SELECT t.id FROM t WHERE EXISTS (SELECT 1 FROM (SELECT d.created_at FROM count_deltas d WHERE d.post_id = t.id LIMIT 20)
  WHERE abs(coalesce(?1, ` + data.OldDatabaseNow + `) - created_at) >= ?2)`
)

// FindPending finds what has waited for at least some time, on every shard: what a lost
// message left behind. With an error it is what the other shards have.
func (s *Store) FindPending(ctx context.Context, waited time.Duration) (Pending, error) {
	var p Pending
	r, now := s.DB.Read(), s.Source.OldDatabase()
	for _, shard := range s.DB.OldShards() {
		r.OldAdd(shard, data.OldStmt(pendingTargets, now, waited.Milliseconds(), pendingLimit), data.OldScanIDs(&p.Targets))
		r.OldAdd(shard, data.OldStmt(pendingPosts, now, waited.Milliseconds(), pendingLimit), data.OldScanIDs(&p.Posts))
	}
	err := r.Run(ctx)
	return p, err
}
