package data

import (
	"context"
	"time"

	"plaza/ranking"
)

// VoteStore records votes, folds them into the counters and keeps brigades out.
type VoteStore struct {
	DB     *DB
	Hot    *HotSets
	Source Source
	Limits ranking.Thresholds // of what is a brigade; the zero value finds none
}

// VoteState is a target as its voter sees it right after the vote.
type VoteState struct {
	Ups, Downs int64
	Mine       int
	AuthorID   ID
}

const (
	// The statement is a no-op for a vote that stands already, so that it may be sent
	// twice, and for a vote taken back that was never cast. The triggers on votes
	// append what changed to vote_deltas, in the same transaction.
	castVote = ` t WHERE t.id = ?4 AND t.status = 'published' AND ` + liveSession + `
  AND (?5 <> 0 OR EXISTS (SELECT 1 FROM votes v WHERE v.target_id = ?4 AND v.user_id = ?1))
ON CONFLICT (target_id, user_id) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at
WHERE value IS NOT excluded.value`
	castVoteOn        = `INSERT INTO votes (target_id, user_id, value, updated_at) SELECT t.id, ?1, ?5, ?6 FROM `
	castVoteOnPost    = castVoteOn + `posts` + castVote
	castVoteOnComment = castVoteOn + `comments` + castVote

	// Only of a vote that the statement before has changed: updated_at is now.
	createBallot = `INSERT INTO ballots (part, target_id, created_at, user_id, value, network, referrer)
SELECT ?3 / 43200000, v.target_id, v.updated_at, v.user_id, v.value, ?4, ?5 FROM votes v
WHERE v.target_id = ?2 AND v.user_id = ?1 AND v.updated_at = ?3 AND v.value <> 0 ON CONFLICT DO NOTHING`

	voteState          = `SELECT t.status, t.author_id, ` + liveSession + `, t.ups, t.downs, `
	voteStateOfPost    = voteState + ownVote + ` FROM posts t WHERE t.id = ?4`
	voteStateOfComment = voteState + ownVote + ` FROM comments t WHERE t.id = ?4`
)

// ownVote are three columns of a target t for the viewer ?1, to be read with row.own:
// their vote, three times as large while it is kept out of the counters, and what the
// counters don't know of it yet. A look-up by primary key and two by the index
// vote_deltas_target.
const ownVote = `(SELECT iif(v.status = 0, v.value, 3 * v.value) FROM votes v WHERE v.target_id = t.id AND v.user_id = ?1),
  (SELECT sum(d.ups) FROM vote_deltas d WHERE d.target_id = t.id AND d.user_id = ?1),
  (SELECT sum(d.downs) FROM vote_deltas d WHERE d.target_id = t.id AND d.user_id = ?1)`

// own reads the columns of ownVote: the viewer's vote, and what it adds to the
// counters for them to see it counted, exactly once, at any time: before it is folded,
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

// Cast records a member's vote of 1, -1 or 0 (taken back) on a post or comment: one
// transaction on the target's shard, which also says what the voter sees now. Where
// the vote came from (a.Origin) is kept for as long as finding brigades needs it.
// Invalid, NotFound, Forbidden (removed or deleted) and Unauthenticated.
func (s *VoteStore) Cast(ctx context.Context, a Actor, target ID, value int) (VoteState, error) {
	if value < -1 || value > 1 {
		return VoteState{}, invalid("value", "A vote is 1, -1 or 0.")
	}
	shard, err := s.DB.ShardOfID(target)
	if err != nil {
		return VoteState{}, err
	}
	cast, look := castVoteOnPost, voteStateOfPost
	if target.IsComment() {
		cast, look = castVoteOnComment, voteStateOfComment
	}
	now := s.Source.Now().UnixMilli()
	results, err := tx(ctx, shard, stmt(cast, a.args(target, value, now)...),
		stmt(createBallot, a.UserID, target, now, a.Origin.Network, a.Origin.Referrer), stmt(look, a.args(target)...))
	if err != nil {
		return VoteState{}, err
	}
	looked := results[2]
	if len(looked.Rows) == 0 {
		return VoteState{}, &Error{Code: NotFound, Field: "target", Message: "What you voted on is not there."}
	}
	var status string
	var live bool
	var state VoteState
	err = each(looked, func(r *row) {
		status, state.AuthorID, live = r.text(), r.id(), r.bool()
		state.Ups, state.Downs = r.int(), r.int()
		mine, ups, downs := r.own()
		state.Mine, state.Ups, state.Downs = mine, state.Ups+ups, state.Downs+downs
	})
	switch {
	case err != nil:
		return VoteState{}, err
	case !live:
		return VoteState{}, errSessionEnded
	case status != "published":
		return VoteState{}, &Error{Code: Forbidden, Field: "target", Message: "Voting here is closed."}
	}
	return state, nil
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
// lost message left behind.
func (s *VoteStore) FindPending(ctx context.Context, before time.Time) (Pending, error) {
	var p Pending
	r := s.DB.Read()
	for _, shard := range s.DB.shards {
		r.add(shard, stmt(pendingTargets, before.UnixMilli(), pendingLimit), scanIDs(&p.Targets))
		r.add(shard, stmt(pendingPosts, before.UnixMilli(), pendingLimit), scanIDs(&p.Posts))
	}
	return p, r.Run(ctx)
}
