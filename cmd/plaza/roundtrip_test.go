package main

import (
	"bufio"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/stacktest"
)

// TestRoundTrip exports a site that plaza dev made, and imports it into another. The export of that one is the same. PLAZA_DEMO_DATA
// names a folder with more posts than the sample has.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("sample/*.csv.gz")
	if dir := os.Getenv("PLAZA_DEMO_DATA"); dir != "" {
		files, err = filepath.Glob(filepath.Join(dir, "*.csv.gz"))
	}
	require.NoError(t, err)
	require.NotEmpty(t, files)
	do := func(args ...string) {
		t.Helper()
		code, out, said := cli(args...)
		require.Zero(t, code, said)
		t.Log(strings.TrimSpace(out))
		require.NotContains(t, said, "skipped")
	}
	here, elsewhere := stacktest.OpenURL(t), stacktest.OpenURL(t)
	do("migrate", "--url", here)
	do("migrate", "--url", elsewhere)
	code, _, said := cli(append([]string{"import", "--format", "reddit-csv", "--shift", "--url", here}, files...)...)
	require.Zero(t, code, said)
	do("seed", "--url", here)
	db := mustOpen(t, here)
	// so that some are younger than their posts
	_, err = db.Exec(`UPDATE communities SET created_at = created_at + 86400000 WHERE id / 2 % 2 = 0`)
	require.NoError(t, err)
	_, err = db.Exec(`UPDATE posts SET slug = slug || '-' || printf('%03d', rowid % 1000) WHERE length(slug) = 64 AND id / 2 % 3 = 0`)
	require.NoError(t, err)

	first, second := filepath.Join(t.TempDir(), "first.ndjson"), filepath.Join(t.TempDir(), "second.ndjson")
	do("export", "--site", "here.example", "--url", here, first)
	do("import", "--format", "plaza", "--url", elsewhere, first)
	do("export", "--site", "here.example", "--url", elsewhere, second)

	before, after := linesOf(t, first), linesOf(t, second)
	differences := 0
	for _, key := range slices.Sorted(maps.Keys(before)) {
		if after[key] != before[key] {
			if differences++; differences <= 20 {
				t.Errorf("%s\nwas %s\nis  %s", key, before[key], after[key])
			}
		}
	}
	require.Len(t, after, len(before))
	require.Zero(t, differences)
	t.Logf("%d lines, %d differences", len(before), differences)
}

// linesOf returns the lines of an export after the first, by their subject.
func linesOf(t *testing.T, path string) map[string]string {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	lines := map[string]string{}
	in := bufio.NewScanner(file)
	in.Buffer(nil, 8<<20)
	for in.Scan() {
		var about struct{ Type, Name, ID, Sum string }
		require.NoError(t, json.Unmarshal(in.Bytes(), &about))
		if about.Type != "export" {
			lines[about.Type+" "+about.Name+about.ID+about.Sum] = in.Text()
		}
	}
	require.NoError(t, in.Err())
	return lines
}
