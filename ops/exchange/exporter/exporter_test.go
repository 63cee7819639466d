package exporter_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	_ "github.com/tursodatabase/libsql-client-go/libsql" // the driver

	"plaza/data"
	"plaza/data/content/communities"
	"plaza/data/content/pictures"
	"plaza/data/wire/hrana"
	"plaza/ops/exchange"
	"plaza/ops/exchange/exporter"
	"plaza/ops/exchange/importer"
	"plaza/test/stacktest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

var ctx = context.Background()

// opened is a site of one database, as the tools and the test see it.
type opened struct {
	*sql.DB
	site *data.DB
}

func mustOpen(t *testing.T) opened {
	t.Helper()
	url := stacktest.OpenSchemaURL(t)
	db, err := sql.Open("libsql", url)
	require.NoError(t, err)
	t.Cleanup(func() { db.Close() })
	return opened{db, data.NewDB(hrana.New(hrana.Options{URL: url}))}
}

func export(t *testing.T, db opened, communities ...string) string {
	t.Helper()
	var out bytes.Buffer
	w, err := exchange.NewWriter(&out, "plaza.example", time.Now())
	require.NoError(t, err)
	r, err := exporter.Export(ctx, db.site, w, exporter.Options{Communities: communities})
	require.NoError(t, err)
	require.Equal(t, w.Written(), r.Communities+r.Users+r.Posts+r.Comments+r.Pictures)
	return out.String()
}

// TestSettingsAreExported: an export that does not read a setting would lose it silently.
func TestSettingsAreExported(t *testing.T) {
	for _, column := range communities.SettingColumns {
		require.Contains(t, exporter.CommunityColumns, "c."+column+",")
	}
}

func bring(t *testing.T, db opened, text string) importer.Result {
	t.Helper()
	r, err := importer.Import(ctx, db.site, importer.Options{Format: importer.Neutral, Now: time.Now(), Batch: 3,
		Bad:     func(b importer.Bad) { t.Error(b) },
		Sources: []importer.Source{{Name: "export", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}}})
	require.NoError(t, err)
	return r
}

// sorted returns the lines after the first, sorted.
func sorted(text string) []string {
	lines := strings.Split(strings.TrimSpace(text), "\n")[1:]
	slices.Sort(lines)
	return lines
}

// example has everything that an export can have, in an order that no export has.
const example = `{"type":"export","version":1,"site":"plaza.example"}
{"type":"community","name":"Gophers","title":"Go","description":"All about it","sidebar":"**Read** this.","rules":[{"title":"Be kind","text":"Please."},{"title":"No spam"}],"colour":"#3949ab","created_at":"2026-10-01T00:00:00Z","flairs":[{"text":"News","colour":"blue"},{"text":"Solved","colour":"plain","restricted":true}],"pages":[{"title":"A guide","text":"Read *this*.\n\nThen that.","slug":"start-here"}]}
{"type":"community","name":"Empty_One","title":"Nothing yet","colour":"#455a64","created_at":"2026-10-01T00:00:00Z"}
{"type":"user","id":"038wq1jw4026c","name":"ann","bio":"I am *ann*.","created_at":"2026-10-01T00:00:00Z"}
{"type":"user","id":"038wq1jw4026e","name":"Bob","created_at":"2026-10-02T00:00:00Z"}
{"type":"user","id":"038wq1jw4026g","name":"cyd","created_at":"2026-10-03T00:00:00Z"}
{"type":"comment","id":"038wq1kmpr6ak","post":"038wq1k56r69p","parent":"038wq1khpr6af","author":"ann","body":"I *wrote* that.","ups":7,"downs":2,"created_at":"2026-11-02T21:43:30.981Z"}
{"type":"comment","id":"038wq1khpr6af","post":"038wq1k56r69p","author":"Bob","body":"Who did?  ","ups":2,"downs":5,"created_at":"2026-11-02T21:43:20.981Z","edited_at":"2026-11-03T00:00:00Z"}
{"type":"comment","id":"038wq1kp6r6aq","post":"038wq1k56r69p","parent":"038wq1khpr6af","ups":0,"downs":0,"created_at":"2026-11-02T21:43:40Z","gone":"removed"}
{"type":"comment","id":"038wq1kq2r6as","post":"038wq1k56r69p","parent":"038wq1kp6r6aq","author":"cyd","body":"Now I am alone.","ups":1,"downs":0,"created_at":"2026-11-02T21:43:50Z"}
{"type":"post","id":"038wq1k56r69p","community":"Gophers","slug":"its-own-slug","author":"ann","title":"A post","text":"A *text*.\n\nTwo.","link":"https://go.dev/x?a=1&b=2","flair":"News","tags":["go","web-design"],"nsfw":true,"spoiler":true,"locked":true,"ups":12,"downs":4,"created_at":"2026-11-01T00:00:00.001Z","edited_at":"2026-11-01T00:00:01Z","pinned_at":"2026-11-01T00:00:02Z"}
{"type":"post","id":"038wq1k62r69r","community":"Gophers","slug":"a-picture","title":"A picture","image":"https://go.dev/x.png","ups":0,"downs":1,"created_at":"2026-11-01T00:01:00Z"}
{"type":"post","id":"038wq1jx6r69a","community":"Gophers","slug":"what-was-this","ups":0,"downs":1,"created_at":"2026-11-01T00:02:00Z","deleted":true}
{"type":"comment","id":"038wq1peyr6db","post":"038wq1jx6r69a","author":"Bob","body":"It was not bad.","ups":1,"downs":0,"created_at":"2026-11-02T00:02:00Z"}
`

func TestExport(t *testing.T) {
	db := mustOpen(t)
	bring(t, db, example)
	text := export(t, db)

	t.Run("what was imported is exported, at the same addresses", func(t *testing.T) {
		require.Equal(t, sorted(example), sorted(text))
		again := mustOpen(t)
		r := bring(t, again, text)
		require.Equal(t, importer.Result{Posts: 3, Comments: 5, Communities: 2, Accounts: 3}, r)
		require.Equal(t, sorted(text), sorted(export(t, again)))
		require.Equal(t, importer.Result{Existing: 8}, bring(t, again, text), "once")
	})

	t.Run("one community is exported alone", func(t *testing.T) {
		text := export(t, db, "eMPTY_one")
		require.Equal(t, []string{`{"type":"community","name":"Empty_One","title":"Nothing ` +
			`yet","colour":"#455a64","created_at":"2026-10-01T00:00:00Z"}`}, sorted(text))
		w, err := exchange.NewWriter(io.Discard, "plaza.example", time.Now())
		require.NoError(t, err)
		for _, name := range []string{"nothing", "u-0000000000001"} {
			_, err = exporter.Export(ctx, db.site, w, exporter.Options{Communities: []string{name}})
			require.EqualError(t, err, fmt.Sprintf("there is no community %q", name))
		}
	})

	t.Run("what nobody is to see is not in it", func(t *testing.T) {
		columns := `SELECT %d, community_id, community_name, author_id, author_name, 'hidden-%d', kind, 'hidden', hot, created_at, '%s', %d
  FROM posts WHERE slug = 'its-own-slug'`
		for i, status := range []string{"draft", "scheduled", "removed", "removed"} {
			_, err := db.Exec(`INSERT INTO posts (id, community_id, community_name, author_id, author_name, slug, kind, title, hot, created_at,
  status, held) ` +
				fmt.Sprintf(columns, 1000+2*i, i, status, i/3))
			require.NoError(t, err)
			_, err = db.Exec(fmt.Sprintf(`INSERT INTO comments (id, post_id, path, depth, author_id, author_name, body, body_html, created_at)
  VALUES (%d, %d, 'x', 0, 1, 'hidden', 'hidden', '', 1)`, 2001+2*i, 1000+2*i))
			require.NoError(t, err)
		}
		_, err := db.Exec(`INSERT INTO comments (id, post_id, parent_id, path, depth, author_name, body, body_html, created_at, status, held)
  SELECT 3001, id, 0, 'y', 0, 'hidden', 'hidden', '', 1, 'removed', 1 FROM posts WHERE slug = 'a-picture'`)
		require.NoError(t, err)
		_, err = db.Exec(`INSERT INTO communities (id, name, name_key, kind, title, colour, created_at) VALUES (5, 'u-hidden', 'u-hidden',
  'profile', 'hidden', '', 1)`)
		require.NoError(t, err)
		_, err = db.Exec(`INSERT INTO wiki_pages (id, community_id, slug, title, text, html, revision, deleted_at)
  SELECT 7, id, 'hidden', 'hidden', 'hidden', '', 1, 1 FROM communities WHERE name = 'Gophers'`)
		require.NoError(t, err)
		for _, hide := range []string{`UPDATE comments SET body = 'hidden', status = 'deleted' WHERE body = 'It was not bad.'`,
			`UPDATE comments SET body = 'hidden' WHERE status = 'removed'`,
			`UPDATE posts SET link = 'https://hidden.example' WHERE status = 'deleted'`,
			`UPDATE users SET email = 'hidden@x.example', password_hash = 'hidden'`} {
			_, err := db.Exec(hide)
			require.NoError(t, err)
		}
		text := export(t, db)
		require.NotContains(t, text, "hidden")
		require.Len(t, sorted(text), len(sorted(example)))

		// A chain of three held or removed comments, and a visible reply to the last.
		for i := range 4 {
			_, err := db.Exec(fmt.Sprintf(`INSERT INTO comments (id, post_id, parent_id, path, depth, author_name, body, body_html, created_at, status, held)
  SELECT %d, id, %d, substr('aaaaaaaaaaaaabbbbbbbbbbbbbcccccccccccccddddddddddddd', 1, %d), %d, 'x', '%s', '', 1, '%s', %d FROM posts
  WHERE slug = 'a-picture'`, 5001+2*i, 4999+2*i, 13*(i+1), i, []string{"hidden", "hidden", "hidden", "shown"}[i],
				[]string{"removed", "removed", "published", "published"}[i], []int{1, 2, 1, 0}[i]))
			require.NoError(t, err)
		}
		_, err = db.Exec(`UPDATE comments SET parent_id = 0 WHERE id = 5001`)
		require.NoError(t, err)
		text = export(t, db)
		require.NotContains(t, text, "hidden")
		require.Len(t, sorted(text), len(sorted(example))+4)
		require.Equal(t, 3, strings.Count(text, `"created_at":"1970-01-01T00:00:00.001Z","gone":"removed"`), "they are places of the thread")
		require.Zero(t, bring(t, mustOpen(t), text).Orphans)
	})
}

// A database returns 10 MB at most.
func TestLongTextsAreExported(t *testing.T) {
	db := mustOpen(t)
	for _, statement := range []string{
		`INSERT INTO communities (id, name, name_key, title, colour, created_at) VALUES (4, 'long', 'long', 'Long', '#00695c', 1)`,
		`DROP TRIGGER search_texts_made`, `DROP TRIGGER search_comments_made`, // the test searches for none of it
		// All have a text of 40,000 characters. One has 4,100 comments, and two others together fewer, but longer ones.
		`WITH RECURSIVE n (v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < 260)
INSERT INTO posts (id, community_id, community_name, author_name, slug, kind, title, hot, created_at, comments)
  SELECT v * 2, 4, 'long', '', 'p' || v, 'text', 'T', 0, v, iif(v = 1, 4100, 0) FROM n`,
		`INSERT INTO post_texts (post_id, text, html) SELECT id, printf('%.*c', 40000, 'x'), '' FROM posts`,
		`WITH RECURSIVE n (v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < 5300)
INSERT INTO comments (id, post_id, path, depth, author_name, body, body_html, created_at)
SELECT v * 2 + 1, iif(v <= 4100, 2, 4 + 2 * (v % 2)), printf('%013d', v), 0, '', printf('%.*c', iif(v <= 4100, 10, 9000), 'y'), '', v
  FROM n`,
	} {
		_, err := db.Exec(statement)
		require.NoError(t, err)
	}
	// 2,500 of the short comments have pictures with long descriptions.
	var shown []pictures.Picture
	for i := range pictures.MaxOfComment {
		shown = append(shown, pictures.Picture{Sum: strings.Repeat(fmt.Sprint(i), 64), Width: 9, Height: 9,
			Alt: strings.Repeat("😀", pictures.AltMax)})
	}
	_, err := db.Exec(`UPDATE comments SET pictures = ? WHERE id < 5000`, pictures.Encode(shown))
	require.NoError(t, err)
	lines := sorted(export(t, db))
	require.Len(t, lines, 1+260+5300)
	require.Len(t, slices.Compact(lines), 1+260+5300, "each once")
}
