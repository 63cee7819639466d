package listings_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/hot"
	"plaza/data/lists/listings"
	"plaza/data/wire/upstash"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// TestConfirm reads the hot listings of two communities and of the site, on two shards. No page waits for Redis. For two seconds after
// Redis has confirmed the ids of a page, they replace the index.
func TestConfirm(t *testing.T) {
	stacktest.NeedRedis(t)
	directory := stacktest.OpenSchema(t)
	databases := storetest.DatabasesOf(t, directory, directory, stacktest.OpenSchema(t))
	s := storetest.On(t, databases.Open(), databases, stacktest.OpenRedis(t))
	ann := s.Member("ann")
	s.CommunityOn(0, ann, "one")
	s.CommunityOn(1, ann, "two")
	for range 12 {
		s.Post(ann, "one", "a post")
		s.Post(ann, "two", "a post")
	}
	s.ApplyAll()
	for _, scope := range []string{"one", "two", hot.SiteScope} {
		require.NoError(t, s.Hot.Rebuild(storetest.Ctx, scope))
	}
	type asked struct {
		requests, rows int64
		redis          int
	}
	read := func(q listings.Query) (*listings.Page, []data.ID, asked) {
		t.Helper()
		q.Order, q.Limit = data.OrderHot, 5
		ctx, sql := s.Metered()
		ctx, redis := upstash.WithMeter(ctx)
		r := s.DB.Read()
		if q.Viewer != 0 {
			r.For(q.Viewer, data.Changes{Last: *s.Clock, Public: *s.Clock}, *s.Clock) // a member who has just changed something
		}
		l := s.Listings.Find(r, q)
		require.NoError(t, r.Run(ctx))
		return l, storetest.IdsOf(l.Items()), asked{sql.Requests(), sql.RowsRead(), redis.Requests()}
	}

	for scope, databases := range map[string]int64{"one": 1, hot.SiteScope: 2} {
		t.Run("of "+scope, func(t *testing.T) {
			s.Hot.Forget()
			l, want, first := read(listings.Query{Community: scope})
			require.Zero(t, first.redis)
			require.Equal(t, databases, first.requests)
			require.False(t, s.Confirm(l))

			l, got, second := read(listings.Query{Community: scope})
			require.Equal(t, want, got)
			require.Zero(t, second.redis)
			require.LessOrEqual(t, first.rows, 7*databases, "by the index, a row a post of each database, and the community's or that of Shown")
			require.LessOrEqual(t, second.rows, int64(2*5), "by ids, two rows a post")
			require.Nil(t, s.Listings.Confirm(l), "there is nothing to confirm")
			require.Equal(t, l.Next().Value, l.Items()[4].Hot, "later pages go on where it ends")

			s.ExecAt(want[0], "UPDATE posts SET hot = hot - 1000 WHERE id = ?1", int64(want[0])) // the set lacks this
			_, got, _ = read(listings.Query{Community: scope})
			require.Equal(t, want, got, "by ids")
			l, got, _ = read(listings.Query{Community: scope, Viewer: ann.UserID})
			require.Equal(t, want[1:], got[:4], "who has changed something sees what the database has")
			require.Nil(t, s.Listings.Confirm(l), "Redis was asked just before")
			*s.Clock = s.Clock.Add(data.ListingLife + time.Millisecond)
			for range 2 {
				l, got, _ = read(listings.Query{Community: scope})
				require.Equal(t, want[1:], got[:4], "what the set says is not taken while the database says something else")
				require.False(t, s.Confirm(l))
			}
			s.ExecAt(want[0], "UPDATE posts SET hot = hot + 1000 WHERE id = ?1", int64(want[0]))
		})
	}

	t.Run("not of a page without posts, of a later one, of another order or without Redis", func(t *testing.T) {
		s.Hot.Forget()
		l, _, _ := read(listings.Query{Community: "nowhere"})
		require.Nil(t, s.Listings.Confirm(l))
		l, _, _ = read(listings.Query{Community: "one"})
		later, _, _ := read(listings.Query{Community: "one", After: l.Next()})
		require.Nil(t, s.Listings.Confirm(later))
		byTime, _ := s.List(listings.Query{Community: "one", Order: data.OrderNew, Limit: 5})
		require.Nil(t, s.Listings.Confirm(byTime))
		redis := s.Hot.Redis
		s.Hot.Redis = nil
		require.Nil(t, s.Listings.Confirm(l))
		s.Hot.Redis = redis
		require.NotNil(t, s.Listings.Confirm(l))
	})
}
