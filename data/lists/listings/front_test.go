package listings_test

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
	"plaza/data/content/posts"
	"plaza/data/lists/listings"
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func TestFront(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t)
	ann, ben, cid, dan := s.Member("ann"), s.Member("ben"), s.Member("cid"), s.Member("dan")
	for _, name := range []string{"big", "small1", "small2", "silent", "empty", "other"} {
		s.Community(ann, name)
	}
	publish(s, s.Home("big"), "big", 500, 500, time.Minute)
	publish(s, s.Home("small1"), "small1", 30, 2, time.Hour)
	publish(s, s.Home("small2"), "small2", 31, 1, time.Minute)
	publish(s, s.Home("other"), "other", 30, 1, time.Minute)
	*s.Clock = s.Clock.Add(-20 * 24 * time.Hour)
	publish(s, s.Home("silent"), "silent", 30, 90, time.Hour)
	*s.Clock = s.Clock.Add(20 * 24 * time.Hour)
	for _, name := range []string{"big", "small1", "small2", "silent", "empty"} {
		require.NoError(t, s.Communities.Subscribe(storetest.Ctx, ben, name, true))
	}
	require.NoError(t, s.Communities.Subscribe(storetest.Ctx, cid, "big", true))

	t.Run("one community of five hundred posts, each once, in its order", func(t *testing.T) {
		all := byWeight(s, cid, s.SQL, s.Shards...)
		require.Len(t, all, 500)
		require.Equal(t, all, walkFront(s, cid, 25, nil))
	})
	t.Run("several communities, and none that the member is not in", func(t *testing.T) {
		all := byWeight(s, ben, s.SQL, s.Shards...)
		require.Len(t, all, 591)
		for _, limit := range []int{7, 25, 2000} {
			require.Equal(t, all, walkFront(s, ben, limit, nil), limit)
		}
	})
	t.Run("by time: all posts once, the last one first, in two requests at most", func(t *testing.T) {
		var all []data.ID
		for _, db := range s.Shards {
			results, err := db.Query(storetest.Ctx, storetest.StmtOf(`SELECT id, created_at FROM posts WHERE community_name IN ('big', 'small1',
  'small2', 'silent') ORDER BY created_at DESC, id DESC`))
			require.NoError(t, err)
			for _, row := range results[0].Rows() {
				all = append(all, data.ID(row[0].(int64)))
			}
		}
		require.Len(t, all, 591)
		if len(s.Shards) > 1 { // sorted within each shard only
			slices.Sort(all)
		}
		for _, limit := range []int{30, 2000} {
			var walked []data.ID
			after := data.Cursor{}
			for first := true; first || !after.IsZero(); first = false {
				metered, meter := s.Metered()
				r := s.DB.Read()
				f, err := s.Listings.FindFrontByTime(metered, r, ben.UserID, data.OrderFrontNew, false, after, limit)
				require.NoError(t, err)
				require.NoError(t, r.Run(metered))
				if limit == 30 && len(s.Shards) == 1 {
					require.LessOrEqual(t, meter.RowsRead(), int64(300), "however many posts there are")
				}
				page := f.Items()
				require.True(t, slices.IsSortedFunc(page, func(a, b *posts.Post) int { return b.CreatedAt.Compare(a.CreatedAt) }))
				walked = append(walked, storetest.IdsOf(page)...)
				after = f.Next()
			}
			if len(s.Shards) > 1 {
				slices.Sort(walked)
			}
			require.Equal(t, all, walked)
		}
	})
	t.Run("by the last comment: a post goes before those of its community and of others that are younger", func(t *testing.T) {
		if len(s.Shards) > 1 {
			t.Skip("the comment below is in the one database")
		}
		for _, i := range []int{40, 60} {
			post := storetest.IdsOf(s.HotListing("big", 100, data.Cursor{}).Items())[i]
			s.Comment(cid, post, 0, "and now this")
			s.ApplyAll()
			*s.Clock = s.Clock.Add(time.Minute)
			var walked []data.ID
			var rows int64
			for after, first := (data.Cursor{}), true; first || !after.IsZero(); first = false {
				metered, meter := s.Metered()
				r := s.DB.Read()
				f, err := s.Listings.FindFrontByTime(metered, r, ben.UserID, data.OrderFrontActive, false, after, 30)
				require.NoError(t, err)
				require.NoError(t, r.Run(metered))
				rows = max(rows, meter.RowsRead())
				walked, after = append(walked, storetest.IdsOf(f.Items())...), f.Next()
			}
			require.Equal(t, post, walked[0])
			require.LessOrEqual(t, rows, int64(300), "however many posts there are")
			slices.Sort(walked)
			require.Len(t, slices.Compact(walked), 591, "each once")
		}
	})
	t.Run("shows the best of every community before the second of any, but what was silent", func(t *testing.T) {
		f, _ := s.Front(ben, "", 4)
		var names []string
		for _, p := range f.Items() {
			names = append(names, p.Slug)
		}
		require.ElementsMatch(t, []string{"big0", "small10", "small20"}, names[:3])
		require.NotContains(t, names[3], "silent")
	})
	t.Run("votes, posts and joining while somebody pages leave the rest where it was", func(t *testing.T) {
		all := byWeight(s, ben, s.SQL, s.Shards...)
		random := rand.New(rand.NewPCG(1, 2))
		moved := map[data.ID]bool{}
		page := 0
		seen := walkFront(s, ben, 25, func(page25 []*posts.Post) {
			page++
			for range 5 {
				id := all[random.IntN(len(all))]
				moved[id] = true
				s.Vote(ann, id, 1-2*random.IntN(2))
			}
			top := all[random.IntN(4)] // the tops
			moved[top] = true
			s.Vote(ben, top, 1)
			moved[s.Post(ann, []string{"big", "small1", "small2", "silent"}[page%4], fmt.Sprint("new ", page)).ID] = true
			s.ApplyAll()
			require.NoError(t, s.Communities.Subscribe(storetest.Ctx, ben, "other", page%2 == 1))
		})
		still := func(ids []data.ID) []data.ID {
			return slices.DeleteFunc(slices.Clone(ids), func(id data.ID) bool { return moved[id] })
		}
		require.Greater(t, len(moved), 100)
		require.Equal(t, still(all), still(seen))
		require.NoError(t, s.Communities.Subscribe(storetest.Ctx, ben, "other", false))
	})
	t.Run("leaves out what the member hides, on full pages", func(t *testing.T) {
		all := byWeight(s, cid, s.SQL, s.Shards...)
		for _, hide := range [][]data.ID{all[:27], all[100:400], all[490:]} {
			for _, id := range hide {
				s.ExecAt(id, "INSERT INTO hides (user_id, post_id, created_at) VALUES (?1, ?2, 1)", int64(cid.UserID), int64(id))
			}
		}
		seen := walkFront(s, cid, 25, nil)
		require.Equal(t, byWeight(s, cid, s.SQL, s.Shards...), seen)
		require.Len(t, seen, len(all)-27-300-(len(all)-490))
	})
	t.Run("a post deleted meanwhile leaves no gap, though the page ended with it", func(t *testing.T) {
		all := byWeight(s, ben, s.SQL, s.Shards...)
		f, _ := s.Front(ben, "", 25)
		s.Exec("UPDATE posts SET status = 'deleted' WHERE id IN (?1, ?2)", int64(all[24]), int64(all[30]))
		next, _ := s.Front(ben, f.Next().String(), 25)
		require.Equal(t, slices.Concat(all[25:30], all[31:51]), storetest.IdsOf(next.Items()))
	})
	t.Run("a member of nothing has none", func(t *testing.T) {
		f, _ := s.Front(dan, "", 25)
		require.Empty(t, f.Items())
		require.True(t, f.Next().IsZero())
		require.NoError(t, s.Communities.Subscribe(storetest.Ctx, dan, "empty", true))
		f, _ = s.Front(dan, "", 25)
		require.Empty(t, f.Items())
	})
}

func TestFrontOnSeveralDatabases(t *testing.T) {
	t.Parallel()
	for name, beside := range map[string]bool{"the directory apart": true, "the directory is a shard": false} {
		t.Run(name, func(t *testing.T) {
			shards := []*hrana.Client{stacktest.OpenSchema(t), stacktest.OpenSchema(t), stacktest.OpenSchema(t)}
			directory := shards[0]
			if beside {
				directory = stacktest.OpenSchema(t)
			}
			s := storetest.New(t, data.NewDB(directory, shards...), directory, stacktest.OpenRedis(t))
			ann, ben := s.Member("ann"), s.Member("ben")
			used := map[int]bool{}
			for i := range 8 {
				name := fmt.Sprintf("community%d", i)
				s.Community(ann, name)
				id := communityIn(s, directory, name)
				used[s.DB.ShardOf(id).Shard()] = true
				publish(s, shards[s.DB.ShardOf(id).Shard()], name, 40, 1+i*i, time.Duration(1+i)*time.Minute)
				require.NoError(t, s.Communities.Subscribe(storetest.Ctx, ben, name, true))
			}
			require.Len(t, used, 3)
			all := byWeight(s, ben, directory, shards...)
			require.Len(t, all, 320)
			require.Equal(t, all, walkFront(s, ben, 25, nil))
			f, meter := s.Front(ben, "", 25)
			require.Equal(t, int64(4), meter.Requests(), "the directory, then each shard")
			_, meter = s.Front(ben, f.Next().String(), 25)
			require.Equal(t, int64(3), meter.Requests(), "each shard: the cursor knows the communities")
		})
	}
}

func TestFrontOfManyCommunities(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	for i := range 90 {
		name := fmt.Sprintf("community%d", i)
		s.Community(ann, name)
		publish(s, s.Home(name), name, 4, 1, time.Minute)
		require.NoError(t, s.Communities.Subscribe(storetest.Ctx, ben, name, true))
	}
	s.Exec("UPDATE subscriptions SET created_at = ?1", s.Clock.Add(-48*time.Hour).UnixMilli())
	walk := func() map[string]int {
		seen := map[string]int{}
		byID := map[data.ID]bool{}
		after := ""
		for {
			f, _ := s.Front(ben, after, 25)
			for _, p := range f.Items() {
				seen[p.Community]++
				require.False(t, byID[p.ID])
				byID[p.ID] = true
			}
			*s.Clock = s.Clock.Add(7 * time.Minute) // another sample, for a new walk
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
			require.NoError(t, s.Communities.Subscribe(storetest.Ctx, ben, name, false))
			require.NoError(t, s.Communities.Subscribe(storetest.Ctx, ben, name, true))
		}
		for range 5 {
			seen := walk()
			require.Len(t, seen, 50)
			require.Equal(t, []int{4, 4, 4}, []int{seen["community3"], seen["community33"], seen["community66"]})
		}
	})
}

// TestFrontRows measures the rows of pages: the same at any size and depth.
func TestFrontRows(t *testing.T) {
	t.Parallel()
	for _, communities := range []int{1, 5, 50} {
		var rows [][3]int64
		var shards int64 // each reads a page of its own
		for _, posts := range []int{600, 3000} {
			s := storetest.Open(t)
			shards = int64(len(s.Shards))
			ann, ben := s.Member("ann"), s.Member("ben")
			for i := range communities {
				name := fmt.Sprintf("community%d", i)
				s.Community(ann, name)
				publish(s, s.Home(name), name, posts/communities, 1+i, time.Minute)
				require.NoError(t, s.Communities.Subscribe(storetest.Ctx, ben, name, true))
			}
			f, first := s.Front(ben, "", 25)
			f, second := s.Front(ben, f.Next().String(), 25)
			for range posts/2/25 - 2 {
				next, meter := s.Front(ben, f.Next().String(), 25)
				f, second = next, meter
			}
			require.Len(t, f.Items(), 25)
			rows = append(rows, [3]int64{first.RowsRead(), second.RowsRead(), int64(len(f.Next().String()))})
			require.LessOrEqual(t, first.Requests(), int64(len(s.All())), "one a database")
			if communities == 50 {
				break // and that is enough
			}
		}
		if communities == 1 {
			s := storetest.Open(t)
			ann := s.Member("ann")
			s.Community(ann, "same")
			publish(s, s.Home("same"), "same", 1000, 1, time.Minute)
			s.Exec("UPDATE posts SET hot = 2000")
			require.Equal(t, byWeight(s, ann, s.SQL, s.Shards...), walkFront(s, ann, 25, nil), "a thousand posts that are as hot as one another")
			f, _ := s.Front(ann, "", 500)
			_, second := s.Front(ann, f.Next().String(), 25)
			f, first := s.Front(ann, "", 25)
			rows = append(rows, [3]int64{first.RowsRead(), second.RowsRead(), int64(len(f.Next().String()))})
		}
		t.Logf("%d communities: rows of the first page, of one half way down, characters of a cursor: %v", communities, rows)
		for _, r := range rows {
			require.LessOrEqual(t, r[0], 150*shards+int64(10*communities))
			require.LessOrEqual(t, r[1], 150*shards+int64(10*communities))
			require.InDelta(t, rows[0][0], r[0], 10)
			require.InDelta(t, rows[0][1], r[1], 10)
			require.Less(t, r[2], int64(900))
		}
	}
}

func TestFrontCursorIsReadStrictly(t *testing.T) {
	s := storetest.Open(t)
	ann := s.Member("ann")
	for _, name := range []string{"one", "two", "three"} {
		s.Community(ann, name)
		publish(s, s.Home(name), name, 3, 1, time.Hour)
	}
	f, _ := s.Front(ann, "", 5)
	text := f.Next().String()
	c, err := listings.ParseFrontCursor(text)
	require.NoError(t, err)
	require.Equal(t, text, c.String())
	for i := range len(text) {
		_, err := listings.ParseFrontCursor(text[:i])
		require.Equal(t, i == 0, err == nil, "cut at %d", i)
	}
	for _, bad := range []string{"x" + text[1:], text + "A", text + "=", "f", "h" + text, text + text} {
		_, err := listings.ParseFrontCursor(bad)
		require.Equal(t, data.Invalid, data.ErrorCode(err), bad)
	}
}

// A first page is cached for the member, but not used for a page of another length.
func TestFrontOfAnotherLength(t *testing.T) {
	for name, shards := range map[string]int{"one database": 0, "a directory and a shard": 1} {
		t.Run(name, func(t *testing.T) {
			directory := stacktest.OpenSchema(t)
			var apart []*hrana.Client
			for range shards {
				apart = append(apart, stacktest.OpenSchema(t))
			}
			s := storetest.New(t, data.NewDB(directory, apart...), directory, stacktest.OpenRedis(t))
			ann := s.Member("ann")
			s.Community(ann, "gophers")
			for range 5 {
				s.Post(ann, "gophers", "A post")
			}
			for _, limit := range []int{2, 4} {
				r := s.DB.Read()
				r.For(ann.UserID, data.Changes{}, *s.Clock)
				f, err := s.Listings.FindFront(storetest.Ctx, r, ann.UserID, false, listings.FrontCursor{}, limit)
				require.NoError(t, err)
				require.NoError(t, r.Run(storetest.Ctx))
				require.Len(t, f.Items(), limit)
				require.False(t, f.Next().IsZero(), "there is another page")
			}
		})
	}
}

// TestForgedFrontCursor has a cursor whose last post has another weight than the cursor says: the next page would search all posts of its
// community.
func TestForgedFrontCursor(t *testing.T) {
	s := storetest.Open(t)
	ann := s.Member("ann")
	s.Community(ann, "one")
	publish(s, s.Home("one"), "one", 100, 1, time.Hour)
	f, _ := s.Front(ann, "", 5)
	b, err := base64.RawURLEncoding.DecodeString(f.Next().String()[1:])
	require.NoError(t, err)
	for _, forged := range []struct{ weight, hot float64 }{{-1e15, 1e15}, {f.Next().Weight, f.Next().Hot + 0.01}, {0, f.Next().Hot},
		{-1e15, f.Next().Hot}} {
		binary.BigEndian.PutUint64(b, math.Float64bits(forged.weight))
		binary.BigEndian.PutUint64(b[8:], math.Float64bits(forged.hot))
		_, err := listings.ParseFrontCursor("f" + base64.RawURLEncoding.EncodeToString(b))
		require.Equal(t, data.Invalid, data.ErrorCode(err), "weight %g of hot %g", forged.weight, forged.hot)
	}
}

func FuzzFrontCursor(f *testing.F) {
	f.Add("")
	f.Add("fvzX6fQAAAABAMCYkT7ztBgAhxwjvAAAAAKEBgNCTyL2Qwo4hmmOAgICAgMAP-mM")
	f.Fuzz(func(t *testing.T, s string) {
		if c, err := listings.ParseFrontCursor(s); err == nil {
			require.Equal(t, s, c.String())
			require.LessOrEqual(t, c.Weight, 0.0)
		}
	})
}
