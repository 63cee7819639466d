package listings_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/content/posts"
	"plaza/data/lists/listings"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// TestActiveRows measures the rows of the first ten pages of the order "active", for the site, a community, a tag and a member's own
// communities, and how many posts the member's filter removes if half of all posts match.
func TestActiveRows(t *testing.T) {
	const items, pages = 25, 10
	sizes := []int{1_000, 10_000}
	if n := stacktest.Large(); n > 0 {
		sizes = append(sizes, n)
	}
	figures := map[string][]string{}
	scopes := []string{"site", "community", "tag", "yours"}
	for _, n := range sizes {
		s := storetest.Open(t)
		ann := s.Member("ann")
		s.CommunityOn(0, ann, "big")
		fill(s, "big", n, 2, true)
		ben := s.Member("ben")
		require.NoError(t, s.Communities.Subscribe(storetest.Ctx, ben, "big", true))
		for _, scope := range scopes {
			var after data.Cursor
			var rows []int64
			remaining := 0
			for range pages {
				metered, meter := s.Metered()
				r := s.DB.Read()
				var page interface {
					Items() []*posts.Post
					Next() data.Cursor
				}
				var err error
				if scope == "yours" {
					page, err = s.Listings.FindFrontByTime(metered, r, ben.UserID, data.OrderFrontActive, false, after, items)
				} else {
					q := listings.Query{Order: data.OrderActive, Limit: items, After: after, Viewer: ben.UserID}
					switch scope {
					case "community":
						q.Community = "big"
					case "tag":
						q.Tags = "go"
					}
					page = s.Listings.Find(r, q)
				}
				require.NoError(t, err)
				require.NoError(t, r.Run(metered))
				require.Len(t, page.Items(), items, scope)
				for _, p := range page.Items() {
					if accounts.Matching([]accounts.Filter{{Kind: accounts.FilterTag, Value: "rare"}}, &accounts.FilterSubject{Tags: p.Tags},
						time.Now()) >= 0 {
						remaining++
					}
				}
				rows, after = append(rows, meter.RowsRead()), page.Next()
			}
			require.InDelta(t, items*pages/2, remaining, items*pages/10, "half of the posts")
			if scope == "tag" { // a page reads up to tagsFew posts that follow in the order (data/content/tags)
				require.LessOrEqual(t, rows[pages-1], rows[0]+3, "%s, %d posts: %v", scope, n, rows)
				require.LessOrEqual(t, rows[0], int64(8000), "%s, %d posts: %v", scope, n, rows)
			} else {
				require.InDelta(t, rows[1], rows[pages-1], 3, "%s, %d posts: %v", scope, n, rows)
				require.LessOrEqual(t, rows[0], int64(6*items), "%s, %d posts: %v", scope, n, rows)
			}
			figures[scope] = append(figures[scope], fmt.Sprintf("%d, %d", rows[0], rows[pages-1]))
		}
	}
	for _, scope := range scopes {
		t.Logf("%-9s first and tenth page, by posts %v: %s", scope, sizes, strings.Join(figures[scope], " | "))
	}
}
