package storetest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"plaza/data"
	"plaza/data/communities"
	"plaza/data/hrana"
	"plaza/data/listings"
	"plaza/data/people"
	"plaza/data/posts"
	"plaza/data/votes"
	"plaza/ranking"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// askew has the stores be an instance whose clock is off, while the database has its own.
func (s *Stores) Askew(off time.Duration) *Stores {
	var sequence atomic.Uint32
	source := data.Source{Now: func() time.Time { return time.Now().Add(off) }, Rand: func() uint32 { return sequence.Add(2) }}
	c := *s
	c.Sessions = &people.Sessions{DB: s.DB, Source: source}
	c.Communities = &communities.Store{DB: s.DB, Source: source}
	c.Posts = &posts.Store{DB: s.DB, Source: source}
	c.Votes = &votes.Store{DB: s.DB, Hot: s.Hot, Source: source}
	return &c
}

// founded inserts communities with members, growth and age that often tie.
func (s *Stores) Founded(from, n int) {
	s.Helper()
	rng := rand.New(rand.NewPCG(1, uint64(from)))
	for from, end := from, from+n; from < end; from += 500 {
		var stmts []hrana.Stmt
		for i := from; i < min(from+500, end); i++ {
			stmts = append(stmts, StmtOf(`INSERT INTO communities (id, name, name_key, title, colour, members, growth, created_at)
VALUES (?1, ?2, ?2, ?2, '#b3261e', ?3, ?4, ?5)`, i+1, fmt.Sprintf("place%d", i), rng.IntN(30), rng.IntN(5), 1e12+float64(rng.IntN(20))))
		}
		_, err := s.SQL.Tx(Ctx, stmts...)
		require.NoError(s, err)
	}
}

func (s *Stores) FindCommunity(name string, viewer data.ID) *communities.Community {
	s.Helper()
	r := s.DB.Read()
	c := s.Communities.FindByName(r, name, viewer)
	require.NoError(s, r.Run(Ctx))
	return c
}

// front is a page of a member's front page, read in as few requests as there are databases.
func (s *Stores) Front(member data.Actor, after string, limit int) (*listings.Front, *hrana.Meter) {
	s.Helper()
	cursor, err := listings.ParseFrontCursor(after)
	require.NoError(s, err)
	metered, meter := hrana.WithMeter(Ctx)
	r := s.DB.Read()
	f, err := s.Listings.FindFront(metered, r, member.UserID, cursor, limit)
	require.NoError(s, err)
	require.NoError(s, r.Run(metered))
	return f, meter
}

// walkFront is all pages of a front page; between is called after each.
func (s *Stores) WalkFront(member data.Actor, limit int, between func(page []*posts.Post)) (ids []data.ID) {
	s.Helper()
	after := ""
	for range 1000 {
		f, _ := s.Front(member, after, limit)
		ids = append(ids, IdsOf(f.Items())...)
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
func (s *Stores) Publish(db *hrana.Client, community string, posts int, votes int, step time.Duration) {
	s.Helper()
	id := s.CommunityIn(db, community)
	*s.Clock = s.Clock.Add(time.Millisecond) // ids are made of it
	now := s.Clock.UnixMilli()
	_, err := db.Tx(Ctx, StmtOf(`INSERT INTO posts (id, community_id, community_name, author_name, slug, kind, title, ups, score, hot, created_at)
SELECT ((?5 - ?8) << 22) + (1 << 12) * ?6 + n * 2, ?1, ?2, 'ann', ?2 || n, 'text', ?2 || n, ?3, ?3, `+ranking.HotSQL("?3", "(?5 - n * ?4)")+`, ?5 - n * ?4
FROM (SELECT value AS n FROM generate_series(0, ?7 - 1))`,
		int64(id), community, votes, step.Milliseconds(), now, id.Shard(), posts, data.Epoch.UnixMilli()))
	require.NoError(s, err)
}

func (s *Stores) CommunityIn(db *hrana.Client, name string) data.ID {
	s.Helper()
	results, err := db.Query(Ctx, StmtOf("SELECT id FROM communities WHERE name = ?1", name))
	require.NoError(s, err)
	require.Len(s, results[0].Rows, 1)
	return data.ID(results[0].Rows[0][0].(int64))
}

// byWeight is what a front page holds, worked out from the rows.
func (s *Stores) ByWeight(member data.Actor, directory *hrana.Client, shards ...*hrana.Client) (ids []data.ID) {
	s.Helper()
	floor := ranking.Hot(1, 0, s.Clock.Add(-48*time.Hour))
	results, err := directory.Query(Ctx, StmtOf("SELECT community_id FROM subscriptions WHERE user_id = ?1", int64(member.UserID)))
	require.NoError(s, err)
	var items []ranking.Item
	for _, row := range results[0].Rows {
		community := data.ID(row[0].(int64))
		results, err := shards[community.Shard()].Query(Ctx, StmtOf(`SELECT id, hot FROM posts WHERE community_id = ?1 AND status = 'published'
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

func (s *Stores) RedisInt(words ...any) int64 {
	s.Helper()
	reply, err := s.Redis.Do(Ctx, Cmd(words...))
	require.NoError(s, err)
	n, err := reply.Int()
	require.NoError(s, err)
	return n
}

// hotListing reads a page of a hot listing.
func (s *Stores) HotListing(community string, limit int, after data.Cursor) *listings.Page {
	s.Helper()
	r := s.DB.Read()
	l, err := s.Listings.Find(Ctx, r, listings.Query{Community: community, Order: data.OrderHot, Limit: limit, After: after})
	require.NoError(s, err)
	require.NoError(s, r.Run(Ctx))
	return l
}

// fill puts n posts into a community, with the indexes made afterwards.
func (s *Stores) Fill(community string, n int) {
	s.Helper()
	run := func(sql string, args ...any) []hrana.Result {
		s.Helper()
		results, err := s.SQL.Query(Ctx, StmtOf(sql, args...))
		require.NoError(s, err, sql)
		return results
	}
	indexes := run("SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = 'posts' AND type IN ('index', 'trigger') AND sql IS NOT NULL")[0].Rows
	for _, row := range indexes {
		run(fmt.Sprintf("DROP %s %s", row[0], row[1]))
	}
	run(fillCommunity, n, s.Clock.UnixMilli(), s.CommunityID(community))
	for _, row := range indexes {
		run(row[2].(string))
	}
}

func (s *Stores) Insert(made []Bulk) {
	s.Helper()
	list, err := json.Marshal(made)
	require.NoError(s, err)
	s.Exec(insertBulk+ranking.HotSQL("((value->>'Ups') - (value->>'Downs'))", "(value->>'Created')")+`, `+
		ranking.ControversySQL("(value->>'Ups')", "(value->>'Downs')")+`, value->>'Comment', value->>'Created' FROM json_each(?1)`, string(list))
}

func (s *Stores) CommunityID(name string) int64 {
	s.Helper()
	return s.One("SELECT id FROM communities WHERE name_key = ?1", name).(int64)
}

// list reads one page.
func (s *Stores) List(q listings.Query) (*listings.Page, []data.ID) {
	s.Helper()
	r := s.DB.Read()
	l, err := s.Listings.Find(Ctx, r, q)
	require.NoError(s, err)
	require.NoError(s, r.Run(Ctx))
	var ids []data.ID
	for _, p := range l.Items() {
		ids = append(ids, p.ID)
	}
	return l, ids
}

// bulkID is the id of a test's nth post, of shard 0.
func BulkID(n int) int64 { return int64(n+1) << 22 }

func (s *Stores) Listing(q listings.Query) *listings.Page {
	s.Helper()
	r := s.DB.Read()
	l, err := s.Listings.Find(Ctx, r, q)
	require.NoError(s, err)
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

// bulk is a post that a test puts into the table as an import would.
type Bulk struct {
	ID, Community       int64
	Name                string
	Created             int64
	Ups, Downs, Comment int64
}

const insertBulk = `INSERT INTO posts (id, community_id, community_name, author_name, slug, kind, title, base_ups, base_downs, ups, downs, score, hot, controversy, comments, created_at)
SELECT value->>'ID', value->>'Community', value->>'Name', '', 'p' || (value->>'ID'), 'text', 'A post', value->>'Ups', value->>'Downs', value->>'Ups', value->>'Downs', (value->>'Ups') - (value->>'Downs'), `

var WindowOrders = []data.Order{data.OrderTop, data.OrderControversial, data.OrderComments}

// Posts of one community, dense of late: 2% of the past hour, 5% of the rest of the
// day, then 8%, 15%, 30% and 40% from before a year ago. Scores, comments and
// controversies don't depend on age; ties abound. ?1 how many, ?2 now, ?3 community.
const fillCommunity = `INSERT INTO posts (id, community_id, community_name, author_name, slug, kind, title, ups, downs, score, hot, controversy, comments, created_at, age)
SELECT (?1 - n) << 22, ?3, 'big', 'ann', printf('p%07d', ?1 - n), 'text', 'A title of a usual length for a post', s + 3, 3, s, (?1 - n) / 8.0, iif(n % 3 = 0, 1.0 + n % 1009, 0.0), n % 37, ?2 - ago,
  CASE WHEN ago < 3600000 THEN 0 WHEN ago < 86400000 THEN 1 WHEN ago < 604800000 THEN 2 WHEN ago < 2592000000 THEN 3 WHEN ago < 31536000000 THEN 4 ELSE 5 END
FROM (SELECT value AS n, (value * 48271 % 2147483647) % 1000 * ((value * 16807 % 2147483647) % 1000) / 1000 AS s, CASE
  WHEN value < ?1*2/100 THEN value * 3600000 / (?1*2/100)
  WHEN value < ?1*7/100 THEN 3600000 + (value-?1*2/100) * 82800000 / (?1*5/100)
  WHEN value < ?1*15/100 THEN 86400000 + (value-?1*7/100) * 518400000 / (?1*8/100)
  WHEN value < ?1*30/100 THEN 604800000 + (value-?1*15/100) * 1987200000 / (?1*15/100)
  WHEN value < ?1*60/100 THEN 2592000000 + (value-?1*30/100) * 28944000000 / (?1*30/100)
  ELSE 31536000000 + (value-?1*60/100) * 126144000000 / (?1*40/100) END AS ago
FROM generate_series(?1 - 1, 0, -1))`
