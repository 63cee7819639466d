package comments_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/cmd/plaza/samplethread"
	"plaza/data"
	"plaza/data/content/comments"
	"plaza/ranking"
	"plaza/test/storetest"
)

// TestThreadRows measures what the pages of a thread read, at growing sizes: the first, the page of the comment to which a fifth of the
// thread replies directly, one deep in its replies, and the page of a chain. A page of a large thread may read as many rows as the page
// of a small thread that fills it.
func TestThreadRows(t *testing.T) {
	sizes := []int{1000, 20_000}
	if os.Getenv("PLAZA_SLOW") != "" {
		sizes = append(sizes, 100_000)
	}
	s := storetest.Open(t)
	s.CommunityOn(0, s.Member("ann"), "big")
	type page struct {
		order data.Order
		what  string
	}
	figures, shown := map[page][]int64{}, map[page][]int{}
	whats := []string{"first", "hub", "hub, later", "chain"}
	for _, n := range sizes {
		began := time.Now()
		thread := sample(s, "big", n)
		t.Logf("%d comments made in %s", n, time.Since(began).Round(time.Millisecond))
		hub, chain := widest(thread), onTheWayDown(thread)
		require.NoError(t, s.DB.ReadSlots(storetest.Ctx))
		metered, meter := s.Metered()
		r := s.DB.Read()
		post := s.Posts.FindBySlug(r, "big", thread.Slug, 0)
		require.NoError(t, r.Run(metered))
		counted := int64(0)
		for _, span := range post.CommentSpans() {
			counted += span.Comments
		}
		require.Equal(t, int64(n), counted, "the row of the post says when all comments were written")
		require.Less(t, len(post.CommentSpans()), 300)
		require.LessOrEqual(t, meter.RowsRead(), int64(8), "the post of %d comments", n)
		for _, named := range data.ThreadOrders {
			order := named.Order
			for _, what := range whats {
				q := comments.Query{Community: "big", Slug: thread.Slug, Order: order}
				switch what {
				case "hub":
					q.Parent = hub
				case "hub, later":
					q.Parent = hub
					if q.After = pageOf(s, q).Next(); q.After.IsZero() {
						continue
					}
				case "chain":
					q.Parent = chain
				}
				metered, meter := s.Metered()
				r := s.DB.Read()
				found := s.Comments.FindPage(r, q)
				require.NoError(t, r.Run(metered))
				require.Equal(t, int64(1), meter.Requests())
				key := page{order, what}
				figures[key], shown[key] = append(figures[key], meter.RowsRead()), append(shown[key], found.Len())
			}
		}
	}
	var table strings.Builder
	fmt.Fprintf(&table, "rows read (comments shown) in threads of %v comments\n", sizes)
	for _, named := range data.ThreadOrders {
		order := named.Order
		for _, what := range whats {
			key := page{order, what}
			fmt.Fprintf(&table, "%c %-10s %v (%v)\n", order, what, figures[key], shown[key])
		}
	}
	t.Log(table.String())
	for _, named := range data.ThreadOrders {
		order := named.Order
		key := page{order, "first"}
		for i, rows := range figures[key] {
			require.LessOrEqual(t, rows*10, figures[key][0]*12, "%c of %d: %v", order, sizes[i], figures[key])
		}
		if order != data.OrderNew { // the newest comments have few replies yet
			require.GreaterOrEqual(t, shown[key][0]*10, comments.PageMax*9, "%c: the small thread fills the page, too", order)
		}
		for _, what := range whats {
			for i, rows := range figures[page{order, what}] {
				require.LessOrEqual(t, rows, int64(7*shown[page{order, what}][i]+45), "%c of %s", order, what)
			}
		}
	}
}

// widest is the comment with the most direct replies.
func widest(t *samplethread.Thread) data.ID {
	hub := t.Comments[0]
	for _, c := range t.Comments {
		if c.Replies > hub.Replies {
			hub = c
		}
	}
	return hub.ID
}

// onTheWayDown returns a comment half way to the deepest one.
func onTheWayDown(t *samplethread.Thread) data.ID {
	deepest := t.Comments[0]
	for _, c := range t.Comments {
		if c.Depth > deepest.Depth {
			deepest = c
		}
	}
	half := deepest.Depth / 2 * data.IDTextLen
	id, _ := data.ParseID(deepest.Path[half : half+data.IDTextLen])
	return id
}

// TestFlatThread reads a thread where all comments reply to the post and most have the same score: the first page and one in the middle,
// at each size.
func TestFlatThread(t *testing.T) {
	s := storetest.Open(t)
	s.CommunityOn(0, s.Member("ann"), "big")
	figures := map[data.Order][]int64{}
	for _, n := range []int{2000, 20_000} {
		thread := &samplethread.Thread{
			Options: samplethread.Options{Community: data.ID(s.CommunityID("big")), Name: "big", Slug: fmt.Sprint("flat-", n), Title: "Flat"},
			Author:  samplethread.Author{ID: 1, Name: "op"}, Created: *s.Clock, Post: data.NewID(s.Clock.Add(time.Duration(n)*time.Hour), 0,
				data.KindPost, 1),
		}
		for i := range n {
			c := samplethread.Comment{ID: data.NewID(s.Clock.Add(time.Duration(n)*time.Hour+time.Duration(i)*time.Millisecond), 0, data.KindComment,
				1),
				Author: samplethread.Author{ID: 2, Name: "eve"}, Text: "x", HTML: "x", Status: "published", Ups: 1}
			if i%100 == 0 {
				c.Ups, c.Downs = int64(i%7), int64(i%3)
			}
			c.Path = c.ID.Text()
			thread.Comments = append(thread.Comments, c)
		}
		require.NoError(t, thread.Write(storetest.Ctx, s.Home("big"), func(int) error { return nil }))
		require.NoError(t, s.DB.ReadSlots(storetest.Ctx))
		for _, named := range data.ThreadOrders {
			order := named.Order
			q := comments.Query{Community: "big", Slug: thread.Slug, Order: order}
			for page := range 2 {
				metered, meter := s.Metered()
				r := s.DB.Read()
				found := s.Comments.FindPage(r, q)
				require.NoError(t, r.Run(metered))
				require.Equal(t, comments.Roots, found.Len())
				require.LessOrEqual(t, meter.RowsRead(), int64(5*comments.Roots+30), "%c of %d, page %d", order, n, page)
				if figures[order] = append(figures[order], meter.RowsRead()); page == 0 {
					middle := thread.Comments[n/2]
					q.After = data.Cursor{Order: byte(order), ID: middle.ID, Value: map[data.Order]float64{
						data.OrderBest: ranking.Wilson(1, 0), data.OrderTop: 1, data.OrderQA: ranking.Wilson(1, 0)}[order]}
				}
			}
		}
	}
	t.Logf("rows read of 2,000: first page, in the middle; of 20,000 the same: %v", figures)
	for order, rows := range figures {
		for i := range 2 {
			require.InDelta(t, rows[i], rows[2+i], 1, "%c", order)
		}
	}
}

// TestSubtree checks the promise of the path: a comment and all below it are one range of one index, and cost as many rows.
func TestSubtree(t *testing.T) {
	s := storetest.Open(t)
	s.CommunityOn(0, s.Member("ann"), "big")
	thread := sample(s, "big", 5000)
	const subtree = "SELECT id FROM comments WHERE post_id = ?1 AND path >= ?2 AND path < ?2 || '{' ORDER BY path"
	require.Equal(t, []string{"SEARCH comments USING COVERING INDEX comments_path (post_id=? AND path>? AND path<?)"},
		storetest.Explain(t, s.SQL, "subtree", subtree))
	hub, chain := widest(thread), onTheWayDown(thread)
	for _, c := range thread.Comments {
		if c.ID != hub && c.ID != chain && int64(c.ID)%101 != 0 {
			continue
		}
		metered, meter := s.Metered()
		results, err := s.At(thread.Post).Query(metered, storetest.StmtOf(subtree, int64(thread.Post), c.Path))
		require.NoError(t, err)
		require.Len(t, results[0].Rows(), int(1+c.Descendants))
		require.LessOrEqual(t, meter.RowsRead(), 2+c.Descendants)
	}
}
