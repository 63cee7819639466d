package listings_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/hrana"
	"plaza/data/listings"
	"plaza/data/storetest"
	"plaza/data/tags"
	"plaza/ranking"
)

// TestTagRows measures what a page of a combination of two tags reads, of many posts that all have both, and what it costs to find tags by
// their first letters.
func TestTagRows(t *testing.T) {
	const items = 25
	n := 10_000
	if os.Getenv("PLAZA_SLOW") != "" {
		n = 1_000_000
	}
	s := storetest.Open(t)
	s.CommunityOn(0, s.Member("ann"), "big")
	fill(s, "big", n)
	began := time.Now()
	run := func(sql string, args ...any) {
		t.Helper()
		_, err := s.Home("big").Query(storetest.Ctx, storetest.StmtOf(sql, args...))
		require.NoError(t, err)
	}
	run("INSERT INTO tag_keys (id, name, posts) VALUES (1, 'go', ?1), (2, 'wasm', ?1), (3, 'go wasm', 0)", n)
	for from := 0; from < n; from += 50_000 {
		run("INSERT INTO post_tags SELECT id, 3, hot, score, controversy, comments, views, created_at, age FROM posts WHERE id > ?1 AND id <= ?2", int64(from)<<22, int64(from+50_000)<<22)
	}
	t.Logf("%d posts tagged in %s", n, time.Since(began).Round(time.Millisecond))
	run("INSERT INTO tag_keys (name, posts) SELECT 'x' || value, 1 + value % 5000 FROM generate_series(1, ?1)", n/10)

	middle := int64(n/2) << 22
	created := s.One("SELECT created_at FROM posts WHERE id = ?1", middle).(int64)
	for _, l := range []struct {
		order  data.Order
		window ranking.Window
		value  float64 // in the middle of the list
	}{
		{data.OrderHot, "", float64(n/2) / 8}, {data.OrderNew, "", float64(created)}, {data.OrderTop, ranking.WindowAll, 150}, {data.OrderTop, ranking.WindowWeek, 150},
		{data.OrderControversial, ranking.WindowAll, 500}, {data.OrderComments, ranking.WindowMonth, 18}, {data.OrderViews, ranking.WindowAll, 23}, {data.OrderRising, "", 0},
	} {
		for _, after := range []data.Cursor{{}, {Order: byte(l.order), Value: l.value, ID: data.ID(middle)}} {
			if l.order == data.OrderRising && !after.IsZero() {
				continue
			}
			metered, meter := hrana.WithMeter(storetest.Ctx)
			r := s.DB.Read()
			page, err := s.Listings.Find(metered, r, listings.Query{Tags: "go wasm", Order: l.order, Window: l.window, After: after, Limit: items})
			require.NoError(t, err)
			require.NoError(t, r.Run(metered))
			require.Len(t, page.Items(), items)
			t.Logf("%c %-5s deep %v: %d rows", l.order, l.window, !after.IsZero(), meter.RowsRead())
			most := int64(4 * items)
			if l.order == data.OrderRising {
				most = 4 * 75
			}
			require.LessOrEqual(t, meter.RowsRead(), most, "%c %s %v", l.order, l.window, after)
		}
	}

	store := &tags.Store{DB: s.DB}
	for _, letters := range []string{"x", "x1", "g", "nothing"} {
		metered, meter := hrana.WithMeter(storetest.Ctx)
		r := s.DB.Read()
		found := store.FindBeginning(r, letters, 10)
		require.NoError(t, r.Run(metered))
		require.LessOrEqual(t, meter.RowsRead(), int64(40*len(s.Shards)), letters)
		t.Logf("beginning with %q: %d tags, %d rows, %d requests", letters, len(found.Items()), meter.RowsRead(), meter.Requests())
		if letters == "x" {
			require.Equal(t, int64(4), int64(len(fmt.Sprint(found.Items()[0].Posts))), "those with the most posts first")
		}
	}
}
