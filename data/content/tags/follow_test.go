package tags_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/data/content/tags"
	"plaza/test/storetest"
)

// TestFollowedTags pages through a timeline with only posts of followed tags. Many posts have several of them.
func TestFollowedTags(t *testing.T) {
	s := storetest.Open(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	store := &tags.Store{Base: s.Posts.Base}
	for i := range 3 {
		s.CommunityOn(i, ann, fmt.Sprint("place", i))
	}
	var want []data.ID // the newest first
	for i := range 40 {
		of := []string{"a", "b", "c", "a b", "a b c", "d"}[i%6]
		p, err := s.Posts.Create(storetest.Ctx, ann, posts.Create{Community: fmt.Sprint("place", i%3), Title: fmt.Sprint("Post ", i), Text: "x",
			Tags: of})
		require.NoError(t, err)
		if of != "d" {
			want = append([]data.ID{p.ID}, want...)
		}
	}
	for _, name := range []string{"a", "b", "c", "nowhere"} {
		require.NoError(t, store.Follow(storetest.Ctx, ben, name, true))
		require.NoError(t, store.Follow(storetest.Ctx, ben, name, true), "once more is the same")
	}
	for _, limit := range []int{1, 3, 25, 100} {
		var got []data.ID
		for after := (data.Cursor{}); ; {
			metered, meter := s.Metered()
			r := s.DB.Read()
			home, err := s.Listings.FindHome(metered, r, ben.UserID, false, after, limit)
			require.NoError(t, err)
			require.NoError(t, r.Run(metered))
			if limit == 25 {
				t.Logf("%d posts: %d rows, %d requests", len(home.Items()), meter.RowsRead(), meter.Requests())
			}
			for _, p := range home.Items() {
				got = append(got, p.ID)
			}
			if after = home.Next(); after.IsZero() {
				break
			}
			require.NotEmpty(t, home.Items())
		}
		require.Equal(t, want, got, "pages of %d", limit)
	}
	out := s.Member("out")
	require.NoError(t, s.Sessions.End(storetest.Ctx, out))
	require.Equal(t, data.Unauthenticated, data.ErrorCode(store.Follow(storetest.Ctx, out, "a", true)))
}
