package data_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/hrana"
	"plaza/threads"
)

// TestThreadRows measures what the pages of a thread read, at growing sizes: the first,
// the one of the comment that a fifth of the thread answers directly, one deep in its
// replies, and the one of a chain. A small thread that fills the page is what large ones
// are held to.
func TestThreadRows(t *testing.T) {
	sizes := []int{1000, 20_000}
	if os.Getenv("PLAZA_SLOW") != "" {
		sizes = append(sizes, 100_000)
	}
	s := mustOpen(t)
	s.community(s.member("ann"), "big")
	type page struct {
		order data.Order
		what  string
	}
	figures, shown := map[page][]int64{}, map[page][]int{}
	whats := []string{"first", "hub", "hub, later", "chain"}
	for _, n := range sizes {
		began := time.Now()
		thread := s.thread("big", n, 1)
		t.Logf("%d comments made in %s", n, time.Since(began).Round(time.Millisecond))
		hub, chain := widest(thread), onTheWayDown(thread)
		for _, order := range data.ThreadOrders() {
			for _, what := range whats {
				q := data.ThreadQuery{Community: "big", Slug: thread.Slug, Order: order}
				switch what {
				case "hub":
					q.Parent = hub
				case "hub, later":
					q.Parent = hub
					if q.After = s.page(q).Next(); q.After.IsZero() {
						continue
					}
				case "chain":
					q.Parent = chain
				}
				metered, meter := hrana.WithMeter(ctx)
				r := s.db.Read()
				found := s.comments.FindThread(r, s.sql, q)
				require.NoError(t, r.Run(metered))
				require.Equal(t, int64(1), meter.Requests())
				key := page{order, what}
				figures[key], shown[key] = append(figures[key], meter.RowsRead()), append(shown[key], found.Len())
			}
		}
	}
	var table strings.Builder
	fmt.Fprintf(&table, "rows read (comments shown) in threads of %v comments\n", sizes)
	for _, order := range data.ThreadOrders() {
		for _, what := range whats {
			key := page{order, what}
			fmt.Fprintf(&table, "%c %-10s %v (%v)\n", order, what, figures[key], shown[key])
		}
	}
	t.Log(table.String())
	for _, order := range data.ThreadOrders() {
		key := page{order, "first"}
		for i, rows := range figures[key] {
			require.LessOrEqual(t, rows*10, figures[key][0]*12, "%c of %d: %v", order, sizes[i], figures[key])
		}
		if order != data.OrderNew { // what is newest has few replies yet
			require.GreaterOrEqual(t, shown[key][0]*10, data.ThreadMax*9, "%c: the small thread fills the page, too", order)
		}
		for _, what := range whats {
			for i, rows := range figures[page{order, what}] {
				require.LessOrEqual(t, rows, int64(6*shown[page{order, what}][i]+40), "%c of %s", order, what)
			}
		}
	}
}

// widest is the comment with the most direct replies.
func widest(t *threads.Thread) data.ID {
	hub := t.Comments[0]
	for _, c := range t.Comments {
		if c.Replies > hub.Replies {
			hub = c
		}
	}
	return hub.ID
}

// onTheWayDown is a comment half way to the deepest one.
func onTheWayDown(t *threads.Thread) data.ID {
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
