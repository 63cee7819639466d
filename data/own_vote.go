package data

// voteCounted is the votes.status of a vote that is in the counters. Votes of another status are quarantined or
// dropped.
const voteCounted = 0

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
	case status == voteCounted:
	case value > 0:
		ups++
	case value < 0:
		downs++
	}
	return value, ups, downs
}
