package posts_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/test/storetest"
)

// TestCommentSpans writes comments from the first minute of a post to its sixth month. Each is counted once, in a span that is at most a
// sixteenth of the post's age, in however many delta runs.
func TestCommentSpans(t *testing.T) {
	s := storetest.Open(t)
	ann := s.Member("ann")
	s.Community(ann, "gophers")
	p := s.Post(ann, "gophers", "A post")
	require.Empty(t, s.Find(p.ID, 0).CommentSpans())
	created := s.Find(p.ID, 0).CreatedAt
	want := map[time.Duration]int64{} // by age in minutes
	for i, age := range []time.Duration{0, 0, 1, 15, 16, 31, 32, 33, 63, 64, 1023, 1024, 1025, 60_000, 60_001, 250_000} {
		*s.Clock = created.Add(age*time.Minute + time.Duration(i)*time.Second)
		s.Comment(ann, p.ID, 0, "A comment")
		want[age]++
		if i%3 == 0 {
			s.ApplyAll()
			s.ApplyAll()
		}
	}
	s.ApplyAll()
	counted, last := int64(0), created
	for _, span := range s.Find(p.ID, 0).CommentSpans() {
		require.False(t, span.From.Before(last), "in the order of time, without an overlap")
		require.LessOrEqual(t, span.To.Sub(span.From), max(time.Minute, span.From.Sub(created)/16))
		n := int64(0)
		for age, comments := range want {
			if at := created.Add(age * time.Minute); !at.Before(span.From) && at.Before(span.To) {
				n += comments
			}
		}
		require.Equal(t, n, span.Comments, "%s to %s", span.From.Sub(created), span.To.Sub(created))
		counted, last = counted+n, span.To
	}
	require.Equal(t, s.Find(p.ID, 0).Comments, counted)
	text := s.One("SELECT comment_times FROM posts WHERE id = ?1", int64(p.ID)).(string)
	require.Less(t, len(text), 200, text)
}
