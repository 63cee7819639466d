package listings_test

import (
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/data/wire/hrana"
	"plaza/ranking"
	"plaza/test/storetest"
)

// walkFront returns all pages of a front page; it calls between after each.
func walkFront(s *storetest.Stores, member data.Actor, limit int, between func(page []*posts.Post)) (ids []data.ID) {
	s.Helper()
	after := ""
	for range 1000 {
		f, _ := s.Front(member, after, limit)
		ids = append(ids, storetest.IdsOf(f.Items())...)
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

// publish inserts n posts into a community of the database db, the newest with the most votes, one every step.
func publish(s *storetest.Stores, db *hrana.Client, community string, posts int, votes int, step time.Duration) {
	s.Helper()
	id := communityIn(s, db, community)
	*s.Clock = s.Clock.Add(time.Millisecond) // ids are made of it
	now := s.Clock.UnixMilli()
	_, err := db.Tx(storetest.Ctx, storetest.StmtOf(`INSERT INTO posts (id, community_id, community_name, author_name, slug, kind, title, ups,
  score, hot, created_at)
SELECT ((?5 - ?8) << 22) + (1 << 12) * ?6 + n * 2, ?1, ?2, 'ann', ?2 || n, 'text', ?2 || n, ?3, ?3, `+ranking.HotSQL("?3", "(?5 - n * ?4)")+
		`, ?5 - n * ?4
FROM (SELECT value AS n FROM generate_series(0, ?7 - 1))`,
		int64(id), community, votes, step.Milliseconds(), now, id.Slot(), posts, data.Epoch.UnixMilli()))
	require.NoError(s, err)
}

// communityIn returns the id of a community in the directory db.
func communityIn(s *storetest.Stores, db *hrana.Client, name string) data.ID {
	s.Helper()
	results, err := db.Query(storetest.Ctx, storetest.StmtOf("SELECT id FROM communities WHERE name = ?1", name))
	require.NoError(s, err)
	require.Len(s, results[0].Rows(), 1)
	return data.ID(results[0].Rows()[0][0].(int64))
}

// byWeight computes the front page from the rows.
func byWeight(s *storetest.Stores, member data.Actor, directory *hrana.Client, shards ...*hrana.Client) (ids []data.ID) {
	s.Helper()
	floor := ranking.Hot(1, 0, s.Clock.Add(-48*time.Hour))
	results, err := directory.Query(storetest.Ctx, storetest.StmtOf("SELECT community_id FROM subscriptions WHERE user_id = ?1",
		int64(member.UserID)))
	require.NoError(s, err)
	var items []ranking.Item
	for _, row := range results[0].Rows() {
		community := data.ID(row[0].(int64))
		results, err := shards[s.DB.ShardOf(community).Shard()].Query(storetest.Ctx, storetest.StmtOf(`SELECT id, hot FROM posts WHERE community_id = ?1
  AND status = 'published'
AND id NOT IN (SELECT post_id FROM hides WHERE user_id = ?2) ORDER BY hot DESC, id DESC`, int64(community), int64(member.UserID)))
		require.NoError(s, err)
		for _, post := range results[0].Rows() {
			e := ranking.Entry{ID: post[0].(int64), Hot: post[1].(float64)}
			items = append(items, ranking.Item{Entry: e, Weight: ranking.Weight(e.Hot, ranking.Top(results[0].Rows()[0][1].(float64), floor))})
		}
	}
	slices.SortFunc(items, ranking.CompareItems)
	for _, i := range items {
		ids = append(ids, data.ID(i.ID))
	}
	return ids
}
