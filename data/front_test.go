package data_test

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/hrana"
	"plaza/ranking"
	"plaza/stack/stacktest"
)

// front is a page of a member's front page, read in as few requests as there are databases.
func (s *stores) front(member data.Actor, after string, limit int) (*data.Front, *hrana.Meter) {
	s.Helper()
	cursor, err := data.ParseFrontCursor(after)
	require.NoError(s, err)
	metered, meter := hrana.WithMeter(ctx)
	r := s.db.Read()
	f, err := s.listings.FindFront(metered, r, member.UserID, cursor, limit)
	require.NoError(s, err)
	require.NoError(s, r.Run(metered))
	return f, meter
}

// walkFront is all pages of a front page; between is called after each.
func (s *stores) walkFront(member data.Actor, limit int, between func(page []*data.Post)) (ids []data.ID) {
	s.Helper()
	after := ""
	for range 1000 {
		f, _ := s.front(member, after, limit)
		ids = append(ids, idsOf(f.Items())...)
		if f.Next().IsZero() {
			return ids
		}
		require.Len(s, f.Items(), limit, "a page is full while there is another")
		after = f.Next().String()
		if between != nil {
			between(f.Items())
		}
	}
	s.Fatal("the pages don't end")
	return nil
}

// publish puts posts into a community: as many, the newest with the most votes, each
// step apart.
func (s *stores) publish(db *hrana.Client, community string, posts int, votes int, step time.Duration) {
	s.Helper()
	id := s.communityIn(db, community)
	*s.clock = s.clock.Add(time.Millisecond) // ids are made of it
	now := s.clock.UnixMilli()
	_, err := db.Tx(ctx, stmtOf(`INSERT INTO posts (id, community_id, community_name, author_name, slug, kind, title, ups, score, hot, created_at)
SELECT ((?5 - ?8) << 22) + (1 << 12) * ?6 + n * 2, ?1, ?2, 'ann', ?2 || n, 'text', ?2 || n, ?3, ?3, `+ranking.HotSQL("?3", "(?5 - n * ?4)")+`, ?5 - n * ?4
FROM (SELECT value AS n FROM generate_series(0, ?7 - 1))`,
		int64(id), community, votes, step.Milliseconds(), now, id.Shard(), posts, data.Epoch.UnixMilli()))
	require.NoError(s, err)
}

func (s *stores) communityIn(db *hrana.Client, name string) data.ID {
	s.Helper()
	results, err := db.Query(ctx, stmtOf("SELECT id FROM communities WHERE name = ?1", name))
	require.NoError(s, err)
	require.Len(s, results[0].Rows, 1)
	return data.ID(results[0].Rows[0][0].(int64))
}

// byWeight is what a front page holds, worked out from the rows.
func (s *stores) byWeight(member data.Actor, directory *hrana.Client, shards ...*hrana.Client) (ids []data.ID) {
	s.Helper()
	floor := ranking.Hot(1, 0, s.clock.Add(-48*time.Hour))
	results, err := directory.Query(ctx, stmtOf("SELECT community_id FROM subscriptions WHERE user_id = ?1", int64(member.UserID)))
	require.NoError(s, err)
	var items []ranking.Item
	for _, row := range results[0].Rows {
		community := data.ID(row[0].(int64))
		results, err := shards[community.Shard()].Query(ctx, stmtOf(`SELECT id, hot FROM posts WHERE community_id = ?1 AND status = 'published'
AND id NOT IN (SELECT post_id FROM hides WHERE user_id = ?2) ORDER BY hot DESC, id DESC`, int64(community), int64(member.UserID)))
		require.NoError(s, err)
		for _, post := range results[0].Rows {
			e := ranking.Entry{ID: post[0].(int64), Hot: post[1].(float64)}
			items = append(items, ranking.Item{Entry: e, Weight: ranking.Weight(e.Hot, ranking.Top(results[0].Rows[0][1].(float64), floor))})
		}
	}
	slices.SortFunc(items, ranking.CompareItems)
	for _, i := range items {
		ids = append(ids, data.ID(i.ID))
	}
	return ids
}

func TestFront(t *testing.T) {
	s := mustOpen(t)
	ann, ben, cid, dan := s.member("ann"), s.member("ben"), s.member("cid"), s.member("dan")
	for _, name := range []string{"big", "small1", "small2", "silent", "empty", "other"} {
		s.community(ann, name)
	}
	s.publish(s.sql, "big", 1000, 500, time.Minute)
	s.publish(s.sql, "small1", 30, 2, time.Hour)
	s.publish(s.sql, "small2", 31, 1, time.Minute)
	s.publish(s.sql, "other", 30, 1, time.Minute)
	*s.clock = s.clock.Add(-20 * 24 * time.Hour)
	s.publish(s.sql, "silent", 30, 90, time.Hour)
	*s.clock = s.clock.Add(20 * 24 * time.Hour)
	for _, name := range []string{"big", "small1", "small2", "silent", "empty"} {
		require.NoError(t, s.communities.Subscribe(ctx, ben, name, true))
	}
	require.NoError(t, s.communities.Subscribe(ctx, cid, "big", true))

	t.Run("one community of a thousand posts, each once, in its order", func(t *testing.T) {
		all := s.byWeight(cid, s.sql, s.sql)
		require.Len(t, all, 1000)
		require.Equal(t, all, s.walkFront(cid, 25, nil))
	})
	t.Run("several communities, and none that the member is not in", func(t *testing.T) {
		all := s.byWeight(ben, s.sql, s.sql)
		require.Len(t, all, 1091)
		for _, limit := range []int{7, 25, 2000} {
			require.Equal(t, all, s.walkFront(ben, limit, nil), limit)
		}
	})
	t.Run("shows the best of every community before the second of any, but what was silent", func(t *testing.T) {
		f, _ := s.front(ben, "", 4)
		var names []string
		for _, p := range f.Items() {
			names = append(names, p.Slug)
		}
		require.ElementsMatch(t, []string{"big0", "small10", "small20"}, names[:3])
		require.NotContains(t, names[3], "silent")
	})
	t.Run("votes, posts and joining while somebody pages leave the rest where it was", func(t *testing.T) {
		all := s.byWeight(ben, s.sql, s.sql)
		random := rand.New(rand.NewPCG(1, 2))
		moved := map[data.ID]bool{}
		page := 0
		seen := s.walkFront(ben, 25, func(page25 []*data.Post) {
			page++
			for range 5 {
				id := all[random.IntN(len(all))]
				moved[id] = true
				s.vote(ann, id, 1-2*random.IntN(2))
			}
			top := all[random.IntN(4)] // what others are measured from
			moved[top] = true
			s.vote(ben, top, 1)
			moved[s.post(ann, []string{"big", "small1", "small2", "silent"}[page%4], fmt.Sprint("new ", page)).ID] = true
			s.foldAll()
			require.NoError(t, s.communities.Subscribe(ctx, ben, "other", page%2 == 1))
		})
		still := func(ids []data.ID) []data.ID {
			return slices.DeleteFunc(slices.Clone(ids), func(id data.ID) bool { return moved[id] })
		}
		require.Greater(t, len(moved), 100)
		require.Equal(t, still(all), still(seen))
		require.NoError(t, s.communities.Subscribe(ctx, ben, "other", false))
	})
	t.Run("leaves out what the member hides, on full pages", func(t *testing.T) {
		all := s.byWeight(cid, s.sql, s.sql)
		for _, hide := range [][]data.ID{all[:27], all[100:400], all[990:]} {
			for _, id := range hide {
				s.exec("INSERT INTO hides (user_id, post_id, created_at) VALUES (?1, ?2, 1)", int64(cid.UserID), int64(id))
			}
		}
		seen := s.walkFront(cid, 25, nil)
		require.Equal(t, s.byWeight(cid, s.sql, s.sql), seen)
		require.Len(t, seen, len(all)-27-300-(len(all)-990))
	})
	t.Run("a post deleted meanwhile leaves no gap, though the page ended with it", func(t *testing.T) {
		all := s.byWeight(ben, s.sql, s.sql)
		f, _ := s.front(ben, "", 25)
		s.exec("UPDATE posts SET status = 'deleted' WHERE id IN (?1, ?2)", int64(all[24]), int64(all[30]))
		next, _ := s.front(ben, f.Next().String(), 25)
		require.Equal(t, slices.Concat(all[25:30], all[31:51]), idsOf(next.Items()))
	})
	t.Run("a member of nothing has none", func(t *testing.T) {
		f, _ := s.front(dan, "", 25)
		require.Empty(t, f.Items())
		require.True(t, f.Next().IsZero())
		require.NoError(t, s.communities.Subscribe(ctx, dan, "empty", true))
		f, _ = s.front(dan, "", 25)
		require.Empty(t, f.Items())
	})
}

func TestFrontOnSeveralDatabases(t *testing.T) {
	for name, beside := range map[string]bool{"the directory apart": true, "the directory is a shard": false} {
		t.Run(name, func(t *testing.T) {
			shards := []*hrana.Client{stacktest.OpenSchema(t), stacktest.OpenSchema(t), stacktest.OpenSchema(t)}
			directory := shards[0]
			if beside {
				directory = stacktest.OpenSchema(t)
			}
			s := newStores(t, data.NewDB(directory, shards...), directory, stacktest.OpenRedis(t))
			ann, ben := s.member("ann"), s.member("ben")
			used := map[int]bool{}
			for i := range 8 {
				name := fmt.Sprintf("community%d", i)
				s.community(ann, name)
				id := s.communityIn(directory, name)
				used[id.Shard()] = true
				s.publish(shards[id.Shard()], name, 40, 1+i*i, time.Duration(1+i)*time.Minute)
				require.NoError(t, s.communities.Subscribe(ctx, ben, name, true))
			}
			require.Len(t, used, 3)
			all := s.byWeight(ben, directory, shards...)
			require.Len(t, all, 320)
			require.Equal(t, all, s.walkFront(ben, 25, nil))
			f, meter := s.front(ben, "", 25)
			require.Equal(t, int64(4), meter.Requests(), "the directory, then each shard")
			_, meter = s.front(ben, f.Next().String(), 25)
			require.Equal(t, int64(3), meter.Requests(), "each shard: the cursor knows the communities")
		})
	}
}

func TestFrontOfManyCommunities(t *testing.T) {
	s := mustOpen(t)
	ann, ben := s.member("ann"), s.member("ben")
	for i := range 90 {
		name := fmt.Sprintf("community%d", i)
		s.community(ann, name)
		s.publish(s.sql, name, 4, 1, time.Minute)
		require.NoError(t, s.communities.Subscribe(ctx, ben, name, true))
	}
	s.exec("UPDATE subscriptions SET created_at = ?1", s.clock.Add(-48*time.Hour).UnixMilli())
	walk := func() map[string]int {
		seen := map[string]int{}
		byID := map[data.ID]bool{}
		after := ""
		for {
			f, _ := s.front(ben, after, 25)
			for _, p := range f.Items() {
				seen[p.Community]++
				require.False(t, byID[p.ID])
				byID[p.ID] = true
			}
			*s.clock = s.clock.Add(7 * time.Minute) // another sample, for who begins now
			if after = f.Next().String(); after == "" {
				return seen
			}
		}
	}
	first := walk()
	require.Len(t, first, 50)
	for name, posts := range first {
		require.Equal(t, 4, posts, name)
	}
	require.NotEqual(t, first, walk())
	t.Run("of which those joined of late are surely some", func(t *testing.T) {
		for _, name := range []string{"community3", "community33", "community66"} {
			require.NoError(t, s.communities.Subscribe(ctx, ben, name, false))
			require.NoError(t, s.communities.Subscribe(ctx, ben, name, true))
		}
		for range 5 {
			seen := walk()
			require.Len(t, seen, 50)
			require.Equal(t, []int{4, 4, 4}, []int{seen["community3"], seen["community33"], seen["community66"]})
		}
	})
}

// TestFrontRows measures what pages read: the same whatever the size, however deep.
func TestFrontRows(t *testing.T) {
	for _, communities := range []int{1, 5, 50} {
		var rows [][3]int64
		for _, posts := range []int{1000, 5000} {
			s := mustOpen(t)
			ann, ben := s.member("ann"), s.member("ben")
			for i := range communities {
				name := fmt.Sprintf("community%d", i)
				s.community(ann, name)
				s.publish(s.sql, name, posts/communities, 1+i, time.Minute)
				require.NoError(t, s.communities.Subscribe(ctx, ben, name, true))
			}
			f, first := s.front(ben, "", 25)
			f, second := s.front(ben, f.Next().String(), 25)
			for range posts/2/25 - 2 {
				next, meter := s.front(ben, f.Next().String(), 25)
				f, second = next, meter
			}
			require.Len(t, f.Items(), 25)
			rows = append(rows, [3]int64{first.RowsRead(), second.RowsRead(), int64(len(f.Next().String()))})
			require.Equal(t, int64(1), first.Requests())
			if communities == 50 {
				break // and that is enough
			}
		}
		if communities == 1 {
			s := mustOpen(t)
			ann := s.member("ann")
			s.community(ann, "same")
			s.publish(s.sql, "same", 1000, 1, time.Minute)
			s.exec("UPDATE posts SET hot = 2000")
			require.Equal(t, s.byWeight(ann, s.sql, s.sql), s.walkFront(ann, 25, nil), "a thousand posts that are as hot as one another")
			f, _ := s.front(ann, "", 500)
			_, second := s.front(ann, f.Next().String(), 25)
			f, first := s.front(ann, "", 25)
			rows = append(rows, [3]int64{first.RowsRead(), second.RowsRead(), int64(len(f.Next().String()))})
		}
		t.Logf("%d communities: rows of the first page, of one half way down, characters of a cursor: %v", communities, rows)
		for _, r := range rows {
			require.LessOrEqual(t, r[0], int64(150+10*communities))
			require.LessOrEqual(t, r[1], int64(150+10*communities))
			require.InDelta(t, rows[0][0], r[0], 10)
			require.InDelta(t, rows[0][1], r[1], 10)
			require.Less(t, r[2], int64(900))
		}
	}
}

func TestFrontCursorIsReadStrictly(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	for _, name := range []string{"one", "two", "three"} {
		s.community(ann, name)
		s.publish(s.sql, name, 3, 1, time.Hour)
	}
	f, _ := s.front(ann, "", 5)
	text := f.Next().String()
	c, err := data.ParseFrontCursor(text)
	require.NoError(t, err)
	require.Equal(t, text, c.String())
	for i := range len(text) {
		_, err := data.ParseFrontCursor(text[:i])
		require.Equal(t, i == 0, err == nil, "cut at %d", i)
	}
	for _, bad := range []string{"x" + text[1:], text + "A", text + "=", "f", "h" + text, text + text} {
		_, err := data.ParseFrontCursor(bad)
		require.Equal(t, data.Invalid, data.ErrorCode(err), bad)
	}
}

// TestForgedFrontCursor has a cursor's last post be one of another weight than it says: the
// next page would look for its place through all posts of its community.
func TestForgedFrontCursor(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	s.community(ann, "one")
	s.publish(s.sql, "one", 100, 1, time.Hour)
	f, _ := s.front(ann, "", 5)
	b, err := base64.RawURLEncoding.DecodeString(f.Next().String()[1:])
	require.NoError(t, err)
	for _, forged := range []struct{ weight, hot float64 }{{-1e15, 1e15}, {f.Next().Weight, f.Next().Hot + 0.01}, {0, f.Next().Hot}, {-1e15, f.Next().Hot}} {
		binary.BigEndian.PutUint64(b, math.Float64bits(forged.weight))
		binary.BigEndian.PutUint64(b[8:], math.Float64bits(forged.hot))
		_, err := data.ParseFrontCursor("f" + base64.RawURLEncoding.EncodeToString(b))
		require.Equal(t, data.Invalid, data.ErrorCode(err), "weight %g of hot %g", forged.weight, forged.hot)
	}
}

func FuzzFrontCursor(f *testing.F) {
	f.Add("")
	f.Add("fvzX6fQAAAABAMCYkT7ztBgAhxwjvAAAAAKEBgNCTyL2Qwo4hmmOAgICAgMAP-mM")
	f.Fuzz(func(t *testing.T, s string) {
		if c, err := data.ParseFrontCursor(s); err == nil {
			require.Equal(t, s, c.String())
			require.LessOrEqual(t, c.Weight, 0.0)
		}
	})
}
