package hot_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/hot"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func TestHotSets(t *testing.T) {
	stacktest.NeedRedis(t)
	s := storetest.Open(t)
	ann := s.Member("ann")
	s.Community(ann, "gophers")
	for i := range 40 {
		s.Post(ann, "gophers", fmt.Sprint("post ", i))
	}
	s.ApplyAll()
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

	t.Run("what is written into a lost set goes by itself, though nobody opens it", func(t *testing.T) {
		_, err := s.Redis.Do(storetest.Ctx, storetest.Cmd("FLUSHALL"))
		require.NoError(t, err)
		p := s.HotListing("gophers", 1, data.Cursor{}).Items()[0]
		s.Vote(s.Member("ben"), p.ID, 1)
		s.ApplyAll()
		for _, key := range []string{"hot:c:gophers", "hot:site"} {
			require.Equal(t, int64(1), s.RedisInt("ZCARD", key))
			remaining := s.RedisInt("TTL", key)
			require.True(t, remaining > 0 && remaining <= 3600, "%s lives for %d s", key, remaining)
		}
	})

	t.Run("a vote does not lengthen the life of a whole set, so that it is made anew in time", func(t *testing.T) {
		require.NoError(t, s.Hot.Rebuild(storetest.Ctx, "gophers"))
		require.Equal(t, int64(1), s.RedisInt("EXPIRE", "hot:c:gophers", 100))
		s.Vote(s.Member("cid"), s.HotListing("gophers", 1, data.Cursor{}).Items()[0].ID, 1)
		s.ApplyAll()
		remaining := s.RedisInt("TTL", "hot:c:gophers")
		require.True(t, remaining > 0 && remaining <= 100, "%d s", remaining)
	})

	t.Run("a key that holds something else is made a set again", func(t *testing.T) {
		spoil := func() {
			_, err := s.Redis.Pipeline(storetest.Ctx, storetest.Cmd("DEL", "hot:c:gophers"), storetest.Cmd("SET", "hot:c:gophers", "x"))
			require.NoError(t, err)
		}
		change := []hot.Change{{ID: s.HotListing("gophers", 1, data.Cursor{}).Items()[0].ID, Community: "gophers", Hot: 5, Listed: true}}
		spoil()
		require.Error(t, s.Hot.Apply(storetest.Ctx, now, change))
		require.NoError(t, s.Hot.Invalidate(storetest.Ctx))
		require.NoError(t, s.Hot.Apply(storetest.Ctx, now, change))
		spoil()
		require.NoError(t, s.Hot.Rebuild(storetest.Ctx, "gophers"))
		require.Equal(t, int64(41), s.RedisInt("ZCARD", "hot:c:gophers"))
	})

	t.Run("of two changes of a post in one call, the later counts", func(t *testing.T) {
		p := s.HotListing("gophers", 1, data.Cursor{}).Items()[0]
		listed := hot.Change{ID: p.ID, Community: "gophers", Hot: 5, Listed: true}
		gone := listed
		gone.Listed = false
		for _, changes := range [][]hot.Change{{listed, gone}, {gone, listed}} {
			require.NoError(t, s.Hot.Apply(storetest.Ctx, now, changes))
			for _, key := range []string{"hot:c:gophers", "hot:site"} {
				score, err := s.Redis.Do(storetest.Ctx, upstash.Cmd{"ZSCORE", key, p.ID.Text()})
				require.NoError(t, err)
				require.Equal(t, !changes[1].Listed, score.Nil(), "%s after %v", key, changes)
			}
		}
	})

	t.Run("what is in a set costs one command, and only what is new makes it be bounded", func(t *testing.T) {
		s.Hot.Cap = 12
		defer func() { s.Hot.Cap = 100 }()
		_, err := s.Redis.Do(storetest.Ctx, storetest.Cmd("DEL", "hot:c:gophers", "hot:site"))
		require.NoError(t, err)
		require.NoError(t, s.Hot.Rebuild(storetest.Ctx, "gophers"))
		require.NoError(t, s.Hot.Rebuild(storetest.Ctx, hot.SiteScope))
		top := s.HotListing("gophers", 1, data.Cursor{}).Items()[0]
		apply := func(id data.ID, score float64) *upstash.Meter {
			ctx, meter := upstash.WithMeter(storetest.Ctx)
			require.NoError(t, s.Hot.Apply(ctx, now, []hot.Change{{ID: id, Community: "gophers", Hot: score, Listed: true}}))
			for _, key := range []string{"hot:c:gophers", "hot:site"} {
				require.Equal(t, int64(13), s.RedisInt("ZCARD", key), "twelve posts and the mark")
			}
			return meter
		}
		known := apply(top.ID, top.Hot+1)
		require.Equal(t, [2]int{1, 2}, [2]int{known.Requests(), known.Commands()})
		added := apply(top.ID+1, top.Hot+2)
		require.Equal(t, [2]int{3, 10}, [2]int{added.Requests(), added.Commands()}, "it asks for the floors as well")
		again := apply(top.ID+3, top.Hot+0.5)
		require.Equal(t, [2]int{2, 6}, [2]int{again.Requests(), again.Commands()})
		low := apply(top.ID+2, -1) // below all others
		require.Equal(t, [2]int{1, 2}, [2]int{low.Requests(), low.Commands()}, "the floor is known")
		now = now.Add(2 * time.Hour)
		low = apply(top.ID+2, -1)
		require.Equal(t, [2]int{3, 10}, [2]int{low.Requests(), low.Commands()}, "it is forgotten in time")
		low = apply(top.ID+2, -1)
		require.Equal(t, [2]int{1, 2}, [2]int{low.Requests(), low.Commands()}, "the floor is known again")
		page, err := s.Hot.Page(storetest.Ctx, "gophers", 2)
		require.NoError(t, err)
		require.Equal(t, hot.Page{OK: true, Members: []hot.Member{{ID: top.ID + 1, Hot: top.Hot + 2}, {ID: top.ID, Hot: top.Hot + 1}}}, page)
		page, err = s.Hot.Page(storetest.Ctx, "gophers", 7)
		require.NoError(t, err)
		require.False(t, page.OK || page.Lost, "it reaches into the lower half")
		require.NoError(t, s.Hot.Apply(storetest.Ctx, now, []hot.Change{
			{ID: top.ID + 2, Community: "gophers", Hot: -1, Listed: true}, {ID: top.ID + 3, Community: "gophers"}}))
		for _, key := range []string{"hot:c:gophers", "hot:site"} {
			score, err := s.Redis.Do(storetest.Ctx, upstash.Cmd{"ZSCORE", key, (top.ID + 2).Text()})
			require.NoError(t, err)
			require.False(t, score.Nil(), "%s: a post that is removed makes room, wherever it stands among the changes", key)
		}
	})

	t.Run("only a lost set asks for a rebuild, not a page that lies beyond the end of a whole one", func(t *testing.T) {
		s.Hot.Cap = 12
		defer func() { s.Hot.Cap = 100 }()
		_, err := s.Redis.Do(storetest.Ctx, storetest.Cmd("FLUSHALL"))
		require.NoError(t, err)
		require.True(t, s.Confirm(s.HotListing("gophers", 5, data.Cursor{})))
		require.NoError(t, s.Hot.Rebuild(storetest.Ctx, "gophers"))
		seen := 0
		for after, page := (data.Cursor{}), 0; page == 0 || !after.IsZero(); page++ {
			l := s.HotListing("gophers", 5, after)
			require.False(t, s.Confirm(l), "page %d", page)
			seen, after = seen+len(l.Items()), l.Next()
		}
		require.Equal(t, 40, seen)
	})
}

// TestRebuildAll rebuilds many sets in as many requests as one takes.
func TestRebuildAll(t *testing.T) {
	directory := stacktest.OpenSchema(t)
	url, client := stacktest.OpenSchemaDB(t)
	shard := hrana.New(hrana.Options{URL: url, HTTP: storetest.Line{Name: storetest.ToSQL, Http: client}, Attempts: 1})
	s := storetest.New(t, data.NewDB(directory, directory, shard), directory, stacktest.OpenRedis(t))
	ann := s.Member("ann")
	var scopes, here, there []string
	for i := range 9 {
		name := fmt.Sprintf("club%d", i)
		s.Community(ann, name)
		p := s.Post(ann, name, "hello")
		if scopes = append(scopes, name); s.DB.ShardOf(p.ID).Shard() == 0 {
			here = append(here, name)
		} else {
			there = append(there, name)
		}
	}
	require.NotEmpty(t, here)
	require.NotEmpty(t, there)
	s.ApplyAll()
	scopes = append(scopes, hot.SiteScope)
	lost := func() (lost []string) {
		for _, scope := range scopes {
			page, err := s.Hot.Page(storetest.Ctx, scope, 25)
			require.NoError(t, err)
			if page.Lost {
				lost = append(lost, scope)
			}
		}
		return lost
	}
	flush := func() {
		_, err := s.Redis.Do(storetest.Ctx, storetest.Cmd("FLUSHALL"))
		require.NoError(t, err)
		require.Equal(t, scopes, lost())
	}

	t.Run("with three requests of Redis and two a shard", func(t *testing.T) {
		flush()
		counted, sql := s.Metered()
		counted, redis := upstash.WithMeter(counted)
		failed, err := s.Hot.RebuildAll(counted, scopes)
		require.NoError(t, err)
		require.Empty(t, failed)
		require.Empty(t, lost())
		require.Equal(t, 3, redis.Requests())
		require.Equal(t, int64(4), sql.Requests())
		for _, scope := range scopes[:9] {
			require.Len(t, s.HotListing(scope, 25, data.Cursor{}).Items(), 1)
		}
		require.Len(t, s.HotListing("", 25, data.Cursor{}).Items(), 9)
	})

	t.Run("whole ones are left as they are", func(t *testing.T) {
		counted, sql := s.Metered()
		failed, err := s.Hot.RebuildAll(counted, scopes)
		require.NoError(t, err)
		require.Empty(t, failed)
		require.Empty(t, lost())
		require.Equal(t, int64(0), sql.Requests())
		require.Equal(t, int64(0), s.RedisInt("EXISTS", "rebuild:hot:site", "rebuild:hot:c:club0"), "nor do their locks stay")
	})

	t.Run("a shard that is down holds up its own communities and the site, and they can be tried again at once", func(t *testing.T) {
		flush()
		failed, err := s.Hot.RebuildAll(storetest.With(storetest.Ctx, storetest.ToSQL,
			&storetest.Trouble{Plan: []storetest.Fault{storetest.Drop, storetest.Drop}}), scopes)
		require.Error(t, err)
		require.ElementsMatch(t, append([]string{hot.SiteScope}, there...), failed)
		require.ElementsMatch(t, failed, lost())
		failed, err = s.Hot.RebuildAll(storetest.Ctx, failed)
		require.NoError(t, err)
		require.Empty(t, failed)
		require.Empty(t, lost())
	})

	t.Run("a name of no community is told, the others are made", func(t *testing.T) {
		flush()
		failed, err := s.Hot.RebuildAll(storetest.Ctx, []string{"nowhere", "club1"})
		require.Equal(t, data.NotFound, data.ErrorCode(err))
		require.Equal(t, []string{"nowhere"}, failed)
		require.NotContains(t, lost(), "club1")
	})

	t.Run("without Redis all of them fail", func(t *testing.T) {
		hot := &hot.Sets{DB: s.DB, Cap: 100, Redis: upstash.New(upstash.Options{URL: "http://redis.invalid", Token: "x", HTTP: noHTTP{}})}
		failed, err := hot.RebuildAll(storetest.Ctx, scopes)
		require.Error(t, err)
		require.Equal(t, scopes, failed)
	})
}

type noHTTP struct{}

func (noHTTP) Do(*http.Request) (*http.Response, error) { return nil, context.DeadlineExceeded }
