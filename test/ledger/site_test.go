package ledger

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/stack"
	"plaza/test/stacktest"
	"plaza/test/storetest"
	"plaza/test/workertest"
	"plaza/worker/queue"
)

// database is a sqld and the proxy before it.
type database struct {
	*stack.SQLD
	dir   string
	proxy *stack.FaultProxy
	lines []*stack.Sharing // of its clients: most of what a sqld does for a request is to open a connection
}

// client makes a client that reaches the database at a URL: its own or the proxy's.
func (d *database) client(t testing.TB, url string) *hrana.Client {
	pool := http.DefaultTransport.(*http.Transport).Clone()
	pool.MaxIdleConnsPerHost = 64
	t.Cleanup(pool.CloseIdleConnections)
	line := stack.NewSharing(pool, stacktest.Streams)
	d.lines = append(d.lines, line)
	return hrana.New(hrana.Options{URL: url, Token: d.Token, HTTP: &http.Client{Transport: line}})
}

// share lets the clients share connections, or not. While parts of the site fail, each request has its own, as in production.
func (w *FaultySite) share(on bool) {
	w.Helper()
	for _, d := range w.Databases {
		for _, line := range d.lines {
			if on {
				line.Resume()
				continue
			}
			require.NoError(w, line.Stop(d.URL, d.Authorization))
		}
	}
}

// FaultySite is a site whose parts can be made to fail.
type FaultySite struct {
	*workertest.Site
	Box        *stack.Mailbox
	Queue      *Queue
	Databases  []*database // the directory is the first
	Redis      *stack.FaultProxy
	redis      *stack.Redis
	clean      *upstash.Client // reaches Redis without the proxy
	clock      *clock
	background sync.WaitGroup // what requests have left for after their answer

	ann, ben, rita *workertest.Browser // a founder, a member, an administrator
	place          string              // the community of what is prepared
	places         []string            // one on each shard
	shard          uint32              // where the next community is founded
	steps          int                 // of the fault, so far, where it counts them
	pending        []string            // the kinds of work that waited when the fault was over, of the fault that notes them
}

// clock is the time of a FaultySite.
type clock struct {
	millis atomic.Int64
	beside atomic.Int64 // how far the clocks of instances are ahead of the database's, in nanoseconds
}

// read returns the time. It passes by a millisecond with each look.
func (c *clock) read() time.Time { return c.pass(time.Millisecond) }

func (c *clock) pass(d time.Duration) time.Time {
	return time.UnixMilli(c.millis.Add(d.Milliseconds())).UTC()
}

func (c *clock) instance() time.Time { return c.read().Add(time.Duration(c.beside.Load())) }

// template are the files of a sqld whose database has the schema. To copy them is quicker than to run the statements.
var template struct {
	once  sync.Once
	files fstest.MapFS
	err   error
}

func makeTemplate(t testing.TB) fstest.MapFS {
	t.Helper()
	template.once.Do(func() {
		dir := t.TempDir()
		var sqld *stack.SQLD
		if sqld, template.err = stack.StartSQLD(context.Background(), stack.SQLDOptions{Dir: dir}); template.err != nil {
			return
		}
		stacktest.ApplySchema(t, hrana.New(hrana.Options{URL: sqld.URL, Token: sqld.Token}))
		if template.err = sqld.Close(); template.err != nil {
			return
		}
		template.files = fstest.MapFS{}
		template.err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			name, err := filepath.Rel(dir, path)
			if err != nil {
				return err
			}
			bytes, err := os.ReadFile(path)
			template.files[name] = &fstest.MapFile{Data: bytes, Mode: 0o600}
			return err
		})
	})
	require.NoError(t, template.err)
	return template.files
}

// openDatabase starts a sqld with the schema in a folder, and a proxy before it.
func openDatabase(t testing.TB, dir string) *database {
	t.Helper()
	require.NoError(t, os.CopyFS(dir, makeTemplate(t)))
	d := &database{dir: dir}
	var err error
	d.SQLD, err = stack.StartSQLD(t.Context(), stack.SQLDOptions{Dir: dir})
	require.NoError(t, err)
	d.proxy, err = stack.StartFaultProxy(d.URL)
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = d.proxy.Close()
		_ = d.Close()
	})
	return d
}

// startAgain starts the database where it was. Its folder may be another.
func (d *database) startAgain(ctx context.Context) error {
	token := d.Token
	sqld, err := stack.StartSQLD(ctx, stack.SQLDOptions{Dir: d.dir, Addr: strings.TrimPrefix(d.URL, "http://")})
	if err != nil {
		return err
	}
	d.SQLD = sqld
	if sqld.Token != token {
		return fmt.Errorf("sqld has another token in %s", d.dir)
	}
	return nil
}

// Open makes a FaultySite with a number of thread shards. With more than one, the directory is another database. folder gives each
// database its folder; nil has temporary ones.
func Open(t *testing.T, shards int, folder func(n int) string) *FaultySite {
	t.Helper()
	if folder == nil {
		base := t.TempDir()
		folder = func(n int) string { return filepath.Join(base, fmt.Sprint("database-", n)) }
	}
	w := &FaultySite{Queue: newQueue(), clock: &clock{}}
	w.clock.millis.Store(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC).UnixMilli())
	var clean []*hrana.Client
	for n := range shards + min(shards-1, 1) {
		d := openDatabase(t, folder(n))
		w.Databases = append(w.Databases, d)
		clean = append(clean, d.client(t, d.URL))
	}
	const token = "token-of-the-ledger"
	redis, err := stack.StartRedis(t.Context(), stack.RedisOptions{Kind: stack.LocalRedis()})
	require.NoError(t, err)
	t.Cleanup(func() { _ = redis.Close() })
	upstashes, err := stack.StartUpstash(t.Context(), stack.UpstashOptions{RedisAddr: redis.Addr, Token: token})
	require.NoError(t, err)
	t.Cleanup(func() { _ = upstashes.Close() })
	url := upstashes.URL
	proxy, err := stack.StartFaultProxy(url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = proxy.Close() })
	w.redis, w.Redis, w.clean = redis, proxy, upstash.New(upstash.Options{URL: url, Token: token})
	w.Site = workertest.OpenSite(t, storetest.DatabasesOf(t, clean[0], clean[min(shards-1, 1):]...), w.clean, 1_000_000)
	w.LosesMessages = true
	w.Box = w.Mailbox()
	c := &w.Config
	c.Redis = upstash.New(upstash.Options{URL: proxy.URL, Token: token})
	c.Queue = queue.Deduplicate(w.Queue, votesKept)
	c.Source = data.SystemSource()
	c.Source.Now, c.Source.Database = w.clock.instance, w.clock.read
	chance := c.Source.Rand
	c.Source.Rand = func() uint32 {
		if w.shard < uint32(shards) {
			return w.shard
		}
		return chance()
	}
	c.Background = func(ctx context.Context, task func(context.Context)) { w.background.Go(func() { task(ctx) }) }
	w.Instance()
	w.people(shards)
	return w
}

// Instance starts another instance of the site, which knows nothing of how its databases were.
func (w *FaultySite) Instance() {
	w.Helper()
	var all []*hrana.Client
	for _, d := range w.Databases {
		all = append(all, d.client(w, d.proxy.URL))
	}
	w.Config.DB = data.NewDB(all[0], all[min(len(all)-1, 1):]...)
	w.Restart(w.Config)
}

// people signs up the users who are there from the beginning, and founds a community on each shard.
func (w *FaultySite) people(shards int) {
	w.Helper()
	w.rita, w.ann, w.ben = w.Admin("rita"), w.Member("ann"), w.Member("ben")
	for n := range shards {
		w.shard = uint32(n)
		w.places = append(w.places, fmt.Sprint("place", n))
		w.ann.MustPost("/communities", "name", w.places[n])
		w.ben.MustPost("/subscribe", "community", w.places[n], "on", "1")
	}
	w.place = w.places[0]
	w.rita.MustPost("/admin/settings", "uploads", "everybody", "invites", "everybody")
}

// on prepares what follows on another shard.
func (w *FaultySite) on(shard int) {
	w.place, w.shard = w.places[shard], uint32(shard)
}
