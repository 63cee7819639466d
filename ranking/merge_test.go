package ranking

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

var noFloor = math.Inf(-1)

func TestMergeFloor(t *testing.T) {
	silent, lively := List{{ID: 1, Hot: 2}, {ID: 2, Hot: 1}}, List{{ID: 3, Hot: 10}, {ID: 4, Hot: 5}, {ID: 5, Hot: 1}}
	assert.Equal(t, []int64{3, 4, 1, 2, 5}, ids(Merge([]List{silent, lively}, 8, 9)), "the silent community is measured from 8")
	assert.Equal(t, []int64{3, 1, 2, 4, 5}, ids(Merge([]List{silent, lively}, noFloor, 9)), "its top would come second without a floor")
}

func TestMerge(t *testing.T) {
	big := List{{101, 210}, {102, 209.5}, {103, 209}, {104, 208.5}}
	small := List{{201, 207}, {202, 206.25}}
	tests := []struct {
		name  string
		lists []List
		limit int
		want  []int64
	}{
		{"no lists", nil, 10, []int64{}},
		{"empty lists", []List{{}, nil}, 10, []int64{}},
		{"no room", []List{big}, 0, nil},
		{"a negative limit", []List{big}, -1, nil},
		{"one list as it is", []List{big}, 10, []int64{101, 102, 103, 104}},
		{"a small community is not drowned", []List{big, small}, 10, []int64{101, 201, 102, 202, 103, 104}},
		{"as many as asked for", []List{big, small}, 3, []int64{101, 201, 102}},
		{"tops in order of hot", []List{small, big, {{1, 208}}}, 3, []int64{101, 1, 201}},
		{"equal posts newest first", []List{{{1, 5}}, {{3, 5}}, {{2, 5}}}, 3, []int64{3, 2, 1}},
		{"equal posts of one list newest first", []List{{{1, 5}, {9, 5}, {10, 5}}}, 3, []int64{10, 9, 1}},
		{"an unsorted list", []List{{{1, 1}, {2, 2}}}, 3, []int64{2, 1}},
		{"imported posts before the epoch", []List{{{1, -9000}, {2, -9001}}, {{3, 2}, {4, 0}}, {{5, 0}, {6, -0.5}}},
			10, []int64{3, 5, 1, 6, 2, 4}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, ids(Merge(c.lists, noFloor, c.limit)))
		})
	}
}

func TestMergeLeavesItsInputAlone(t *testing.T) {
	list := List{{1, 1}, {2, 2}}
	Merge([]List{list}, noFloor, 2)
	assert.Equal(t, List{{1, 1}, {2, 2}}, list)
}

func TestMergeLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lists := drawLists(t)
		want := oracle(lists)
		all := Merge(lists, noFloor, len(want)+1)
		assert.Equal(t, want, all, "sorted and complete")

		shuffled := slices.Clone(lists)
		seed := rapid.Uint64().Draw(t, "seed")
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(shuffled), func(i, j int) {
			shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
		})
		assert.Equal(t, all, Merge(shuffled, noFloor, len(want)+1), "the order of lists has no effect")

		later := make([]List, len(lists))
		for i, list := range lists {
			for _, e := range list {
				later[i] = append(later[i], Entry{e.ID, e.Hot - 4096})
			}
		}
		assert.Equal(t, ids(all), ids(Merge(later, noFloor, len(want)+1)), "the epoch has no effect")

		limit := rapid.IntRange(1, 7).Draw(t, "limit")
		var paged []Item
		for page := Merge(lists, noFloor, limit); len(page) > 0; page = MergeAfter(lists, noFloor, page[len(page)-1], limit) {
			assert.LessOrEqual(t, len(page), limit)
			paged = append(paged, page...)
		}
		assert.Equal(t, all, append([]Item{}, paged...), "pages join without duplicate or gap")
	})
}

// The page after an item is the same when that item has gone meanwhile.
func TestMergeAfterADeletedPost(t *testing.T) {
	lists := []List{{{1, 9}, {2, 8}, {3, 7}}, {{4, 5}, {5, 4.5}}}
	page := Merge(lists, noFloor, 3)
	assert.Equal(t, []int64{1, 4, 5}, ids(page))
	assert.Equal(t, []int64{2, 3}, ids(MergeAfter([]List{lists[0], {{4, 5}}}, noFloor, page[2], 3)))
}

// Where reddit's quotient is defined as it was meant (all hot positive, equal
// tops), a difference gives the same order.
func TestMergeAgreesWithTheQuotient(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lists := drawLists(t)
		for i, list := range lists {
			for j := range list {
				list[j].Hot += 1000
			}
			lists[i] = append(List{{int64(1000 + i), 2000}}, list...)
		}
		all := Merge(lists, noFloor, 1000)
		quotient := slices.Clone(all)
		for i := range quotient {
			quotient[i].Weight = quotient[i].Hot / 2000
		}
		slices.SortStableFunc(quotient, compareItems)
		assert.Equal(t, ids(all), ids(quotient))
	})
}

// drawLists draws lists without a common id and with many equal hot values, in
// eighths so that adding to them is exact.
func drawLists(t *rapid.T) []List {
	sizes := rapid.SliceOfN(rapid.IntRange(0, 12), 0, 6).Draw(t, "sizes")
	var lists []List
	id := int64(0)
	for _, size := range sizes {
		var list List
		for range size {
			id++
			list = append(list, Entry{id, float64(rapid.IntRange(-40, 40).Draw(t, "hot")) / 8})
		}
		slices.SortFunc(list, compareEntries)
		lists = append(lists, list)
	}
	return lists
}

func oracle(lists []List) []Item {
	items := []Item{}
	for _, list := range lists {
		for _, e := range list {
			items = append(items, Item{e, e.Hot - list[0].Hot})
		}
	}
	slices.SortFunc(items, func(a, b Item) int {
		switch {
		case a.Weight != b.Weight:
			return map[bool]int{true: -1, false: 1}[a.Weight > b.Weight]
		case a.Hot != b.Hot:
			return map[bool]int{true: -1, false: 1}[a.Hot > b.Hot]
		}
		return int(b.ID - a.ID)
	})
	return items
}

func ids(items []Item) []int64 {
	if items == nil {
		return nil
	}
	out := []int64{}
	for _, i := range items {
		out = append(out, i.ID)
	}
	return out
}
