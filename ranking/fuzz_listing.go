package ranking

import (
	"cmp"
	"math"
	"slices"
)

// A Shown is a score of a listing and what is shown for it.
type Shown struct {
	Score int64
	Shown int64
	Exact bool // Shown equals Score and must not be moved
}

// Apart changes Shown where it must, so that of two scores the larger one is shown as the larger number, whatever the
// order of the listing. Equal scores may be shown as different numbers. Shown numbers are moved away from zero,
// except where an exact one is in the way.
func Apart(list []*Shown) {
	var above, below []*Shown
	for _, s := range list {
		if s.Score < 0 {
			below = append(below, s)
		} else {
			above = append(above, s)
		}
	}
	apart(above, 1)
	apart(below, -1)
}

// apart is Apart for scores of one sign.
func apart(list []*Shown, sign int64) {
	slices.SortStableFunc(list, func(a, b *Shown) int { return cmp.Compare(sign*a.Score, sign*b.Score) })
	// From the largest down: how large each may be because of exact ones above it.
	most := int64(math.MaxInt64)
	for i := len(list) - 1; i >= 0; i-- {
		if i+1 < len(list) && list[i].Score != list[i+1].Score && most != math.MaxInt64 {
			most--
		}
		if list[i].Exact {
			most = sign * list[i].Shown
		} else {
			list[i].Shown = sign * min(sign*list[i].Shown, most)
		}
	}
	// From the smallest up: each is larger than all of a smaller score.
	least, next := int64(math.MinInt64), int64(math.MinInt64)
	for i, s := range list {
		if i > 0 && s.Score != list[i-1].Score {
			least = next
		}
		if !s.Exact {
			s.Shown = sign * max(sign*s.Shown, least)
		}
		next = max(next, sign*s.Shown+1)
	}
}
