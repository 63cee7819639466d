package data

import (
	"context"
	"sync"
	"time"

	"plaza/data/group"
	"plaza/data/hrana"
	"plaza/ranking"
)

// VoteStore records votes, folds them into the counters and keeps brigades out.
type VoteStore struct {
	DB     *DB
	Hot    *HotSets
	Source Source
	Limits ranking.Thresholds // of what is a brigade; the zero value finds none
	// Together is how many votes one transaction takes at most; 0 is 100, 1 is none
	// together with others.
	Together int
	// Nudge is told which targets have new votes, once a transaction and before anybody
	// who voted in it is answered; nil for nobody.
	Nudge func(context.Context, []ID)

	mu     sync.Mutex // never held across I/O
	groups map[*hrana.Client]*group.Group[casting]
}

// VoteState is a target as its voter sees it right after the vote.
type VoteState struct {
	Ups, Downs int64
	Mine       int
	AuthorID   ID
	URL        string // of the target's own page
	Moderated  bool   // by the voter, who sees counts as they are
}

// own reads three columns about the viewer and a target: their vote, three times as
// large while it is kept out of the counters, and the sums of what the counters don't
// know of it yet (postMine, commentMine, voteStates; a look-up by primary key and two by
// the index vote_deltas_target). It returns the vote and what it adds to the counters
// for its voter to see it counted, exactly once, at any time: before it is folded,
// while it is in quarantine, and after it was dropped. So a voter can't tell.
func (r *row) own() (value int, ups, downs int64) {
	value, ups, downs = int(r.int()), r.int(), r.int()
	switch value {
	case 3:
		return 1, ups + 1, downs
	case -3:
		return -1, ups, downs + 1
	}
	return value, ups, downs
}

// Pending is what the counters of one shard don't know yet: targets with votes, and
// posts with new comments.
type Pending struct {
	Targets []ID
	Posts   []ID
}

// pendingLimit bounds the rows one look reads; the next look sees the rest.
const pendingLimit = 2000

const (
	// The oldest rows by rowid; deltas are written in the order of time.
	pendingTargets = `SELECT DISTINCT target_id FROM (SELECT target_id, created_at FROM vote_deltas ORDER BY seq LIMIT ?2) WHERE created_at <= ?1`
	pendingPosts   = `SELECT DISTINCT post_id FROM (SELECT post_id, created_at FROM count_deltas ORDER BY seq LIMIT ?2) WHERE created_at <= ?1`
)

// FindPending finds what has waited since before a moment, on every shard: what a
// lost message left behind. With an error it is what the other shards have.
func (s *VoteStore) FindPending(ctx context.Context, before time.Time) (Pending, error) {
	var p Pending
	r := s.DB.Read()
	for _, shard := range s.DB.shards {
		r.add(shard, stmt(pendingTargets, before.UnixMilli(), pendingLimit), scanIDs(&p.Targets))
		r.add(shard, stmt(pendingPosts, before.UnixMilli(), pendingLimit), scanIDs(&p.Posts))
	}
	err := r.Run(ctx)
	return p, err
}
