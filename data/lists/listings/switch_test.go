package listings_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/data/lists/listings"
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// gate is a way to a database that tells when an answer has come, and may let a request wait.
type gate struct {
	way      hrana.Doer
	before   func() // before the next request
	answered chan struct{}
}

func (g *gate) Do(r *http.Request) (*http.Response, error) {
	if before := g.before; before != nil {
		g.before = nil
		before()
	}
	res, err := g.way.Do(r)
	if g.answered != nil {
		close(g.answered)
		g.answered = nil
	}
	return res, err
}

// TestListsOverASwitch has a slot move while pages are read: one shard is read before the switch, and the other one after it. Walks from page
// to page have each post once, in order.
func TestListsOverASwitch(t *testing.T) {
	stacktest.ByNight(t, "the live move: lists over its switch")
	const from, to, slot, each, limit = 1, 2, 400, 40, 7
	var clean, gated []*hrana.Client
	var gates []*gate
	for range 4 {
		url, client := stacktest.OpenSchemaDB(t)
		g := &gate{way: client}
		clean, gates = append(clean, hrana.New(hrana.Options{URL: url, HTTP: client})), append(gates, g)
		gated = append(gated, hrana.New(hrana.Options{URL: url, HTTP: g}))
	}
	s := storetest.On(t, data.NewDB(gated[0], gated[1:]...), storetest.DatabasesOf(t, clean[0], clean[1:]...), nil)
	exec := func(shard int, sql string, args ...any) {
		_, err := s.Shards[shard].Tx(storetest.Ctx, storetest.StmtOf(sql, args...))
		require.NoError(t, err, sql)
	}
	const member = 7
	made := func(shard, slot int) {
		exec(shard, `INSERT INTO posts (id, community_id, community_name, author_id, author_name, slug, kind, title, tags, hot, active, created_at)
SELECT (n << 22) + (?1 << 12) + 2, ?1, 'c' || ?1, 7, 'ann', 'p' || n, 'text', 'p' || n, 'things', n, n, n FROM (SELECT value * 3 + ?1 % 3 AS n
  FROM generate_series(1, ?2))`, slot, each)
		exec(shard, `INSERT INTO saves (user_id, target_id, created_at) SELECT 7, id, created_at FROM posts WHERE community_id = ?1`, slot)
	}
	made(0, 0)
	made(from, slot)
	made(to, slot)
	made(to, 2)
	want := 3 * each
	moveTo := func(shard int) { // as tools/mover does it
		exec(shard, "DELETE FROM hidden_slots")
		exec(from+to-shard, "INSERT INTO hidden_slots (slot) VALUES (?1) ON CONFLICT DO NOTHING", slot)
	}
	lists := map[string]func(r *data.Read, after data.Cursor) (items func() []*posts.Post, next func() data.Cursor){}
	for name, q := range map[string]listings.Query{"new": {Order: data.OrderNew}, "hot": {Order: data.OrderHot}, "author": {Author: "ann", Order: data.OrderNew},
		"new of a member": {Order: data.OrderNew, Viewer: member}, "unseen": {Order: data.OrderNew, Viewer: 8, Unseen: true},
		"tags": {Tags: "things", Order: data.OrderNew}, "active tags": {Tags: "things", Order: data.OrderActive}} {
		lists[name] = func(r *data.Read, after data.Cursor) (func() []*posts.Post, func() data.Cursor) {
			q.After, q.Limit = after, limit
			l := s.Listings.Find(r, q)
			return l.Items, l.Next
		}
	}
	lists["saved"] = func(r *data.Read, after data.Cursor) (func() []*posts.Post, func() data.Cursor) {
		l := s.Listings.FindSaved(r, member, after, limit)
		return l.Items, l.Next
	}
	lists["own"] = func(r *data.Read, after data.Cursor) (func() []*posts.Post, func() data.Cursor) {
		l := s.Listings.FindOwn(r, member, listings.Published, after, limit, 1<<62)
		return l.Items, l.Next
	}
	for _, first := range []int{from, to} {
		for name, find := range lists {
			t.Run(fmt.Sprintf("%s, shard %d is read before the switch", name, first), func(t *testing.T) {
				s.Listings.Forget()
				moveTo(from)
				var ids []data.ID
				after, at := data.Cursor{}, from
				for pages := 0; pages == 0 || !after.IsZero(); pages++ {
					require.Less(t, pages, want)
					answered := make(chan struct{})
					gates[1+first].answered = answered
					at = from + to - at
					gates[1+from+to-first].before = func() {
						<-answered
						moveTo(at)
					}
					r := s.DB.Read()
					items, next := find(r, after)
					require.NoError(t, r.Run(storetest.Ctx))
					ids, after = append(ids, storetest.IdsOf(items())...), next()
				}
				require.Len(t, ids, want)
				for i, id := range ids[1:] {
					require.Less(t, id, ids[i])
				}
			})
		}
	}
}

// TestTwoShardsShowAPost has both shards show a post of a slot that moves, with other values, and another post between the two.
func TestTwoShardsShowAPost(t *testing.T) {
	stacktest.ByNight(t, "the live move: two shards show a post")
	const slot = 400
	url, directory := stacktest.OpenSchemaDB(t)
	clients := []*hrana.Client{hrana.New(hrana.Options{URL: url, HTTP: directory})}
	for range 2 {
		url, client := stacktest.OpenSchemaDB(t)
		clients = append(clients, hrana.New(hrana.Options{URL: url, HTTP: client}))
	}
	s := storetest.On(t, data.NewDB(clients[0], clients[1:]...), storetest.DatabasesOf(t, clients[0], clients[1:]...), nil)
	made := func(shard int, id data.ID, hot float64) {
		_, err := s.Shards[shard].Tx(storetest.Ctx, storetest.StmtOf(`INSERT INTO posts (id, community_id, community_name, author_id, author_name,
  slug, kind, title, hot, comments, comments_step, active, created_at) VALUES (?1, 1, 'c', 7, 'ann', ?1, 'text', 'p', ?2, ?2, ?2, ?2, 1)`, int64(id), hot))
		require.NoError(t, err)
	}
	moves, other := data.ID(9<<22+slot<<12), data.ID(8<<22+1<<12)
	made(0, moves, 90)
	made(0, other, 91)
	made(1, moves, 93)
	for _, order := range []data.Order{data.OrderHot, data.OrderActive, data.OrderComments} {
		page, ids := s.List(listings.Query{Order: order, Limit: 10})
		require.Equal(t, []data.ID{moves, other}, ids)
		require.True(t, page.Next().IsZero())
	}
}
