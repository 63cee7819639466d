package main

import (
	"compress/gzip"
	"database/sql"
	"encoding/csv"
	"html"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/accounts/credentials"
	"plaza/data/rights/rules"
	"plaza/data/wire/hrana"
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
		code, out, err := cli("seed", "--users", "50", "--votes", "500", "--url", url)
		require.Zero(t, code, err)
		require.Contains(t, out, "Made 50 members (log in as mira, password plaza-demo)")

		db := mustOpen(t, url)
		require.Equal(t, 50, number(t, db, `SELECT count(*) FROM users`))
		comments := number(t, db, `SELECT count(*) FROM comments`)
		require.Equal(t, saidOn(t, db), comments)
		require.Greater(t, comments, 100)
		own := number(t, db, `SELECT count(*) FROM posts WHERE author_id IS NOT NULL`)
		require.Positive(t, own)
		require.Equal(t, 500+comments+own, number(t, db, `SELECT count(*) FROM votes`), "and everybody upvotes what they wrote")
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
		require.Equal(t, 50, number(t, mustOpen(t, url), `SELECT count(*) FROM users`))
	})
}

// saidOn returns the number of comments that members write on the posts of a site.
func saidOn(t *testing.T, db *sql.DB) (n int) {
	for _, thread := range threads {
		there := 0
		row := db.QueryRow(`SELECT count(*) FROM posts WHERE source = ?1 || ?2 OR title = ?2`, importedFrom, thread.post)
		require.NoError(t, row.Scan(&there))
		n += there * len(thread.comments)
	}
	return n
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
	code, out, said := cli(append([]string{"seed", "--users", "40", "--votes", "500"}, addresses...)...)
	require.Zero(t, code, said)
	require.Contains(t, out, "Made 40 members")
	comments, with, want := 0, 0, 0
	for n, url := range urls {
		db := mustOpen(t, url)
		want += saidOn(t, db)
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
	require.Equal(t, want, comments)
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

// TestThreads reads all files of sample/threads.
func TestThreads(t *testing.T) {
	sample := map[string]string{} // titles of imported posts by id
	files, err := filepath.Glob("sample/*.csv.gz")
	require.NoError(t, err)
	for _, name := range files {
		file, err := os.Open(name)
		require.NoError(t, err)
		defer file.Close()
		in, err := gzip.NewReader(file)
		require.NoError(t, err)
		rows, err := csv.NewReader(in).ReadAll()
		require.NoError(t, err)
		for _, row := range rows {
			sample[row[slices.Index(rows[0], "id")]] = row[slices.Index(rows[0], "title")]
		}
	}
	names, _ := fs.Glob(threadFiles, "sample/threads/*.txt")
	require.Len(t, threads, len(names))
	total, imported, longest := 0, 0, 0
	for i, thread := range threads {
		text, err := threadFiles.ReadFile(names[i])
		require.NoError(t, err)
		first, _, _ := strings.Cut(string(text), "\n")
		if title, ok := strings.CutPrefix(first, thread.post+"  "); !ok {
			require.True(t, slices.ContainsFunc(ownPosts, func(p [5]string) bool { return p[1] == thread.post }), first)
		} else if real, ok := sample[thread.post]; ok {
			require.Equal(t, strings.TrimSpace(html.UnescapeString(real)), title, names[i])
			imported++
		}
		require.NotEmpty(t, thread.comments, names[i])
		for n, c := range thread.comments {
			require.True(t, slices.ContainsFunc(persons, func(p [2]string) bool { return p[0] == c.author }), "%s: %s", names[i], c.author)
			require.NotEmpty(t, strings.TrimSpace(c.text), "%s: comment %d", names[i], n+1)
			require.True(t, c.depth == 0 || c.depth <= thread.comments[n-1].depth+1, "%s: %q replies to nothing", names[i], c.text)
			require.Zero(t, strings.Count(c.text, "```")%2, "%s: %q does not end its code", names[i], c.text)
		}
		total, longest = total+len(thread.comments), max(longest, len(thread.comments))
	}
	require.Greater(t, total, 350)
	require.Greater(t, imported, 25)
	require.Greater(t, longest, 60)
	for _, p := range ownPosts {
		require.True(t, slices.ContainsFunc(persons, func(person [2]string) bool { return person[0] == p[4] }), p[1])
	}

	require.Equal(t, demoThread{"1k0wqa", []demoComment{{"marek", "Love it.\n\nReally:\n```\n  a\n```", 0, 8}, {"theo", "Why?", 1, 0},
		{"brandt", "\nBecause.", 0, -2}}},
		readThread("1k0wqa  Steel pipe legs.\n@marek +8: Love it.\n\nReally:\n```\n  a\n```\n  @theo: Why?\n@brandt -2:\nBecause."))
}

// TestCases makes what moderators of plaza dev have to decide, once.
func TestCases(t *testing.T) {
	t.Parallel()
	url := stacktest.OpenURL(t)
	files, err := filepath.Glob("sample/*.csv.gz")
	require.NoError(t, err)
	for _, args := range [][]string{{"migrate"}, append([]string{"import", "--format", "reddit-csv", "--shift"}, files...), {"seed"}} {
		code, _, said := cli(append(args, "--url", url)...)
		require.Zero(t, code, said)
	}
	client := hrana.New(hrana.Options{URL: url})
	for range 2 {
		require.NoError(t, makeCases(t.Context(), client))
	}
	db := mustOpen(t, url)
	for what, want := range map[string]int{
		"queue_items q WHERE q.status = 'open'":                                                          11,
		"queue_items q WHERE q.held = 1 AND q.reports = 0":                                               2,
		"queue_items q WHERE q.held = 1 AND q.reports = 3":                                               1,
		"queue_items q WHERE q.hits > 0":                                                                 4,
		"queue_items q WHERE q.community_id = 0":                                                         1,
		"report_reasons r WHERE r.reason LIKE 'Notice: %'":                                               1,
		"conversations o WHERE o.decision_id <> 0 AND o.verdict = ''":                                    1,
		"conversations o WHERE o.decision_id = 0":                                                        1,
		"conversations o JOIN posts p ON o.about LIKE '/c/woodworking/p/' || p.slug || '/_____________'": 1,
		"users u WHERE u.waiting IS NOT NULL":                                                            1,
		"contact_messages m WHERE m.answered_at IS NULL":                                                 1,
		"moderators m":                          12,
		"comments c WHERE c.status = 'removed'": 2,
		"moderation_log l WHERE l.id >> 22 > unixepoch() * 1000 - 1767225600000":   0,
		"communities k WHERE k.waiting > 0":                                        4,
		"rules r JOIN rule_hits h ON h.rule_id = r.id AND h.message LIKE '%wait%'": 2,
	} {
		require.Equal(t, want, number(t, db, "SELECT count(*) FROM "+what), what)
	}
	var list []*rules.Rule
	rows, err := db.Query(`SELECT text FROM rules`)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var text string
		require.NoError(t, rows.Scan(&text))
		parsed, err := rules.ParseAll(text)
		require.NoError(t, err)
		list = append(list, parsed...)
	}
	require.Len(t, list, 4)
	code, out, said := cli("verify", "--url", url)
	require.Zero(t, code, out+said)
}
