package data_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/ranking"
)

// bulk is a post that a test puts into the table as an import would.
type bulk struct {
	ID, Community       int64
	Name                string
	Created             int64
	Ups, Downs, Comment int64
}

// bulkID is the id of a test's nth post, of shard 0.
func bulkID(n int) int64 { return int64(n+1) << 22 }

const insertBulk = `INSERT INTO posts (id, community_id, community_name, author_name, slug, kind, title, base_ups, base_downs, ups, downs, score, hot, controversy, comments, created_at)
SELECT value->>'ID', value->>'Community', value->>'Name', '', 'p' || (value->>'ID'), 'text', 'A post', value->>'Ups', value->>'Downs', value->>'Ups', value->>'Downs', (value->>'Ups') - (value->>'Downs'), `

func (s *stores) insert(posts []bulk) {
	s.Helper()
	list, err := json.Marshal(posts)
	require.NoError(s, err)
	s.exec(insertBulk+ranking.HotSQL("((value->>'Ups') - (value->>'Downs'))", "(value->>'Created')")+`, `+
		ranking.ControversySQL("(value->>'Ups')", "(value->>'Downs')")+`, value->>'Comment', value->>'Created' FROM json_each(?1)`, string(list))
}

func (s *stores) communityID(name string) int64 {
	s.Helper()
	return s.one("SELECT id FROM communities WHERE name_key = ?1", name).(int64)
}

// list reads one page.
func (s *stores) list(q data.ListingQuery) (*data.Listing, []data.ID) {
	s.Helper()
	r := s.db.Read()
	l, err := s.listings.FindListing(ctx, r, q)
	require.NoError(s, err)
	require.NoError(s, r.Run(ctx))
	var ids []data.ID
	for _, p := range l.Items() {
		ids = append(ids, p.ID)
	}
	return l, ids
}

var windowOrders = []data.Order{data.OrderTop, data.OrderControversial, data.OrderComments}

func TestWindows(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	s.community(ann, "one")
	start := *s.clock
	var posts []bulk
	ages := map[data.ID]time.Duration{} // at start
	add := func(age time.Duration) {
		id := data.ID(bulkID(len(posts)))
		ages[id] = age
		posts = append(posts, bulk{int64(id), s.communityID("one"), "one", start.Add(-age).UnixMilli(), 10 + int64(len(posts)%7), 5, 1 + int64(len(posts)%5)})
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
	s.insert(posts)

	check := func(t *testing.T) {
		t.Helper()
		now := *s.clock
		for _, order := range windowOrders {
			for _, scope := range []string{"one", ""} {
				for _, w := range ranking.Windows() {
					var want []data.ID
					for id, age := range ages {
						if w.Contains(start.Add(-age), now) {
							want = append(want, id)
						}
					}
					_, got := s.list(data.ListingQuery{Community: scope, Order: order, Window: w, Limit: 200})
					require.ElementsMatch(t, want, got, "%c of %q, %s", order, scope, w)
				}
			}
		}
	}
	t.Run("hold what is younger and nothing older, while all ages lag", check)
	t.Run("and after the job", func(t *testing.T) {
		require.NoError(t, s.posts.AgePosts(ctx))
		check(t)
		counts, err := s.sql.Query(ctx, stmtOf("SELECT count(DISTINCT age), sum(age = 0), count(*) FROM posts"))
		require.NoError(t, err)
		require.Equal(t, int64(6), counts[0].Rows[0][0])
		require.Equal(t, int64(len(posts)), counts[0].Rows[0][2], "none is lost")
		require.NoError(t, s.posts.AgePosts(ctx))
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
		_, week := s.list(data.ListingQuery{Community: "one", Order: data.OrderTop, Window: ranking.WindowWeek, Limit: 200})
		require.Contains(t, week, find(167*time.Hour))
		require.NotContains(t, week, find(169*time.Hour))
	})
	t.Run("as time passes, with the job and without", func(t *testing.T) {
		for i, step := range []time.Duration{time.Second, time.Minute, 59 * time.Minute, 5 * time.Hour, 20 * time.Hour, 7 * 24 * time.Hour, 30 * 24 * time.Hour, 300 * 24 * time.Hour} {
			*s.clock = s.clock.Add(step)
			check(t)
			if i%2 == 0 {
				require.NoError(t, s.posts.AgePosts(ctx))
				check(t)
			}
		}
	})
	t.Run("an age is never ahead of the time", func(t *testing.T) {
		require.NoError(t, s.posts.AgePosts(ctx))
		rows, err := s.sql.Query(ctx, stmtOf("SELECT created_at, age FROM posts"))
		require.NoError(t, err)
		for _, row := range rows[0].Rows {
			require.LessOrEqual(t, row[1], int64(data.AgeOf(time.UnixMilli(row[0].(int64)), *s.clock)))
		}
	})
	t.Run("many posts at once are moved in steps, each to where it belongs", func(t *testing.T) {
		posts = posts[:0]
		for i := range 2500 {
			posts = append(posts, bulk{bulkID(5000 + i), s.communityID("one"), "one", s.clock.Add(-time.Duration(i) * 6 * time.Hour).UnixMilli(), 1, 0, 0})
		}
		s.insert(posts)
		require.NoError(t, s.posts.AgePosts(ctx))
		rows, err := s.sql.Query(ctx, stmtOf("SELECT created_at, age FROM posts WHERE id >= ?1", bulkID(5000)))
		require.NoError(t, err)
		for _, row := range rows[0].Rows {
			created := time.UnixMilli(row[0].(int64))
			require.Contains(t, []int{data.AgeOf(created, *s.clock), data.AgeOf(created, s.clock.Add(-2*time.Minute))}, int(row[1].(int64)))
		}
	})
}

// TestPaging walks through 2,000 posts while votes, comments, new posts and deletions
// go on around the reader.
func TestPaging(t *testing.T) {
	const n = 2000
	type walk struct {
		name   string
		order  data.Order
		window ranking.Window
		redis  bool
	}
	for _, test := range []walk{
		{"new", data.OrderNew, "", false},
		{"top of the month", data.OrderTop, ranking.WindowMonth, false},
		{"top of all time", data.OrderTop, ranking.WindowAll, false},
		{"controversial of the year", data.OrderControversial, ranking.WindowYear, false},
		{"most commented of all time", data.OrderComments, ranking.WindowAll, false},
		{"hot from the database", data.OrderHot, "", false},
		{"hot from Redis", data.OrderHot, "", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := mustOpen(t)
			s.community(s.member("ann"), "one")
			community := s.communityID("one")
			random := rand.New(rand.NewPCG(7, uint64(test.order)))
			posts := make([]bulk, n)
			for i := range posts {
				posts[i] = bulk{bulkID(i), community, "one", s.clock.Add(-time.Duration(n-i) * 20 * time.Minute).UnixMilli(),
					1 + random.Int64N(40), 1 + random.Int64N(20), 1 + random.Int64N(30)}
			}
			s.insert(posts)
			require.NoError(t, s.posts.AgePosts(ctx))
			s.hot.Cap = 3 * n
			if test.redis {
				require.NoError(t, s.hot.Rebuild(ctx, "one"))
			}
			// A quarter of the posts get votes, and comments, all the time.
			moving := map[data.ID]bool{}
			for range n / 4 {
				moving[data.ID(posts[random.IntN(n)].ID)] = true
			}
			gone, seen := map[data.ID]bool{}, map[data.ID]int{}
			remove := func(id data.ID) {
				if gone[id] {
					return
				}
				gone[id] = true
				s.exec("UPDATE posts SET status = 'deleted' WHERE id = ?1", int64(id))
			}
			var after data.Cursor
			for page := 0; ; page++ {
				require.Less(t, page, 3*n/25, "the pages end")
				l, ids := s.list(data.ListingQuery{Community: "one", Order: test.order, Window: test.window, After: after, Limit: 25, FromDatabase: !test.redis})
				require.False(t, l.Stale)
				for _, id := range ids {
					seen[id]++
				}
				if after = l.Next(); after.IsZero() {
					break
				}
				remove(ids[len(ids)-1-page%3])            // shown; each third time the one the next page begins after
				remove(data.ID(posts[random.IntN(n)].ID)) // shown or not
				id := bulkID(n + page)                    // a new post
				s.insert([]bulk{{id, community, "one", s.clock.UnixMilli(), 1 + random.Int64N(40), 1, 1}})
				if page%3 != 0 {
					continue
				}
				var voted []data.ID
				for id := range moving {
					if len(voted) == 40 {
						break
					}
					voted = append(voted, id)
				}
				list, err := json.Marshal(voted)
				require.NoError(t, err)
				s.exec(`INSERT INTO votes (target_id, user_id, value, updated_at) SELECT CAST(j.value AS INTEGER), ?2 + u.value, ?3, 1 FROM json_each(?1) j CROSS JOIN json_each('[0,1,2,3]') u`,
					string(list), page*100, []int{1, -1}[page/3%2])
				s.exec(`UPDATE posts SET comments = comments + ?2 WHERE id IN (SELECT CAST(value AS INTEGER) FROM json_each(?1))`, string(list), page%4)
				s.foldAll()
			}
			for _, p := range posts {
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
	s := mustOpen(t)
	ann := s.member("ann")
	s.community(ann, "one")
	community := s.communityID("one")
	var posts []bulk
	for i := range 200 {
		posts = append(posts, bulk{bulkID(i), community, "one", s.clock.Add(-time.Duration(200-i) * 10 * time.Minute).UnixMilli(), int64(1 + i*37%23), int64(i % 4), int64(i % 9)})
	}
	posts[198].Ups, posts[198].Downs = 0, 50 // sinks
	posts[3].Ups = 10000                     // rose yesterday
	s.insert(posts)
	l, got := s.list(data.ListingQuery{Community: "one", Order: data.OrderRising, Limit: 25})
	now := *s.clock
	type rise struct {
		id    data.ID
		value float64
	}
	var want []rise
	for _, p := range posts[125:] {
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
	_, all := s.list(data.ListingQuery{Order: data.OrderRising, Limit: 100})
	require.Len(t, all, 74, "what sinks does not rise")
}
