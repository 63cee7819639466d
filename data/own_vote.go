package data

// What votes.status says of a vote. Only votes of the first status are in the counters.
const (
	VoteCounted     = 0
	VoteQuarantined = 1 // a moderator has to decide about it
	VoteDropped     = 2 // for good, by a moderator
)

// The same in statements.
const (
	VoteCountedSQL     = `0`
	VoteQuarantinedSQL = `1`
	VoteDroppedSQL     = `2`
)

// OwnVote reads four columns about a viewer and a target: the viewer's vote, its status, and the sums of the ups and
// downs of the viewer's deltas, which are not in the counters yet. These columns cost a look-up by the primary key of
// votes, and two by the index vote_deltas_target.
//
// It returns the vote and what to add to the target's counters for this viewer. With that the viewer sees the own
// vote counted exactly once: before it is folded, and also while it is quarantined and after it was dropped. So
// nobody can tell that their vote was quarantined.
func OwnVote(r *Row) (value int, ups, downs int64) {
	value = int(r.Int())
	status := r.Int()
	ups, downs = r.Int(), r.Int()
	switch {
	case status == VoteCounted:
	case value > 0:
		ups++
	case value < 0:
		downs++
	}
	return value, ups, downs
}
