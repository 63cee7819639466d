package listings_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/data/lists/listings"
	"plaza/ranking"
	"plaza/test/storetest"
)

// TestTagPages walks lists by tags page by page, in every order and window: with too many posts to sort, with few enough, and with both
// from page to page. Each walk has every post once, in the order of the site.
func TestTagPages(t *testing.T) {
	s := storetest.Open(t)
	ann := s.Member("ann")
	s.CommunityOn(0, ann, "one")
	s.CommunityOn(1, ann, "two")
	seed := rand.Uint64()
	t.Log("seed", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	type post struct {
		id   data.ID
		tags []string
		at   time.Time
		of   map[data.Order]float64
	}
	var all []post
	for i := range 60 {
		var tags []string
		for of, name := range []string{"common", "half", "rare"} {
			if odds := []int{2, 4, 12}[of]; rng.IntN(odds) < max(odds/2-1, 1) {
				tags = append(tags, name)
			}
		}
		if i%9 == 0 {
			tags = append(tags, "rare")
		}
		slices.Sort(tags)
		tags = slices.Compact(tags)
		p, err := s.Posts.Create(storetest.Ctx, ann, posts.Create{Community: []string{"one", "two"}[i%2], Title: fmt.Sprint("Post ", i), Text: "x",
			Tags: strings.Join(tags, " ")})
		require.NoError(t, err)
		// Windows end at whole minutes, so no post leaves one while the clock advances by some seconds below.
		most := []time.Duration{time.Hour, 24 * time.Hour, 40 * 24 * time.Hour, 800 * 24 * time.Hour}[i%4]
		ago := time.Duration(rng.Int64N(int64(most/time.Minute)))*time.Minute + 20*time.Second
		at, score := s.Clock.Add(-ago), rng.IntN(12)-2
		of := map[data.Order]float64{data.OrderTop: float64(score), data.OrderHot: float64(rng.IntN(30)), data.OrderControversial: float64(
			rng.IntN(4)), data.OrderComments: float64(rng.IntN(5)), data.OrderViews: float64(rng.IntN(9)), data.OrderNew: float64(at.UnixMilli()),
			data.OrderActive: float64(at.UnixMilli()/1e6*1e6 + 1e7)}
		s.ExecAt(p.ID, "UPDATE posts SET created_at = ?2, age = ?3, score = ?4, hot = ?5, controversy = ?6, comments_step = ?7, views = ?8, active = ?9 "+
			"WHERE id = ?1", int64(p.ID), at.UnixMilli(), max(posts.AgeOf(at, *s.Clock)-rng.IntN(2), 0), score, of[data.OrderHot], of[data.OrderControversial],
			int64(of[data.OrderComments]), int64(of[data.OrderViews]), int64(of[data.OrderActive]))
		all = append(all, post{p.ID, tags, at, of})
	}
	budgets := [][2]int{{12, 5}, {0, 9}, {4000, 6000}}
	for _, names := range []string{"common", "rare", "common half", "common half rare", "none"} {
		for _, named := range data.ListingOrders {
			if named.Order == data.OrderRising {
				continue
			}
			for _, window := range listings.WindowsOf(named) {
				var want []data.ID
				value := map[data.ID]float64{}
				for _, p := range all {
					only := named.Order == data.OrderControversial || named.Order == data.OrderComments || named.Order == data.OrderViews
					if !slices.ContainsFunc(strings.Fields(names), func(name string) bool { return !slices.Contains(p.tags, name) }) &&
						(!only || p.of[named.Order] > 0) && (window.Duration() == 0 || p.at.After(s.Clock.Add(-window.Duration()))) {
						want, value[p.id] = append(want, p.id), p.of[named.Order]
					}
				}
				slices.SortFunc(want, func(a, b data.ID) int { return cmp.Or(cmp.Compare(value[b], value[a]), cmp.Compare(b, a)) })
				for _, budget := range append(budgets, [2]int{-1, 0}) {
					var got []data.ID
					pages := 0
					for after := (data.Cursor{}); ; {
						of := budget
						if budget[0] < 0 { // another one for each page
							of = budgets[rng.IntN(len(budgets))]
						}
						back := listings.TagBudget(of[0], of[1])
						page, found := s.List(listings.Query{Tags: names, Order: named.Order, Window: window, Limit: 7, After: after})
						back()
						got = append(got, found...)
						pages++
						require.Less(t, pages, 500)
						if after = page.Next(); after.IsZero() {
							break
						}
					}
					require.Equal(t, want, got, "%s, %s %s, %v", names, named.Name, window, budget)
				}
			}
		}
	}
}

// TestTagsUnseen leaves out seen posts, for tags with many posts and with few.
func TestTagsUnseen(t *testing.T) {
	s := storetest.Open(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "gophers")
	var want []data.ID
	for i := range 30 {
		p, err := s.Posts.Create(storetest.Ctx, ann, posts.Create{Community: "gophers", Title: fmt.Sprint("Post ", i), Text: "x", Tags: "go"})
		require.NoError(t, err)
		s.ExecAt(p.ID, "UPDATE posts SET score = ?2 WHERE id = ?1", int64(p.ID), 100-i)
		if i%3 == 0 {
			want = append(want, p.ID)
		} else {
			s.ExecAt(p.ID, "INSERT INTO visits (user_id, post_id, seen_at) VALUES (?1, ?2, ?3)", int64(ben.UserID), int64(p.ID),
				s.Clock.UnixMilli())
		}
	}
	for _, few := range []int{0, 4000} {
		defer listings.TagBudget(few, 9)()
		var got []data.ID
		for after := (data.Cursor{}); ; {
			page, found := s.List(listings.Query{Tags: "go", Order: data.OrderTop, Window: ranking.WindowAll, Limit: 4, After: after,
				Viewer: ben.UserID, Unseen: true})
			got = append(got, found...)
			if after = page.Next(); after.IsZero() {
				break
			}
		}
		require.Equal(t, want, got)
	}
}
