package listings_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/tags"
	"plaza/data/lists/listings"
	"plaza/ranking"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// TestTagRows measures the rows of a page of a tag and of combinations, for many posts that all have the tags go and wasm, a quarter of
// which have web and a thousand the tag rare; and the cost of finding tags by their use and by their first letters.
func TestTagRows(t *testing.T) {
	const items = 25
	n := 6_000
	if large := stacktest.Large(); large > 0 {
		n = large
	}
	s := storetest.Open(t)
	s.CommunityOn(0, s.Member("ann"), "big")
	began := time.Now()
	fill(s, "big", n, n/1000, true)
	t.Logf("%d posts tagged in %s", n, time.Since(began).Round(time.Millisecond))
	_, err := s.Home("big").Query(storetest.Ctx, storetest.StmtOf(`INSERT INTO tag_keys (name, posts, heat, digits, heat_step)
SELECT 'x' || value, 1 + value * 7919 % 5000, value % 5000, length(1 + value * 7919 % 5000), value % 5000 FROM generate_series(1, ?1)`, n/10))
	require.NoError(t, err)

	middle := int64(n/2) << 22
	created := s.One("SELECT created_at FROM posts WHERE id = ?1", middle).(int64)
	var figures strings.Builder
	for _, names := range []string{"go", "rare", "go wasm", "go rare", "go wasm web", "go rare wasm"} {
		for _, l := range []struct {
			order  data.Order
			window ranking.Window
			value  float64 // in the middle of the list
		}{
			{data.OrderHot, "", float64(n/2) / 8}, {data.OrderNew, "", float64(created)}, {data.OrderActive, "", float64(created)}, {data.OrderTop, ranking.WindowAll, 150},
			{data.OrderTop, ranking.WindowWeek, 150},
			{data.OrderControversial, ranking.WindowAll, 500}, {data.OrderComments, ranking.WindowMonth, 18},
			{data.OrderViews, ranking.WindowAll, 23}, {data.OrderRising, "", 0},
		} {
			fmt.Fprintf(&figures, "%-13s %-13s %-5s", names, orderNames[l.order], l.window)
			for _, after := range []data.Cursor{{}, {Order: byte(l.order), Value: l.value, ID: data.ID(middle)}} {
				if l.order == data.OrderRising && !after.IsZero() {
					continue
				}
				page, rows, took := measured(s, listings.Query{Tags: names, Order: l.order, Window: l.window, After: after, Limit: items})
				require.Len(t, page.Items(), items, figures.String())
				fmt.Fprintf(&figures, "  %3d rows %5.1f ms", rows, took)
				most := int64(4 * items)
				if l.order != data.OrderNew && l.order != data.OrderRising {
					most = 13_000
				}
				require.LessOrEqual(t, rows, most, figures.String())
			}
			figures.WriteByte('\n')
		}
	}
	t.Logf("a page of %d items, the first and one deep down:\n%s", items, figures.String())

	store := &tags.Store{Base: s.Posts.Base}
	find := func(what string, find func(r *data.Read) *tags.Tags) *tags.Tags {
		metered, meter := s.Metered()
		r := s.DB.Read()
		found := find(r)
		began := time.Now()
		require.NoError(t, r.Run(metered))
		t.Logf("%s: %d tags, %d rows, %d requests, %.1f ms", what, len(found.Items()), meter.RowsRead(), meter.Requests(), time.Since(began).
			Seconds()*1000)
		require.LessOrEqual(t, meter.RowsRead(), int64(400*len(s.Shards)), what)
		return found
	}
	for _, letters := range []string{"x", "x1", "g", "nothing"} {
		found := find("tags that begin with "+letters, func(r *data.Read) *tags.Tags { return store.FindByPrefix(r, letters, 10) })
		if letters == "x" {
			require.Len(t, fmt.Sprint(found.Items()[0].Posts), 4, "those with the most posts first")
		}
	}
	find("tags in use", func(r *data.Read) *tags.Tags { return store.FindTrending(r, 30) })
}

// measured reads a page of a listing. It returns how many rows it read, and the milliseconds of a second read with PLAZA_SLOW.
func measured(s *storetest.Stores, q listings.Query) (page *listings.Page, rows int64, took float64) {
	s.Helper()
	times := 1
	if os.Getenv("PLAZA_SLOW") != "" {
		times = 2
	}
	for range times {
		metered, meter := s.Metered()
		r := s.DB.Read()
		page = s.Listings.Find(r, q)
		began := time.Now()
		require.NoError(s, r.Run(metered))
		rows, took = meter.RowsRead(), time.Since(began).Seconds()*1000
	}
	return page, rows, took
}

// TestTagRowsOfSafePosts walks a list by a tag with many posts, of which one in a hundred is safe for work, for a member who hides NSFW
// posts. Each page reads a few times the limit of tagsLook. The pages together have every such post once, in its order.
func TestTagRowsOfSafePosts(t *testing.T) {
	const look = 300
	defer listings.TagBudget(100, look)()
	s := storetest.Open(t)
	ann := s.Member("ann")
	s.CommunityOn(0, ann, "big")
	fill(s, "big", 6_000, 6, true)
	_, err := s.Home("big").Query(storetest.Ctx, storetest.StmtOf("UPDATE posts SET nsfw = (id >> 22) % 100 <> 0"))
	require.NoError(t, err)
	var want, got []data.ID
	for _, row := range s.Rows("SELECT id FROM posts WHERE nsfw = 0 ORDER BY score DESC, id DESC") {
		want = append(want, data.ID(row[0].(int64)))
	}
	require.Len(t, want, 60)
	q := listings.Query{Tags: "go", Order: data.OrderTop, Window: ranking.WindowAll, Limit: 25, Viewer: ann.UserID}
	short, most := 0, int64(0)
	for pages := 0; ; pages++ {
		require.Less(t, pages, 500)
		metered, meter := s.Metered()
		r := s.DB.Read()
		page := s.Listings.Find(r, q)
		page.ExcludeNSFW()
		require.NoError(t, r.Run(metered))
		most = max(most, meter.RowsRead())
		for _, p := range page.Items() {
			got = append(got, p.ID)
		}
		if next, more := page.Rest(); more {
			q = next
			short++
			continue
		}
		if q.After = page.Next(); q.After.IsZero() {
			break
		}
	}
	t.Logf("at most %d rows a page", most)
	require.Equal(t, want, got)
	require.Positive(t, short, "a page has looked at nothing else")
	require.LessOrEqual(t, most, int64(4*look))
}
