package importer

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"plaza/data"
)

// TestLarge imports as many comments as PLAZA_IMPORT says, from a dump that it makes, twice, and prints the rate.
func TestLarge(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("PLAZA_IMPORT"))
	if n == 0 {
		t.Skip("takes minutes: PLAZA_IMPORT=1000000")
	}
	file := filepath.Join(t.TempDir(), "reddit.zst")
	writeDump(t, file, n)
	s, err := File(file)
	require.NoError(t, err)
	db := mustOpen(t)
	for _, run := range []string{"first", "again"} {
		began := time.Now()
		last, written := began, began
		r, err := Import(context.Background(), data.NewDB(db), Options{Format: Reddit, Sources: []Source{s}, Shift: true, Now: importNow,
			Bad: func(b Bad) { t.Error(b) },
			Progress: func(p Progress) {
				written = time.Now()
				if time.Since(last) > 10*time.Second {
					last = time.Now()
					t.Logf("%d posts, %d comments, %.0f s", p.Posts, p.Comments, time.Since(began).Seconds())
				}
			}})
		require.NoError(t, err)
		took := time.Since(began)
		own, theirs := processorTime(t)
		t.Logf("%s: %+v of %d MB in %.1f s, of which %.1f s filled the search: %.0f/s; so far %v of this process and %v of sqld", run, r,
			s.Size>>20, took.Seconds(), time.Since(written).Seconds(),
			float64(r.Posts+r.Comments+r.Existing)/took.Seconds(), own, theirs)
	}
	require.Equal(t, n, one[int](t, db, `SELECT count(*) FROM comments`))
}

// processorTime returns the processor time of this process and its children.
func processorTime(t *testing.T) (own, theirs time.Duration) {
	all, err := filepath.Glob("/proc/[0-9]*/stat")
	require.NoError(t, err)
	for _, file := range all {
		text, _ := os.ReadFile(file) // it may have ended
		_, rest, _ := strings.Cut(string(text), ") ")
		f := strings.Fields(rest) // from the third on: state, parent, …, utime and stime
		if len(f) < 13 {
			continue
		}
		user, _ := strconv.Atoi(f[11])
		system, _ := strconv.Atoi(f[12])
		used := time.Duration(user+system) * 10 * time.Millisecond
		switch pid := strconv.Itoa(os.Getpid()); {
		case filepath.Base(filepath.Dir(file)) == pid:
			own += used
		case f[1] == pid:
			theirs += used
		}
	}
	return own, theirs
}

// writeDump makes a dump like reddit's: comments in the order of time, mixed with their posts.
func writeDump(t *testing.T, path string, comments int) {
	file, err := os.Create(path)
	require.NoError(t, err)
	z, err := zstd.NewWriter(file)
	require.NoError(t, err)
	out := bufio.NewWriter(z)
	dump(out, comments, comments/40+1, comments/20+1)
	require.NoError(t, out.Flush())
	require.NoError(t, z.Close())
	require.NoError(t, file.Close())
}

var vocabulary = strings.Fields(`the a of to and in that is it for was on with as at be this have from or by one had not but what all were when we there can an your
which their said if do will each about how up out them then she many some so these would other into has more her two like him see time could no make than first been
its who now people my made over did down only way find use may water long little very after words called just where most know compile garbage kernel bread dough
telescope balcony chisel plane router switch packet buffer query index page cache shard vote thread community moderator`)

func words(rng *rand.Rand, n int) string {
	var b strings.Builder
	for i := range n {
		switch rng.IntN(60) {
		case 0:
			b.WriteString("**" + vocabulary[rng.IntN(len(vocabulary))] + "** ")
		case 1:
			b.WriteString("[" + vocabulary[rng.IntN(len(vocabulary))] + "](http://example.com/" + strconv.Itoa(i) + ") ")
		case 2:
			b.WriteString("\n\n&gt; ")
		default:
			b.WriteString(vocabulary[rng.IntN(len(vocabulary))] + " ")
		}
	}
	return b.String()
}

func dump(w io.Writer, comments, posts, authors int) {
	rng := rand.New(rand.NewPCG(1, 2))
	out := json.NewEncoder(w)
	type thread struct {
		id       int
		comments []int
	}
	var threads []*thread
	at := 1300000000.0
	author := func() string { return fmt.Sprintf("author_%d", int(float64(authors)*rng.Float64()*rng.Float64())) }
	base := func(n int) string { return strconv.FormatInt(int64(n), 36) }
	for i := range comments {
		if i%(comments/posts+1) == 0 {
			id := len(threads) + 36*36*36
			threads = append(threads, &thread{id: id})
			_ = out.Encode(map[string]any{"id": base(id), "author": author(), "subreddit": fmt.Sprintf("community%02d", rng.IntN(40)),
				"created_utc": int64(at),
				"title":       words(rng, 8), "selftext": words(rng, rng.IntN(80)), "is_self": true, "score": rng.IntN(3000), "num_comments": 40,
				"over_18": false, "edited": false})
		}
		at += 20 * rng.Float64()
		// Most comments are on new posts.
		th := threads[max(len(threads)-1-int(rng.ExpFloat64()*60), 0)]
		parent := "t3_" + base(th.id)
		if n := len(th.comments); n > 0 && rng.IntN(10) < 7 {
			parent = "t1_" + base(th.comments[rng.IntN(n)])
		}
		id := i + 36*36*36*36
		th.comments = append(th.comments, id)
		_ = out.Encode(map[string]any{"id": base(id), "author": author(), "link_id": "t3_" + base(th.id), "parent_id": parent,
			"created_utc": strconv.Itoa(int(at)),
			"body":        words(rng, 5+int(rng.ExpFloat64()*30)), "score": rng.IntN(60) - 5, "edited": false, "subreddit_id": "t5_2qh0y",
			"distinguished": nil, "gilded": 0})
	}
}
