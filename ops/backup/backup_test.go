package backup_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/posts"
	"plaza/data/schema"
	"plaza/data/wire/hrana"
	"plaza/ops/backup"
	"plaza/ops/verify"
	"plaza/stack"
	"plaza/test/sitetest"
	"plaza/test/stacktest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

var ctx = context.Background()

func quiet(int64, int64, string) {}

// empty makes empty databases.
func empty(t testing.TB, n int) (urls []string, site backup.Site, opened []*sql.DB) {
	t.Helper()
	for range n {
		url := stacktest.OpenURL(t)
		urls, opened = append(urls, url), append(opened, sitetest.OpenSQL(t, url))
	}
	return urls, siteOf(urls), opened
}

// siteOf returns the databases at these addresses. The directory is the first shard.
func siteOf(urls []string) (site backup.Site) {
	for _, url := range urls {
		site.Shards = append(site.Shards, hrana.New(hrana.Options{URL: url}))
	}
	site.Directory = site.Shards[0]
	return site
}

// dump returns everything in a database, for comparison.
func dump(t testing.TB, db *sql.DB) (lines []string) {
	t.Helper()
	read := func(query string) (list [][]any) {
		rows, err := db.Query(query)
		require.NoError(t, err)
		defer rows.Close()
		columns, err := rows.Columns()
		require.NoError(t, err)
		for rows.Next() {
			row, into := make([]any, len(columns)), make([]any, len(columns))
			for i := range row {
				into[i] = &row[i]
			}
			require.NoError(t, rows.Scan(into...))
			list = append(list, row)
		}
		require.NoError(t, rows.Err())
		return list
	}
	for _, object := range read(`SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' AND name NOT LIKE 'libsql_%'
  ORDER BY type, name`) {
		lines = append(lines, fmt.Sprint(object...))
		if object[0] == "table" {
			from := len(lines)
			for _, row := range read(fmt.Sprintf(`SELECT * FROM "%s"`, strings.ReplaceAll(object[1].(string), `"`, `""`))) {
				lines = append(lines, fmt.Sprintf("%#v", row))
			}
			slices.Sort(lines[from:])
		}
	}
	return lines
}

func TestRoundTrip(t *testing.T) {
	from := stacktest.OpenURL(t)
	db := sitetest.OpenSQL(t, from)
	exec := func(query string, args ...any) {
		t.Helper()
		_, err := db.Exec(query, args...)
		require.NoError(t, err)
	}
	exec(`CREATE TABLE later (id INTEGER PRIMARY KEY, first_id INTEGER NOT NULL REFERENCES "first ""one""" (id)) STRICT`)
	exec(`CREATE TABLE "first ""one""" (id INTEGER PRIMARY KEY, r REAL, "a b" TEXT, b BLOB, i INTEGER) STRICT`)
	exec(`CREATE TABLE pairs (a TEXT NOT NULL, b INTEGER NOT NULL, PRIMARY KEY (b, a)) STRICT, WITHOUT ROWID`)
	exec(`CREATE TABLE keyed (url TEXT PRIMARY KEY, n INTEGER) STRICT`)
	exec(`CREATE TABLE pictures (id INTEGER PRIMARY KEY, b BLOB) STRICT`)
	exec(`CREATE TABLE none (id INTEGER PRIMARY KEY) STRICT`)
	exec(`CREATE TABLE counted (n INTEGER) STRICT`)
	exec(`CREATE TRIGGER counts AFTER INSERT ON keyed BEGIN INSERT INTO counted VALUES (1); END`)
	exec(`CREATE INDEX "keyed;n" ON keyed (n) WHERE n > 5`)
	exec(`CREATE VIEW seen AS SELECT n FROM keyed`)
	texts := []string{"", "plain", `"quoted" \ back`, "line\nfeed\r\ttab", "nul\x00in it", "umlaut ä 漢字 🎈 \u2028", "</script>&", "null", "]",
		",", "12"}
	reals := []float64{0, 1, -1, 0.1, 1e300, 5e-324, math.Pi, 123456789012345680, 624.4516922, 1.0000000000000002}
	for i, s := range texts {
		exec(`INSERT INTO "first ""one""" VALUES (?, ?, ?, ?, ?)`, i-3, reals[i%len(reals)], s, []byte(s), int64(math.MaxInt64)-int64(i))
		exec(`INSERT INTO pairs VALUES (?, ?)`, s, -i)
		exec(`INSERT INTO keyed VALUES (?, ?)`, s, i)
	}
	exec(`INSERT INTO "first ""one""" VALUES (100, NULL, NULL, NULL, ?)`, int64(math.MinInt64))
	exec(`INSERT INTO later VALUES (1, 100)`)
	// More than a page, and rows that are a page each.
	exec(`INSERT INTO pairs WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT 'key ' || (i % 7), i
  FROM n`)
	exec(`INSERT INTO "first ""one""" (id, "a b") WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6)
  SELECT 1000 + i, printf('%.*c', 1500000, 'x') FROM n`)

	exec(`INSERT INTO pictures WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600) SELECT i, randomblob(4000)
  FROM n`)

	dir := filepath.Join(t.TempDir(), "backup")
	m, err := backup.Write(ctx, dir, siteOf([]string{from}), quiet)
	require.NoError(t, err)
	require.Equal(t, []string{"directory"}, m.Shards)
	require.Zero(t, m.Databases[0].Step)
	_, site, opened := empty(t, 1)
	transactions := 0
	restored, err := backup.Restore(ctx, dir, site, backup.Options{Changed: true}, func(_, _ int64, what string) {
		if what == "directory, pictures" {
			transactions++
		}
	})
	require.NoError(t, err)
	require.GreaterOrEqual(t, transactions, 3, "of a megabyte each, however they are written")
	require.Equal(t, m, restored)
	require.Equal(t, dump(t, db), dump(t, opened[0]))
	_, err = opened[0].Exec(`INSERT INTO later VALUES (2, 5555)`)
	require.ErrorContains(t, err, "FOREIGN KEY")
}

func TestRefusals(t *testing.T) {
	s := sitetest.OpenFilled(t, 2)
	dir := filepath.Join(t.TempDir(), "backup")
	m, err := backup.Write(ctx, dir, siteOf(s.URLs), quiet)
	require.NoError(t, err)
	require.Equal(t, schema.Version, m.Databases[0].Step)
	require.Equal(t, []string{"shard-1", "directory"}, []string{m.Databases[0].Name, m.Databases[1].Name}, "what others refer to comes last")

	t.Run("a folder that is there is left alone", func(t *testing.T) {
		_, err := backup.Write(ctx, dir, siteOf(s.URLs), quiet)
		require.ErrorContains(t, err, "is there already")
	})
	t.Run("a database that is not empty is left alone, unless it is to be overwritten", func(t *testing.T) {
		_, site, opened := empty(t, 2)
		_, err := opened[1].Exec(`CREATE TABLE precious (a INTEGER)`)
		require.NoError(t, err)
		_, err = backup.Restore(ctx, dir, site, backup.Options{Changed: true}, quiet)
		require.ErrorIs(t, err, backup.ErrNotEmpty)
		require.Empty(t, dump(t, opened[0]), "nothing is written elsewhere either")
		require.Len(t, dump(t, opened[1]), 1)
		_, err = backup.Restore(ctx, dir, site, backup.Options{Overwrite: true}, quiet)
		require.NoError(t, err)
		for n := range opened {
			require.Equal(t, dump(t, s.Shards[n]), dump(t, opened[n]))
		}
	})
	t.Run("another number of shards, or a directory apart from them", func(t *testing.T) {
		_, one, _ := empty(t, 1)
		_, err := backup.Restore(ctx, dir, one, backup.Options{Changed: true}, quiet)
		require.ErrorContains(t, err, "the backup has 2 shards, and 1 were given")
		_, apart, _ := empty(t, 3)
		apart.Shards = apart.Shards[1:]
		_, err = backup.Restore(ctx, dir, apart, backup.Options{Changed: true}, quiet)
		require.ErrorContains(t, err, "shard 0 is the directory in the backup or in the databases")
		_, twice, _ := empty(t, 1)
		twice.Shards = append(twice.Shards, twice.Shards[0])
		_, err = backup.Restore(ctx, dir, twice, backup.Options{Changed: true}, quiet)
		require.ErrorContains(t, err, "shard 1 is the directory in the backup or in the databases")
	})
	file := filepath.Join(dir, m.Databases[0].File)
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	rezip := func(change func([]byte) []byte) []byte {
		zip, err := gzip.NewReader(bytes.NewReader(whole))
		require.NoError(t, err)
		text, err := io.ReadAll(zip)
		require.NoError(t, err)
		var out bytes.Buffer
		w := gzip.NewWriter(&out)
		_, err = w.Write(change(text))
		require.NoError(t, err)
		require.NoError(t, w.Close())
		return out.Bytes()
	}
	for name, damaged := range map[string][]byte{
		"a bit has flipped":        flip(whole, len(whole)/2),
		"the last byte is missing": whole[:len(whole)-1],
		"there is a byte more":     append(bytes.Clone(whole), 0),
		"it is empty":              {},
		"a row has another value":  rezip(func(b []byte) []byte { return bytes.Replace(b, []byte(`"published"`), []byte(`"removed"`), 1) }),
		"a row is missing": rezip(func(b []byte) []byte {
			i := bytes.Index(b, []byte("\n["))
			j := bytes.IndexByte(b[i+1:], '\n')
			return append(b[:i:i], b[i+1+j:]...)
		}),
		"the end is missing":        rezip(func(b []byte) []byte { return bytes.TrimSuffix(b, []byte("{\"end\":true}\n")) }),
		"it is that of another one": mustRead(t, filepath.Join(dir, m.Databases[1].File)),
	} {
		t.Run("a damaged backup changes nothing: "+name, func(t *testing.T) {
			require.NoError(t, os.WriteFile(file, damaged, 0o600))
			defer func() { require.NoError(t, os.WriteFile(file, whole, 0o600)) }()
			_, site, opened := empty(t, 2)
			for _, overwrite := range []bool{false, true} {
				_, err := backup.Restore(ctx, dir, site, backup.Options{Overwrite: overwrite}, quiet)
				require.ErrorContains(t, err, "the backup is damaged, nothing was changed: "+m.Databases[0].File)
				for _, d := range opened {
					require.Empty(t, dump(t, d))
				}
			}
		})
	}
	t.Run("a file of the manifest is missing", func(t *testing.T) {
		require.NoError(t, os.Remove(file))
		_, err := backup.Check(ctx, dir, quiet)
		require.ErrorIs(t, err, os.ErrNotExist)
		require.NoError(t, os.WriteFile(file, whole, 0o600))
	})
	t.Run("a manifest of another version", func(t *testing.T) {
		path := filepath.Join(dir, "manifest.json")
		text := mustRead(t, path)
		require.NoError(t, os.WriteFile(path, bytes.Replace(text, []byte(`"plaza_backup": 1`), []byte(`"plaza_backup": 2`), 1), 0o600))
		_, err := backup.Check(ctx, dir, quiet)
		require.ErrorContains(t, err, "it is a backup of version 2, and this build reads version 1")
	})
}

func flip(b []byte, at int) []byte {
	b = bytes.Clone(b)
	b[at] ^= 1
	return b
}

func mustRead(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return b
}

// TestEnds: the database goes down while it is read.
func TestEnds(t *testing.T) {
	sqld, err := stack.StartSQLD(ctx, stack.SQLDOptions{Dir: t.TempDir()})
	require.NoError(t, err)
	url := sqld.URL + "?authToken=" + sqld.Token
	stacktest.ApplySchema(t, hrana.New(hrana.Options{URL: url}))
	dir := filepath.Join(t.TempDir(), "backup")
	_, err = backup.Write(ctx, dir, siteOf([]string{url}), func(int64, int64, string) { sqld.Kill() })
	require.Error(t, err)
	_, err = os.Stat(dir)
	require.ErrorIs(t, err, os.ErrNotExist, "there is no backup")
}

// TestDrill backs a site up while members write, restores it into empty databases, and verifies that.
func TestDrill(t *testing.T) {
	for _, shards := range []int{2, 1, 3} {
		t.Run(fmt.Sprintf("nothing is missing that was acknowledged before, with %d databases", shards), func(t *testing.T) {
			if shards != 2 {
				stacktest.ByNight(t, "two databases have all that others have: one is read before the other, and one is the directory")
			}
			s := sitetest.OpenFilled(t, shards)
			l := &load{Site: s}
			stop := l.start()
			defer stop()
			l.wait(40)
			before := l.acknowledged()
			dir := filepath.Join(t.TempDir(), "backup")
			began := l.count.Load()
			m, err := backup.Write(ctx, dir, siteOf(s.URLs), func(_, _ int64, what string) {
				if what == "directory, posts" { // in the middle of it
					l.wait(l.count.Load() + 10)
				}
			})
			require.NoError(t, err)
			require.Greater(t, l.count.Load(), began+5, "members wrote meanwhile")
			stop()

			urls, site, _ := empty(t, shards)
			restored, err := backup.Restore(ctx, dir, site, backup.Options{Changed: true}, quiet)
			require.NoError(t, err)
			require.Equal(t, m, restored)
			again := sitetest.OpenAt(t, urls)
			for _, w := range before {
				var value int
				require.NoError(t, again.ShardOf(w.target).QueryRow(w.query, int64(w.target), int64(w.user)).Scan(&value), w)
				require.Equal(t, w.value, value)
			}
			_, err = verify.Run(ctx, verify.Options{Directory: again.Clients[0], Shards: again.Clients, Hot: again.Hot,
				Found: func(d verify.Difference) { t.Error(d) }})
			require.NoError(t, err)
			// It continues from there: waiting votes are applied.
			again.ApplyDeltas()
			_, err = verify.Run(ctx, verify.Options{Directory: again.Clients[0], Shards: again.Clients, Hot: again.Hot,
				Found: func(d verify.Difference) { t.Error(d) }})
			require.NoError(t, err)
			t.Logf("%d writes were acknowledged before and %d in all, %d rows in %d bytes", len(before), l.count.Load(), m.Rows(), m.Bytes())
		})
	}
}

// load are members who post, comment and vote, and record acknowledged writes.
type load struct {
	*sitetest.Site
	count atomic.Int64

	mu   sync.Mutex
	done []written
}

// written is an acknowledged write, and the query that finds its value.
type written struct {
	target, user data.ID
	query        string
	value        int
}

func (l *load) note(w written) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done = append(l.done, w)
	l.count.Add(1)
}

func (l *load) acknowledged() []written {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]written{}, l.done...)
}

// wait waits until so many writes were acknowledged.
func (l *load) wait(n int64) {
	for l.count.Load() < n && !l.Failed() {
		l.step(0)
	}
}

// start makes members write, and votes be applied, until stop is called.
func (l *load) start() (stop func()) {
	work, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	for n := range 3 {
		all.Go(func() {
			for work.Err() == nil && !l.Failed() {
				l.step(1 + n)
			}
		})
	}
	all.Go(func() {
		for work.Err() == nil && !l.Failed() {
			p, err := l.Votes.FindPending(ctx, 0)
			if err == nil {
				_, err = l.Votes.ApplyDeltas(ctx, p)
			}
			if err != nil {
				l.Errorf("apply: %v", err)
			}
		}
	})
	return func() { cancel(); all.Wait() }
}

// step posts, replies to that, and makes others vote on both.
func (l *load) step(n int) {
	a := l.Members[n]
	p, err := l.Posts.Create(ctx, a, posts.Create{Community: []string{"Alpha", "Beta", "Gamma"}[l.count.Load()%3],
		Title: fmt.Sprintf("By %d", n), Text: "x", TextHTML: "x"})
	if err != nil {
		l.Errorf("post: %v", err)
		return
	}
	l.note(written{p.ID, 0, `SELECT length(text) FROM post_texts WHERE post_id = ?1 AND ?2 = 0`, 1})
	c, _, err := l.Comments.Create(ctx, l.Members[4], comments.Create{Post: p.ID, Body: "said", BodyHTML: "said"})
	if err != nil {
		l.Errorf("comment: %v", err)
		return
	}
	l.note(written{c.ID, 0, `SELECT length(body) FROM comments WHERE id = ?1 AND ?2 = 0`, 4})
	for i, target := range []data.ID{p.ID, c.ID} {
		voter := l.Members[6+i]
		if _, err := l.Votes.Cast(ctx, voter, target, 1-2*i); err != nil {
			l.Errorf("vote: %v", err)
			return
		}
		l.note(written{target, voter.UserID, `SELECT value FROM votes WHERE target_id = ?1 AND user_id = ?2`, 1 - 2*i})
	}
}

// TestNoBackupOfAMove: a backup that begins while a community is on two shards can't be restored, so it is refused.
func TestNoBackupOfAMove(t *testing.T) {
	s := sitetest.Open(t, 2)
	_, err := s.Directory.Exec(`INSERT INTO slot_moves (slot, source, target, community_name, run, begun_at) VALUES (70, 0, 1, '', 1, 0)`)
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), "backup")
	_, err = backup.Write(ctx, dir, siteOf(s.URLs), quiet)
	require.ErrorContains(t, err, "a community has begun to move")
	_, err = s.Directory.Exec(`DELETE FROM slot_moves`)
	require.NoError(t, err)
	_, err = backup.Write(ctx, dir, siteOf(s.URLs), quiet)
	require.NoError(t, err)
}
