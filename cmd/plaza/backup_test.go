package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/sitetest"
	"plaza/test/stacktest"
)

func TestBackupCommand(t *testing.T) {
	t.Parallel()
	s := sitetest.OpenFilled(t, 2)
	dir := filepath.Join(t.TempDir(), "monday")
	from := []string{"--url", s.URLs[0], "--shard", s.URLs[0], "--shard", s.URLs[1]}
	code, out, said := cli(append([]string{"backup", dir + "/"}, from...)...)
	require.Zero(t, code, said)
	require.Regexp(t, `^Backed up [\d,]+ rows into .*/monday \(0\.\d MB\) in .*, and read them again\.\nThe SHA-256 of its manifest\.json `+
		`is [0-9a-f]{64}: keep that elsewhere\.\nPictures were left out: PICTURES_TOKEN is not set\.\n$`, out)
	require.NotContains(t, said, "not as in this build")
	code, out, said = cli("backup", "--check", dir)
	require.Zero(t, code, said)
	require.Regexp(t, `monday is whole: [\d,]+ rows as of 20`, out)
	code, _, said = cli("backup", "--check", dir, "--sha256", strings.Repeat("0", 64))
	require.Equal(t, 1, code)
	require.Contains(t, said, "is another backup")
	code, _, said = cli(append([]string{"backup", dir}, from...)...)
	require.Equal(t, 1, code)
	require.Contains(t, said, "is there already")

	urls := []string{stacktest.OpenURL(t), stacktest.OpenURL(t)}
	into := []string{"--url", urls[0], "--shard", urls[0], "--shard", urls[1]}
	code, out, said = cli(append([]string{"restore", dir}, into...)...)
	require.Zero(t, code, said)
	require.Regexp(t, `(?s)^Restored [\d,]+ rows in .*plaza verify --repair`, out)
	code, out, said = cli(append([]string{"verify"}, into...)...)
	require.Zero(t, code, out+said)
	code, _, said = cli(append([]string{"restore", dir}, into...)...)
	require.Equal(t, 1, code)
	require.Contains(t, said, "the database is not empty. Restore into new databases, or delete what is there with --overwrite")
	code, _, said = cli(append([]string{"restore", "--overwrite", dir}, into...)...)
	require.Zero(t, code, said)

	require.NoError(t, os.Truncate(filepath.Join(dir, "directory.jsonl.gz"), 1000))
	code, _, said = cli("backup", "--check", dir)
	require.Equal(t, 1, code)
	require.Contains(t, said, "monday is damaged: directory.jsonl.gz: unexpected EOF")
	for args, says := range map[string]string{"backup": "give one folder", "restore": "give the folder of one backup"} {
		code, _, said = cli(args)
		require.Equal(t, 2, code)
		require.Contains(t, said, says)
	}
}
