package listings_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/lists/listings"
	"plaza/data/wire/hrana"
	"plaza/ranking"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// TestRowsRead measures the rows and requests of a page of every listing, at growing sizes. bench/growth.mjs reads its table.
func TestRowsRead(t *testing.T) {
	t.Parallel()
	const items = 25
	sizes := []int{5_000, 50_000}
	if stacktest.Night() {
		sizes = []int{10_000, 100_000}
	}
	if n := stacktest.Large(); n > 0 {
		sizes = []int{10_000, 100_000, n}
	}
	type list struct {
		scope  string
		order  data.Order
		window ranking.Window
		deep   bool
	}
	var lists []list
	for _, scope := range []string{"big", ""} {
		for _, deep := range []bool{false, true} {
			for _, named := range data.ListingOrders {
				if deep && named.Order == data.OrderRising { // has one page
					continue
				}
				for _, w := range listings.WindowsOf(named) {
					lists = append(lists, list{scope, named.Order, w, deep})
				}
			}
		}
	}
	for _, named := range data.ProfilePostOrders {
		lists = append(lists, list{"@ann", named.Order, "", false}, list{"@ann", named.Order, "", true})
	}
	figures, asked := map[list][]int64{}, map[list]int64{}
	for _, n := range sizes {
		began := time.Now()
		s := storetest.Open(t)
		s.CommunityOn(0, s.Member("ann"), "big")
		fill(s, "big", n, 1, false)
		filled := time.Since(began)
		middle := int64(n/2) << 22
		created := s.One("SELECT created_at FROM posts WHERE id = ?1", middle).(int64)
		s.Exec("INSERT INTO votes (target_id, user_id, value, updated_at) SELECT id, 7, 1, 1 FROM posts WHERE score > 900 OR id > ?1",
			int64(n-2000)<<22)
		s.Exec("DELETE FROM vote_deltas")
		for _, l := range lists {
			q := listings.Query{Community: l.scope, Order: l.order, Window: l.window, Limit: items}
			if author, ok := strings.CutPrefix(l.scope, "@"); ok {
				q.Community, q.Author = "", author
			}
			if l.deep {
				// The middle of the order, whatever the window.
				value := map[data.Order]float64{data.OrderHot: float64(n/2) / 8, data.OrderNew: float64(created), data.OrderTop: 150,
					data.OrderControversial: 500, data.OrderComments: 18, data.OrderViews: 23, data.OrderActive: float64(created)}
				q.After = data.Cursor{Order: byte(l.order), Value: value[l.order], ID: data.ID(middle)}
			}
			var rows, requests int64
			read := func() {
				metered, meter := s.Metered()
				r := s.DB.Read()
				found := s.Listings.Find(r, q)
				require.NoError(t, r.Run(metered))
				require.Len(t, found.Items(), items, "%c of %q, %s, deep %v", l.order, l.scope, l.window, l.deep)
				require.Equal(t, l.order != data.OrderRising, !found.Next().IsZero(), "a page follows")
				rows, requests = meter.RowsRead(), meter.Requests()
			}
			read()
			figures[l] = append(figures[l], rows)
			require.True(t, asked[l] == 0 || asked[l] == requests, "%+v: as many requests at each size", l)
			asked[l] = requests
			// For a member, each vote costs one row more: here, for all posts that are read.
			q.Viewer = 7
			read()
			looked := int64(items + 1)
			if l.order == data.OrderRising {
				looked = 75
			}
			require.LessOrEqual(t, rows, figures[l][len(figures[l])-1]+looked+6, "%+v of a member", l)
		}
		t.Logf("%d posts: filled in %s, read in %s", n, filled.Round(time.Millisecond), (time.Since(began) - filled).Round(time.Millisecond))
	}
	var table strings.Builder
	fmt.Fprintf(&table, "rows read for a page of %d items, by posts in the community: %v\n", items, sizes)
	for _, l := range lists {
		where, page := "community", "first"
		switch l.scope {
		case "":
			where = "site"
		case "@ann":
			where = "profile"
		}
		if l.deep {
			page = "deep"
		}
		fmt.Fprintf(&table, "%-9s %-13s %-5s %-5s %v in %d requests\n", where, orderNames[l.order], l.window, page, figures[l], asked[l])
		low, high := figures[l][0], figures[l][0]
		for _, rows := range figures[l] {
			low, high = min(low, rows), max(high, rows)
		}
		require.LessOrEqual(t, high*10, low*11, "%+v: within 10%%: %v", l, figures[l])
		require.LessOrEqual(t, high, int64(4*items), "%+v", l)
	}
	t.Log(table.String())
}

var orderNames = func() map[data.Order]string {
	names := map[data.Order]string{}
	for _, named := range data.ListingOrders {
		names[named.Order] = named.Name
	}
	return names
}()

// fill inserts n posts of ann's into a community, and makes the indexes afterwards. Every post has the tags go and wasm if tagged, one of
// four has web, too, and one of rare has rare. Only the trigger for tags runs.
func fill(s *storetest.Stores, community string, n, rare int, tagged bool) {
	s.Helper()
	run := func(sql string, args ...any) []hrana.Result {
		s.Helper()
		results, err := s.Home(community).Query(storetest.Ctx, storetest.StmtOf(sql, args...))
		require.NoError(s, err, sql)
		return results
	}
	dropped := run("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND (type = 'index' AND tbl_name IN ('posts', 'post_tags') "+
		"OR type = 'trigger' AND tbl_name = 'posts' AND NOT (?1 AND name = 'post_tags_made'))",
		tagged)[0].Rows()
	for _, row := range dropped {
		run(fmt.Sprintf("DROP %s %s", row[0], row[1]))
	}
	ann := s.One("SELECT id FROM users WHERE username_key = 'ann'")
	for from := n - 1; from >= 0; from -= 100_000 {
		run(fillCommunity, n, s.Clock.UnixMilli(), s.CommunityID(community), from, max(from-99_999, 0), ann, tagged, rare)
	}
	for _, row := range dropped {
		run(row[2].(string))
	}
}

// Posts of one community, most of them recent: 2% of the past hour, 5% of the rest of the day, then 8%, 15%, 30% and 40% from before a
// year ago. Scores, comments and controversies don't depend on age; many are equal. ?1 how many, ?2 now, ?3 community, ?4 to ?5 which of
// them, ?6 their author. With ?7 they have tags.
const fillCommunity = `INSERT INTO posts (id, community_id, community_name, author_id, author_name, tags, slug, kind, title, ups, downs,
  score, hot, controversy, comments, comments_step, views, active, created_at, age)
SELECT (?1 - n) << 22, ?3, 'big', ?6, 'ann', CASE WHEN NOT ?7 THEN '' WHEN n % ?8 = 0 THEN 'go rare wasm' WHEN n % 4 = 1 THEN 'go wasm web'
  ELSE 'go wasm' END, printf('p%07d', ?1 - n), 'text', 'A title of a usual length for a post', s + 3, 3, s, (?1 - n) / 8.0, iif(n % 3 = 0,
  1.0 + n % 1009, 0.0), n % 37, n % 37, n % 47, ?2 - ago, ?2 - ago,
  CASE WHEN ago < 3600000 THEN 0 WHEN ago < 86400000 THEN 1 WHEN ago < 604800000 THEN 2 WHEN ago < 2592000000 THEN 3
  WHEN ago < 31536000000 THEN 4 ELSE 5 END
FROM (SELECT value AS n, (value * 48271 % 2147483647) % 1000 * ((value * 16807 % 2147483647) % 1000) / 1000 AS s, CASE
  WHEN value < ?1*2/100 THEN value * 3600000 / (?1*2/100)
  WHEN value < ?1*7/100 THEN 3600000 + (value-?1*2/100) * 82800000 / (?1*5/100)
  WHEN value < ?1*15/100 THEN 86400000 + (value-?1*7/100) * 518400000 / (?1*8/100)
  WHEN value < ?1*30/100 THEN 604800000 + (value-?1*15/100) * 1987200000 / (?1*15/100)
  WHEN value < ?1*60/100 THEN 2592000000 + (value-?1*30/100) * 28944000000 / (?1*30/100)
  ELSE 31536000000 + (value-?1*60/100) * 126144000000 / (?1*40/100) END AS ago
FROM generate_series(?4, ?5, -1))`
