package data

// Of votes.status. Other values say why a vote is kept out of the counters.
const voteCounted = 0

// ownVote reads four columns about the viewer and a target (postOwn, commentOwn, voteState): their vote, its status, and
// the sums of what the counters don't know of it yet. A look-up by primary key and two by the index vote_deltas_target.
//
// It returns the vote and what it adds to the counters, so that its voter sees it counted exactly once: before it is
// folded, while it is in quarantine, and after it was dropped. So a voter can't tell these apart.
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
