package importer

import "plaza/data"

// spot is the place of a comment.
type spot struct {
	id, postID data.ID
	path       string
	depth      int
}

func (c *comment) spot() spot { return spot{c.id, c.postID, c.path, c.depth} }

// recent caches the places of the last comments, by their source: most comments are replies to one of them.
type recent struct {
	young, old map[string]spot
}

// recentComments is how many are cached at least; twice as many at most, and a batch.
const recentComments = 100_000

func (r *recent) add(list []*comment) {
	if r.young == nil || len(r.young) >= recentComments {
		r.young, r.old = make(map[string]spot, recentComments), r.young
	}
	for _, c := range list {
		r.young[c.source] = c.spot()
	}
}

func (r *recent) find(source string) (spot, bool) {
	s, found := r.young[source]
	if !found {
		s, found = r.old[source]
	}
	return s, found
}
