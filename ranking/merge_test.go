package ranking

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

var noFloor = math.Inf(-1)

// List is the hot listing of one community, best first.
type List []Entry

// merge weighs and sorts lists.
func merge(lists []List, floor float64) []Item {
	items := []Item{}
	for _, list := range lists {
		for _, e := range list {
			items = append(items, Item{e, Weight(e.Hot, Top(list[0].Hot, floor))})
		}
	}
	slices.SortFunc(items, CompareItems)
	return items
}

func TestMergeFloor(t *testing.T) {
	silent, lively := List{{ID: 1, Hot: 2}, {ID: 2, Hot: 1}}, List{{ID: 3, Hot: 10}, {ID: 4, Hot: 5}, {ID: 5, Hot: 1}}
	assert.Equal(t, []int64{3, 4, 1, 2, 5}, ids(merge([]List{silent, lively}, 8)), "the silent community is measured from 8")
	assert.Equal(t, []int64{3, 1, 2, 4, 5}, ids(merge([]List{silent, lively}, noFloor)), "its top would come second without a floor")
}

func TestMerge(t *testing.T) {
	big := List{{101, 210}, {102, 209.5}, {103, 209}, {104, 208.5}}
	small := List{{201, 207}, {202, 206.25}}
	tests := []struct {
		name  string
		lists []List
		want  []int64
	}{
		{"no lists", nil, []int64{}},
		{"empty lists", []List{{}, nil}, []int64{}},
		{"one list as it is", []List{big}, []int64{101, 102, 103, 104}},
		{"a small community is not drowned", []List{big, small}, []int64{101, 201, 102, 202, 103, 104}},
		{"tops in order of hot", []List{small, big, {{1, 208}}}, []int64{101, 1, 201, 102, 202, 103, 104}},
		{"equal posts newest first", []List{{{1, 5}}, {{3, 5}}, {{2, 5}}}, []int64{3, 2, 1}},
		{"equal posts of one list newest first", []List{{{10, 5}, {9, 5}, {1, 5}}}, []int64{10, 9, 1}},
		{"imported posts before the epoch", []List{{{1, -9000}, {2, -9001}}, {{3, 2}, {4, 0}}, {{5, 0}, {6, -0.5}}}, []int64{3, 5, 1, 6, 2, 4}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, ids(merge(c.lists, noFloor)))
		})
	}
}

func TestMergeLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lists := drawLists(t)
		all := merge(lists, noFloor)
		later := make([]List, len(lists))
		for i, list := range lists {
			for _, e := range list {
				later[i] = append(later[i], Entry{e.ID, e.Hot - 4096})
			}
			if len(list) > 0 {
				top := slices.IndexFunc(all, func(item Item) bool { return item.ID == list[0].ID })
				assert.Zero(t, all[top].Weight)
				for _, before := range all[:top] {
					assert.Zero(t, before.Weight, "the best of every list comes before the second of any")
				}
			}
			for j := 1; j < len(list); j++ {
				a, b := slices.Index(ids(all), list[j-1].ID), slices.Index(ids(all), list[j].ID)
				assert.Less(t, a, b, "every list keeps its order")
			}
		}
		assert.Equal(t, ids(all), ids(merge(later, noFloor)), "the epoch has no effect")
	})
}

func TestTopIsBelowWhatItMeasures(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hot := float64(rapid.Int64Range(-1<<40, 1<<40).Draw(t, "hot, in the seventh decimal")) / 1e7
		floor := float64(rapid.Int64Range(-1<<40, 1<<40).Draw(t, "floor")) / 1e7
		top := Top(hot, floor)
		assert.LessOrEqual(t, top, max(hot, floor))
		assert.Less(t, max(hot, floor)-top, 1.0/topGrid)
		assert.Equal(t, top, TopOf(TopUnits(top)), "an address carries it exactly")
		assert.LessOrEqual(t, Weight(hot, top), 0.0)
	})
}

// If reddit's quotient is defined as intended (all hot positive, equal tops), a difference gives the same order.
func TestMergeAgreesWithTheQuotient(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lists := drawLists(t)
		for i, list := range lists {
			for j := range list {
				list[j].Hot += 1000
			}
			lists[i] = append(List{{int64(1000 + i), 2000}}, list...)
		}
		all := merge(lists, noFloor)
		quotient := slices.Clone(all)
		for i := range quotient {
			quotient[i].Weight = quotient[i].Hot / 2000
		}
		slices.SortStableFunc(quotient, CompareItems)
		assert.Equal(t, ids(all), ids(quotient))
	})
}

// drawLists draws lists without a common id and with many equal hot values, in eighths so that additions are exact.
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
		slices.SortFunc(list, func(a, b Entry) int { return CompareItems(Item{Entry: a}, Item{Entry: b}) })
		lists = append(lists, list)
	}
	return lists
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
