package editions

import (
	"cmp"
	"slices"
	"time"

	"plaza/data"
)

// The size of an edition.
const (
	pageSize = 25
	// Front is how many posts stand above the sections of communities: the lead comes first.
	Front = 8
	// enough is how many recent posts make an edition. If there are fewer, older ones are added.
	enough = 10
	// leastParts is the number of parts that an edition's posts are divided into. One community has at most one part.
	leastParts = 3
)

// candidate is a post that an edition may have.
type candidate struct {
	id        data.ID
	community data.ID
	createdAt time.Time
	picture   bool
}

// choose chooses the posts of an edition among the hottest ones of the site, which are in that order. taken are the posts of the editions
// before, which are not shown again.
func choose(hottest []candidate, taken map[data.ID]bool, since time.Time) []candidate {
	var recent, older []candidate
	for _, c := range hottest {
		switch {
		case taken[c.id]:
		case c.createdAt.Before(since):
			older = append(older, c)
		default:
			recent = append(recent, c)
		}
	}
	chosen := bounded(recent, pageSize)
	if len(chosen) < enough {
		chosen = bounded(append(recent, older...), enough)
	}
	return sections(chosen)
}

// bounded returns the first n candidates, of one community at most a third, or its equal part if there are fewer communities.
func bounded(list []candidate, n int) (kept []candidate) {
	of := map[data.ID]int{}
	for _, c := range list {
		of[c.community] = 0
	}
	parts := max(1, min(len(of), leastParts))
	for _, c := range list {
		if len(kept) == n {
			break
		}
		if of[c.community]++; of[c.community] <= (n+parts-1)/parts {
			kept = append(kept, c)
		}
	}
	return kept
}

// sections orders the posts of an edition. The front comes first: the hottest posts, at most one part of them of one community. The others
// are grouped by community, in the order in which the communities come first.
func sections(list []candidate) []candidate {
	front := bounded(list, Front)
	rest := slices.DeleteFunc(slices.Clone(list), func(c candidate) bool { return slices.Contains(front, c) })
	first := map[data.ID]int{}
	for i, c := range rest {
		if _, ok := first[c.community]; !ok {
			first[c.community] = i
		}
	}
	slices.SortStableFunc(rest, func(a, b candidate) int { return first[a.community] - first[b.community] })
	return append(front, rest...)
}

// lead moves the post that leads an edition to its beginning: the first one above the sections that has a picture or a quotation.
func lead(list []candidate, quotes map[data.ID]data.ID) {
	for i, c := range list[:min(len(list), Front)] {
		if c.picture || quotes[c.id] != 0 {
			copy(list[1:i+1], list[:i])
			list[0] = c
			return
		}
	}
}

// sorted merges what the shards have found, or several sources, the hottest first.
func sorted(list []hotCandidate) []candidate {
	slices.SortFunc(list, func(a, b hotCandidate) int { return cmp.Or(cmp.Compare(b.hot, a.hot), cmp.Compare(b.id, a.id)) })
	merged := make([]candidate, len(list))
	for i, c := range list {
		merged[i] = c.candidate
	}
	return merged
}

// idsOf returns the ids of candidates in their order.
func idsOf(list []candidate) []data.ID {
	ids := make([]data.ID, len(list))
	for i, c := range list {
		ids[i] = c.id
	}
	return ids
}
