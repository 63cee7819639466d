package ranking

import (
	"cmp"
	"container/heap"
	"slices"
)

// An Entry is one post of a community's hot listing.
type Entry struct {
	ID  int64
	Hot float64
}

// A List is the hot listing of one community, best first. Its first entry sets
// the scale, so it has to start at the top of the listing (after whatever the
// reader does not see has been left out). Lists share no post.
type List []Entry

// An Item is an entry in a merged listing with its normalised weight.
type Item struct {
	Entry
	Weight float64 // Hot minus the hot of the top of its list, or the floor: at most 0
}

// After says whether the item comes after another in a merged listing: by weight,
// then hot, then id, each descending. The three together are the cursor of a page
// ([MergeAfter]).
func (i Item) After(other Item) bool {
	return compareItems(i, other) > 0
}

// compareItems is negative when a comes before b.
func compareItems(a, b Item) int {
	return cmp.Or(
		cmp.Compare(b.Weight, a.Weight),
		cmp.Compare(b.Hot, a.Hot),
		cmp.Compare(b.ID, a.ID),
	)
}

// Merge is the front page: at most limit items of all lists, those closest behind
// the top of their own community first. The order of the lists has no effect.
//
//	weight = hot - max(hot of the top of the list, floor)
//
// So the top posts of all communities come first with weight 0, hottest first
// among themselves, and a post follows by how many times fewer votes it has (a
// factor of ten is 1), or how much older it is (12.5 hours are 1), than the best of
// its own community: a community with a thousand times the votes gains nothing
// from its size.
//
// Source: reddit, r2/r2/lib/normalized_hot.py, which sorts by (hot / max(top, 1),
// hot, date). Its division works because reddit's hot is a large positive number;
// with Plaza's young epoch hot is near 0 and negative for imported posts, where a
// quotient turns a list upside down and the clamp to 1 lets whole communities fall
// off. A difference has the same order wherever hot is positive and the tops are
// equal, keeps every list in order for any sign, and does not depend on the epoch
// (all three are tested). Both would give the top of a long silent community the
// best weight, so reddit left old posts out; here a list whose top is below the
// floor is measured from the floor, and sinks with the time since anything happened
// there. The hot score of a fresh post of some days ago is a good floor, negative
// infinity is none.
//
// It costs O(n) to check that lists are sorted and O(limit log k) to merge; a list
// out of order (equal scores ordered as text, say) is sorted in a copy.
func Merge(lists []List, floor float64, limit int) []Item {
	return merge(lists, floor, limit, func(Item) bool { return true })
}

// MergeAfter is the page of [Merge] that follows the item after, the last of the
// page before. The item itself need not be there any more. Weights are relative to
// the tops at this moment: a reader who pages while tops change sees no duplicate
// and no gap only if the lists, or the merged order, are kept between pages.
func MergeAfter(lists []List, floor float64, after Item, limit int) []Item {
	return merge(lists, floor, limit, func(i Item) bool { return i.After(after) })
}

func merge(lists []List, floor float64, limit int, wanted func(Item) bool) []Item {
	if limit <= 0 {
		return nil
	}
	heads := make(mergeHeap, 0, len(lists))
	total := 0
	for _, list := range lists {
		if !slices.IsSortedFunc(list, compareEntries) {
			list = slices.Clone(list)
			slices.SortFunc(list, compareEntries)
		}
		run := mergeRun{list: list}
		if len(list) > 0 {
			run.top = max(list[0].Hot, floor)
		}
		// wanted is false for the start of a list and true from some entry on.
		run.next, _ = slices.BinarySearchFunc(list, true, func(e Entry, _ bool) int {
			if wanted(run.item(e)) {
				return 1
			}
			return -1
		})
		if run.next < len(list) {
			run.head = run.item(list[run.next])
			heads = append(heads, run)
			total += len(list) - run.next
		}
	}
	heap.Init(&heads)
	items := make([]Item, 0, min(limit, total))
	for len(items) < limit && len(heads) > 0 {
		first := &heads[0]
		items = append(items, first.head)
		first.next++
		if first.next == len(first.list) {
			heap.Pop(&heads)
			continue
		}
		first.head = first.item(first.list[first.next])
		heap.Fix(&heads, 0)
	}
	return items
}

func compareEntries(a, b Entry) int {
	return cmp.Or(cmp.Compare(b.Hot, a.Hot), cmp.Compare(b.ID, a.ID))
}

// A mergeRun is a list and how far it has been read.
type mergeRun struct {
	list List
	top  float64
	next int
	head Item
}

func (r mergeRun) item(e Entry) Item {
	return Item{Entry: e, Weight: e.Hot - r.top}
}

type mergeHeap []mergeRun

func (h mergeHeap) Len() int           { return len(h) }
func (h mergeHeap) Less(i, j int) bool { return compareItems(h[i].head, h[j].head) < 0 }
func (h mergeHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *mergeHeap) Push(x any)        { *h = append(*h, x.(mergeRun)) }
func (h *mergeHeap) Pop() any {
	last := len(*h) - 1
	run := (*h)[last]
	*h = (*h)[:last]
	return run
}
