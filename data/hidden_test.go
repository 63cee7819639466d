package data_test

import (
	"cmp"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
)

// TestMerge lists numbers from the highest on, of up to three rows a shard. Negative ones are hidden.
func TestMerge(t *testing.T) {
	places := []data.Where{data.HomeOf("ants"), data.HomeOf("bees")}
	for _, tt := range []struct {
		says  string
		parts [2][]int
		shown []int
		end   int // 0: none
	}{
		{"without hidden rows the list has no end", [2][]int{{9, 7, 5}, {8, 6, 4}}, []int{9, 7, 5, 8, 6, 4}, 0},
		{"the other shard shows what one hides, up to where that one has ended", [2][]int{{9, 7, 5}, {-9, -7, -5}}, []int{9, 7, 5}, 5},
		{"what comes behind it is not known", [2][]int{{6, 4, 3}, {-9, 8, 7}}, []int{8, 7}, 7},
		{"a shard that has no more rows ends nothing", [2][]int{{6, 4, 3}, {-9, 8}}, []int{6, 4, 3, 8}, 0},
		{"in whatever order the rows of a shard come", [2][]int{{6, 4, 3}, {5, 8, -9}}, []int{6, 5, 8}, 5},
		{"what both hide was read before and after the switch", [2][]int{{-6}, {-6}}, []int{6}, 0},
	} {
		t.Run(tt.says, func(t *testing.T) {
			m := data.NewMerge(func(a, b int) int { return cmp.Compare(b, a) })
			var found, shown []int
			for shard, rows := range tt.parts {
				shows := m.Filter(places[shard], 3)
				for _, n := range rows {
					if item := max(n, -n); shows(item, data.ID(item), n < 0) {
						found = append(found, item)
					}
				}
			}
			for _, item := range found {
				if !m.IsBehind(item) {
					shown = append(shown, item)
				}
			}
			require.Equal(t, tt.shown, shown)
			if tt.end == 0 {
				require.Nil(t, m.End())
			} else {
				require.Equal(t, tt.end, *m.End())
			}
		})
	}
	t.Run("what one shard hides and lists twice stays hidden", func(t *testing.T) {
		m := data.NewMerge(cmp.Compare[int])
		for range 2 {
			require.False(t, m.Filter(places[0], 3)(6, 6, true))
		}
	})
}
