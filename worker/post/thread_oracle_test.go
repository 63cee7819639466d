package post_test

import (
	"cmp"
	"fmt"
	"html"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"plaza/cmd/plaza/samplethread"
	"plaza/data"
	"plaza/data/content/comments"
	"plaza/ranking"
	"plaza/test/stacktest"
	"plaza/test/workertest"
)

// TestThreadOracle compares the pages of random threads with a plain account of what
// they are to show: which comments, in which order and under which, and how many are
// behind every stub. Ties, deleted and removed comments and comments without votes
// abound. By night there are threads of a seed that nobody has tried. A failure names its seed; PLAZA_THREAD_SEED=n runs that one alone.
func TestThreadOracle(t *testing.T) {
	t.Parallel()
	seeds := []uint64{1}
	if stacktest.Night() {
		seeds = append(seeds, uint64(time.Now().UnixNano()%1e9))
	}
	if n, err := strconv.ParseUint(os.Getenv("PLAZA_THREAD_SEED"), 10, 64); err == nil {
		seeds = []uint64{n}
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			s := workertest.MustOpen(t)
			s.FirstShard = true // the threads have ids of that shard
			s.Member("ann").MustPost("/communities", "name", "gophers")
			rng := rand.New(rand.NewPCG(seed, 0))
			for round := range 4 {
				o := randomThread(s, rng, round)
				require.NoError(t, o.Write(t.Context(), s.Sql.Home("gophers"), func(int) error { return nil }))
				for sort := range siblingOrders {
					o.sort = sort
					o.compare(s, -1, 0, o.address(-1))
					for range 3 {
						at := rng.IntN(len(o.Comments))
						o.compare(s, at, 0, o.address(at))
					}
					o.followStubs(s, rng)
				}
			}
		})
	}
}

// threadOracle knows a thread by its comments alone.
type threadOracle struct {
	*samplethread.Thread
	parents  []int
	children map[int][]int // by parent, -1 the post
	answers  map[int][]ranking.Answer
	sort     string
}

// randomThread is of any shape: flat, deep, or neither, and often larger than a page.
func randomThread(s *workertest.Site, rng *rand.Rand, round int) *threadOracle {
	s.Helper()
	op := samplethread.Author{ID: 1, Name: "op"}
	o := &threadOracle{children: map[int][]int{}, answers: map[int][]ranking.Answer{}, Thread: &samplethread.Thread{
		Options: samplethread.Options{Community: data.ID(s.One("SELECT id FROM communities").(int64)), Name: "gophers",
			Slug: fmt.Sprintf("thread-%d", round), Title: "A thread"},
		Author: op, Created: s.Now, Post: data.NewID(s.Now.Add(time.Duration(round)*time.Hour), 0, data.KindPost, rng.Uint32()),
	}}
	n := 1 + rng.IntN([]int{20, 300, 900, 1800}[round])
	roots, deep, skew, votes := math.Pow(rng.Float64(), 2), math.Pow(rng.Float64(), 2), 1+4*rng.Float64(), 1+rng.Int64N(6)
	for i := range n {
		parent := -1
		if i > 0 && rng.Float64() > roots {
			parent = int(float64(i) * math.Pow(rng.Float64(), skew)) // some have very many replies
			if rng.Float64() < deep {
				parent = max(0, i-1-rng.IntN(3))
			}
		}
		c := samplethread.Comment{ID: data.NewID(s.Now.Add(time.Duration(round)*time.Hour+time.Duration(i+1)*time.Millisecond), 0,
			data.KindComment, rng.Uint32()), Author: samplethread.Author{ID: 2, Name: "eve"},
			Text: strings.Repeat("x", 1+rng.IntN(5)), HTML: "<p>x</p>", Status: []string{"published", "published", "published", "deleted",
				"removed"}[rng.IntN(5)],
			Ups: rng.Int64N(votes), Downs: rng.Int64N(votes), Created: s.Now}
		if parent >= 0 && o.Comments[parent].Depth == comments.DepthMax-1 {
			parent = -1
		}
		c.Path = c.ID.Text()
		if parent >= 0 {
			p := &o.Comments[parent]
			c.Parent, c.Depth, c.Path = p.ID, p.Depth+1, p.Path+c.Path
			if p.Replies++; rng.IntN(6) == 0 {
				c.Author, c.OP = op, true
				if c.Status == "published" {
					o.answers[parent] = append(o.answers[parent], ranking.Answer{Ups: c.Ups, Downs: c.Downs, Length: utf8.RuneCountInString(c.Text)})
				}
			}
			for up := parent; up >= 0; up = o.parents[up] {
				o.Comments[up].Descendants++
			}
		}
		o.Comments, o.parents, o.children[parent] = append(o.Comments, c), append(o.parents, parent), append(o.children[parent], i)
	}
	for i := range o.Comments {
		c := &o.Comments[i]
		c.QA = ranking.QARank(c.Ups, c.Downs, utf8.RuneCountInString(c.Text), o.answers[i]...)
	}
	return o
}

// siblingOrders are the six orders, of larger values first; ties go by id.
var siblingOrders = map[string]func(c *samplethread.Comment) float64{
	"best":          func(c *samplethread.Comment) float64 { return ranking.Wilson(c.Ups, c.Downs) },
	"top":           func(c *samplethread.Comment) float64 { return float64(c.Ups - c.Downs) },
	"new":           func(c *samplethread.Comment) float64 { return 0 },
	"old":           func(c *samplethread.Comment) float64 { return -float64(c.ID) / (1 << 22) }, // milliseconds, which all differ
	"controversial": func(c *samplethread.Comment) float64 { return ranking.Controversy(c.Ups, c.Downs) },
	"qa":            func(c *samplethread.Comment) float64 { return c.QA },
}

func (o *threadOracle) siblings(parent int) []int {
	list, value := slices.Clone(o.children[parent]), siblingOrders[o.sort]
	slices.SortFunc(list, func(a, b int) int {
		x, y := &o.Comments[a], &o.Comments[b]
		return cmp.Or(cmp.Compare(value(y), value(x)), cmp.Compare(y.ID, x.ID))
	})
	return list
}

func (o *threadOracle) size(list []int) (n int64) {
	for _, i := range list {
		n += 1 + o.Comments[i].Descendants
	}
	return n
}

// page is what a page shows under a comment (-1: the post), from the from-th on:
// comments open and close as they nest, and stubs stand where they are.
func (o *threadOracle) page(top, from int) (tokens []string) {
	upTo := []int{100, 145, 160, 170, 180} // comments down to each level
	all := o.siblings(top)[from:]
	level := all[:min(len(all), upTo[0])]
	shown, levels, total := map[int][]int{}, map[int]int{}, len(level)
	for depth := range upTo {
		var next []int
		for _, i := range level {
			levels[i] = depth + 1
			if depth+1 == len(upTo) {
				continue
			}
			replies := o.siblings(i)
			room := upTo[depth+1] - total
			shown[i] = replies[:min(len(replies), 5, room)]
			total += len(shown[i])
			next = append(next, shown[i]...)
		}
		level = next
	}
	var write func(i int)
	write = func(i int) {
		tokens = append(tokens, o.Comments[i].ID.Text())
		for _, reply := range shown[i] {
			write(reply)
		}
		if remaining := o.Comments[i].Descendants - o.size(shown[i]); remaining > 0 {
			tokens = append(tokens, fmt.Sprintf("%d more, on a page of their own: %v", remaining, levels[i] == len(upTo)))
		}
		tokens = append(tokens, "/")
	}
	for _, i := range all[:min(len(all), upTo[0])] {
		write(i)
	}
	if len(all) > upTo[0] {
		tokens = append(tokens, fmt.Sprintf("%d more, on a page of their own: false", o.size(all[upTo[0]:])))
	}
	if top < 0 {
		return tokens
	}
	for i, above := top, 0; i >= 0 && above <= comments.AboveMax; i, above = o.parents[i], above+1 {
		tokens = append(append([]string{o.Comments[i].ID.Text()}, tokens...), "/")
	}
	return tokens
}

func (o *threadOracle) address(top int) string {
	u := o.URL()
	if top >= 0 {
		u += "/" + o.Comments[top].ID.Text()
	}
	if o.sort != "best" {
		u += "?sort=" + o.sort
	}
	return u
}

var threadToken = regexp.MustCompile(`<article class="comment[^"]*" id="c-([0-9a-z]{13})">|(</article>)|<a class="more( away)?" ` +
	`href="([^"]*)">([^<]*)</a>`)

// compare holds a page to the account, and returns its stubs' addresses.
func (o *threadOracle) compare(s *workertest.Site, top, from int, address string) (stubs []string) {
	s.Helper()
	_, thread, _ := strings.Cut(s.Visitor().Page(address), `id="thread">`)
	var tokens []string
	for _, m := range threadToken.FindAllStringSubmatch(thread, -1) {
		switch {
		case m[1] != "":
			tokens = append(tokens, m[1])
		case m[2] != "":
			tokens = append(tokens, "/")
		default:
			count := strings.ReplaceAll(stubCount.FindString(m[5]), ",", "")
			tokens = append(tokens, fmt.Sprintf("%s more, on a page of their own: %v", count, m[3] != ""))
			stubs = append(stubs, html.UnescapeString(m[4]))
		}
	}
	want := o.page(top, from)
	require.Equal(s, strings.Join(want, "\n"), strings.Join(tokens, "\n"), "%s of %d comments", address, len(o.Comments))
	return stubs
}

// followStubs opens some stubs, and stubs of theirs.
func (o *threadOracle) followStubs(s *workertest.Site, rng *rand.Rand) {
	s.Helper()
	stubs := o.compare(s, -1, 0, o.address(-1))
	for range 5 {
		if len(stubs) == 0 {
			return
		}
		address := stubs[rng.IntN(len(stubs))]
		top, from := o.place(s, address)
		stubs = o.compare(s, top, from, address)
	}
}

// place reads what an address asks for: whose replies, and after which.
func (o *threadOracle) place(s *workertest.Site, address string) (top, from int) {
	s.Helper()
	byID := map[string]int{}
	for i, c := range o.Comments {
		byID[c.ID.Text()] = i
	}
	path, query, _ := strings.Cut(address, "?")
	top = -1
	if _, id, found := strings.Cut(path, o.URL()+"/"); found {
		top = byID[id]
	}
	if _, after, found := strings.Cut(query, "after="); found {
		after, _, _ = strings.Cut(after, "&")
		last, known := byID[after[len(after)-data.IDTextLen:]]
		require.True(s, known, address)
		from = slices.Index(o.siblings(top), last) + 1
	}
	return top, from
}
