package worker_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
	"plaza/test/workertest"
)

// TestSharedHTML compares pages from the caches with pages from the databases, byte by byte, for random members, after random acts of
// others. By night there are five thousand pages. To repeat a failure, set PLAZA_SHARED_SEED to the seed that it names.
func TestSharedHTML(t *testing.T) {
	t.Parallel()
	seed, pages := uint64(1), 400
	if stacktest.Night() {
		seed, pages = uint64(time.Now().UnixNano()%1e9), 5000
	}
	if n, err := strconv.ParseUint(os.Getenv("PLAZA_SHARED_SEED"), 10, 64); err == nil {
		seed = n
	}
	s := workertest.MustOpen(t)
	w := newSharedSite(s)
	rng, hits := rand.New(rand.NewPCG(seed, 0)), 0
	for n := range pages {
		if n%3 == 0 {
			w.act(rng)
		}
		if n%20 == 0 {
			w.actForOthers(rng)
		}
		reader := w.readers[rng.IntN(len(w.readers))]
		address := w.addresses[rng.IntN(len(w.addresses))]
		w.page(w.readers[rng.IntN(len(w.readers))], address, false) // fills the cache
		cached, rows := w.page(reader, address, false)
		whole, wholeRows := w.page(reader, address, true)
		require.Equal(t, w.withoutNewAges(whole), w.withoutNewAges(cached), "seed %d, page %d: %s reads %s", seed, n, reader.name, address)
		if rows < wholeRows/2 {
			hits++
		}
	}
	require.Greater(t, hits, pages/4, "pages from the cache")
}

// sharedSite is a site whose members read and act in all ways that make a difference to a listing or a thread.
type sharedSite struct {
	*workertest.Site
	readers   []*sharedReader
	addresses []string
	posts     []string // ids
	comments  []string
	changes   int
}

type sharedReader struct {
	*workertest.Browser
	name string
}

func newSharedSite(s *workertest.Site) *sharedSite {
	w := &sharedSite{Site: s}
	join := func(name string, b *workertest.Browser) *workertest.Browser {
		w.readers = append(w.readers, &sharedReader{b, name})
		return b
	}
	ann := join("a moderator", s.Member("ann"))
	ann.MustPost("/communities", "name", "gophers", "title", "Gophers")
	ann.MustPost("/communities", "name", "birds")
	eve := join("somebody who is blocked", s.Member("eve"))
	writer := join("an author", s.Member("wil"))
	for i := range 30 {
		author, community := []*workertest.Browser{ann, eve, writer}[i%3], []string{"gophers", "birds"}[i%2]
		fields := []string{"title", fmt.Sprintf("Post %d", i), "text", "Some text", "tags", []string{"go", "zoo go"}[i%2]}
		if i%7 == 0 {
			fields = append(fields, "nsfw", "1")
		}
		if i%11 == 0 {
			fields = append(fields, "spoiler", "1")
		}
		s.Now = s.Now.Add(time.Minute)
		address := author.MustPost("/c/"+community+"/submit", fields...)
		w.posts = append(w.posts, workertest.Targets(author.Page(address))[0])
		if i == 3 || i == 4 {
			w.addresses = append(w.addresses, address)
		}
	}
	for i, post := range []string{w.posts[3], w.posts[4]} {
		parents := []string{""}
		for n := range 24 {
			author := []*workertest.Browser{ann, eve, writer}[n%3]
			fields := []string{"post", post, "body", fmt.Sprintf("Comment *%d*", n)}
			if parent := parents[n/2%len(parents)]; parent != "" {
				fields = append(fields, "parent", parent)
			}
			to := author.MustPost("/comment", fields...)
			id := regexp.MustCompile(`#c-(\w+)$`).FindStringSubmatch(to)[1]
			parents, w.comments = append(parents, id), append(w.comments, id)
			s.Now = s.Now.Add(time.Minute)
		}
		w.addresses = append(w.addresses, w.addresses[i]+"/"+w.comments[len(w.comments)-20], w.addresses[i]+"?sort=new",
			w.addresses[i]+"?sort=controversial", inPlace+w.addresses[i], inPlace+w.addresses[i]+"/"+w.comments[len(w.comments)-20])
	}
	w.addresses = append(w.addresses, "/c/gophers", "/c/gophers/new", "/c/birds", "/c/birds/top?t=all", "/c/birds/views?t=all",
		"/c/gophers/active", "/c/gophers/controversial?t=all", "/new", "/hot", "/top?t=week", "/tag/go/new", "/tag/zoo", "/", "/home")
	s.Deliver()
	join("an administrator", s.Admin("odin"))
	join("a plain member", s.Member("pat"))
	join("another plain member", s.Member("quin"))
	join("a reader of German", s.Member("dora")).ReadsWith("language", "de")
	join("a reader elsewhere", s.Member("kim")).ReadsWith("zone", "Asia/Kolkata", "nsfw", "show")
	join("a reader without NSFW", s.Member("ned")).ReadsWith("nsfw", "hide", "fold", "never")
	join("a reader of what is new", s.Member("nell")).ReadsWith("seen", "hide", "posts", "new", "comments", "old")
	join("somebody who blocks", s.Member("bob")).MustPost("/block", "user", "eve", "on", "1")
	filters := join("somebody with filters", s.Member("fay"))
	filters.MustPost("/settings/filters", "kind", "tag", "value", "zoo")
	filters.MustPost("/settings/filters", "kind", "words", "value", "Post 2")
	for _, r := range w.readers {
		r.MustPost("/subscribe", "community", "gophers", "on", "1")
	}
	return w
}

// act makes somebody change what only their own pages show.
func (w *sharedSite) act(rng *rand.Rand) {
	w.Helper()
	who := w.readers[rng.IntN(len(w.readers))]
	post := w.posts[rng.IntN(len(w.posts))]
	target := []string{post, w.comments[rng.IntN(len(w.comments))]}[rng.IntN(2)]
	onOff := []string{"1", "0"}[rng.IntN(2)]
	switch rng.IntN(4) {
	case 0, 1:
		who.Post("/vote", "target", target, "value", []string{"1", "-1", "0"}[rng.IntN(3)])
	case 2:
		who.Post("/save", "target", target, "on", onOff)
	case 3:
		who.Post("/hide", "target", post, "on", onOff)
	}
}

// actForOthers makes a random member change something that all see. Then it delivers messages and moves the clock past all caches.
func (w *sharedSite) actForOthers(rng *rand.Rand) {
	w.Helper()
	comment := w.comments[rng.IntN(len(w.comments))]
	switch rng.IntN(5) {
	case 0:
		w.readers[rng.IntN(len(w.readers))].Post("/comment", "post", w.posts[3+rng.IntN(2)], "body", "One more")
	case 1:
		w.readers[0].Post("/c/gophers/mod/decide", "target", comment, "decision", []string{"remove", "approve"}[rng.IntN(2)], "rule", "Spam")
	case 2:
		w.readers[2].Post("/edit", "target", comment, "body", fmt.Sprintf("Edited %d", rng.IntN(100)))
	case 3:
		w.readers[0].Post("/c/gophers/mod/decide", "target", w.posts[2*rng.IntN(15)], "decision", []string{"pin", "unpin", "lock"}[rng.IntN(3)])
	case 4:
		w.readers[0].Post("/c/gophers/mod/decide", "target", w.posts[4], "decision", []string{"remove", "approve"}[rng.IntN(2)], "rule", "Spam")
	}
	w.DeliverAll()
	w.Now = w.Now.Add(6 * time.Second)
}

// inPlace marks an address that the page's script requests.
const inPlace = "in place "

// token matches a form's token, which differs on each page.
var token = regexp.MustCompile(`name="token" value="[^"]*"`)

// age matches an age on a page, and the time that it is counted from.
var age = regexp.MustCompile(`(<time datetime="([^"]+)" title="[^"]*">)[^<]*`)

// withoutNewAges leaves out the ages that another minute has begun for within the last five seconds: for so long caches may have them of the
// minute before.
func (w *sharedSite) withoutNewAges(page string) string {
	return age.ReplaceAllStringFunc(page, func(element string) string {
		parts := age.FindStringSubmatch(element)
		then, err := time.Parse(time.RFC3339, parts[2])
		require.NoError(w, err)
		// Pages have whole seconds, so the true age is up to a second less.
		if passed := w.Now.Sub(then); passed/time.Minute == (passed-6*time.Second)/time.Minute {
			return element
		}
		return parts[1]
	})
}

// page requests a page. If fresh, no cache is used. It also returns how many rows the databases read.
func (w *sharedSite) page(r *sharedReader, address string, fresh bool) (page string, rows int64) {
	w.Helper()
	b := *r.Browser
	b.Jar = map[string]string{}
	if fresh {
		w.changes++
		changed := strconv.FormatInt(w.Now.Add(time.Hour).UnixMilli()+int64(w.changes), 36)
		b.Jar["__Host-changed"] = changed + "-" + changed
	}
	ctx, meter := hrana.WithMeter(w.Context())
	path, script := strings.CutPrefix(address, inPlace)
	request := b.Request(path).WithContext(ctx)
	if script {
		request.Header.Set("HX-Request", "true")
	}
	res := b.Send(request)
	require.Equal(w, http.StatusOK, res.Code, res.Body.String())
	return strings.ReplaceAll(token.ReplaceAllString(res.Body.String(), ""), "><", ">\n<"), meter.RowsRead()
}
