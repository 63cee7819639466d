package data

// voteCounted is the votes.status of a vote that is in the counters. Others are quarantined or dropped.
const voteCounted = 0

// OwnVote reads four columns about a viewer and a target: their vote, its status, and the sums of their deltas, which the counters
// don't know yet. Primary key of votes, and the index vote_deltas_target twice.
//
// It returns the vote and what it adds to the counters. So its voter sees it counted exactly once: before it is folded, while it is
// quarantined and after it was dropped, and can't tell these apart.
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
