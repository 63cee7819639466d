package post_test

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/cmd/plaza/samplethread"
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
	"plaza/test/workertest"
)

// TestThreadWalk goes through whole threads by their stubs alone, in every order: as
// somebody without JavaScript, who opens pages, and with it, where stubs are replaced in
// place. Every comment is there once, and every stub says how many are behind it. By night the threads are larger.
func TestThreadWalk(t *testing.T) {
	t.Parallel()
	best, others := 1000, 400
	if stacktest.Night() {
		best, others = 5_000, 1000
	}
	created := map[int]*samplethread.Thread{}
	sites := map[int]*workertest.Site{}
	for _, sort := range []string{"best", "top", "new", "old", "controversial", "qa"} {
		n := others
		if sort == "best" {
			n = best
		}
		if created[n] == nil {
			sites[n] = workertest.MustOpen(t)
			created[n] = sites[n].Thread(n, 1)
		}
		for _, script := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s of %d, script %v", sort, n, script), func(t *testing.T) {
				sites[n].T = t
				w := walk{Site: sites[n], seen: map[string]int{}, script: script}
				address := created[n].URL()
				if sort != "best" {
					address += "?sort=" + sort
				}
				began := time.Now()
				w.follow(address, n)
				require.Len(t, w.seen, n)
				for _, c := range created[n].Comments {
					require.Equal(t, 1, w.seen[c.ID.Text()], "comment %s at depth %d", c.ID.Text(), c.Depth)
				}
				t.Logf("%d pages in %s; at most %d rows read for one, %d comments shown", w.pages, time.Since(began).Round(time.Millisecond), w.rows,
					w.most)
			})
		}
	}
}

// walk opens stubs until there are none.
type walk struct {
	*workertest.Site
	script      bool
	seen        map[string]int
	pages, most int
	rows        int64
	bytes       int // of the largest page
}

var (
	shownComment = regexp.MustCompile(`<article class="comment([^"]*)" id="c-([0-9a-z]{13})">`)
	stubCount    = regexp.MustCompile(`[0-9][0-9,]*`)
)

type stub struct {
	address string
	inPlace bool
	count   int
}

// follow opens an address behind which there are count comments, and what follows.
func (w *walk) follow(address string, count int) {
	w.Helper()
	todo := []stub{{address: address, count: count}}
	for len(todo) > 0 {
		next := todo[len(todo)-1]
		stubs := w.open(next)
		todo = append(todo[:len(todo)-1], stubs...)
	}
}

func (w *walk) open(at stub) (stubs []stub) {
	w.Helper()
	address, fragment := at.address, w.script && at.inPlace
	if fragment && strings.Contains(address, "?") {
		address += "&fragment=1"
	} else if fragment {
		address += "?fragment=1"
	}
	r := httptest.NewRequest(http.MethodGet, "https://plaza.example"+address, nil)
	if fragment {
		r.Header.Set("HX-Request", "true")
	}
	ctx, meter := hrana.WithMeter(r.Context())
	res := w.Visitor().Send(r.WithContext(ctx))
	require.Equal(w, http.StatusOK, res.Code, address)
	page := res.Body.String()
	require.Equal(w, !fragment, strings.Contains(page, "<html"), address)
	shown := 0
	for _, m := range shownComment.FindAllStringSubmatch(page, -1) {
		if !strings.Contains(m[1], "context") && !strings.Contains(m[1], "lit") {
			w.seen[m[2]]++
			shown++
		}
	}
	behind := 0
	for _, m := range workertest.ShownStub.FindAllStringSubmatch(page, -1) {
		n, err := strconv.Atoi(strings.ReplaceAll(stubCount.FindString(m[3]), ",", ""))
		require.NoError(w, err, "a stub says how many: %s", m[0])
		stubs = append(stubs, stub{html.UnescapeString(m[2]), m[1] == "", n})
		behind += n
	}
	require.Equal(w, at.count, shown+behind, "%s: %d shown, %d behind %d stubs", address, shown, behind, len(stubs))
	require.LessOrEqual(w, meter.Requests(), w.MaxPageRequests(), address)
	w.pages, w.most, w.rows, w.bytes = w.pages+1, max(w.most, shown), max(w.rows, meter.RowsRead()), max(w.bytes, len(page))
	return stubs
}
