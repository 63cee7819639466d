package data_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
)

func TestFront(t *testing.T) {
	s := mustOpen(t)
	ann, ben := s.member("ann"), s.member("ben")
	voters := []data.Actor{ann, ben}
	for i := range 6 {
		voters = append(voters, s.member(fmt.Sprintf("voter%d", i)))
	}
	// A big community with many votes, three small ones, one that ben is not in.
	for c, name := range []string{"big", "small1", "small2", "small3", "other"} {
		s.community(ann, name)
		if name != "other" {
			require.NoError(t, s.communities.Subscribe(ctx, ben, name, true))
		}
		for i := range 30 {
			*s.clock = s.clock.Add(time.Minute)
			p := s.post(ann, name, fmt.Sprintf("%s %02d", name, i))
			if c == 0 {
				for _, v := range voters {
					s.vote(v, p.ID, 1)
				}
			}
		}
	}
	s.foldAll()

	page := func(after data.Cursor, limit int) *data.Front {
		t.Helper()
		r := s.db.Read()
		f, ok := s.posts.FindFront(ctx, r, ben.UserID, after, limit)
		require.True(t, ok)
		require.NoError(t, r.Run(ctx))
		return f
	}
	walk := func(limit int, keep bool) (slugs []string) {
		t.Helper()
		var after data.Cursor
		for range 60 {
			f := page(after, limit)
			if keep && f.Fresh() {
				require.NoError(t, s.posts.KeepFront(ctx, f))
			}
			for _, p := range f.Items() {
				slugs = append(slugs, p.Slug)
			}
			if after = f.Next(); after.IsZero() {
				return slugs
			}
		}
		t.Fatal("the pages don't end")
		return nil
	}

	whole := walk(1000, false)
	t.Run("holds twenty posts of each of the member's communities, none of others, each once", func(t *testing.T) {
		require.Len(t, whole, 80)
		seen := map[string]int{}
		for _, slug := range whole {
			require.NotContains(t, slug, "other")
			seen[slug]++
		}
		require.Len(t, seen, 80)
	})
	t.Run("shows the best of every community before the second of any", func(t *testing.T) {
		require.ElementsMatch(t, []string{"big-29", "small1-29", "small2-29", "small3-29"}, whole[:4])
	})
	t.Run("pages from the database and from Redis are parts of the same order", func(t *testing.T) {
		require.Equal(t, whole, walk(7, false), "merged in SQL each time")
		require.Equal(t, whole, walk(7, true), "merged once, then from Redis")
		require.False(t, page(data.Cursor{}, 7).Fresh())
	})
	t.Run("joining shows at once", func(t *testing.T) {
		require.NoError(t, s.communities.Subscribe(ctx, ben, "other", true))
		require.NoError(t, s.posts.ForgetFront(ctx, ben.UserID))
		require.Len(t, walk(25, true), 100)
	})
	t.Run("a post deleted meanwhile leaves no trace, and no gap", func(t *testing.T) {
		s.exec("UPDATE posts SET status = 'deleted' WHERE slug = ?1", whole[3])
		left := walk(7, true)
		require.NotContains(t, left, whole[3])
		require.Len(t, left, 99)
	})
	t.Run("a member of nothing has none", func(t *testing.T) {
		cid := s.member("cid")
		r := s.db.Read()
		f, ok := s.posts.FindFront(ctx, r, cid.UserID, data.Cursor{}, 25)
		require.True(t, ok)
		require.NoError(t, r.Run(ctx))
		require.True(t, f.Empty())
		require.NoError(t, s.posts.KeepFront(ctx, f))
		_, ok = s.posts.FindFront(ctx, s.db.Read(), cid.UserID, data.Cursor{}, 25)
		require.False(t, ok)
	})
}
