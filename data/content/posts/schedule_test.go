package posts_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/test/storetest"
)

// TestClockOfAnInstance schedules posts on an instance whose clock is wrong. The database's clock decides.
func TestClockOfAnInstance(t *testing.T) {
	for name, wrong := range map[string]time.Duration{"an hour fast": time.Hour, "an hour slow": -time.Hour,
		"two years fast": 2 * 365 * 24 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			s := storetest.Open(t)
			ann := s.Member("ann")
			s.Community(ann, "gophers")
			right := s.Posts.Source.Now
			s.Posts.Source.Now = func() time.Time { return right().Add(wrong) }
			ann.IssuedAt = ann.IssuedAt.Add(max(wrong, 0))
			draft, err := s.Posts.Create(storetest.Ctx, ann, posts.Create{Community: "gophers", Title: "A draft", Text: "x", TextHTML: "x",
				Status: posts.Draft})
			require.NoError(t, err)
			for offset, says := range map[time.Duration]string{time.Minute: "", 30 * time.Minute: "", 364 * 24 * time.Hour: "",
				-time.Minute: "has passed", 366 * 24 * time.Hour: "a year ahead"} {
				c := posts.Create{Community: "gophers", Title: "Later", Text: "x", TextHTML: "x", Status: posts.Scheduled,
					PublishAt: s.Clock.Add(offset)}
				_, created := s.Posts.Create(storetest.Ctx, ann, c)
				r := s.DB.Read()
				before := s.Posts.FindSource(r, draft.ID)
				require.NoError(t, r.Run(storetest.Ctx))
				_, edited := s.Posts.EditDraft(storetest.Ctx, ann, posts.EditDraft{ID: draft.ID, Revision: before.Revision, Create: c})
				if says == "" {
					require.NoError(t, created, offset)
					require.NoError(t, edited, offset)
					continue
				}
				storetest.CodeOf(t, created, data.Invalid, says)
				storetest.CodeOf(t, edited, data.Invalid, says)
			}
			due, err := s.Posts.PublishDue(storetest.Ctx)
			require.NoError(t, err)
			require.Empty(t, due, "nothing is due by the database's clock")
			*s.Clock = s.Clock.Add(2 * time.Minute)
			due, err = s.Posts.PublishDue(storetest.Ctx)
			require.NoError(t, err)
			require.NotEmpty(t, due)
		})
	}
}
