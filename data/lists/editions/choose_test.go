package editions

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"plaza/data"
)

// Whatever the candidates are: no post is repeated, no community has more than its part, the front is in the order of heat, and each
// community below has one section.
func TestChoose(t *testing.T) {
	since := time.Unix(1_000_000, 0)
	rapid.Check(t, func(t *rapid.T) {
		taken := map[data.ID]bool{}
		var hottest []candidate
		for i := range rapid.IntRange(0, 200).Draw(t, "posts") {
			c := candidate{id: data.ID(i + 1), community: data.ID(rapid.IntRange(1, 12).Draw(t, "community")),
				createdAt: since.Add(time.Duration(rapid.IntRange(-9, 30).Draw(t, "hours")) * time.Hour)}
			hottest = append(hottest, c)
			taken[c.id] = rapid.IntRange(0, 9).Draw(t, "taken") == 0
		}
		chosen := choose(hottest, taken, since)
		require.LessOrEqual(t, len(chosen), pageSize)
		seen, of, old := map[data.ID]bool{}, map[data.ID]int{}, 0
		for i, c := range chosen {
			require.False(t, seen[c.id] || taken[c.id])
			seen[c.id] = true
			of[c.community]++
			if c.createdAt.Before(since) {
				old++
			}
			if i > 0 && i < Front && old == 0 {
				require.Greater(t, c.id, chosen[i-1].id, "the front is in the order of heat")
			}
		}
		communities := map[data.ID]bool{}
		for _, c := range hottest {
			communities[c.community] = true
		}
		for _, n := range of {
			require.True(t, n <= (pageSize+leastParts-1)/leastParts || len(communities) < leastParts || len(of) < leastParts, "%d of one community", n)
		}
		if old > 0 {
			require.LessOrEqual(t, len(chosen), enough, "old posts only fill an edition that would be too short")
		}
		var closed []data.ID
		below := chosen[min(len(chosen), Front):]
		for i, c := range below {
			if i > 0 && below[i-1].community != c.community {
				closed = append(closed, below[i-1].community)
			}
			require.NotContains(t, closed, c.community, "a community has one section")
		}
	})
}

func TestLead(t *testing.T) {
	list := []candidate{{id: 1}, {id: 2}, {id: 3, picture: true}, {id: 4}}
	ids := func(list []candidate) (ids []data.ID) {
		for _, c := range list {
			ids = append(ids, c.id)
		}
		return ids
	}
	leads := func(quotes map[data.ID]data.ID) []data.ID {
		moved := slices.Clone(list)
		lead(moved, quotes)
		return ids(moved)
	}
	require.Equal(t, []data.ID{3, 1, 2, 4}, leads(nil), "the first with a picture")
	require.Equal(t, []data.ID{2, 1, 3, 4}, leads(map[data.ID]data.ID{2: 9, 4: 8}), "or with a comment to quote")
	list[2].picture = false
	require.Equal(t, []data.ID{1, 2, 3, 4}, leads(nil), "else the hottest")
}
