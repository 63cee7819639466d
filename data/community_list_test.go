package data_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/hrana"
)

// founded inserts communities with members, growth and age that often tie.
func (s *stores) founded(from, n int) {
	s.Helper()
	rng := rand.New(rand.NewPCG(1, uint64(from)))
	for from, end := from, from+n; from < end; from += 500 {
		var stmts []hrana.Stmt
		for i := from; i < min(from+500, end); i++ {
			stmts = append(stmts, stmtOf(`INSERT INTO communities (id, name, name_key, title, colour, members, growth, created_at)
VALUES (?1, ?2, ?2, ?2, '#b3261e', ?3, ?4, ?5)`, i+1, fmt.Sprintf("place%d", i), rng.IntN(30), rng.IntN(5), 1e12+float64(rng.IntN(20))))
		}
		_, err := s.sql.Tx(ctx, stmts...)
		require.NoError(s, err)
	}
}

var communityOrders = map[string]data.Order{"members": data.OrderMembers, "growth": data.OrderGrowth, "created_at": data.OrderNewCommunities}

func TestCommunityList(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	s.founded(0, 103)
	page := func(order data.Order, after data.Cursor, viewer data.ID) (*data.CommunityList, int64) {
		t.Helper()
		metered, meter := hrana.WithMeter(ctx)
		r := s.db.Read()
		l := s.communities.FindList(r, data.CommunityListQuery{Order: order, After: after, Limit: 25, Viewer: viewer})
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
			want, err := s.sql.Query(ctx, stmtOf("SELECT name FROM communities ORDER BY "+column+" DESC, id DESC"))
			require.NoError(t, err)
			require.Len(t, got, len(want[0].Rows))
			for i, row := range want[0].Rows {
				require.Equal(t, row[0], got[i])
			}
		})
	}
	t.Run("repeats and skips none while others move and are founded", func(t *testing.T) {
		n := 0
		got := walk(data.OrderMembers, func() {
			n++
			s.exec("UPDATE communities SET members = members + 40 WHERE id % 10 = ?1", n)
			s.founded(1000+n, 1)
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
		l, _ := page(data.OrderMembers, data.Cursor{}, 0)
		name := l.Items()[3].Name
		require.NoError(t, s.communities.Subscribe(ctx, ann, name, true))
		l, _ = page(data.OrderMembers, data.Cursor{}, ann.UserID)
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
		s.founded(2000, 5000)
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

func TestPlansOfCommunities(t *testing.T) {
	s := mustOpen(t)
	for name, sql := range data.CommunitySQL {
		t.Run(name, func(t *testing.T) {
			args := make([]any, 12)
			for i := range args {
				args[i] = int64(1)
			}
			n := 0
			for i := range args {
				if strings.Contains(sql, fmt.Sprintf("?%d", i+1)) {
					n = i + 1
				}
			}
			results, err := s.sql.Query(ctx, stmtOf("EXPLAIN QUERY PLAN "+sql, args[:n]...))
			require.NoError(t, err)
			require.NotEmpty(t, results[0].Rows)
			for _, row := range results[0].Rows {
				step := row[3].(string)
				// A first page's cursor is a bound like any other, so no list is a SCAN.
				if strings.HasPrefix(step, "SCAN d") || step == "SCAN w" || strings.HasPrefix(step, "SCAN (subquery") || step == "SCAN CONSTANT ROW" {
					continue // rows that the statement itself has made
				}
				if name == "update" && step == "SCAN r USING COVERING INDEX communities_revision" {
					continue // its last entry
				}
				require.NotContains(t, step, "SCAN", sql)
				if !strings.HasPrefix(name, "pass") { // which group what one step passes
					require.NotContains(t, step, "TEMP B-TREE", sql)
				}
			}
		})
	}
}

// TestWeeks checks the counts of new members and posts against the tables, whatever
// people do and whenever the job runs.
func TestWeeks(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	people := []data.Actor{ann, s.member("ben"), s.member("cid"), s.member("dan")}
	names := []string{"one", "two", "three"}
	for _, name := range names {
		s.community(ann, name)
	}
	rng := rand.New(rand.NewPCG(7, 7))
	var posts []*data.Post
	for step := range 150 {
		name := names[rng.IntN(len(names))]
		switch rng.IntN(6) {
		case 0, 1:
			require.NoError(t, s.communities.Subscribe(ctx, people[rng.IntN(len(people))], name, rng.IntN(3) > 0))
		case 2:
			posts = append(posts, s.post(ann, name, fmt.Sprint("post ", step)))
		case 3:
			if len(posts) > 0 {
				status := []string{"published", "removed", "deleted"}[rng.IntN(3)]
				s.exec("UPDATE posts SET status = ?2 WHERE id = ?1", int64(posts[rng.IntN(len(posts))].ID), status)
			}
		case 4:
			*s.clock = s.clock.Add(time.Duration(rng.IntN(40)) * time.Hour)
		case 5:
			require.NoError(t, s.communities.AgeWeeks(ctx))
			end := s.clock.Add(-7 * 24 * time.Hour).UnixMilli()
			for _, what := range []string{"members", "posts"} {
				require.InDelta(t, end, s.one("SELECT since FROM weeks WHERE what = ?1", what), 10)
			}
		}
		require.Equal(t, int64(0), s.one(`SELECT count(*) FROM communities c WHERE
  members <> (SELECT count(*) FROM subscriptions WHERE community_id = c.id) OR
  growth <> (SELECT count(*) FROM subscriptions WHERE community_id = c.id AND created_at > coalesce((SELECT since FROM weeks WHERE what = 'members'), 0))`), "step %d", step)
		require.Equal(t, int64(0), s.one(`SELECT count(*) FROM community_stats c WHERE
  posts <> (SELECT count(*) FROM posts WHERE community_id = c.community_id AND status = 'published') OR
  week_posts <> (SELECT count(*) FROM posts WHERE community_id = c.community_id AND status = 'published' AND created_at > coalesce((SELECT since FROM weeks WHERE what = 'posts'), 0))`), "step %d", step)
	}
	c := s.findCommunity("one", 0)
	require.Equal(t, s.one("SELECT growth FROM communities WHERE name = 'one'"), c.Growth)
	require.Equal(t, s.one("SELECT week_posts FROM community_stats WHERE community_id = ?1", int64(c.ID)), c.WeekPosts)
}

func TestWeeksPassInSmallSteps(t *testing.T) {
	s := mustOpen(t)
	s.founded(0, 3)
	s.exec("UPDATE communities SET members = 0, growth = 0")
	// 25,000 who joined long ago, two a millisecond, and one who came just now.
	s.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25000)
INSERT INTO subscriptions (user_id, community_id, created_at) SELECT i, i % 3 + 1, 1700000000000 + i / 2 FROM n`)
	s.exec("INSERT INTO subscriptions (user_id, community_id, created_at) VALUES (99999, 1, ?1)", s.clock.UnixMilli())
	growth := func() int64 { return s.one("SELECT sum(growth) FROM communities").(int64) }
	require.Equal(t, int64(25001), growth())
	for run, want := range []int64{15000, 5000, 1, 1} {
		metered, meter := hrana.WithMeter(ctx)
		require.NoError(t, s.communities.AgeWeeks(metered))
		require.InDelta(t, want, growth(), 10)
		require.LessOrEqual(t, meter.RowsRead(), int64(31000), "three for each that passes")
		t.Logf("run %d: %d rows read, %d written", run, meter.RowsRead(), meter.RowsWritten())
	}
	require.Equal(t, int64(1), growth())
	require.Equal(t, int64(25001), s.one("SELECT sum(members) FROM communities"))
	t.Run("and two runs at once count nothing twice", func(t *testing.T) {
		*s.clock = s.clock.Add(8 * 24 * time.Hour)
		errs := make(chan error, 4)
		for range cap(errs) {
			store := &data.CommunityStore{DB: s.db, Source: data.Source{Database: func() time.Time { return *s.clock }}}
			go func() { errs <- store.AgeWeeks(ctx) }()
		}
		for range cap(errs) {
			require.NoError(t, <-errs)
		}
		require.Zero(t, growth())
	})
}
