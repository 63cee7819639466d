package importer

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/ops/exchange"
)

// TestAddresses: a post is never skipped because of the form of its address. An address that browsers accept stays as it was typed, and
// an invalid one is in the text.
func TestAddresses(t *testing.T) {
	for _, c := range []struct{ typed, link, text string }{
		{"https://example.org/100%", "https://example.org/100%", ""},
		{"https://example.org/?q=50%&x=%zz", "https://example.org/?q=50%&x=%zz", ""},
		{"https://example.org/%u0430", "https://example.org/%u0430", ""},
		{"https://example.org/a b|c", "https://example.org/a%20b|c", ""},
		{"https://example.org/<x>", "https://example.org/%3Cx%3E", ""},
		{"https://example.org/a\tb\n", "https://example.org/ab", ""},
		{"HTTPS://Example.org/", "https://Example.org/", ""},
		{"//example.org/x", "https://example.org/x", ""},
		{"example.org/x?y", "http://example.org/x?y", ""},
		{"www.example.org", "http://www.example.org", ""},
		{"https://m\u00fcller.example/", "https://m\u00fcller.example/", ""},
		{"javascript:alert(1)", "", "`javascript:alert(1)`"},
		{"ftp://example.org/x", "", "`ftp://example.org/x`"},
		{"https://user:word@example.org/", "", "`https://user:word@example.org/`"},
		{"http://localhost/x", "", "`http://localhost/x`"},
		{"http://example.org:port/", "", "`http://example.org:port/`"},
		{"https://", "", "`https://`"},
		{"see `above`", "", "`see%20%60above%60`"},
		{"https://example.org/" + strings.Repeat("x", 3000), "", "`https://example.org/" + strings.Repeat("x", 3000) + "`"},
	} {
		for _, site := range []string{"plaza.example", "reddit"} {
			p, err := postOf(exchange.Post{ID: "1", Community: "gophers", Title: "T", Link: c.typed, CreatedAt: importNow}, site,
				func(at time.Time) time.Time { return at })
			require.NoError(t, err, c.typed)
			require.Equal(t, c.link, p.link, c.typed)
			require.Equal(t, c.text, p.text, c.typed)
			require.Equal(t, c.link != unsafeInURL.Replace(c.typed), p.changed, c.typed)
		}
	}
}

func TestMentionsOfLongTexts(t *testing.T) {
	p, err := postOf(exchange.Post{ID: "1", Community: "gophers", Title: "T", Text: "@kim " + strings.Repeat("x ", 100_000), CreatedAt: importNow},
		"plaza.example", func(at time.Time) time.Time { return at })
	require.NoError(t, err)
	require.True(t, p.cut)
	require.True(t, strings.HasPrefix(p.text, `\@kim x`))
}

func TestRepairedLines(t *testing.T) {
	db := mustOpen(t)
	text := fmt.Sprintf(submission, 1, 1399999999, 1)
	text = strings.Replace(strings.Replace(text, `"score":5`, `"score":5.0`, 1), `"Text"`, `"Ask u/spez in /r/golang, or @kim: [faq](/r/golang/faq)"`, 1)
	text += strings.Replace(fmt.Sprintf(submission, 2, 1399999999, 2), `1399999999`, `"2014-05-13 16:53:19"`, 1)
	text += strings.Replace(fmt.Sprintf(submission, 3, 1399999999, 3), `"is_self":true`, `"is_self":false,"url":"gopher://go"`, 1)
	text += strings.Replace(fmt.Sprintf(submission, 4, 1399999999, 4), `"Text"`, `"[ Removed by Reddit ]"`, 1)
	text += strings.Replace(said("c1", "p4", "", "ann", "x"), `"score":3`, `"score":"lots"`, 1)
	r, err := Import(context.Background(), data.NewDB(db), Options{Format: Reddit, Now: importNow, Bad: func(b Bad) { t.Error(b) },
		Sources: []Source{textSource("RS", "\ufeff"+text)}})
	require.NoError(t, err)
	require.Equal(t, Result{Posts: 4, Comments: 1, Communities: 1, Accounts: 2, Changed: 2}, r)
	require.Equal(t, `<p>Ask <a href="https://www.reddit.com/user/spez" rel="nofollow ugc noopener">u/spez</a> in /r/golang, or @kim: `+
		`<a href="https://www.reddit.com/r/golang/faq" rel="nofollow ugc noopener">faq</a></p>`+"\n",
		one[string](t, db, `SELECT t.html FROM post_texts t JOIN posts p ON p.id = t.post_id WHERE p.source = 'reddit:t3_p1'`))
	require.Equal(t, 1399999999000, one[int](t, db, `SELECT created_at FROM posts WHERE source = 'reddit:t3_p2'`))
	require.Equal(t, "`gopher://go`\n\nText",
		one[string](t, db, `SELECT t.text FROM post_texts t JOIN posts p ON p.id = t.post_id WHERE p.source = 'reddit:t3_p3' AND p.kind = 'text'`))
	require.Equal(t, "deleted", one[string](t, db, `SELECT status FROM posts WHERE source = 'reddit:t3_p4'`))

	csv := redditHeader + strings.Replace(line("gophers", 5, "Gone"), ",,False,False,False,", ",[deleted],False,False,True,", 1) +
		strings.Replace(line("gophers", 6, "Odd"), ",10,5,", ",10.0,5.0,", 1) + strings.Replace(line("gophers", 7, "[deleted by user]"), "x", "y", 1)
	r, err = Import(context.Background(), data.NewDB(db), Options{Format: RedditCSV, Now: importNow, Bad: func(b Bad) { t.Error(b) },
		Sources: []Source{textSource("gophers.csv", csv)}})
	require.NoError(t, err)
	require.Equal(t, Result{Posts: 3}, r)
	require.Equal(t, 2, one[int](t, db, `SELECT count(*) FROM posts WHERE source LIKE 'reddit:t3_gophers_' AND status = 'deleted'`))
	require.Equal(t, 10, one[int](t, db, `SELECT ups FROM posts WHERE source = 'reddit:t3_gophers6'`))

	r, err = Import(context.Background(), data.NewDB(db), Options{Format: Neutral, Now: importNow, Bad: func(b Bad) { t.Error(b) },
		Sources: []Source{textSource("x", neutralHeader+`{"type":"user","name":"kim","bio":"I am @kim."}`+"\n"+
			`{"type":"post","id":"1","community":"gophers","title":"x","text":"Hello @ann, see c/gophers","tags":["go","c++","a b"],"ups":3.5,"created_at":1399999999}`)}})
	require.NoError(t, err)
	require.Equal(t, Result{Posts: 1, Accounts: 1, Changed: 1, TagsLost: 1}, r)
	require.Equal(t, `Hello \@ann, see c\/gophers`, one[string](t, db, `SELECT text FROM post_texts WHERE text LIKE 'Hello%'`))
	require.Equal(t, `I am \@kim.`, one[string](t, db, `SELECT bio FROM users WHERE username = 'kim'`))
}

// TestBestWithoutUpvotes: dumps have comments without upvotes.
func TestBestWithoutUpvotes(t *testing.T) {
	db := mustOpen(t)
	text := fmt.Sprintf(submission, 1, 1399999999, 1)
	for _, score := range []int{-2, 0, 1, -1, -30} {
		id := strings.Replace(fmt.Sprint("c", score), "-", "m", 1)
		text += strings.Replace(said(id, "p1", "", "ann", fmt.Sprint(score)), `"score":3`, fmt.Sprintf(`"score":%d`, score), 1)
	}
	_, err := Import(context.Background(), data.NewDB(db), Options{Format: Reddit, Now: importNow, Sources: []Source{textSource("RS", text)}})
	require.NoError(t, err)
	require.Equal(t, "1,0,-1,-2,-30", one[string](t, db, `SELECT group_concat(body) FROM (SELECT body FROM comments ORDER BY best DESC)`))
}
