package importer

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/ops/verify"
)

// TestInterrupted imports a dump in three runs. The first two are killed before the search is filled.
func TestInterrupted(t *testing.T) {
	ctx := context.Background()
	shards := []*hrana.Client{mustOpen(t), mustOpen(t)}
	db := data.NewDB(shards[0], shards...)
	differences := func() (all []string) {
		t.Helper()
		r, err := verify.Run(ctx, verify.Options{Directory: shards[0], Shards: shards, Wait: func(context.Context) error { return nil },
			Found: func(d verify.Difference) { all = append(all, d.String()) }})
		require.NoError(t, err)
		require.Len(t, all, r.Found)
		return all
	}
	ofAll := func(query string) (n int) {
		t.Helper()
		for _, shard := range shards {
			n += one[int](t, shard, query)
		}
		return n
	}
	var posts, comments strings.Builder
	const each = 60
	for p := range 4 {
		posts.WriteString(strings.Replace(fmt.Sprintf(submission, p, 1399999000, p), "gophers", fmt.Sprintf("gophers%d", p), 1))
		for i := range each {
			parent := ""
			if i > 0 {
				parent = fmt.Sprintf("p%dc%d", p, (i-1)/2)
			}
			comments.WriteString(said(fmt.Sprintf("p%dc%d", p, i), fmt.Sprintf("p%d", p), parent, []string{"Ann", "bob", "cy"}[i%3],
				fmt.Sprintf("number%d", i)))
		}
	}
	o := Options{Format: Reddit, Now: importNow, Batch: 50, Sources: []Source{textSource("RS", posts.String()),
		textSource("RC", comments.String())}}
	for range 2 {
		stop, cancel := context.WithCancel(ctx)
		dies := o
		dies.Progress = func(p Progress) {
			if p.Comments > 0 {
				cancel()
			}
		}
		_, err := Import(stop, db, dies)
		require.ErrorIs(t, err, context.Canceled)
		require.Zero(t, ofAll(`SELECT count(*) FROM bulk_writes`), "nobody else's triggers rest")
	}
	there := ofAll(`SELECT count(*) FROM comments`)
	require.NotZero(t, there)
	require.Len(t, differences(), there, "the search lacks every comment, and nothing else is wrong")

	// A member answers, edits and removes meanwhile. The search has what they did.
	for _, shard := range shards {
		for _, query := range []string{`INSERT INTO comments (id, post_id, path, depth, author_name, body, body_html, created_at)
  SELECT max(id) + 4096, post_id, printf('%013d', 0), 0, '', 'meanwhile', '', 1 FROM comments`,
			`UPDATE comments SET body = 'edited meanwhile' WHERE id = (SELECT min(id) FROM comments WHERE op = 0 AND qa < 1)`,
			`UPDATE comments SET body = '', status = 'deleted' WHERE id = (SELECT max(id) FROM comments WHERE op = 0 AND qa < 1
  AND author_id IS NOT NULL)`} {
			exec(t, shard, query)
		}
	}
	found := `SELECT count(*) FROM search_comments WHERE search_comments MATCH 'meanwhile'`
	require.Equal(t, 4, ofAll(found))
	require.Equal(t, 2, ofAll(`SELECT count(*) FROM count_deltas`))

	r, err := Import(ctx, db, o)
	require.NoError(t, err)
	require.Equal(t, 4*each, there+r.Comments)
	require.Equal(t, 4, ofAll(found))
	require.Zero(t, ofAll(`SELECT count(*) FROM search_due`))
	for _, shard := range shards { // what the member wrote has a path of no id
		exec(t, shard, `DELETE FROM comments WHERE body = 'meanwhile'`)
		exec(t, shard, `DELETE FROM count_deltas`)
	}
	require.Empty(t, differences())
}

// TestFillInSteps fills overlapping ranges, some comments at a time.
func TestFillInSteps(t *testing.T) {
	ctx := context.Background()
	db := mustOpen(t)
	for _, query := range []string{`INSERT INTO bulk_writes (id) VALUES (1)`,
		`INSERT INTO posts (id, community_id, community_name, author_name, slug, kind, title, hot, created_at)
  VALUES (2, 4, 'x', '', 'p', 'text', 'T', 0, 1)`,
		`WITH RECURSIVE n (v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < 100)
INSERT INTO comments (id, post_id, path, depth, author_name, body, body_html, created_at) SELECT v, 2, v, 0, '', 'word', '', 1 FROM n`,
		`DELETE FROM bulk_writes`, `INSERT INTO search_due (first_id, last_id) VALUES (1, 40), (5, 20), (31, 60), (33, 90), (200, 300)`} {
		exec(t, db, query)
	}
	var filled []int
	for more := true; more; {
		var err error
		more, err = fillSome(ctx, data.NewDB(db), directory, 30)
		require.NoError(t, err)
		filled = append(filled, one[int](t, db, `SELECT count(*) FROM search_comments WHERE search_comments MATCH 'word'`))
	}
	require.Equal(t, []int{30, 60, 90, 90, 90}, filled)
	require.Zero(t, one[int](t, db, `SELECT count(*) FROM search_due`))
}
