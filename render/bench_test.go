package render_test

import (
	"fmt"
	"testing"
	"time"

	g "maragu.dev/gomponents"

	"plaza/locale"
	communitypages "plaza/render/community"
	postpages "plaza/render/post"
	"plaza/render/ui"
	"plaza/test/fixture"
)

func benchmark(b *testing.B, page func() g.Node) {
	b.ReportAllocs()
	for b.Loop() {
		html, err := ui.Bytes(locale.English, page())
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(html)))
	}
}

// A listing of 25 posts, the page that members see most.
func BenchmarkListing(b *testing.B) {
	p := fixture.Community()
	p.Listing.Items = fixture.Page25()
	benchmark(b, func() g.Node { return communitypages.CommunityView(p) })
}

// A thread of 500 comments, as many as a page shows.
func BenchmarkThread(b *testing.B) {
	p := fixture.PostPage(fixture.Viewer())
	p.Comments = thread(500)
	benchmark(b, func() g.Node { return postpages.PostView(p) })
}

// thread gives n comments, in chains of four.
func thread(n int) []*ui.Comment {
	body := fixture.Markdown("That is a hypothesis, and nobody has found *evidence* for it; see [this " +
		"review](https://doi.org/10.1089/ast.2008.0251).")
	var roots []*ui.Comment
	var last *ui.Comment
	for i := range n {
		c := &ui.Comment{
			ID: fmt.Sprintf("3kTb9Qc%03d", i), Author: "grace-h", BodyHTML: body, CanReply: true, CanSave: true, CanReport: true, CanBlock: true,
			PostURL: "/c/askscience/p/organism", CreatedAt: fixture.Now.Add(-time.Duration(i) * time.Minute),
		}
		c.Votes = ui.Votes{Target: c.ID, Score: int64(i)}
		if i%4 == 0 {
			roots = append(roots, c)
		} else {
			last.Replies = []*ui.Comment{c}
		}
		last = c
	}
	return roots
}
