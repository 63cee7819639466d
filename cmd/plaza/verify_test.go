package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/schema"
	"plaza/test/sitetest"
	"plaza/test/stacktest"
)

const notCompared = `Pictures were not compared with the bucket: PICTURES_TOKEN is not set\.\n`

func TestOpenUpToDate(t *testing.T) {
	t.Parallel()
	filled, empty := stacktest.OpenSchemaURL(t), stacktest.OpenURL(t)
	code, _, said := cli("verify", "--url", filled, "--shard", filled, "--shard", empty)
	require.Equal(t, 1, code)
	require.Regexp(t, `^plaza verify: shard 1: .*run plaza migrate first.*no such table: schema_steps`, said)
	_, err := mustOpen(t, filled).Exec("INSERT INTO schema_steps (number, name, done_at) VALUES (?, 'tomorrow', 1)", schema.Version+1)
	require.NoError(t, err)
	code, _, said = cli("verify", "--url", filled)
	require.Equal(t, 1, code)
	require.Equal(t, fmt.Sprintf("plaza verify: directory is at step %d of the schema, and this build needs step %d: run plaza migrate first\n",
		schema.Version+1, schema.Version), said)
}

func TestVerifyCommand(t *testing.T) {
	t.Parallel()
	s := sitetest.OpenFilled(t, 2)
	s.ApplyDeltas()
	redis, token := stacktest.OpenRedisURL(t) // an empty one
	command := func(name string, flags ...string) (int, string) {
		var out, bad bytes.Buffer
		env := &environment{out: &out, err: &bad, exclusive: true, getenv: func(name string) string {
			return map[string]string{"LIBSQL_URL": s.URLs[0], "LIBSQL_SHARD_URLS": s.URLs[0] + "," + s.URLs[1],
				"UPSTASH_REDIS_REST_URL": redis, "UPSTASH_REDIS_REST_TOKEN": token}[name]
		}}
		code := run(context.Background(), env, append([]string{name}, flags...))
		// It prints progress only when it takes long.
		return code, out.String() + regexp.MustCompile(`(?m)^Verifying: .*\n`).ReplaceAllString(bad.String(), "")
	}
	verify := func(flags ...string) (int, string) { return command("verify", flags...) }
	code, said := command("shards")
	require.Zero(t, code, said)
	require.Regexp(t, `(?s)^ *shard +MB +communities .*\nThe next community goes to shard [01]( or 1)?\.\n$`, said)
	code, said = verify()
	require.Zero(t, code, said)
	require.Regexp(t, `^Read [\d,]+ rows in .*: 0 differences\.\n`+notCompared+`$`, said)
	exportAndImport(t, s)

	_, err := s.Shards[1].Exec(`UPDATE posts SET ups = 5000 WHERE id = (SELECT max(id) FROM posts)`)
	require.NoError(t, err)
	code, said = verify()
	require.Equal(t, 1, code)
	require.Regexp(t, `(?m)^shard 1: posts \d+: ups is 5000 and should be \d+$`, said)
	require.Contains(t, said, "found 1 difference: plaza verify --repair repairs them")
	code, said = verify("--repair")
	require.Zero(t, code, said)
	require.Regexp(t, `(?s)ups is 5000 and should be \d+ \(repaired\).*: 1 difference, 1 repaired\.\nVerifying again\..*: 0 differences\.\n`+notCompared+`$`,
		said)

	_, err = s.Shards[1].Exec(`DELETE FROM search_posts WHERE rowid = (SELECT max(id) FROM posts)`)
	require.NoError(t, err)
	code, said = verify("--without-search")
	require.Zero(t, code, said)
	require.Regexp(t, `: 0 differences\.\nThe search was left out\.\n`+notCompared+`$`, said)
	code, said = verify("--repair")
	require.Zero(t, code, said)
	require.Contains(t, said, "search_posts")
	require.Contains(t, said, "1 difference, 1 repaired.")

	_, err = s.Shards[1].Exec(`INSERT INTO votes (target_id, user_id, value, updated_at) VALUES (1000, 1, 0, 0)`)
	require.NoError(t, err)
	code, said = verify("--repair")
	require.Equal(t, 1, code)
	require.Contains(t, said, "shard 1: votes 1000: target_id is 1000 and should be nothing (left as it is: there is no such post or comment)")
	require.Contains(t, said, "1 difference left")
}

// exportAndImport exports a site of two databases and imports it into two others. Both sites then are consistent, with the same numbers
// of rows.
func exportAndImport(t *testing.T, s *sitetest.Site) {
	site := []string{"--url", s.URLs[0], "--shard", s.URLs[0], "--shard", s.URLs[1]}
	file := filepath.Join(t.TempDir(), "site.ndjson.zst")
	code, out, said := cli(append([]string{"export", "--site", "plaza.example", file}, site...)...)
	require.Zero(t, code, said)
	counts := regexp.MustCompile(`^Exported \d+ communities, (\d+) authors, (\d+) posts and (\d+) comments in `).FindStringSubmatch(out)
	require.Len(t, counts, 4, out)

	urls := []string{stacktest.OpenURL(t), stacktest.OpenURL(t)}
	code, _, said = cli("migrate", "--url", urls[0], "--url", urls[1])
	require.Zero(t, code, said)
	there := []string{"--url", urls[0], "--shard", urls[0], "--shard", urls[1]}
	bring := append([]string{"import", "--format", "plaza", filepath.Dir(file)}, there...)
	code, out, said = cli(bring...)
	require.Zero(t, code, said)
	require.Regexp(t, fmt.Sprintf(`^Imported %s posts and %s comments in .*, \d+ new communities, %s new authors\.\n$`, counts[2], counts[3],
		counts[1]), out)
	code, out, said = cli(append([]string{"verify"}, there...)...)
	require.Zero(t, code, out+said)
	code, out, said = cli(bring...)
	require.Zero(t, code, said)
	require.Regexp(t, `^Imported 0 posts and 0 comments .*\), \d+ were there already\.\n$`, out)
}

func TestVerifySeeds(t *testing.T) {
	t.Parallel()
	url := stacktest.OpenURL(t)
	files, err := filepath.Glob(filepath.Join("sample", "*.csv.gz"))
	require.NoError(t, err)
	for _, args := range [][]string{{"migrate"}, append([]string{"import", "--format", "reddit-csv", "--shift"}, files...),
		{"seed", "--votes", "1000"}, {"seed", "--thread", "600"}, {"verify"}} {
		code, out, said := cli(append(args, "--url", url)...)
		require.Zero(t, code, out+said)
	}
}
