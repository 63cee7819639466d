package communities_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/communities"
	"plaza/data/content/posts"
	"plaza/data/wire/hrana"
	"plaza/test/storetest"
)

var communityOrders = map[string]data.Order{"members": communities.OrderMembers, "growth": communities.OrderGrowth,
	"created_at": communities.OrderNew}

// found inserts communities with members, growth and age that often tie.
func found(s *storetest.Stores, from, n int) {
	s.Helper()
	rng := rand.New(rand.NewPCG(1, uint64(from)))
	for from, end := from, from+n; from < end; from += 500 {
		var stmts []hrana.Stmt
		for i := from; i < min(from+500, end); i++ {
			stmts = append(stmts, storetest.StmtOf(`INSERT INTO communities (id, name, name_key, title, colour, members, growth, created_at)
VALUES (?1, ?2, ?2, ?2, '#b3261e', ?3, ?4, ?5)`, i+1, fmt.Sprintf("place%d", i), rng.IntN(30), rng.IntN(5), 1e12+float64(rng.IntN(20))))
		}
		_, err := s.SQL.Tx(storetest.Ctx, stmts...)
		require.NoError(s, err)
	}
}

func TestCommunityList(t *testing.T) {
	s := storetest.Open(t)
	ann := s.Member("ann")
	found(s, 0, 103)
	page := func(order data.Order, after data.Cursor, viewer data.ID) (*data.Page[communities.Community], int64) {
		t.Helper()
		metered, meter := s.Metered()
		r := s.DB.Read()
		l := s.Communities.FindList(r, communities.ListQuery{Order: order, After: after, Limit: 25, Viewer: viewer})
		require.NoError(t, r.Run(metered))
		return l, meter.RowsRead()
	}
	walk := func(order data.Order, between func()) (names []string) {
		t.Helper()
		var after data.Cursor
		for range 10 {
			l, _ := page(order, after, 0)
			require.LessOrEqual(t, len(l.Items()), 25)
			for _, c := range l.Items() {
				names = append(names, c.Name)
			}
			if after = l.Next(); after.IsZero() {
				return names
			}
			parsed, err := data.ParseCursor(byte(order), after.String())
			require.NoError(t, err)
			require.Equal(t, after, parsed)
			between()
		}
		t.Fatal("the pages don't end")
		return nil
	}

	for column, order := range communityOrders {
		t.Run("by "+column+" holds every community once, in order", func(t *testing.T) {
			got := walk(order, func() {})
			want, err := s.SQL.Query(storetest.Ctx, storetest.StmtOf("SELECT name FROM communities ORDER BY "+column+" DESC, id DESC"))
			require.NoError(t, err)
			require.Len(t, got, want[0].Count)
			for i, row := range want[0].Rows() {
				require.Equal(t, row[0], got[i])
			}
		})
	}
	t.Run("repeats and skips none while others move and are founded", func(t *testing.T) {
		n := 0
		got := walk(communities.OrderMembers, func() {
			n++
			s.Exec("UPDATE communities SET members = members + 40 WHERE id % 10 = ?1", n)
			found(s, 1000+n, 1)
		})
		seen := slices.Compact(slices.Sorted(slices.Values(got)))
		require.Len(t, seen, len(got), "nothing twice")
		for i := range 103 {
			if moved := (i + 1) % 10; moved == 0 || moved > n {
				require.Contains(t, got, fmt.Sprintf("place%d", i))
			}
		}
	})
	t.Run("tells what the viewer takes part in", func(t *testing.T) {
		l, _ := page(communities.OrderMembers, data.Cursor{}, 0)
		name := l.Items()[3].Name
		require.NoError(t, s.Communities.Subscribe(storetest.Ctx, ann, name, true))
		l, _ = page(communities.OrderMembers, data.Cursor{}, ann.UserID)
		for _, c := range l.Items() {
			require.Equal(t, c.Name == name, c.Subscribed, c.Name)
		}
	})
	t.Run("reads no more rows of many communities than of few", func(t *testing.T) {
		read := func() map[string]int64 {
			rows := map[string]int64{}
			for column, order := range communityOrders {
				l, first := page(order, data.Cursor{}, 0)
				_, second := page(order, l.Next(), ann.UserID)
				rows[column], rows[column+", second page of a member"] = first, second
			}
			return rows
		}
		few := read()
		found(s, 2000, 5000)
		many := read()
		t.Log("rows read for 25 of 100:", few, "and of 5,100:", many)
		for what, n := range many {
			require.LessOrEqual(t, n, int64(2*26), what)
			require.LessOrEqual(t, few[what], int64(2*26), what)
		}
		for column := range communityOrders {
			require.Equal(t, int64(26), many[column])
		}
	})
}

// TestWeeks checks the counts of new members and posts against the tables, for any sequence of changes and any time of the job.
func TestWeeks(t *testing.T) {
	s := storetest.Open(t)
	ann := s.Member("ann")
	people := []data.Actor{ann, s.Member("ben"), s.Member("cid"), s.Member("dan")}
	names := []string{"one", "two", "three"}
	for _, name := range names {
		s.Community(ann, name)
	}
	rng := rand.New(rand.NewPCG(7, 7))
	var posts []*posts.Post
	for step := range 150 {
		name := names[rng.IntN(len(names))]
		switch rng.IntN(6) {
		case 0, 1:
			require.NoError(t, s.Communities.Subscribe(storetest.Ctx, people[rng.IntN(len(people))], name, rng.IntN(3) > 0))
		case 2:
			posts = append(posts, s.Post(ann, name, fmt.Sprint("post ", step)))
		case 3:
			if len(posts) > 0 {
				status := []string{"published", "removed", "deleted"}[rng.IntN(3)]
				s.Exec("UPDATE posts SET status = ?2 WHERE id = ?1", int64(posts[rng.IntN(len(posts))].ID), status)
			}
		case 4:
			*s.Clock = s.Clock.Add(time.Duration(rng.IntN(40)) * time.Hour)
		case 5:
			require.NoError(t, s.Communities.AgeWeeks(storetest.Ctx))
			end := s.Clock.Add(-7 * 24 * time.Hour).UnixMilli()
			for _, what := range []string{"members", "posts"} {
				for _, since := range s.Rows("SELECT since FROM weeks WHERE what = ?1", what) {
					require.InDelta(t, end, since[0], 10)
				}
			}
		}
		require.Equal(t, int64(0), s.One(`SELECT count(*) FROM communities c WHERE
  members <> (SELECT count(*) FROM subscriptions WHERE community_id = c.id) OR
  growth <> (SELECT count(*) FROM subscriptions WHERE community_id = c.id AND created_at > coalesce((SELECT since FROM weeks
  WHERE what = 'members'), 0))`), "step %d", step)
		require.Equal(t, int64(0), s.One(`SELECT count(*) FROM community_stats c WHERE
  posts <> (SELECT count(*) FROM posts WHERE community_id = c.community_id AND status = 'published') OR
  week_posts <> (SELECT count(*) FROM posts WHERE community_id = c.community_id AND status = 'published'
  AND created_at > coalesce((SELECT since FROM weeks WHERE what = 'posts'), 0))`), "step %d", step)
	}
	c := findCommunity(s, "one", 0)
	require.Equal(t, s.One("SELECT growth FROM communities WHERE name = 'one'"), c.Growth)
	require.Equal(t, s.One("SELECT week_posts FROM community_stats WHERE community_id = ?1", int64(c.ID)), c.WeekPosts)
}

func TestWeeksPassInSmallSteps(t *testing.T) {
	s := storetest.Open(t)
	found(s, 0, 3)
	s.Exec("UPDATE communities SET members = 0, growth = 0")
	// 25,000 who subscribed long ago, two each millisecond, and one just now.
	s.Exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25000)
INSERT INTO subscriptions (user_id, community_id, created_at) SELECT i, i % 3 + 1, 1700000000000 + i / 2 FROM n`)
	s.Exec("INSERT INTO subscriptions (user_id, community_id, created_at) VALUES (99999, 1, ?1)", s.Clock.UnixMilli())
	growth := func() int64 { return s.One("SELECT sum(growth) FROM communities").(int64) }
	require.Equal(t, int64(25001), growth())
	for run, want := range []int64{15000, 5000, 1, 1} {
		metered, meter := s.Metered()
		require.NoError(t, s.Communities.AgeWeeks(metered))
		require.InDelta(t, want, growth(), 10)
		require.LessOrEqual(t, meter.RowsRead(), int64(31000), "three for each that passes")
		t.Logf("run %d: %d rows read, %d written", run, meter.RowsRead(), meter.RowsWritten())
	}
	require.Equal(t, int64(1), growth())
	require.Equal(t, int64(25001), s.One("SELECT sum(members) FROM communities"))
	t.Run("and two runs at once count nothing twice", func(t *testing.T) {
		*s.Clock = s.Clock.Add(8 * 24 * time.Hour)
		errs := make(chan error, 4)
		for range cap(errs) {
			store := &communities.Store{Base: data.Base{DB: s.DB, Source: data.Source{Database: func() time.Time { return *s.Clock }}}}
			go func() { errs <- store.AgeWeeks(storetest.Ctx) }()
		}
		for range cap(errs) {
			require.NoError(t, <-errs)
		}
		require.Zero(t, growth())
	})
}
