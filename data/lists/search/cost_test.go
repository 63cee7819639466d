package search_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/content/comments"
	"plaza/data/content/posts"
)

// texts are of typical length, with a number that distinguishes them.
var texts = map[string]struct {
	title, text string
	asked       []string
}{
	"English": {"Where to find old wood, part %d", "I went to the library yesterday and looked for books about old wood. There were %d of them, and " +
		"I have read most by now. Does anybody know where such wood is still sold? My garden needs a new bench before the winter comes.",
		[]string{"library", "library winter", `"old wood"`}},
	"Chinese": {"哪里可以找到老木头，第%d部分", "我昨天去了图书馆，找关于老木头的书。一共有%d本，现在大部分我都读完了。" +
		"有没有人知道哪里还卖这种木头？冬天来之前，我的花园需要一张新的长椅。希望大家多多指教，谢谢。", []string{"图书馆", "图书馆 花园", "老木头的书", "木"}},
}

// TestCost publishes posts and comments of a language, and prints their size and the rows that searches read. With PLAZA_SLOW there are
// 1,000 of each.
func TestCost(t *testing.T) {
	for language, of := range texts {
		t.Run(language, func(t *testing.T) {
			s := openOne(t)
			ann := s.Member("ann")
			s.Community(ann, "letters")
			bytes := func() int64 {
				s.Exec("INSERT INTO search_posts (search_posts) VALUES ('optimize')")
				s.Exec("INSERT INTO search_comments (search_comments) VALUES ('optimize')")
				return (s.One("PRAGMA page_count").(int64) - s.One("PRAGMA freelist_count").(int64)) * s.One("PRAGMA page_size").(int64)
			}
			before := bytes()
			ctx, meter := s.Metered()
			var last *posts.Post
			written := [2]int64{}
			count := 50
			if os.Getenv("PLAZA_SLOW") != "" {
				count = 1000
			}
			for i := range count {
				text := fmt.Sprintf(of.text, i)
				began := meter.RowsWritten()
				var err error
				last, err = s.Posts.Create(ctx, ann, posts.Create{Community: "letters", Title: fmt.Sprintf(of.title, i), Text: text,
					TextHTML: "<p>" + text + "</p>", Excerpt: string([]rune(text)[:40])})
				require.NoError(t, err)
				written[0] += meter.RowsWritten() - began
				*s.Clock = s.Clock.Add(time.Minute)
			}
			for i := range count {
				text := fmt.Sprintf(of.text, i)
				began := meter.RowsWritten()
				_, _, err := s.Comments.Create(ctx, ann, comments.Create{Post: last.ID, Body: text, BodyHTML: "<p>" + text + "</p>"})
				require.NoError(t, err)
				written[1] += meter.RowsWritten() - began
			}
			t.Logf("a post writes %.1f rows, and a comment %.1f; all take %d bytes", float64(written[0])/float64(count), float64(written[1])/float64(count),
				bytes()-before)
			for _, asked := range of.asked {
				q := query(t, asked)
				r := s.DB.Read()
				page := s.search.FindPosts(r, q)
				ctx, meter := s.Metered()
				require.NoError(t, r.Run(ctx))
				t.Logf("%s: %d found, %d rows read", asked, len(page.Items()), meter.RowsRead())
				require.Less(t, meter.RowsRead(), int64(3300))
			}
		})
	}
}
