package backup_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/hot"
	"plaza/data/content/votes"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/ranking"
	"plaza/stack"
	"plaza/test/sitetest"
	"plaza/test/stacktest"
)

// A site of 100,000 posts, as many comments, and 500,000 votes by 20,000 members.
var largeSite = []string{
	`INSERT INTO users (id, username, username_key, password_hash, created_at) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n
  WHERE i < 20000)
SELECT i << 22, 'member' || i, 'member' || i, printf('%.100c', 'h'), 1767225600000 + i FROM n`,
	`INSERT INTO communities (id, name, name_key, title, colour, created_at) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n
  WHERE i < 50)
SELECT i << 22, 'Place' || i, 'place' || i, 'Place ' || i, '#000', 1767225600000 FROM n`,
	`INSERT INTO subscriptions (user_id, community_id, created_at) SELECT u.id, k.id, u.created_at FROM users u, communities k
  WHERE (u.id >> 22) % 10 = (k.id >> 22) % 10`,
	`INSERT INTO posts (id, community_id, community_name, author_id, author_name, slug, kind, title, excerpt, hot, created_at,
  active, age)
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
SELECT (100000 + i * 1000) << 22, (i % 50 + 1) << 22, 'Place' || (i % 50 + 1), (i * 7 % 20000 + 1) << 22, 'member' || (i * 7 % 20000 + 1),
  'post-' || i, 'text',
  'The title of a post is about as long as this, number ' || i, printf('%.200c', 'e'), ` +
		ranking.HotSQL("0", "1767225600000 + 100000 + i * 1000") + `, 1767225600000 + 100000 + i * 1000,
  1767225600000 + 100000 + i * 1000, 4 FROM n`,
	`INSERT INTO post_texts (post_id, text, html) SELECT id, printf('%.500c', 't') || id, '<p>' || printf('%.500c', 't') || id || '</p>'
  FROM posts`,
}

const (
	largeComments = `INSERT INTO comments (id, post_id, path, depth, author_id, author_name, op, body, body_html, created_at)
SELECT value ->> 0, value ->> 1, value ->> 2, 0, value ->> 3, 'member' || (value ->> 4), coalesce((SELECT p.author_id = value ->> 3
  FROM posts p WHERE p.id = value ->> 1), 0),
  printf('%.200c', 'c') || (value ->> 0), '<p>' || printf('%.200c', 'c') || (value ->> 0) || '</p>', 1785000000000 FROM json_each(?1)`
	// Some have many votes, most have few.
	largeVotes = `INSERT INTO votes (target_id, user_id, value, updated_at) WITH RECURSIVE n (i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n
  WHERE i < ?2 - 1)
SELECT iif(i % 5 < 3, (100000 + (1 + (i * i / 7) % (1 + (i * 31) % 100000)) * 1000) << 22, ((200000000 + (i * i / 3) % 100000) << 22) | 1),
  (i * 13 % 20000 + 1) << 22, iif(i % 6 = 0, -1, 1), 1790000000000
FROM n WHERE true ON CONFLICT DO NOTHING`
)

// TestLarge measures, and proves nothing that TestDrill does not; docs/operations/backup-format.md has the figures.
func TestLarge(t *testing.T) {
	if os.Getenv("PLAZA_BACKUP") == "" {
		t.Skip("PLAZA_BACKUP=1 runs it, for ten minutes")
	}
	open := func() (*stack.SQLD, string) {
		dir := t.TempDir()
		s, err := stack.StartSQLD(ctx, stack.SQLDOptions{Dir: dir})
		require.NoError(t, err)
		t.Cleanup(func() { s.Close() })
		return s, dir
	}
	from, fromDir := open()
	client := hrana.New(hrana.Options{URL: from.URL, Token: from.Token, WorkTime: time.Hour, ReadTime: stacktest.ReadTime})
	stacktest.ApplySchema(t, client)
	db := sitetest.OpenSQL(t, from.URL+"?authToken="+from.Token)
	began := time.Now()
	for _, query := range largeSite {
		_, err := db.Exec(query)
		require.NoError(t, err)
	}
	for n := 0; n < 100_000; n += 2000 {
		rows := make([]string, 0, 2000)
		for i := n; i < n+2000; i++ {
			id, author := data.ID((200_000_000+i)<<22|1), i*11%20_000+1
			rows = append(rows, fmt.Sprintf(`[%d,%d,"%s",%d,%d]`, int64(id), (100_000+(i*i%(1+i)+1)*1000)<<22, id.Text(), author<<22, author))
		}
		_, err := db.Exec(largeComments, "["+strings.Join(rows, ",")+"]")
		require.NoError(t, err)
	}
	for n := 0; n < 700_000; n += 20_000 { // some are equal
		_, err := db.Exec(largeVotes, n, n+20_000)
		require.NoError(t, err)
	}
	redisURL, redisToken := stacktest.OpenRedisURL(t)
	d := data.NewDB(client)
	store := votes.Store{Base: data.Base{DB: d, Source: data.SystemSource()},
		Hot: &hot.Sets{Redis: upstash.New(upstash.Options{URL: redisURL, Token: redisToken, Limit: time.Minute}), DB: d, Cap: 1000}}
	for {
		p, err := store.FindPending(ctx, 0)
		require.NoError(t, err)
		if len(p.Targets)+len(p.Posts) == 0 {
			break
		}
		unapplied, err := store.ApplyDeltas(ctx, p)
		require.NoError(t, err)
		require.Empty(t, unapplied)
	}
	for _, table := range []string{"posts", "comments", "votes", "users"} {
		var n int
		require.NoError(t, db.QueryRow("SELECT count(*) FROM "+table).Scan(&n))
		t.Logf("%d %s", n, table)
	}
	t.Logf("filled in %v, %.0f MB on the disk of sqld", time.Since(began).Round(time.Second), size(t, fromDir)/1e6)

	bin := filepath.Join(t.TempDir(), "plaza")
	root, err := stack.Root()
	require.NoError(t, err)
	build := exec.Command("go", "build", "-o", bin, "./cmd/plaza")
	build.Dir = root
	require.NoError(t, build.Run())
	plaza := func(to *stack.SQLD, args ...string) {
		t.Helper()
		cmd := exec.CommandContext(context.Background(), bin, args...)
		cmd.Env = append(os.Environ(), "LIBSQL_URL="+to.URL, "LIBSQL_SHARD_URLS=", "LIBSQL_AUTH_TOKEN="+to.Token,
			"UPSTASH_REDIS_REST_URL="+redisURL, "UPSTASH_REDIS_REST_TOKEN="+redisToken)
		began := time.Now()
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		t.Logf("plaza %s: %v, %d MB of memory at most, %v of CPU: %s", args[0], time.Since(began).Round(100*time.Millisecond),
			cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss/1024,
			(cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Round(100*time.Millisecond), lines[max(0, len(lines)-4)])
	}
	plaza(from, "verify")
	dir := filepath.Join(t.TempDir(), "backup")
	plaza(from, "backup", dir)
	t.Logf("the backup has %.1f MB", size(t, dir)/1e6)
	to, toDir := open()
	plaza(to, "restore", dir)
	t.Logf("%.0f MB on the disk of sqld", size(t, toDir)/1e6)
	plaza(to, "verify")
}

// size returns the size of all files in a folder.
func size(t *testing.T, dir string) (n float64) {
	require.NoError(t, filepath.Walk(dir, func(_ string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			n += float64(info.Size())
		}
		return nil
	}))
	return n
}
