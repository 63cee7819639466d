package importer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/ops/exchange"
	"plaza/ops/verify"
	"plaza/ranking"
	"plaza/test/stacktest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

// mustOpen creates a database with the tables, opened as plaza import opens one.
func mustOpen(t *testing.T) *hrana.Client {
	t.Helper()
	return hrana.New(hrana.Options{URL: stacktest.OpenSchemaURL(t), WorkTime: time.Hour})
}

const redditHeader = "created_utc,score,domain,id,title,ups,downs,num_comments,permalink,selftext,over_18,edited,is_self,name,url\n"

// line returns a row of a link post; n determines its id and time.
func line(community string, n int, title string) string {
	return fmt.Sprintf("%d.0,5,example.com,%s%d,%s,10,5,7,http://www.reddit.com/r/%s/comments/x/y/,,False,False,False,t3_x,"+
		"http://example.com/%d\n",
		1300000000+n*3600, strings.ToLower(community), n, title, community, n)
}

// redditPost returns the source of a post of reddit.
func redditPost(id string) string { return sourceOf(exchange.RedditSite, "t3_"+id) }

func many(community string, n int) Source {
	var b strings.Builder
	b.WriteString(redditHeader)
	for i := range n {
		b.WriteString(line(community, i, "The same title every time"))
	}
	return textSource(community+".csv", b.String())
}

// firstRow is the first row that a query finds.
func firstRow(t *testing.T, db *hrana.Client, query string, args ...any) []any {
	t.Helper()
	results, err := db.Query(context.Background(), hrana.Stmt{SQL: query, Args: args})
	require.NoError(t, err)
	require.NotZero(t, results[0].Count)
	return results[0].Rows()[0]
}

func one[T any](t *testing.T, db *hrana.Client, query string, args ...any) T {
	t.Helper()
	return reflect.ValueOf(firstRow(t, db, query, args...)[0]).Convert(reflect.TypeFor[T]()).Interface().(T)
}

func exec(t *testing.T, db *hrana.Client, query string, args ...any) {
	t.Helper()
	_, err := db.Tx(context.Background(), hrana.Stmt{SQL: query, Args: args})
	require.NoError(t, err)
}

var importNow = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func TestImport(t *testing.T) {
	ctx := context.Background()

	t.Run("inserts each post once, however often it is run", func(t *testing.T) {
		db := mustOpen(t)
		o := Options{Format: RedditCSV, Sources: []Source{many("gophers", 250), many("Cooks", 50)}, Now: importNow, Batch: 100}
		r, err := Import(ctx, data.NewDB(db), o)
		require.NoError(t, err)
		require.Equal(t, Result{Posts: 300, Communities: 2}, r)
		r, err = Import(ctx, data.NewDB(db), o)
		require.NoError(t, err)
		require.Equal(t, Result{Existing: 300}, r)
		require.Equal(t, 300, one[int](t, db, `SELECT count(*) FROM posts`))
		require.Equal(t, 250, one[int](t, db, `SELECT posts FROM community_stats s JOIN communities c ON c.id = s.community_id
  WHERE name_key = 'gophers'`))
		require.Equal(t, 0, one[int](t, db, `SELECT count(*) FROM posts WHERE id % 2 <> 0`))
	})

	t.Run("asks before each batch", func(t *testing.T) {
		db := mustOpen(t)
		asked, refused := 0, errors.New("not now")
		_, err := Import(ctx, data.NewDB(db), Options{Format: RedditCSV, Sources: []Source{many("gophers", 250)}, Now: importNow,
			Batch: 100, MayWrite: func(context.Context) error {
				if asked++; asked > 1 {
					return refused
				}
				return nil
			}})
		require.ErrorIs(t, err, refused)
		require.Equal(t, 100, one[int](t, db, `SELECT count(*) FROM posts`))
	})

	t.Run("takes posts for new that are of the last week", func(t *testing.T) {
		for _, shift := range []bool{false, true} {
			db := mustOpen(t)
			_, err := Import(ctx, data.NewDB(db), Options{Format: RedditCSV, Sources: []Source{many("gophers", 250)}, Now: importNow,
				Shift: shift})
			require.NoError(t, err)
			want := one[int](t, db, `SELECT count(*) FROM posts WHERE created_at > ?`, importNow.AddDate(0, 0, -7).UnixMilli())
			require.Equal(t, shift, want > 0)
			require.Equal(t, want, one[int](t, db, `SELECT week_posts FROM community_stats`))
		}
	})

	t.Run("goes on where it was interrupted, with the same shift", func(t *testing.T) {
		db := mustOpen(t)
		stop, cancel := context.WithCancel(ctx)
		o := Options{Format: RedditCSV, Sources: []Source{many("gophers", 500)}, Shift: true, Now: importNow, Batch: 100}
		o.Progress = func(p Progress) {
			if p.Posts >= 200 {
				cancel()
			}
		}
		r, err := Import(stop, data.NewDB(db), o)
		require.ErrorIs(t, err, context.Canceled)
		require.GreaterOrEqual(t, r.Posts, 200)
		require.Less(t, one[int](t, db, `SELECT count(*) FROM posts`), 500)

		o.Progress, o.Now = nil, importNow.Add(26*time.Hour)
		second, err := Import(ctx, data.NewDB(db), o)
		require.NoError(t, err)
		require.Equal(t, 500, second.Posts+second.Existing)
		require.Equal(t, 500, one[int](t, db, `SELECT count(*) FROM posts`))
		s := shift{newest: time.Unix(1300000000+499*3600, 0), anchor: importNow.Add(-shiftFresh)}
		for _, n := range []int{0, 100, 499} {
			got := one[int64](t, db, `SELECT created_at FROM posts WHERE source = ?`, redditPost(fmt.Sprintf("gophers%d", n)))
			require.Equal(t, s.at(time.Unix(int64(1300000000+n*3600), 0)).UnixMilli(), got, n)
		}
	})

	t.Run("reports bad rows with their lines and imports the others", func(t *testing.T) {
		db := mustOpen(t)
		good := line("gophers", 1, "Good")
		text := redditHeader + good +
			strings.Replace(line("gophers", 2, "No time"), "1300007200.0", "soon", 1) +
			strings.Replace(line("gophers", 3, "Negative"), ",10,5,", ",-10,5,", 1) +
			strings.Replace(line("gophers", 4, "Script"), "http://example.com/4", "javascript:alert(1)", 1) +
			line("gophers", 5, " ") +
			"too,short\n" +
			strings.Replace(line("gophers", 6, "Id"), "gophers6", "../6", 1) +
			line("gophers", 7, "Good, too"[:4])
		var said []string
		r, err := Import(ctx, data.NewDB(db), Options{Format: RedditCSV, Sources: []Source{textSource("g.csv", text)}, Now: importNow,
			Bad: func(b Bad) { said = append(said, b.String()) }})
		require.NoError(t, err)
		require.Equal(t, Result{Posts: 4, Bad: 4, Changed: 2, Communities: 1}, r)
		require.Equal(t, []string{
			`g.csv:3: created_utc: "soon" is not a time`,
			`g.csv:6: the title is empty`,
			`g.csv:7: 2 fields where the header has 15`,
			`g.csv:8: id "../6" is not an id of reddit's`,
		}, said)
	})

	t.Run("gives posts of one title different slugs", func(t *testing.T) {
		db := mustOpen(t)
		for range 2 {
			_, err := Import(ctx, data.NewDB(db), Options{Format: RedditCSV, Sources: []Source{many("gophers", 60)}, Now: importNow,
				Batch: 20})
			require.NoError(t, err)
		}
		require.Equal(t, 60, one[int](t, db, `SELECT count(DISTINCT slug) FROM posts WHERE slug LIKE 'the-same-title-every-time%'`))
		require.Equal(t, 1, one[int](t, db, `SELECT count(*) FROM posts WHERE slug = 'the-same-title-every-time'`))
	})

	t.Run("starts the counters at what the dump says, and the order from them", func(t *testing.T) {
		db := mustOpen(t)
		_, err := Import(ctx, data.NewDB(db), Options{Format: RedditCSV, Sources: []Source{many("gophers", 1)}, Now: importNow})
		require.NoError(t, err)
		require.Equal(t, []any{int64(10), int64(5), int64(10), int64(5), int64(5), int64(0)},
			firstRow(t, db, `SELECT ups, downs, base_ups, base_downs, score, comments FROM posts`))
		require.InDelta(t, ranking.Hot(10, 5, time.Unix(1300000000, 0)), one[float64](t, db, `SELECT hot FROM posts`), 1e-9)
		require.InDelta(t, ranking.Controversy(10, 5), one[float64](t, db, `SELECT controversy FROM posts`), 1e-12)
		require.Equal(t, 5, one[int](t, db, `SELECT age FROM posts`), "older than a year")
	})

	t.Run("tells text, links and images apart, and undoes the dump's entities", func(t *testing.T) {
		db := mustOpen(t)
		text := redditHeader +
			strings.Replace(line("gophers", 1, "A &amp; B &#39;quoted&#39; &copy=1"), "http://example.com/1",
				"http://i.example.com/a.JPG?x=1&amp;copy=2", 1) +
			strings.Replace(line("gophers", 2, "Question"), ",,False,False,False,", ",\"&gt; said\n\n**bold**\",True,1300009999.0,True,", 1)
		_, err := Import(ctx, data.NewDB(db), Options{Format: RedditCSV, Sources: []Source{textSource("x.csv", text)}, Now: importNow})
		require.NoError(t, err)
		require.Equal(t, []any{"image", "A & B 'quoted' &copy=1", "", "http://i.example.com/a.JPG?x=1&copy=2", "i.example.com"},
			firstRow(t, db, `SELECT kind, title, link, image, domain FROM posts WHERE source = 'reddit:t3_gophers1'`))
		ofText := firstRow(t, db, `SELECT kind, link, text, nsfw, edited_at, html, excerpt FROM posts p JOIN post_texts t ON t.post_id = p.id`)
		require.Equal(t, []any{"text", "", "> said\n\n**bold**", int64(1), int64(1300009999000)}, ofText[:5])
		require.Contains(t, ofText[5], "<strong>bold</strong>")
		require.NotContains(t, ofText[6], "*")
	})

	t.Run("leaves a community that is there as it is", func(t *testing.T) {
		db := mustOpen(t)
		exec(t, db, `INSERT INTO communities (id, name, name_key, title, colour, creator_id, created_at)
  VALUES (7, 'Gophers', 'gophers', 'Ours', '#000', 1, 5)`)
		r, err := Import(ctx, data.NewDB(db), Options{Format: RedditCSV, Sources: []Source{many("gophers", 3)}, Now: importNow})
		require.NoError(t, err)
		require.Equal(t, Result{Posts: 3}, r)
		require.Equal(t, "Ours", one[string](t, db, `SELECT title FROM communities`))
		require.Equal(t, int64(5), one[int64](t, db, `SELECT created_at FROM communities`))
		require.Equal(t, "Gophers", one[string](t, db, `SELECT community_name FROM posts LIMIT 1`))
	})

	t.Run("gives posts from before ids their own ids, in the order of time", func(t *testing.T) {
		db := mustOpen(t)
		_, err := Import(ctx, data.NewDB(db), Options{Format: RedditCSV, Sources: []Source{many("gophers", 5000)}, Now: importNow})
		require.NoError(t, err)
		require.Equal(t, 5000, one[int](t, db, `SELECT count(*) FROM posts`))
		require.Zero(t, one[int](t, db, `SELECT count(*) FROM posts p JOIN posts q ON q.id < p.id AND q.created_at > p.created_at + 3000`),
			"in the order of time")
		require.WithinRange(t, data.ID(one[int64](t, db, `SELECT max(id) FROM posts`)).Time(), data.Epoch, data.Epoch.Add(earlyInto))
	})
}

// losing loses the first answer to each transaction, after it was carried out.
type losing struct{ sent int }

func (l *losing) Do(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	res, err := http.DefaultClient.Do(r)
	if err == nil && bytes.Contains(body, []byte("BEGIN IMMEDIATE")) {
		if l.sent++; l.sent%2 == 1 {
			res.Body.Close()
			return nil, errors.New("the connection was reset")
		}
	}
	return res, err
}

// TestLostAnswers: each transaction is sent twice, and everything is there once.
func TestLostAnswers(t *testing.T) {
	url := stacktest.OpenSchemaURL(t)
	db := hrana.New(hrana.Options{URL: url, HTTP: &losing{}})
	var text strings.Builder
	for p := range 3 {
		fmt.Fprintf(&text, submission, p, 1399999000+p, p)
		for i := range 20 {
			parent := ""
			if i > 0 {
				parent = fmt.Sprintf("p%dc%d", p, (i-1)/2)
			}
			text.WriteString(said(fmt.Sprintf("p%dc%d", p, i), fmt.Sprintf("p%d", p), parent, []string{"Ann", "bob", "cy"}[i%3], "words"))
		}
	}
	r, err := Import(context.Background(), data.NewDB(db), Options{Format: Reddit, Sources: []Source{textSource("x", text.String())},
		Now: importNow, Batch: 30})
	require.NoError(t, err)
	require.Equal(t, 63, r.Posts+r.Comments+r.Existing)
	_, err = Import(context.Background(), data.NewDB(db), Options{Format: Neutral, Now: importNow, Sources: []Source{textSource("x", neutralHeader+
		`{"type":"community","name":"other","flairs":[{"text":"News"}],"pages":[{"title":"A","text":"a"},{"title":"B","text":"b"}]}`)}})
	require.NoError(t, err)
	require.Equal(t, []any{int64(2), int64(3), int64(60), int64(3), int64(2), int64(2), int64(2)}, firstRow(t, db, `SELECT
  (SELECT count(*) FROM communities), (SELECT count(*) FROM posts), (SELECT count(*) FROM comments), (SELECT count(*) FROM users),
  (SELECT count(*) FROM flairs), (SELECT count(*) FROM wiki_pages), (SELECT count(*) FROM wiki_revisions)`))
	plain := hrana.New(hrana.Options{URL: url})
	found, err := verify.Run(context.Background(), verify.Options{Directory: plain, Shards: []*hrana.Client{plain},
		Wait: func(context.Context) error { return nil }, Found: func(d verify.Difference) { t.Error(d) }})
	require.NoError(t, err)
	require.Zero(t, found.Found)
}
