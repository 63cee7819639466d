package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/ops/exchange/importer"
	"plaza/test/stacktest"
)

func TestImportOfFolder(t *testing.T) {
	url, dir := stacktest.OpenURL(t), t.TempDir()
	code, _, said := cli("migrate", "--url", url)
	require.Zero(t, code, said)
	csv, err := os.ReadFile(filepath.Join("sample", "golang.csv.gz"))
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "A"), 0o700))
	for name, text := range map[string]string{"README.md": "# Where these come from\n", "LICENSE": "Free\n", "golang.csv.gz": string(csv),
		".hidden.csv": "x"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}

	t.Run("reads what is called like a dump, and says what it skips", func(t *testing.T) {
		code, out, said := cli("import", "--format", "reddit-csv", dir, "--url", url)
		require.Zero(t, code, said)
		require.Contains(t, out, "Imported 40 posts")
		for _, name := range []string{"A", "README.md", "LICENSE", ".hidden.csv"} {
			require.Contains(t, said, "skipped "+filepath.Join(dir, name)+": ")
		}
		require.Contains(t, said, "README.md: a file of --format reddit-csv is called like x.csv, perhaps with .gz or .zst behind it\n")
	})

	t.Run("refuses a folder in which there is no dump", func(t *testing.T) {
		code, _, said := cli("import", "--format", "plaza", dir, "--url", url)
		require.Equal(t, 1, code)
		require.Contains(t, said, dir+" has no file of --format plaza")
	})

	for format, names := range map[importer.Format][]string{
		importer.Neutral:   {"a.ndjson", "a.JSONL", "a.json.gz", "a.zst", "plaza.example.ndjson.zst"},
		importer.Reddit:    {"RS_2012-01", "RC_2012-01-31", "RC_2012-01.zst", "golang_comments.zst", "a.ndjson"},
		importer.RedditCSV: {"a.csv", "a.csv.gz", "a.gz"},
	} {
		for _, name := range names {
			require.True(t, isDump(name, format), "%s %s", format, name)
		}
		for _, name := range []string{"README", "README.md", "a.txt", "a.txt.gz", ".a.csv", "checksums.sha256", "RS_2012"} {
			require.False(t, isDump(name, format), "%s %s", format, name)
		}
	}
}
