package listings_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/data/lists/listings"
	"plaza/ranking"
	"plaza/test/storetest"
)

// postsOfBoth inserts ?1 posts of ann's with the tag go. Each shard has the posts of one community: ?2 is its id, ?3 its shard, and ?4 is
// 1 or 2, the first of its posts. Newer posts are hotter and have more points. entriesOfBoth inserts every third of them into a timeline.
const (
	postsOfBoth = `INSERT INTO posts (id, community_id, community_name, author_id, author_name, tags, slug, kind, title, score, hot,
  created_at, age)
SELECT ((v * 1000) << 22) | (?3 << 12), ?2, (SELECT name FROM communities WHERE id = ?2), ?5, 'ann', 'go', 'p' || v, 'text', 'A title',
  v / 10, v / 10.0,
  ?6 - (?1 - v) * 1000, 5 FROM (SELECT value AS v FROM generate_series(?4, ?1, 2))`
	entriesOfBoth = `INSERT INTO timeline (user_id, posted_at, post_id, author_id)
SELECT ?2, ?6 - (?1 - v) * 1000, ((v * 1000) << 22) | (?3 << 12), ?5 FROM (SELECT value AS v FROM generate_series(?4, ?1, 2))
  WHERE v % 3 = 0`
	visitsToNewest = `INSERT INTO visits (user_id, post_id, seen_at, since)
SELECT ?1, id, 1, -1 FROM (SELECT id, CAST(substr(slug, 2) AS INTEGER) AS v FROM posts) WHERE v > ?2 AND v % 50 <> 0 ON CONFLICT DO NOTHING`
)

// TestUnseenPages walks through all lists that leave out seen posts, for a member who has seen the newest posts. Every other post is on
// one page, and each page reads at most a fixed number of rows for skipped posts.
func TestUnseenPages(t *testing.T) {
	const limit = 25
	n, sizes := 700, []int{0, 600}
	most := map[string]int64{"community": 600, "site": 600, "tag": 900, "front": 1500, "front new": 1500, "home": 4000} // of each database
	if os.Getenv("PLAZA_SLOW") != "" {
		n, sizes = 20_000, []int{0, 100, 1000, 10_000}
	}
	s := storetest.Open(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	last := len(s.Shards) - 1
	for i, shard := range []int{0, last} {
		name := []string{"even", "odd"}[i]
		s.CommunityOn(shard, ann, name)
		id := s.CommunityID(name)
		now := s.Clock.UnixMilli()
		_, err := s.Shards[shard].Query(storetest.Ctx, storetest.StmtOf(postsOfBoth, n, id, shard, 2-i, int64(ann.UserID), now))
		require.NoError(t, err)
		s.Exec(entriesOfBoth, n, int64(ben.UserID), shard, 2-i, int64(ann.UserID), now)
		s.Exec("INSERT INTO subscriptions (user_id, community_id, created_at) VALUES (?1, ?2, 1)", int64(ben.UserID), id)
	}
	s.Exec("INSERT INTO follows (follower_id, followee_id, created_at, on_read) VALUES (?1, ?2, 1, 1)", int64(ben.UserID), int64(ann.UserID))
	s.Exec("INSERT INTO tag_follows (user_id, name, created_at) VALUES (?1, 'go', 1)", int64(ben.UserID))

	for _, seen := range sizes {
		s.Exec(visitsToNewest, int64(ben.UserID), n-seen) // except every 50th
		for name, page := range unseenLists(s, ben.UserID, limit) {
			began := time.Now()
			found, pages, rows, first := map[data.ID]bool{}, 0, int64(0), ""
			for more := true; more; pages++ {
				metered, meter := s.Metered()
				var items []*posts.Post
				items, more = page(metered)
				require.LessOrEqual(t, len(items), limit)
				for _, p := range items {
					require.False(t, p.Seen, name)
					require.False(t, found[p.ID], "%s: twice", name)
					found[p.ID] = true
				}
				rows = max(rows, meter.RowsRead())
				if pages == 0 {
					first = fmt.Sprintf("%d posts, %d rows", len(items), meter.RowsRead())
				}
			}
			remaining := n - seen + seen/50
			if name == "community" {
				remaining = (n-seen)/2 + seen/50
			}
			t.Logf("%5d seen, %-9s first page: %s; %d pages, %d rows at most, %s", seen, name, first, pages, rows, time.Since(began).
				Round(time.Millisecond))
			require.InDelta(t, remaining, len(found), 1, "%s: all that was not seen", name)
			require.LessOrEqual(t, rows, most[name]*int64(len(s.Shards)), name)
		}
	}
}

// unseenLists are lists by their names. Each call returns the next page, and whether another one follows.
func unseenLists(s *storetest.Stores, member data.ID, limit int) map[string]func(context.Context) ([]*posts.Post, bool) {
	lists := map[string]func(context.Context) ([]*posts.Post, bool){}
	for name, q := range map[string]listings.Query{
		"community": {Community: "even", Order: data.OrderHot},
		"site":      {Order: data.OrderTop, Window: ranking.WindowAll},
		"tag":       {Tags: "go", Order: data.OrderNew},
	} {
		q.Viewer, q.Limit, q.Unseen = member, limit, true
		lists[name] = func(ctx context.Context) ([]*posts.Post, bool) {
			r := s.DB.Read()
			page := s.Listings.Find(r, q)
			require.NoError(s, r.Run(ctx))
			q.After = page.Next()
			return page.Items(), !q.After.IsZero()
		}
	}
	var front listings.FrontCursor
	lists["front"] = func(ctx context.Context) ([]*posts.Post, bool) {
		r := s.DB.Read()
		page, err := s.Listings.FindFront(ctx, r, member, true, front, limit)
		require.NoError(s, err)
		require.NoError(s, r.Run(ctx))
		front = page.Next()
		return page.Items(), !front.IsZero()
	}
	var latest, home data.Cursor
	lists["front new"] = func(ctx context.Context) ([]*posts.Post, bool) {
		r := s.DB.Read()
		page, err := s.Listings.FindFrontByTime(ctx, r, member, data.OrderFrontNew, true, latest, limit)
		require.NoError(s, err)
		require.NoError(s, r.Run(ctx))
		latest = page.Next()
		return page.Items(), !latest.IsZero()
	}
	lists["home"] = func(ctx context.Context) ([]*posts.Post, bool) {
		r := s.DB.Read()
		page, err := s.Listings.FindHome(ctx, r, member, true, home, limit)
		require.NoError(s, err)
		require.NoError(s, r.Run(ctx))
		home = page.Next()
		return page.Items(), !home.IsZero()
	}
	return lists
}
