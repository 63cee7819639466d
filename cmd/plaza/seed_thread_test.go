package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/content/comments"
	"plaza/ranking"
	"plaza/test/stacktest"
)

func TestSeedThread(t *testing.T) {
	t.Parallel()
	url := stacktest.OpenURL(t)
	for _, args := range [][]string{{"migrate"}, {"import", "--format", "reddit-csv", "--shift", "sample/golang.csv.gz"}} {
		code, _, said := cli(append(args, "--url", url)...)
		require.Zero(t, code, said)
	}
	db := mustOpen(t, url)

	t.Run("wants somebody to write it, and a place", func(t *testing.T) {
		code, _, said := cli("seed", "--thread", "10", "--url", url)
		require.Equal(t, 1, code)
		require.Contains(t, said, "there is nobody to write it")
		code, _, said = cli("seed", "--users", "20", "--posts", "0", "--votes", "0", "--url", url)
		require.Zero(t, code, said)
		for _, table := range []string{"comments", "count_deltas"} { // the thread is the only one
			_, err := db.Exec("DELETE FROM " + table)
			require.NoError(t, err)
		}
		code, _, said = cli("seed", "--thread", "10", "--community", "nowhere", "--url", url)
		require.Equal(t, 1, code)
		require.Contains(t, said, "there is no such community")
	})

	const n = 12_000
	t.Run("makes as many comments as asked for, in a shape that is hard", func(t *testing.T) {
		code, out, said := cli("seed", "--thread", fmt.Sprint(n), "--community", "GoLang", "--url", url)
		require.Zero(t, code, said)
		require.Regexp(t, `^Made a thread of 12,000 comments in [\d.]+m?s \([\d,]+/s\): /c/golang/p/a-thread-of-12-000-comments-001\n$`, out)
		t.Log(strings.TrimSpace(out))
		require.Equal(t, n, number(t, db, "SELECT count(*) FROM comments"))
		require.Equal(t, comments.DepthMax-1, number(t, db, "SELECT max(depth) FROM comments"))
		require.GreaterOrEqual(t, number(t, db, "SELECT max(replies) FROM comments WHERE depth = 0"), n/5)
		require.Greater(t, number(t, db, "SELECT max(score) FROM comments"), 200)
		require.Less(t, number(t, db, "SELECT min(score) FROM comments"), 0)
		require.Greater(t, number(t, db, "SELECT count(*) FROM comments WHERE qa >= 1"), n/200)
		require.Greater(t, number(t, db, "SELECT count(*) FROM comments WHERE status <> 'published'"), n/50)
	})

	t.Run("with every counter as it had to be", func(t *testing.T) {
		qa := ranking.QARankSQL("c.best", "length(c.body)", "a.best", "length(a.body)")
		for what, wrong := range map[string]string{
			"comments": "SELECT count(*) FROM posts p WHERE p.slug LIKE 'a-thread%' AND p.comments <> (SELECT count(*) FROM comments c " +
				"WHERE c.post_id = p.id)",
			"replies": "SELECT count(*) FROM comments c WHERE c.replies <> (SELECT count(*) FROM comments k WHERE k.post_id = c.post_id " +
				"AND k.parent_id = c.id AND k.held = 0)",
			"descendants": "SELECT count(*) FROM comments c WHERE c.descendants <> " +
				"(SELECT count(*) FROM comments k WHERE k.post_id = c.post_id AND k.path > c.path AND k.path < c.path || '{')",
			"depth": "SELECT count(*) FROM comments c WHERE length(c.path) <> 13 * (c.depth + 1)",
			"path": "SELECT count(*) FROM comments c LEFT JOIN comments p ON p.id = c.parent_id " +
				"WHERE substr(c.path, 1, length(c.path) - 13) <> coalesce(p.path, '') OR coalesce(p.depth, -1) + 1 <> c.depth OR p.created_at >= " +
				"c.created_at",
			"score":       "SELECT count(*) FROM comments WHERE score <> ups - downs OR ups <> base_ups OR downs <> base_downs",
			"best":        "SELECT count(*) FROM comments WHERE best <> " + ranking.WilsonSQL("ups", "downs"),
			"controversy": "SELECT count(*) FROM comments WHERE controversy <> " + ranking.ControversySQL("ups", "downs"),
			"op":          "SELECT count(*) FROM comments c JOIN posts p ON p.id = c.post_id WHERE c.op <> (c.author_id = p.author_id)",
			"qa": "SELECT count(*) FROM comments c WHERE c.qa <> coalesce((SELECT " + qa +
				" FROM comments a WHERE a.parent_id = c.id AND a.op = 1 AND a.status = 'published' " +
				"ORDER BY a.best DESC, length(a.body) DESC LIMIT 1), c.best)",
			"deltas": "SELECT count(*) FROM count_deltas",
		} {
			require.Zero(t, number(t, db, wrong), what)
		}
	})

	t.Run("makes another one for another seed, and the same one for the same", func(t *testing.T) {
		for _, args := range [][]string{{"--thread", "500"}, {"--thread", "500", "--seed", "2"}, {"--thread", "500", "--seed", "1", "--community",
			"golang"}} {
			code, _, said := cli(append([]string{"seed", "--url", url}, args...)...)
			if args[len(args)-1] == "golang" {
				require.Equal(t, 1, code)
				require.Contains(t, said, "another --seed makes another one")
				continue
			}
			require.Zero(t, code, said)
		}
		require.Equal(t, n+1000, number(t, db, "SELECT count(*) FROM comments"))
	})
}
