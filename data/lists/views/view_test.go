package views_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/lists/listings"
	"plaza/data/lists/views"
	"plaza/data/wire/upstash"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func TestViews(t *testing.T) {
	stacktest.NeedRedis(t)
	s := storetest.Open(t)
	ann := s.Member("ann")
	s.Community(ann, "gophers")
	s.Community(ann, "gardens")
	first, second, third := s.Post(ann, "gophers", "first").ID, s.Post(ann, "gardens", "second").ID, s.Post(ann, "gophers", "third").ID
	v := &views.Store{Base: s.Posts.Base, Redis: s.Redis}
	look := func(subject views.Subject, who ...string) {
		t.Helper()
		for _, w := range who {
			require.NoError(t, v.Count(storetest.Ctx, subject, w))
		}
	}
	flush := func() {
		t.Helper()
		require.NoError(t, v.Flush(storetest.Ctx))
	}
	viewsOf := func(id data.ID) int64 {
		return s.One("SELECT sum(views) FROM posts WHERE id = ?1", int64(id)).(int64)
	}
	post := func(id data.ID) views.Subject { return views.Subject{Post: id} }

	t.Run("somebody who looks twice counts once", func(t *testing.T) {
		look(post(first), "a", "b", "a", "b", "c")
		look(post(second), "a")
		require.Zero(t, viewsOf(first), "the job adds them")
		flush()
		require.Equal(t, int64(3), viewsOf(first))
		require.Equal(t, int64(1), viewsOf(second))
		look(post(first), "c", "d")
		flush()
		flush()
		require.Equal(t, int64(4), viewsOf(first))
	})
	t.Run("and costs no command the second time", func(t *testing.T) {
		cost := func(who string) int64 {
			ctx, meter := upstash.WithMeter(storetest.Ctx)
			require.NoError(t, v.Count(ctx, views.Subject{Member: ann.UserID + 8}, who))
			return int64(meter.Commands())
		}
		require.EqualValues(t, 2, cost("a"))
		require.Zero(t, cost("a"))
		require.EqualValues(t, 2, cost("b"), "somebody else")
	})
	t.Run("and again in another week", func(t *testing.T) {
		look(post(first), "e")
		*s.Clock = s.Clock.Add(7 * 24 * time.Hour)
		look(post(first), "a", "b")
		flush()
		require.Equal(t, int64(7), viewsOf(first), "five of the week before, and two")
		look(post(first), "a", "z")
		flush()
		require.Equal(t, int64(8), viewsOf(first))
	})
	t.Run("of a job that is killed, everything is done by the next, once", func(t *testing.T) {
		look(post(first), "y")
		look(post(second), "y")
		_, err := s.Redis.Do(storetest.Ctx, upstash.Cmd{"RENAME", "views:changed", "views:counting"})
		require.NoError(t, err)
		look(post(first), "x") // meanwhile
		before := viewsOf(first)
		flush()
		require.Equal(t, before+2, viewsOf(first), "a count is that of the moment")
		require.Equal(t, int64(2), viewsOf(second))
		require.Equal(t, int64(1), s.RedisInt("SCARD", "views:changed"), "x is known to be new")
		flush()
		require.Equal(t, before+2, viewsOf(first))
		require.Zero(t, s.RedisInt("EXISTS", "views:changed", "views:counting"))
	})
	t.Run("what Redis has lost is not taken away", func(t *testing.T) {
		before := viewsOf(first)
		_, err := s.Redis.Do(storetest.Ctx, upstash.Cmd{"FLUSHALL"})
		require.NoError(t, err)
		look(post(first), "a")
		flush()
		require.Equal(t, before, viewsOf(first))
	})
	t.Run("a key that holds something else keeps nobody from counting", func(t *testing.T) {
		before := viewsOf(first)
		_, err := s.Redis.Pipeline(storetest.Ctx, upstash.Cmd{"FLUSHALL"}, upstash.Cmd{"SET", "views:changed", "x"})
		require.NoError(t, err)
		flush()
		for _, who := range []string{"n", "o", "p", "q", "r", "s"} {
			look(post(first), who)
		}
		flush()
		require.Greater(t, viewsOf(first), before)

		before = viewsOf(first)
		for _, who := range []string{"h", "i", "j", "k", "l", "m"} {
			look(post(first), who)
		}
		_, err = s.Redis.Do(storetest.Ctx, upstash.Cmd{"SET", "views:counting", "x"})
		require.NoError(t, err)
		flush()
		flush()
		require.Greater(t, viewsOf(first), before, "what was looked at since is not deleted with it")
	})
	t.Run("profiles are counted, and what nobody may see is not", func(t *testing.T) {
		look(views.Subject{Member: ann.UserID}, "a", "b")
		gone := s.Post(ann, "gophers", "gone").ID
		for i, status := range []string{"removed", "draft", "deleted"} {
			s.Exec("UPDATE posts SET status = ?1 WHERE id = ?2", status, int64(gone))
			look(post(gone), fmt.Sprint(i))
			flush()
			require.Zero(t, viewsOf(gone), status)
		}
		require.Equal(t, int64(2), s.One("SELECT views FROM users WHERE id = ?1", int64(ann.UserID)))
		look(views.Subject{Member: ann.UserID + 4}, "a")
		flush()
	})
	t.Run("more subjects than a run takes are left for the next", func(t *testing.T) {
		s.ExecAt(first, `INSERT INTO posts (id, community_id, community_name, author_name, slug, kind, title, hot, created_at)
SELECT p.id + (value << 22), p.community_id, 'gophers', '', 'n' || value, 'text', 'x', 0, 1 FROM posts p CROSS JOIN generate_series(1, 2300)
  WHERE p.id = ?1`, int64(first))
		cmd := upstash.Cmd{"SADD", "views:changed"}
		var cmds []upstash.Cmd
		for i := range 2300 {
			member := fmt.Sprintf("%d:p%s", views.Week(*s.Clock), (first + data.ID(i+1)<<22).Text())
			cmd = append(cmd, member)
			cmds = append(cmds, upstash.Cmd{"PFADD", "views:" + member, "a"})
		}
		_, err := s.Redis.Pipeline(storetest.Ctx, append(cmds, cmd)...)
		require.NoError(t, err)
		flush()
		require.Equal(t, int64(300), s.RedisInt("SCARD", "views:counting"))
		flush()
		require.Equal(t, int64(2300), s.One("SELECT count(*) FROM posts WHERE slug LIKE 'n%' AND views = 1"))
	})
	t.Run("lists go by them", func(t *testing.T) {
		for _, q := range []listings.Query{{}, {Author: "ann"}} {
			q.Order, q.Limit = data.OrderViews, 2
			_, ids := s.List(q)
			require.Equal(t, []data.ID{first, second}, ids)
		}
		_, ids := s.List(listings.Query{Order: data.OrderViews, Author: "ann", Limit: 25})
		require.NotContains(t, ids, third, "nobody has looked at it")
	})
}
