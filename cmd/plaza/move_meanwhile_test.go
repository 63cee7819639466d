package main

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/ops/backup"
	"plaza/test/sitetest"
	"plaza/test/stacktest"
)

// beginsMoveAfter begins a move by a trigger on a write, such as INSERT ON posts.
func beginsMoveAfter(t *testing.T, db *sql.DB, event string) {
	t.Helper()
	_, err := db.Exec(`CREATE TRIGGER begins AFTER ` + event + ` BEGIN
  INSERT INTO slot_moves (id, slot, community_name, source, target, run, begun_at) VALUES (1, 70, 'Alpha', 0, 1, 1, 0) ON CONFLICT DO NOTHING; END`)
	require.NoError(t, err)
}

// TestRepairWhileAMoveBegins corrupts a post and the counters of its community. A move begins after the repair of the counters, so the
// post is not repaired.
func TestRepairWhileAMoveBegins(t *testing.T) {
	stacktest.ByNight(t, "operators move a community rarely, and commands refuse one that has begun by day (TestNoBackupOfAMove)")
	s := sitetest.Open(t, 1)
	s.People(2, time.Hour)
	s.Community("Alpha", 0)
	s.Post(s.Members[0], "Alpha", "One", "")
	s.ApplyDeltas()
	for _, sql := range []string{`UPDATE posts SET ups = 5000`, `UPDATE community_stats SET posts = 5000`} {
		_, err := s.Directory.Exec(sql)
		require.NoError(t, err)
	}
	beginsMoveAfter(t, s.Directory, "UPDATE ON community_stats")
	code, _, said := cli("verify", "--repair", "--pictures=no", "--url", s.URLs[0])
	require.Equal(t, 1, code)
	require.Contains(t, said, "a community is moving to another shard")
	require.Equal(t, 1, number(t, s.Directory, `SELECT posts FROM community_stats`))
	require.Equal(t, 5000, number(t, s.Directory, `SELECT ups FROM posts`))

	_, err := s.Directory.Exec(`DELETE FROM slot_moves`)
	require.NoError(t, err)
	_, err = s.Directory.Exec(`DROP TRIGGER begins`)
	require.NoError(t, err)
	code, _, said = cli("verify", "--repair", "--pictures=no", "--url", s.URLs[0])
	require.Zero(t, code, said)
	require.Equal(t, 1, number(t, s.Directory, `SELECT ups FROM posts`))
}

// TestImportWhileAMoveBegins: a move begins in the last batch.
func TestImportWhileAMoveBegins(t *testing.T) {
	stacktest.ByNight(t, "operators move a community rarely, and commands refuse one that has begun by day (TestNoBackupOfAMove)")
	url := stacktest.OpenURL(t)
	code, _, said := cli("migrate", "--url", url)
	require.Zero(t, code, said)
	db := mustOpen(t, url)
	beginsMoveAfter(t, db, "INSERT ON posts")
	code, _, said = cli("import", "--format", "reddit-csv", "--shift", "sample/golang.csv.gz", "--url", url)
	require.Equal(t, 1, code)
	require.Contains(t, said, "a community is moving to another shard")
	require.Equal(t, 40, number(t, db, `SELECT count(*) FROM posts`))
}

// TestSeedWhileAMoveBegins: if a move begins before the end, nothing is written. Only the search index may lack comments of a thread.
func TestSeedWhileAMoveBegins(t *testing.T) {
	stacktest.ByNight(t, "operators move a community rarely, and commands refuse one that has begun by day (TestNoBackupOfAMove)")
	url := stacktest.OpenURL(t)
	for _, args := range [][]string{{"migrate"}, {"import", "--format", "reddit-csv", "--shift", "sample/golang.csv.gz"}} {
		code, _, said := cli(append(args, "--url", url)...)
		require.Zero(t, code, said)
	}
	db := mustOpen(t, url)
	o := defaultSeed()
	o.users, o.posts, o.votes = 5, 5, 10
	moves := errors.New("it moves")
	o.mayWrite = func(context.Context) error { return moves }
	client := hrana.New(hrana.Options{URL: url})
	env := &environment{out: &strings.Builder{}, err: &strings.Builder{}, getenv: func(string) string { return "" }}
	require.ErrorIs(t, seed(t.Context(), env, backup.Site{Directory: client, Shards: []*hrana.Client{client}}, o), moves)
	require.Zero(t, number(t, db, `SELECT count(*) FROM users`))

	s := sitetest.Open(t, 1)
	s.People(2, time.Hour)
	s.Community("Alpha", 0)
	s.Post(s.Members[0], "Alpha", "One", "")
	beginsMoveAfter(t, s.Directory, "INSERT ON comments")
	code, _, said := cli("seed", "--thread", "5000", "--url", s.URLs[0])
	require.Equal(t, 1, code)
	require.Contains(t, said, "a community is moving to another shard")
	require.Zero(t, number(t, s.Directory, `SELECT count(*) FROM comments`))

	// The thread is written, and its comments are not in the search index yet.
	_, err := s.Directory.Exec(`DROP TRIGGER begins`)
	require.NoError(t, err)
	_, err = s.Directory.Exec(`DELETE FROM slot_moves`)
	require.NoError(t, err)
	beginsMoveAfter(t, s.Directory, "INSERT ON post_texts")
	code, _, said = cli("seed", "--thread", "5000", "--url", s.URLs[0])
	require.Equal(t, 1, code)
	require.Contains(t, said, "a community moves to another shard. The thread is there, at /c/Alpha/p/")
	require.Equal(t, 5000, number(t, s.Directory, `SELECT count(*) FROM comments`))
	for _, sql := range []string{`DROP TRIGGER begins`, `DELETE FROM slot_moves`} {
		_, err := s.Directory.Exec(sql)
		require.NoError(t, err)
	}
	for _, args := range [][]string{{"--repair"}, {}} {
		code, _, said = cli(append([]string{"verify", "--pictures=no", "--url", s.URLs[0]}, args...)...)
		require.Zero(t, code, said)
	}

	// The slot is frozen before the first comments are written.
	_, err = s.Directory.Exec(`CREATE TRIGGER frozen BEFORE INSERT ON comments BEGIN SELECT raise(ABORT, '` + data.SlotFrozen + `'); END`)
	require.NoError(t, err)
	code, _, said = cli("seed", "--thread", "100", "--seed", "2", "--url", s.URLs[0])
	require.Equal(t, 1, code)
	require.Contains(t, said, "a community is moving to another shard")

	// It is frozen after 2,000 comments, which can't be rolled back then.
	for _, sql := range []string{`DROP TRIGGER frozen`,
		`CREATE TRIGGER frozen BEFORE INSERT ON comments WHEN (SELECT count(*) FROM comments) >= 7000 BEGIN SELECT raise(ABORT, '` +
			data.SlotFrozen + `'); END`,
		`CREATE TRIGGER frozen_delete BEFORE DELETE ON comments BEGIN SELECT raise(ABORT, '` + data.SlotFrozen + `'); END`} {
		_, err := s.Directory.Exec(sql)
		require.NoError(t, err)
	}
	code, _, said = cli("seed", "--thread", "3000", "--seed", "3", "--url", s.URLs[0])
	require.Equal(t, 1, code)
	require.Contains(t, said, "comments without a post are left, of post ")
	require.Contains(t, said, "DELETE FROM comments WHERE post_id = ")
	require.Equal(t, 7000, number(t, s.Directory, `SELECT count(*) FROM comments`))
}
