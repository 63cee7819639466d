package data

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
