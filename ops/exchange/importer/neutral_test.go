package importer

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/posts"
)

func TestNeutral(t *testing.T) {
	ctx := context.Background()
	db := mustOpen(t)
	var bad []string
	run := func(t *testing.T, format Format, lines ...string) Result {
		t.Helper()
		bad = nil
		r, err := Import(ctx, data.NewDB(db),
			Options{Format: format, Now: importNow, Bad: func(b Bad) { bad = append(bad, b.String()) },
				Sources: []Source{textSource("x", strings.Join(lines, "\n")+"\n")}})
		require.NoError(t, err)
		return r
	}
	header := strings.TrimSpace(neutralHeader)
	long, err := json.Marshal(strings.Repeat("wörd ", posts.TextMax/5) + "end")
	require.NoError(t, err)

	t.Run("a text that is too long is cut, and its thread is kept", func(t *testing.T) {
		r := run(t, Neutral, header,
			`{"type":"post","id":"1","community":"wordy","title":"Long","text":`+string(long)+`,"created_at":"2026-11-01T00:00:00Z"}`,
			`{"type":"comment","id":"2","post":"1","body":`+string(long)+`,"created_at":"2026-11-01T00:00:00Z"}`,
			`{"type":"comment","id":"3","post":"1","parent":"2","body":"short","created_at":"2026-11-01T00:00:00Z"}`)
		require.Empty(t, bad)
		require.Equal(t, Result{Posts: 1, Comments: 2, Communities: 1, Shortened: 2}, r)
		require.Equal(t, posts.TextMax, one[int](t, db, `SELECT length(text) FROM post_texts`))
		require.Equal(t, "…", one[string](t, db, `SELECT substr(text, -1) FROM post_texts`))
		dump := strings.Replace(strings.TrimSpace(csvPost("long", 9)), "TEXT", strings.Repeat("word ", posts.TextMax/4), 1)
		require.Equal(t, Result{Posts: 1, Communities: 1, Shortened: 1}, run(t, RedditCSV, strings.TrimSpace(redditHeader), dump))
	})

	t.Run("a post without text, link and image says that it has none, or is refused", func(t *testing.T) {
		r := run(t, Neutral, header,
			`{"type":"post","id":"10","community":"bare","title":"Nothing","created_at":"2026-11-01T00:00:00Z"}`,
			`{"type":"post","id":"11","community":"bare","title":"Blanks","text":" \n\u2060 ","created_at":"2026-11-01T00:00:00Z"}`,
			`{"type":"post","id":"12","community":"bare","title":"What is this?","title_only":true,"created_at":"2026-11-01T00:00:00Z"}`)
		require.Equal(t, []string{"x:2: a post has a text, a link or an image, or its title_only is true",
			"x:3: a post has a text, a link or an image, or its title_only is true"}, bad)
		require.Equal(t, Result{Posts: 1, Bad: 2, Communities: 1}, r)
		r = run(t, Reddit, `{"id":"20","subreddit":"bare","title":"A question","is_self":true,"selftext":"","score":1,"created_utc":1400000000}`,
			`{"id":"21","subreddit":"bare","title":"A link to nowhere","is_self":false,"url":"","score":1,"created_utc":1400000000}`)
		require.Empty(t, bad)
		require.Equal(t, Result{Posts: 2}, r, "there may be a thread below it")
	})

	t.Run("an address stays if it is free, and a community is as old as it was", func(t *testing.T) {
		plain := posts.Slug(strings.Repeat("long title ", 20))
		require.Len(t, plain, 64)
		slugs := []string{plain, plain + "-007", plain + "-038wq1k54029p", "an-old-address", "short-12-ab"}
		lines := []string{header, `{"type":"community","name":"moved","created_at":"2026-10-31T12:34:56.789Z"}`}
		for i, slug := range append(slugs, plain, "-bad", "Bad", "a--b", strings.Repeat("x", 79), "a/b") {
			lines = append(lines, `{"type":"post","id":"3`+string(rune('a'+i))+`","community":"moved","slug":"`+slug+
				`","title":"Another title","title_only":true,"created_at":"2026-10-0`+
				string(rune('1'+i%9))+`T00:00:00Z"}`)
		}
		r := run(t, Neutral, lines...)
		require.Equal(t, Result{Posts: 11, Communities: 1}, r)
		for _, slug := range slugs {
			require.Equal(t, 1, one[int](t, db, `SELECT count(*) FROM posts WHERE slug = ? AND community_name = 'moved'`, slug), slug)
		}
		require.Equal(t, 6, one[int](t, db, `SELECT count(*) FROM posts WHERE slug GLOB 'another-title*'`))
		founded := time.Date(2026, 10, 31, 12, 34, 56, 789e6, time.UTC).UnixMilli()
		require.Equal(t, founded, one[int64](t, db, `SELECT created_at FROM communities WHERE name = 'moved'`), "though it has older posts")
		run(t, Neutral, lines...)
		require.Equal(t, founded, one[int64](t, db, `SELECT created_at FROM communities WHERE name = 'moved'`))
	})
}

// csvPost is a row of a post with the text TEXT.
func csvPost(community string, n int) string {
	return strings.Replace(strings.Replace(line(community, n, "A title"), ",,False,False,False,", ",TEXT,False,False,True,", 1),
		"http://example.com/", "", 1)
}
