package storetest

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/data/lists/listings"
	"plaza/data/wire/hrana"
	"plaza/ranking"
)

// Metered returns a context with a meter of database requests and rows. It reads the table of slots first: a read that finds it out of date
// would read it, too, and the meter would count that.
func (s *Stores) Metered() (context.Context, *hrana.Meter) {
	s.Helper()
	require.NoError(s, s.DB.ReadSlots(Ctx))
	return hrana.WithMeter(Ctx)
}

// Front reads a page of a member's front page, and returns the meter of that read.
func (s *Stores) Front(member data.Actor, after string, limit int) (*listings.Front, *hrana.Meter) {
	s.Helper()
	cursor, err := listings.ParseFrontCursor(after)
	require.NoError(s, err)
	metered, meter := s.Metered()
	r := s.DB.Read()
	f, err := s.Listings.FindFront(metered, r, member.UserID, false, cursor, limit)
	require.NoError(s, err)
	require.NoError(s, r.Run(metered))
	return f, meter
}

func (s *Stores) RedisInt(words ...any) int64 {
	s.Helper()
	reply, err := s.Redis.Do(Ctx, Cmd(words...))
	require.NoError(s, err)
	n, err := reply.Int()
	require.NoError(s, err)
	return n
}

// HotListing reads a page of a hot listing like an instance that has just started.
func (s *Stores) HotListing(community string, limit int, after data.Cursor) *listings.Page {
	s.Helper()
	s.Hot.Forget()
	return s.Listing(listings.Query{Community: community, Order: data.OrderHot, Limit: limit, After: after})
}

// Confirm compares a page with its set in Redis, if there is something to compare. lost reports that the set must be rebuilt.
func (s *Stores) Confirm(l *listings.Page) (lost bool) {
	s.Helper()
	if confirm := s.Listings.Confirm(l); confirm != nil {
		var err error
		lost, err = confirm(Ctx)
		require.NoError(s, err)
	}
	return lost
}

func (s *Stores) Insert(created []Bulk) {
	s.Helper()
	list, err := json.Marshal(created)
	require.NoError(s, err)
	s.ExecAt(data.ID(created[0].ID), insertBulk+ranking.HotSQL("((value->>'Ups') - (value->>'Downs'))", "(value->>'Created')")+`, `+
		ranking.ControversySQL("(value->>'Ups')", "(value->>'Downs')")+`, value->>'Comment', value->>'Comment', value->>'Comment',
  value->>'Created', value->>'Created'
  FROM json_each(?1)`, string(list))
}

func (s *Stores) CommunityID(name string) int64 {
	s.Helper()
	return s.One("SELECT id FROM communities WHERE name_key = ?1", name).(int64)
}

// BulkID is the id of a test's nth post, of shard 0.
func BulkID(n int) int64 { return int64(n+1) << 22 }

// List reads one page, and its ids.
func (s *Stores) List(q listings.Query) (*listings.Page, []data.ID) {
	s.Helper()
	l := s.Listing(q)
	return l, IdsOf(l.Items())
}

func (s *Stores) Listing(q listings.Query) *listings.Page {
	s.Helper()
	r := s.DB.Read()
	l := s.Listings.Find(r, q)
	require.NoError(s, r.Run(Ctx))
	return l
}

func CodeOf(t *testing.T, err error, want data.Code, says string) {
	t.Helper()
	require.Equal(t, want, data.ErrorCode(err), "%v", err)
	require.ErrorContains(t, err, says)
}

func IdsOf(posts []*posts.Post) (ids []data.ID) {
	for _, p := range posts {
		ids = append(ids, p.ID)
	}
	return ids
}

// Bulk is a post that a test inserts as an import would.
type Bulk struct {
	ID, Community       int64
	Name                string
	Created             int64
	Ups, Downs, Comment int64
}

const insertBulk = `INSERT INTO posts (id, community_id, community_name, author_name, slug, kind, title, base_ups, base_downs, ups, downs,
  score, hot, controversy, comments, comments_step, views, active, created_at)
SELECT value->>'ID', value->>'Community', value->>'Name', '', 'p' || (value->>'ID'), 'text', 'A post', value->>'Ups', value->>'Downs',
  value->>'Ups', value->>'Downs', (value->>'Ups') - (value->>'Downs'), `

// WindowOrders are the orders of listings that have windows.
var WindowOrders = func() (orders []data.Order) {
	for _, named := range data.ListingOrders {
		if named.Windows {
			orders = append(orders, named.Order)
		}
	}
	return orders
}()
