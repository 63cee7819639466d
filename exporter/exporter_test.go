package exporter_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/exchange"
	"plaza/exporter"
	"plaza/importer"
	"plaza/stack/stacktest"
	"plaza/verify"
	"plaza/verify/sitetest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

var ctx = context.Background()

func databases(s *sitetest.Site) importer.Databases {
	return importer.Databases{Directory: s.Directory, Shards: s.Shards}
}

func export(t *testing.T, s *sitetest.Site, communities ...string) string {
	t.Helper()
	var out bytes.Buffer
	w, err := exchange.NewWriter(&out, "plaza.example", time.Now())
	require.NoError(t, err)
	r, err := exporter.Export(ctx, databases(s), w, exporter.Options{Communities: communities})
	require.NoError(t, err)
	require.Equal(t, w.Written(), r.Communities+r.Users+r.Posts+r.Comments)
	return out.String()
}

func bring(t *testing.T, s *sitetest.Site, text string) importer.Result {
	t.Helper()
	r, err := importer.Import(ctx, databases(s), importer.Options{Format: importer.Neutral, Now: time.Now(), Batch: 50, Bad: func(b importer.Bad) { t.Error(b) },
		Sources: []importer.Source{{Name: "export", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}}})
	require.NoError(t, err)
	return r
}

func differences(t *testing.T, s *sitetest.Site) (found []verify.Difference) {
	t.Helper()
	_, err := verify.Run(ctx, verify.Options{Directory: s.Clients[0], Shards: s.Clients, Found: func(d verify.Difference) { found = append(found, d) },
		Wait: func(context.Context) error { return nil }})
	require.NoError(t, err)
	return found
}

// sorted are the lines after the first, whatever their order.
func sorted(text string) []string {
	lines := strings.Split(strings.TrimSpace(text), "\n")[1:]
	slices.Sort(lines)
	return lines
}

// without returns lines that are not among others.
func without(lines, others []string) []string {
	return slices.DeleteFunc(lines, func(line string) bool { _, there := slices.BinarySearch(others, line); return there })
}

func TestExport(t *testing.T) {
	shards := stacktest.Shards(t)
	s := sitetest.Open(t, shards)
	s.Fill()
	s.Fold()
	text := export(t, s)

	t.Run("an empty site that imports it has the same, at the same addresses", func(t *testing.T) {
		other := sitetest.Open(t, shards)
		r := bring(t, other, text)
		require.Zero(t, r.Lost+r.Bad+r.Present)
		require.Positive(t, r.Comments)
		require.Empty(t, differences(t, other))
		again := export(t, other)
		if shards > 1 { // an id says on which shard it is
			require.Len(t, sorted(again), len(sorted(text)))
		} else {
			require.Empty(t, without(sorted(text), sorted(again)))
			require.Empty(t, without(sorted(again), sorted(text)))
		}
		require.Equal(t, importer.Result{Present: r.Posts + r.Comments}, bring(t, other, text), "and once")
	})

	t.Run("what nobody is to see is not in it", func(t *testing.T) {
		db := s.Shards[0]
		for _, hidden := range []string{
			`UPDATE posts SET title = 'hidden one', status = 'removed' WHERE id = (SELECT min(id) FROM posts WHERE status = 'published' AND comments > 0)`,
			`UPDATE posts SET title = 'hidden two', status = 'removed', held = 1 WHERE id = (SELECT min(id) FROM posts WHERE status = 'published')`,
			`UPDATE posts SET title = 'hidden three', status = 'draft' WHERE id = (SELECT min(id) FROM posts WHERE status = 'published')`,
			`UPDATE posts SET title = 'hidden four', status = 'scheduled' WHERE id = (SELECT min(id) FROM posts WHERE status = 'published')`,
			`UPDATE posts SET title = 'hidden five', status = 'deleted' WHERE id = (SELECT max(id) FROM posts WHERE status = 'published' AND comments > 0)`,
			`UPDATE comments SET body = 'hidden six', status = 'removed' WHERE id = (SELECT max(id) FROM comments WHERE status = 'published')`,
			`UPDATE comments SET body = 'hidden seven', status = 'removed', held = 1 WHERE id = (SELECT max(id) FROM comments WHERE status = 'published' AND replies = 0)`,
		} {
			done, err := db.Exec(hidden)
			require.NoError(t, err)
			n, _ := done.RowsAffected()
			require.EqualValues(t, 1, n, hidden)
		}
		text := export(t, s)
		require.NotContains(t, text, "hidden")
		for _, word := range []string{"@", "password", "10.0."} {
			require.NotContains(t, text, word)
		}
	})

	t.Run("one community is exported alone", func(t *testing.T) {
		text := export(t, s, "bETA")
		require.Equal(t, 1, strings.Count(text, `"type":"community"`))
		require.Contains(t, text, `"title":"Beta, changed"`)
		require.Contains(t, text, `"rules":[{"title":"Be kind"}]`)
		w, err := exchange.NewWriter(io.Discard, "plaza.example", time.Now())
		require.NoError(t, err)
		for _, name := range []string{"nothing", "u-0000000000001"} {
			_, err = exporter.Export(ctx, databases(s), w, exporter.Options{Communities: []string{name}})
			require.EqualError(t, err, fmt.Sprintf("there is no community %q", name))
		}
	})
}
