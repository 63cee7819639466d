package importer

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/ops/exchange"
)

const submission = `{"id":"p%d","author":"Ann","subreddit":"gophers","created_utc":%d,"title":"Post &amp; ` +
	`%d","selftext":"Text","is_self":true,"score":5,"edited":false,"link_flair_text":"News","over_18":false,` +
	`"permalink":"/r/gophers/comments/p1/post/"}` + "\n"

// said is a comment of a dump; parent is the id of another, or "" for the post.
func said(id, post, parent, author, body string) string {
	full := "t3_" + post
	if parent != "" {
		full = "t1_" + parent
	}
	return fmt.Sprintf(`{"id":"%s","author":"%s","link_id":"t3_%s","parent_id":"%s","body":"%s","created_utc":"1400000000","score":3,`+
		`"edited":1400000100.0}`+"\n", id, author, post, full, body)
}

func packed(t *testing.T, name, text string) Source {
	t.Helper()
	var b bytes.Buffer
	z, err := zstd.NewWriter(&b)
	require.NoError(t, err)
	_, err = z.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return textSource(name, b.String())
}

func TestImportOfReddit(t *testing.T) {
	ctx := context.Background()
	db := mustOpen(t)
	run := func(o Options, sources ...Source) Result {
		t.Helper()
		o.Format, o.Sources, o.Now = Reddit, sources, importNow
		r, err := Import(ctx, data.NewDB(db), o)
		require.NoError(t, err)
		return r
	}
	exec(t, db, `INSERT INTO users (id, username, username_key, password_hash, created_at) VALUES (99, 'ann', 'ann', 'x', 1)`)
	post := fmt.Sprintf(submission, 1, 1399999999, 1)
	lines := said("c3", "p1", "c2", "ann", "third") + said("c2", "p1", "c1", "[deleted]", "[removed]") + said("c4", "p1", "nowhere", "bob",
		"lost") +
		said("c5", "elsewhere", "", "bob", "lost as well") + said("c1", "p1", "", "Ann", "first &gt; *all*") +
		said("c1", "p1", "", "Ann", "again")
	o := Options{Batch: 2}

	t.Run("comments find what they answer, in whatever order they come", func(t *testing.T) {
		r := run(o, packed(t, "RC.zst", lines), packed(t, "RS.zst", post))
		require.Equal(t, Result{Posts: 1, Comments: 3, Existing: 1, Communities: 1, Accounts: 3, Orphans: 2}, r)
		require.Equal(t, "first > *all*|Ann-057|1|1|2|published\n|NULL|0|1|1|removed\nthird|ann-105|0|0|0|published\n",
			one[string](t, db, `SELECT group_concat(line, '') FROM (SELECT body || '|' || iif(author_id IS NULL, 'NULL', author_name) || '|' || op ||
  '|' || replies || '|' || descendants || '|' || status || char(10) AS line FROM comments ORDER BY path)`))
		require.Equal(t, 3, one[int](t, db, `SELECT comments FROM posts`))
		require.Equal(t, "Post & 1", one[string](t, db, `SELECT title FROM posts`))
		require.Zero(t, one[int](t, db, `SELECT count(*) FROM count_deltas`))
		require.Equal(t, "News", one[string](t, db, `SELECT f.text FROM flairs f JOIN posts p ON p.flair_id = f.id
  AND p.community_id = f.community_id`))
	})

	t.Run("once, and what was missing later", func(t *testing.T) {
		r := run(o, packed(t, "RC.zst", lines+said("nowhere", "p1", "", "bob", "here")), packed(t, "RS.zst", post))
		require.Equal(t, Result{Comments: 2, Existing: 5, Accounts: 0, Orphans: 1}, r)
		require.Equal(t, 5, one[int](t, db, `SELECT comments FROM posts`))
	})

	t.Run("authors have accounts that nobody can log in to", func(t *testing.T) {
		require.Equal(t, "Ann-057 reddit:Ann,ann-105 reddit:ann,bob reddit:bob",
			one[string](t, db, `SELECT group_concat(username || ' ' || origin) FROM (SELECT * FROM users WHERE unclaimed = 1 AND password_hash = ''
  ORDER BY username)`))
		require.Equal(t, 1400000000000, one[int](t, db, `SELECT created_at FROM users WHERE origin = 'reddit:Ann'`))
		require.Equal(t, 2, one[int](t, db, `SELECT posts + comments FROM reputations s JOIN users u ON u.id = s.user_id
  WHERE u.origin = 'reddit:Ann'`))
	})

	t.Run("a thread that is too deep goes on at its deepest level", func(t *testing.T) {
		var deep strings.Builder
		last := ""
		for i := range comments.DepthMax + 20 {
			id := fmt.Sprintf("d%d", i)
			deep.WriteString(said(id, "p2", last, "cy", "deeper"))
			last = id
		}
		r := run(Options{}, textSource("RC", deep.String()), textSource("RS", fmt.Sprintf(submission, 2, 1399999999, 2)))
		require.Equal(t, comments.DepthMax+20, r.Comments)
		require.Equal(t, comments.DepthMax-1, one[int](t, db, `SELECT max(depth) FROM comments`))
		require.Equal(t, 21, one[int](t, db, `SELECT count(*) FROM comments WHERE depth = ?`, comments.DepthMax-1))
		require.Equal(t, comments.DepthMax+19, one[int](t, db, `SELECT max(descendants) FROM comments`))
	})

	t.Run("comments for which there is no room to wait are read again", func(t *testing.T) {
		w := newWriter(data.NewDB(db), Options{MayWrite: func(context.Context) error { return nil }, Now: importNow, Batch: 10})
		w.room = 500
		o := Options{Format: Reddit, Batch: 1, Now: importNow, Bad: func(Bad) {}, Progress: func(Progress) {}, Sources: []Source{
			textSource("RC", said("f3", "p3", "f2", "cy", "c")+said("f2", "p3", "f1", "cy", "b")+said("f1", "p3", "", "cy", "a")),
			textSource("RS", fmt.Sprintf(submission, 3, 1399999999, 3))}}
		require.NoError(t, w.passes(ctx, o, func(t time.Time) time.Time { return t }))
		require.Equal(t, 3, w.result.Comments)
		require.Zero(t, w.result.Orphans+w.result.Existing)

		w.room, o.Sources = 900, []Source{textSource("RC", said("g4", "p4", "nowhere", "cy", "d")+said("g3", "p4", "g2", "cy", "c")+said("g2",
			"p4", "g1", "cy", "b")+said("g1", "p4", "", "cy", "a")),
			textSource("RS", fmt.Sprintf(submission, 4, 1399999999, 4))}
		require.NoError(t, w.passes(ctx, o, func(t time.Time) time.Time { return t }))
		require.Equal(t, 6, w.result.Comments)
		require.Equal(t, 1, w.result.Orphans, "what was never brought is lost once, however often it was read")
	})

	t.Run("lines that can't be read are named and left out", func(t *testing.T) {
		var bad []string
		text := "{\n" + strings.Replace(said("e1", "p1", "", "cy", "x"), `"1400000000"`, `"99"`, 1) + strings.Repeat(" ", exchange.MaxLine+1) +
			"\n" +
			strings.Replace(said("e2", "p1", "", "cy", "x"), `"e2"`, `"E2"`, 1) + said("e3", "p1", "", strings.Repeat("y", 200), "x")
		r := run(Options{Bad: func(b Bad) { bad = append(bad, b.String()) }}, textSource("x", text))
		require.Equal(t, Result{Bad: 5}, r)
		require.Equal(t, []string{"x:1: not a line of reddit's: unexpected end of JSON input",
			`x:2: created_utc: "99" is not a time`,
			"x:3: the line is longer than 4194304 bytes", `x:4: id "E2" is not an id of reddit's`,
			"x:5: the author's name is longer than 100 bytes"}, bad)
	})
}

func TestShiftOfComments(t *testing.T) {
	ctx := context.Background()
	db := mustOpen(t)
	o := Options{Format: Reddit, Shift: true, Now: importNow, Sources: []Source{
		textSource("RS", fmt.Sprintf(submission, 1, 1300000000, 1)), textSource("RC", said("c1", "p1", "", "ann", "a"))}}
	_, err := Import(ctx, data.NewDB(db), o)
	require.NoError(t, err)
	require.Equal(t, importNow.Add(-shiftFresh).UnixMilli(), one[int64](t, db, `SELECT created_at FROM comments`), "the newest of all")
	o.Now = importNow.Add(time.Hour)
	s, err := planShift(ctx, data.NewDB(db), Options{Format: Reddit, Now: o.Now, Batch: 10, Sources: o.Sources[1:]})
	require.NoError(t, err)
	require.Equal(t, importNow.Add(-shiftFresh), s.anchor, "a comment tells where the newest went")
}
