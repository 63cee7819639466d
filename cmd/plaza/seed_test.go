package main

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/people"
	"plaza/stack/stacktest"
)

func TestSeed(t *testing.T) {
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
			WHERE c.path <> coalesce(p.path, '') || substr(c.path, -13) OR c.depth <> coalesce(p.depth + 1, 0) OR c.created_at < coalesce(p.created_at, 0)`))
		require.Zero(t, number(t, db, `SELECT count(*) FROM comments WHERE id % 2 = 0`))

		var hash string
		require.NoError(t, db.QueryRow(`SELECT password_hash FROM users WHERE username = 'mira'`).Scan(&hash))
		require.True(t, people.SafeHashCost.Check(hash, demoPassword))
	})

	t.Run("makes them once", func(t *testing.T) {
		code, out, err := cli("seed", "--url", url)
		require.Zero(t, code, err)
		require.Contains(t, out, "The demo members are there already.")
		require.Equal(t, 40, number(t, mustOpen(t, url), `SELECT count(*) FROM users`))
	})
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
