package main

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/accounts/credentials"
	"plaza/test/stacktest"
)

func TestSeed(t *testing.T) {
	t.Parallel()
	url := stacktest.OpenURL(t)
	code, _, err := cli("migrate", "--url", url)
	require.Zero(t, code, err)

	t.Run("needs posts to talk about", func(t *testing.T) {
		code, _, err := cli("seed", "--url", url)
		require.Equal(t, 1, code)
		require.Contains(t, err, "there are no posts to talk about")
	})

	t.Run("makes members who post, comment and vote", func(t *testing.T) {
		code, _, err := cli("import", "--format", "reddit-csv", "--shift", "sample/golang.csv.gz", "sample/Cooking.csv.gz", "--url", url)
		require.Zero(t, code, err)
		code, out, err := cli("seed", "--users", "40", "--comments", "200", "--votes", "500", "--url", url)
		require.Zero(t, code, err)
		require.Contains(t, out, "Made 40 members (log in as mira, password plaza-demo)")

		db := mustOpen(t, url)
		require.Equal(t, 40, number(t, db, `SELECT count(*) FROM users`))
		require.Equal(t, 200, number(t, db, `SELECT count(*) FROM comments`))
		own := number(t, db, `SELECT count(*) FROM posts WHERE author_id IS NOT NULL`)
		require.Positive(t, own)
		require.Equal(t, 500+200+own, number(t, db, `SELECT count(*) FROM votes`), "and everybody upvotes what they wrote")
		require.Equal(t, number(t, db, `SELECT sum(value) FROM votes`), number(t, db, `SELECT sum(ups - downs) FROM vote_deltas`))
		require.Zero(t, number(t, db, `SELECT count(*) FROM comments c LEFT JOIN comments p ON p.id = c.parent_id
			WHERE c.path <> coalesce(p.path, '') || substr(c.path, -13) OR c.depth <> coalesce(p.depth + 1, 0)
  OR c.created_at < coalesce(p.created_at, 0)`))
		require.Zero(t, number(t, db, `SELECT count(*) FROM comments WHERE id % 2 = 0`))

		var hash string
		require.NoError(t, db.QueryRow(`SELECT password_hash FROM users WHERE username = 'mira'`).Scan(&hash))
		require.True(t, credentials.SafeHashCost.Check(hash, demoPassword))
	})

	t.Run("makes them once", func(t *testing.T) {
		code, out, err := cli("seed", "--url", url)
		require.Zero(t, code, err)
		require.Contains(t, out, "The demo members are there already.")
		require.Equal(t, 40, number(t, mustOpen(t, url), `SELECT count(*) FROM users`))
	})
}

// TestSeedShards seeds a site whose communities are on three shards, one of them the directory.
func TestSeedShards(t *testing.T) {
	t.Parallel()
	var urls, addresses []string
	for range 3 {
		url := stacktest.OpenURL(t)
		code, _, said := cli("migrate", "--url", url)
		require.Zero(t, code, said)
		urls, addresses = append(urls, url), append(addresses, "--shard", url)
	}
	addresses = append(addresses, "--url", urls[0])
	files, err := filepath.Glob("sample/*.csv.gz")
	require.NoError(t, err)
	code, _, said := cli(slices.Concat([]string{"import", "--format", "reddit-csv", "--shift"}, files, addresses)...)
	require.Zero(t, code, said)
	code, out, said := cli(append([]string{"seed", "--users", "40", "--comments", "300", "--votes", "500"}, addresses...)...)
	require.Zero(t, code, said)
	require.Contains(t, out, "Made 40 members")
	comments, with := 0, 0
	for n, url := range urls {
		db := mustOpen(t, url)
		here := number(t, db, "SELECT count(*) FROM comments")
		if comments += here; here > 0 {
			with++
		}
		require.Zero(t, number(t, db, "SELECT count(*) FROM (SELECT id FROM comments UNION ALL SELECT id FROM posts) WHERE id >> 12 & 1023 NOT IN ("+
			slotsOn(t, urls[0], n)+")"))
		require.Zero(t, number(t, db, "SELECT count(*) FROM comments c WHERE NOT EXISTS (SELECT 1 FROM posts p WHERE p.id = c.post_id)"))
		members := 0
		if n == 0 {
			members = 40
		}
		require.Equal(t, members, number(t, db, "SELECT count(*) FROM users"))
	}
	require.Equal(t, 300, comments)
	require.Greater(t, with, 1, "on several shards")
	code, out, said = cli(append([]string{"verify"}, addresses...)...)
	require.Zero(t, code, out+said)
	for _, name := range []string{"golang", "Cooking", "linux"} {
		code, out, said = cli(append([]string{"seed", "--thread", "50", "--community", name}, addresses...)...)
		require.Zero(t, code, out+said)
	}
	code, out, said = cli(append([]string{"verify"}, addresses...)...)
	require.Zero(t, code, out+said)
}

func TestComments(t *testing.T) {
	t.Run("leave no gap of the grammar open", func(t *testing.T) {
		for name, lines := range grammar {
			for _, line := range lines {
				for _, part := range strings.Split(line, "{")[1:] {
					gap, _, closed := strings.Cut(part, "}")
					require.True(t, closed && len(grammar[gap]) > 0, "%s: %s", name, line)
				}
			}
		}
	})

	t.Run("are the same for the same seed", func(t *testing.T) {
		write := func() string { return comment(rand.New(rand.NewPCG(7, 7)), "golang", false) }
		require.Equal(t, write(), write())
	})
}
