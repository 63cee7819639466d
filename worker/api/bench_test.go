package api

import (
	"slices"
	"testing"

	"plaza/render/ui"
	"plaza/test/fixture"
)

// BenchmarkEncode writes a listing of 25 posts and a thread of 500 comments.
func BenchmarkEncode(b *testing.B) {
	front := fixture.Front(fixture.Viewer())
	front.Listing.Items = fixture.Page25()
	thread := fixture.PostPage(fixture.Viewer())
	comment := *thread.Comments[0]
	comment.Replies = nil
	thread.Comments = slices.Repeat([]*ui.Comment{&comment}, 500)
	for name, view := range map[string]any{"a listing": front, "a thread": thread} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Encode(view); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
