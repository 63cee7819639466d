package search_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/lists/search"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// manyPosts inserts posts 1 to ?2 of the first community, five minutes apart. A title has six words and w1 is the most common one: about
// every eleventh word. They are the same each time. Every thousandth post has the word rare. Half of the posts have left and the others
// right, and every ten-thousandth both. Each post has one of 5,000 words that begin with longword. One in a hundred has a score of 10 to
// 9,999.
const manyPosts = `WITH RECURSIVE n (v) AS (SELECT ?1 UNION ALL SELECT v + 1 FROM n WHERE v < ?2)
INSERT INTO posts (id, community_id, community_name, author_name, slug, kind, title, domain, score, hot, created_at)
SELECT (v * 300000) << 22, (SELECT id FROM communities), 'many', '', 'p' || v, 'text',
  (SELECT group_concat('w' || CAST(exp(drawn * drawn % 999983 / 999983.0 * 11) AS INTEGER), ' ')
    FROM (SELECT (v * 6 + column1) * 48271 % 2147483647 AS drawn
    FROM (VALUES (1), (2), (3), (4), (5), (6)))) || iif(v % 1000 = 0, ' rare', '')
    || CASE WHEN v % 10000 = 0 THEN ' left right' WHEN v % 2 THEN ' left' ELSE ' right' END || ' longword' || (v * 7919 % 5000),
  'd' || (v % 700) || '.example', iif(v % 100 = 0, 10 + v % 9990, 1), 0, 1767225600000 + v * 300000 FROM n`

// TestRowsRead measures the rows of a page of a search, at growing sizes. With PLAZA_SLOW it goes up to 1,000,000 posts and prints times.
func TestRowsRead(t *testing.T) {
	sizes := []int{1000, 10_000}
	if n := stacktest.Large(); n > 0 {
		sizes = []int{100_000, n}
	}
	s := storetest.Open(t)
	s.CommunityOn(0, s.Member("ann"), "many")
	at := &site{s, &search.Store{Base: s.Posts.Base}}
	created := 0
	for _, n := range sizes {
		began := time.Now()
		for ; created < n; created += min(20_000, n-created) {
			s.ExecAt(data.ID(s.CommunityID("many")), manyPosts, created+1, created+min(20_000, n-created))
		}
		require.NoError(t, at.search.CountCommon(storetest.Ctx, false))
		t.Logf("%d posts made in %s", n, time.Since(began).Round(time.Second))
		for _, text := range []string{"w1", "w1 w2", "rare", "w1 rare", "w1 c:many", `"w1 w2"`, "w1 -w2", "w123*", "w1 domain:d7.example",
			"kind:text", "left right", "right c:many", "long*", "longword*", "longword12*", "rare -w1", "zzz"} {
			for _, order := range []data.Order{search.OrderRelevance, search.OrderNew, search.OrderTop} {
				q := query(t, text)
				q.Order = order
				line := fmt.Sprintf("%8d %-22s %c", n, text, order)
				for page := range 2 {
					r := s.DB.Read()
					found := at.search.FindPosts(r, q)
					metered, meter := s.Metered()
					began := time.Now()
					require.NoError(t, r.Run(metered))
					most := int64(3200)
					if order == search.OrderTop {
						most = 4000 // candidates for each number of digits of the score
					}
					require.Less(t, meter.RowsRead(), most+int64(100*len(s.Shards)), line) // each database weighs the words
					if n <= 10_000 {                                                       // beyond that, some of these cost too much
						require.Empty(t, found.Refusal(), line)
					} else if text == "longword*" {
						require.NotEmpty(t, found.Refusal())
					}
					line += fmt.Sprintf("  page %d: %4d rows %5.1f ms", page+1, meter.RowsRead(), time.Since(began).Seconds()*1000)
					if order == search.OrderNew && page == 0 && len(found.Items()) == q.Limit {
						require.Greater(t, found.Items()[0].ID, data.ID(int64(n)*9/10*300000)<<22, "the newest first")
					}
					if q.After = found.Next(); q.After.IsZero() {
						break
					}
				}
				if testing.Verbose() {
					t.Log(line)
				}
			}
		}
	}
}
