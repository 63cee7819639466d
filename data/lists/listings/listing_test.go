package listings_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/data/lists/listings"
	"plaza/ranking"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func TestWindows(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t)
	ann := s.Member("ann")
	s.CommunityOn(0, ann, "one")
	start := *s.Clock
	var bulk []storetest.Bulk
	ages := map[data.ID]time.Duration{} // at start
	add := func(age time.Duration) {
		id := data.ID(storetest.BulkID(len(bulk)))
		ages[id] = age
		bulk = append(bulk, storetest.Bulk{ID: int64(id), Community: s.CommunityID("one"), Name: "one", Created: start.Add(-age).UnixMilli(),
			Ups: 10 + int64(len(bulk)%7), Downs: 5, Comment: 1 + int64(len(bulk)%5)})
	}
	for _, w := range ranking.Windows() {
		if d := w.Duration(); d > 0 {
			for _, off := range []time.Duration{time.Second, time.Minute, min(time.Hour, d/2), d / 3} {
				add(d - off)
				add(d + off)
			}
		}
	}
	add(0)
	add(-time.Hour) // a clock that was ahead
	add(20 * 365 * 24 * time.Hour)
	s.Insert(bulk)

	check := func(t *testing.T) {
		t.Helper()
		now := *s.Clock
		for _, order := range storetest.WindowOrders {
			for _, scope := range []string{"one", ""} {
				r := s.DB.Read()
				found := map[ranking.Window]*listings.Page{}
				for _, w := range ranking.Windows() {
					found[w] = s.Listings.Find(r, listings.Query{Community: scope, Order: order, Window: w, Limit: 200})
				}
				require.NoError(t, r.Run(storetest.Ctx))
				for w, page := range found {
					var want []data.ID
					for id, age := range ages {
						if w.Contains(start.Add(-age), now) {
							want = append(want, id)
						}
					}
					require.ElementsMatch(t, want, storetest.IdsOf(page.Items()), "%c of %q, %s", order, scope, w)
				}
			}
		}
	}
	t.Run("hold what is younger and nothing older, while all ages lag", check)
	t.Run("and after the job", func(t *testing.T) {
		require.NoError(t, s.Posts.AgePosts(storetest.Ctx))
		check(t)
		require.Equal(t, int64(6), s.One("SELECT count(DISTINCT age) FROM posts"))
		require.Equal(t, int64(len(bulk)), s.One("SELECT count(*) FROM posts"), "none is lost")
		require.NoError(t, s.Posts.AgePosts(storetest.Ctx))
		check(t)
	})
	t.Run("a post of 167 hours is of this week, one of 169 is not", func(t *testing.T) {
		find := func(age time.Duration) data.ID {
			for id, a := range ages {
				if a == age {
					return id
				}
			}
			t.Fatal("no post of that age")
			return 0
		}
		_, week := s.List(listings.Query{Community: "one", Order: data.OrderTop, Window: ranking.WindowWeek, Limit: 200})
		require.Contains(t, week, find(167*time.Hour))
		require.NotContains(t, week, find(169*time.Hour))
	})
	t.Run("as time passes, with the job and without", func(t *testing.T) {
		for i, step := range []time.Duration{time.Second, 59 * time.Minute, 20 * time.Hour, 7 * 24 * time.Hour, 300 * 24 * time.Hour} {
			*s.Clock = s.Clock.Add(step)
			check(t)
			if i%2 == 0 {
				require.NoError(t, s.Posts.AgePosts(storetest.Ctx))
				check(t)
			}
		}
	})
	t.Run("an age is never ahead of the time", func(t *testing.T) {
		require.NoError(t, s.Posts.AgePosts(storetest.Ctx))
		for _, row := range s.Rows("SELECT created_at, age FROM posts") {
			require.LessOrEqual(t, row[1], int64(posts.AgeOf(time.UnixMilli(row[0].(int64)), *s.Clock)))
		}
	})
	t.Run("many posts at once are moved in steps, each to where it belongs", func(t *testing.T) {
		bulk = bulk[:0]
		for i := range 2500 {
			bulk = append(bulk, storetest.Bulk{ID: storetest.BulkID(5000 + i), Community: s.CommunityID("one"), Name: "one",
				Created: s.Clock.Add(-time.Duration(i) * 6 * time.Hour).UnixMilli(), Ups: 1, Downs: 0, Comment: 0})
		}
		s.Insert(bulk)
		require.NoError(t, s.Posts.AgePosts(storetest.Ctx))
		for _, row := range s.Rows("SELECT created_at, age FROM posts WHERE id >= ?1", storetest.BulkID(5000)) {
			created := time.UnixMilli(row[0].(int64))
			require.Contains(t, []int{posts.AgeOf(created, *s.Clock), posts.AgeOf(created, s.Clock.Add(-2*time.Minute))}, int(row[1].(int64)))
		}
	})
}

// TestPaging walks through 2,000 posts while votes, comments, new posts and deletions go on.
func TestPaging(t *testing.T) {
	const n = 900
	type walk struct {
		name      string
		order     data.Order
		window    ranking.Window
		confirmed bool
	}
	for _, test := range []walk{
		{"new", data.OrderNew, "", false},
		{"active", data.OrderActive, "", false},
		{"top of the month", data.OrderTop, ranking.WindowMonth, false},
		{"top of all time", data.OrderTop, ranking.WindowAll, false},
		{"controversial of the year", data.OrderControversial, ranking.WindowYear, false},
		{"most commented of all time", data.OrderComments, ranking.WindowAll, false},
		{"most viewed of the year", data.OrderViews, ranking.WindowYear, false},
		{"hot from the database", data.OrderHot, "", false},
		{"hot by ids that Redis has confirmed", data.OrderHot, "", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if test.confirmed {
				stacktest.NeedRedis(t)
			}
			s := storetest.Open(t)
			s.CommunityOn(0, s.Member("ann"), "one")
			community := s.CommunityID("one")
			random := rand.New(rand.NewPCG(7, uint64(test.order)))
			bulk := make([]storetest.Bulk, n)
			for i := range bulk {
				bulk[i] = storetest.Bulk{ID: storetest.BulkID(i), Community: community, Name: "one",
					Created: s.Clock.Add(-time.Duration(n-i) * 20 * time.Minute).UnixMilli(), Ups: 1 + random.Int64N(40), Downs: 1 + random.Int64N(20),
					Comment: 1 + random.Int64N(30)}
			}
			s.Insert(bulk)
			require.NoError(t, s.Posts.AgePosts(storetest.Ctx))
			s.Hot.Cap = 3 * n
			if test.confirmed {
				require.NoError(t, s.Hot.Rebuild(storetest.Ctx, "one"))
			}
			// A quarter of the posts get votes and comments all the time.
			moving := map[data.ID]bool{}
			for range n / 4 {
				moving[data.ID(bulk[random.IntN(n)].ID)] = true
			}
			gone, seen := map[data.ID]bool{}, map[data.ID]int{}
			remove := func(id data.ID) {
				if gone[id] {
					return
				}
				gone[id] = true
				s.Exec("UPDATE posts SET status = 'deleted' WHERE id = ?1", int64(id))
			}
			var after data.Cursor
			for page := 0; ; page++ {
				require.Less(t, page, 3*n/25, "the pages end")
				q := listings.Query{Community: "one", Order: test.order, Window: test.window, After: after, Limit: 25}
				l, ids := s.List(q)
				if test.confirmed && page == 0 {
					require.False(t, s.Confirm(l))
					_, known := s.Hot.Known("one", 26, *s.Clock, time.Time{})
					require.True(t, known)
					l, ids = s.List(q)
				}
				for _, id := range ids {
					seen[id]++
				}
				if after = l.Next(); after.IsZero() {
					break
				}
				remove(ids[len(ids)-1-page%3])           // posts that were shown; each third time the one before the next page
				remove(data.ID(bulk[random.IntN(n)].ID)) // shown or not
				id := storetest.BulkID(n + page)         // a new post
				s.Insert([]storetest.Bulk{{ID: id, Community: community, Name: "one", Created: s.Clock.UnixMilli(), Ups: 1 + random.Int64N(40),
					Downs: 1, Comment: 1}})
				if page%3 != 0 {
					continue
				}
				voted := slices.Sorted(maps.Keys(moving))
				random.Shuffle(len(voted), func(i, j int) { voted[i], voted[j] = voted[j], voted[i] })
				list, err := json.Marshal(voted[:40])
				require.NoError(t, err)
				s.ExecAt(0, `INSERT INTO votes (target_id, user_id, value, updated_at) SELECT CAST(j.value AS INTEGER), ?2 + u.value, ?3, 1
  FROM json_each(?1) j CROSS JOIN json_each('[0,1,2,3]') u`,
					string(list), page*100, []int{1, -1}[page/3%2])
				s.Exec(`UPDATE posts SET comments = comments + ?2, comments_step = comments + ?2 WHERE id IN (SELECT CAST(value AS INTEGER) FROM json_each(?1))`, string(list), page%4)
				s.ApplyAll()
			}
			for _, p := range bulk {
				id := data.ID(p.ID)
				switch {
				case gone[id] && !moving[id]:
					require.LessOrEqual(t, seen[id], 1, "a deleted post")
				case !gone[id] && (test.order == data.OrderNew || !moving[id]):
					require.Equal(t, 1, seen[id], "post %s stood still", id)
				}
			}
			if test.order == data.OrderNew {
				for id, times := range seen {
					require.Equal(t, 1, times, id)
				}
			}
		})
	}
}

func TestRising(t *testing.T) {
	s := storetest.Open(t)
	ann := s.Member("ann")
	s.CommunityOn(0, ann, "one")
	community := s.CommunityID("one")
	var bulk []storetest.Bulk
	for i := range 200 {
		bulk = append(bulk, storetest.Bulk{ID: storetest.BulkID(i), Community: community, Name: "one",
			Created: s.Clock.Add(-time.Duration(200-i) * 10 * time.Minute).UnixMilli(), Ups: int64(1 + i*37%23), Downs: int64(i % 4),
			Comment: int64(i % 9)})
	}
	bulk[198].Ups, bulk[198].Downs = 0, 50 // sinks
	bulk[3].Ups = 10000                    // rose yesterday
	s.Insert(bulk)
	l, got := s.List(listings.Query{Community: "one", Order: data.OrderRising, Limit: 25})
	now := *s.Clock
	type rise struct {
		id    data.ID
		value float64
	}
	var want []rise
	for _, p := range bulk[125:] {
		want = append(want, rise{data.ID(p.ID), ranking.Rising(p.Ups, p.Downs, p.Comment, now.Sub(time.UnixMilli(p.Created)))})
	}
	slices.SortFunc(want, func(a, b rise) int {
		if a.value > b.value {
			return -1
		}
		return 1
	})
	require.Len(t, got, 25)
	for i, id := range got {
		require.Equal(t, want[i].id, id, "place %d", i)
	}
	require.True(t, l.Next().IsZero(), "one page")
	_, all := s.List(listings.Query{Order: data.OrderRising, Limit: 100})
	require.Len(t, all, 74, "what sinks does not rise")
}

// TestPageOfWhatIsGone deletes posts whose ids an instance has cached: the page is empty, and Rest has the following posts.
func TestPageOfWhatIsGone(t *testing.T) {
	stacktest.NeedRedis(t)
	s := storetest.Open(t)
	ann := s.Member("ann")
	s.CommunityOn(0, ann, "one")
	var bulk []storetest.Bulk
	for i := range 6 {
		bulk = append(bulk, storetest.Bulk{ID: storetest.BulkID(i), Community: s.CommunityID("one"), Name: "one", Created: s.Clock.UnixMilli(),
			Ups: int64(100 - i), Comment: 1})
	}
	s.Insert(bulk)
	require.NoError(t, s.Hot.Rebuild(storetest.Ctx, "one"))
	require.False(t, s.Confirm(s.HotListing("one", 2, data.Cursor{})))
	s.Exec("UPDATE posts SET status = 'deleted' WHERE id <= ?1", storetest.BulkID(1))
	for name, viewer := range map[string]data.ID{"a visitor": 0, "a member": ann.UserID} {
		l, ids := s.List(listings.Query{Community: "one", Order: data.OrderHot, Limit: 2, Viewer: viewer})
		require.Empty(t, ids, name)
		rest, more := l.Rest()
		require.True(t, more, name)
		_, ids = s.List(rest)
		require.Equal(t, []data.ID{data.ID(storetest.BulkID(2)), data.ID(storetest.BulkID(3))}, ids, name)
	}
}

// TestTopByPoints has an index of top posts that is behind their counters, as far as a delta run allows it.
func TestTopByPoints(t *testing.T) {
	s := storetest.Open(t)
	ann := s.Member("ann")
	s.CommunityOn(0, ann, "one")
	var want []data.ID
	for _, of := range []struct{ ups, score int64 }{{31, 31}, {322, 320}, {330, 321}, {325, 322}} {
		p := s.Post(ann, "one", fmt.Sprint(of.ups))
		s.ExecAt(p.ID, "UPDATE posts SET ups = ?2, downs = 0, score = ?3 WHERE id = ?1", int64(p.ID), of.ups, of.score)
		want = append(want, p.ID)
	}
	want = []data.ID{want[2], want[3], want[1], want[0]}
	page := func(limit int, after data.Cursor) ([]data.ID, data.Cursor) {
		t.Helper()
		r := s.DB.Read()
		found := s.Listings.Find(r, listings.Query{Community: "one", Order: data.OrderTop, Window: ranking.WindowAll, Limit: limit, After: after})
		require.NoError(t, r.Run(storetest.Ctx))
		var ids []data.ID
		for _, p := range found.Items() {
			ids = append(ids, p.ID)
		}
		return ids, found.Next()
	}
	whole, _ := page(10, data.Cursor{})
	require.Equal(t, want, whole)
	first, after := page(3, data.Cursor{})
	require.Equal(t, want[:3], first)
	rest, _ := page(3, after)
	require.Equal(t, want[3:], rest, "each post once")
}
