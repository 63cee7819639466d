package votes

import (
	"cmp"
	"context"
	"errors"

	"plaza/data"
	"plaza/data/pace/batch"
	"plaza/data/pace/deadline"
	"plaza/data/rights/bans"
)

// State is what a voter sees of the target right after the vote.
type State struct {
	Ups, Downs int64
	Mine       int
	URL        string // of the target's own page
	Moderated  bool   // by the voter, who sees exact counts
}

// pendingVote is a vote that waits to be recorded. Below the blank line are the results of its transaction.
type pendingVote struct {
	data.Actor
	target data.ID
	value  int
	castAt int64 // when it was cast, in milliseconds; the latest of a member's votes on a target stays

	failed    error    // of this vote alone
	exists    bool     // the target exists
	live      bool     // the voter's session is live
	status    string   // of the target; for a comment on a removed or deleted post, of the post
	ban       bans.Ban // the voter's ban
	storedAt  int64    // when the stored vote was cast
	community string
	state     State
}

// Cast records a member's vote of 1, -1 or 0 (withdrawn) on a post or comment, and returns what the voter sees now. It is one transaction
// on the target's shard, shared with other votes that this instance received at the same time (record). The vote's origin (a.Origin) is
// stored for as long as the detection of brigades needs it.
//
// If a later vote of the same member was stored meanwhile, that vote stays and State shows it. Invalid, NotFound, Forbidden (the target,
// or the post of a comment, was removed or deleted; or the voter is banned there), Unauthenticated and Unavailable.
func (s *Store) Cast(ctx context.Context, a data.Actor, target data.ID, value int) (State, error) {
	if value < -1 || value > 1 {
		return State{}, data.Mistake("value", "A vote is 1, -1 or 0.")
	}
	home, err := s.DB.Locate(ctx, target)
	switch {
	case data.ErrorCode(err) == data.NotFound:
		return State{}, errNoTarget
	case err != nil:
		return State{}, err
	}
	vote := pendingVote{Actor: a, target: target, value: value, castAt: s.Source.Now().UnixMilli()}
	var v pendingVote
	cast := func() (err error) {
		v, err = s.batcher(home).Do(ctx, vote)
		return cmp.Or(err, v.failed)
	}
	err = cast()
	if err == nil && v.storedAt > s.Source.Now().UnixMilli() {
		// The stored vote is from an instance whose clock is ahead. This one is later, because its voter still waits.
		vote.castAt = v.storedAt + 1
		err = cast()
	}
	if errors.Is(err, deadline.Late{}) {
		err = data.UnavailableBecause(err)
	}
	switch {
	case err != nil:
		return State{}, err
	case !v.exists:
		return State{}, errNoTarget
	case !v.live:
		return State{}, data.ErrSessionEnded
	case v.ban.Err() != nil:
		return State{}, v.ban.Err()
	case v.status == "archived":
		return State{}, &data.Error{Code: data.Forbidden, Field: "target", Message: "This thread is archived: no new votes."}
	case v.status != "published":
		return State{}, &data.Error{Code: data.Forbidden, Field: "target", Message: "Voting here is closed."}
	}
	return v.state, nil
}

var errNoTarget = &data.Error{Code: data.NotFound, Field: "target", Message: "What you voted on is gone."}

// batcher returns the batcher of a shard, in which votes wait to share a transaction.
func (s *Store) batcher(home data.Where) *batch.Batcher[pendingVote] {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.batchers[home]
	if b == nil {
		b = &batch.Batcher[pendingVote]{Now: s.Source.Now, Sleep: s.DB.Sleep(),
			Run:   func(ctx context.Context, votes []*pendingVote) error { return s.recordAll(ctx, home, votes) },
			Clash: func(a, b *pendingVote) bool { return a.target == b.target && a.UserID == b.UserID }}
		if s.batchers == nil {
			s.batchers = map[data.Where]*batch.Batcher[pendingVote]{}
		}
		s.batchers[home] = b
	}
	return b
}
