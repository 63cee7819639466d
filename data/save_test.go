package data_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/hrana"
)

func (s *stores) listing(q data.ListingQuery) *data.Listing {
	s.Helper()
	r := s.db.Read()
	l, err := s.listings.FindListing(ctx, r, q)
	require.NoError(s, err)
	require.NoError(s, r.Run(ctx))
	return l
}

func idsOf(posts []*data.Post) (ids []data.ID) {
	for _, p := range posts {
		ids = append(ids, p.ID)
	}
	return ids
}

func TestSave(t *testing.T) {
	s := mustOpen(t)
	ann, ben := s.member("ann"), s.member("ben")
	s.community(ann, "gophers")
	var posts, comments []data.ID
	for i := range 7 {
		p := s.post(ann, "gophers", fmt.Sprintf("post %d", i))
		posts = append([]data.ID{p.ID}, posts...)
		comments = append([]data.ID{s.comment(ann, p.ID, 0, "words").ID}, comments...)
	}
	for i := range posts { // not in the order of their ids
		at := (i*3 + 1) % len(posts)
		k, err := s.saves.SavePost(ctx, ben, posts[at], true)
		require.NoError(t, err)
		require.True(t, k.Saved)
		k, err = s.saves.SaveComment(ctx, ben, comments[at], true)
		require.NoError(t, err)
		require.Equal(t, s.find(posts[at], 0).URL()+"/"+comments[at].Text(), k.URL)
	}
	var wantPosts, wantComments []data.ID
	for i := len(posts) - 1; i >= 0; i-- {
		wantPosts, wantComments = append(wantPosts, posts[(i*3+1)%7]), append(wantComments, comments[(i*3+1)%7])
	}

	t.Run("lists what was saved last first, page by page, a range each", func(t *testing.T) {
		walk := func(saver data.Actor) (gotPosts, gotComments []data.ID) {
			t.Helper()
			var after, afterComment data.Cursor
			for range 10 {
				metered, meter := hrana.WithMeter(ctx)
				r := s.db.Read()
				l := s.listings.FindSaved(r, saver.UserID, after, 3)
				m := s.saves.FindComments(r, saver.UserID, afterComment, 3)
				require.NoError(t, r.Run(metered))
				require.Equal(t, int64(1), meter.Requests())
				require.LessOrEqual(t, meter.RowsRead(), int64(40), "four saved posts and comments with their rows, never all")
				gotPosts = append(gotPosts, idsOf(l.Items())...)
				for _, c := range m.Items() {
					require.True(t, c.Saved)
					require.Equal(t, "gophers", c.Post.Community)
					gotComments = append(gotComments, c.ID)
				}
				after, afterComment = l.Next(), m.Next()
				require.Equal(t, after.IsZero(), afterComment.IsZero())
				if after.IsZero() {
					return
				}
			}
			t.Fatal("the pages don't end")
			return
		}
		gotPosts, gotComments := walk(ben)
		require.Equal(t, wantPosts, gotPosts)
		require.Equal(t, wantComments, gotComments)
		gotPosts, gotComments = walk(ann)
		require.Empty(t, gotPosts)
		require.Empty(t, gotComments)
	})
	t.Run("shows on pages and in listings to who saved it, warm or not", func(t *testing.T) {
		require.True(t, s.find(posts[0], ben.UserID).Saved)
		require.False(t, s.find(posts[0], ann.UserID).Saved)
		for range 2 {
			for _, who := range []data.Actor{ben, ann} {
				for _, p := range s.listing(data.ListingQuery{Community: "gophers", Order: data.OrderNew, Limit: 25, Viewer: who.UserID}).Items() {
					require.Equal(t, who == ben, p.Saved)
				}
			}
		}
	})
	t.Run("twice is once, and no longer is gone", func(t *testing.T) {
		for _, on := range []bool{true, true, false, false} {
			k, err := s.saves.SavePost(ctx, ben, posts[0], on)
			require.NoError(t, err)
			require.Equal(t, on, k.Saved)
		}
		require.Equal(t, int64(13), s.one("SELECT count(*) FROM saves"))
	})
	t.Run("is refused where there is nothing, to ended sessions, and for what is deleted", func(t *testing.T) {
		_, err := s.saves.SavePost(ctx, ben, posts[0]+2, true)
		codeOf(t, err, data.NotFound, "nothing here")
		_, err = s.posts.DeletePost(ctx, ann, posts[0])
		require.NoError(t, err)
		_, err = s.saves.SavePost(ctx, ben, posts[0], true)
		codeOf(t, err, data.Forbidden, "deleted")
		out := s.member("out")
		require.NoError(t, s.sessions.End(ctx, out))
		_, err = s.saves.SavePost(ctx, out, posts[1], true)
		codeOf(t, err, data.Unauthenticated, "signed out")
		_, err = s.saves.Hide(ctx, out, posts[1], true)
		codeOf(t, err, data.Unauthenticated, "signed out")
		require.Equal(t, int64(13), s.one("SELECT count(*) FROM saves"))
	})
	t.Run("keeps the place of what is deleted later, without its words", func(t *testing.T) {
		_, err := s.posts.DeletePost(ctx, ann, posts[1])
		require.NoError(t, err)
		r := s.db.Read()
		l := s.listings.FindSaved(r, ben.UserID, data.Cursor{}, 25)
		require.NoError(t, r.Run(ctx))
		require.Len(t, l.Items(), 6)
		k, err := s.saves.SavePost(ctx, ben, posts[1], false)
		require.NoError(t, err)
		require.False(t, k.Saved)
	})
}

func TestHide(t *testing.T) {
	s := mustOpen(t)
	ann, ben := s.member("ann"), s.member("ben")
	s.community(ann, "gophers")
	require.NoError(t, s.communities.Subscribe(ctx, ben, "gophers", true))
	var all []data.ID // new first
	for i := range 40 {
		all = append([]data.ID{s.post(ann, "gophers", fmt.Sprintf("post %02d", i)).ID}, all...)
	}
	s.foldAll()
	hide := func(id data.ID, on bool) {
		t.Helper()
		k, err := s.saves.Hide(ctx, ben, id, on)
		require.NoError(t, err)
		require.Equal(t, on, k.Hidden)
	}
	const limit = 10
	// walk follows a listing to its end as a page does.
	walk := func(viewer data.Actor, q data.ListingQuery) (seen []data.ID, requests int64) {
		t.Helper()
		q.Limit, q.Viewer = limit, viewer.UserID
		for range 20 {
			metered, meter := hrana.WithMeter(ctx)
			r := s.db.Read()
			l, err := s.listings.FindListing(metered, r, q)
			require.NoError(t, err)
			require.NoError(t, r.Run(metered))
			if rest, more := l.Rest(); more {
				r := s.db.Read()
				l, err = s.listings.FindListing(metered, r, rest)
				require.NoError(t, err)
				require.NoError(t, r.Run(metered))
			}
			requests = max(requests, meter.Requests())
			if !l.Next().IsZero() {
				require.NotEmpty(t, l.Items(), "no page is empty when there is more")
			}
			seen = append(seen, idsOf(l.Items())...)
			if q.After = l.Next(); q.After.IsZero() {
				return seen, requests
			}
		}
		t.Fatal("the pages don't end")
		return nil, 0
	}
	queries := map[string]data.ListingQuery{
		"new": {Community: "gophers", Order: data.OrderNew}, "hot": {Community: "gophers", Order: data.OrderHot}, "top of the site": {Order: data.OrderTop},
		"hot of the site from the database": {Order: data.OrderHot, FromDatabase: true},
	}
	for _, whole := range []bool{false, true} {
		if whole {
			require.NoError(t, s.hot.Rebuild(ctx, "gophers"))
		}
		for name, q := range queries {
			t.Run(fmt.Sprintf("leaves a post out of %s for who hid it alone, set whole: %v", name, whole), func(t *testing.T) {
				*s.clock = s.clock.Add(time.Second * 3)
				hide(all[1], true)
				for range 2 { // warm the second time
					seen, requests := walk(ben, q)
					require.Equal(t, append([]data.ID{all[0]}, all[2:]...), seen)
					require.Equal(t, int64(1), requests)
					seen, _ = walk(ann, q)
					require.Equal(t, all, seen)
				}
				hide(all[1], false)
				seen, _ := walk(ben, q)
				require.Equal(t, all, seen, "back at once")
			})
		}
	}
	t.Run("a page of which everything is hidden shows what follows, for one request more", func(t *testing.T) {
		for _, id := range all[:25] {
			hide(id, true)
		}
		for name, q := range queries {
			seen, requests := walk(ben, q)
			require.Equal(t, all[25:], seen, name)
			require.Equal(t, int64(2), requests, name)
		}
	})
	t.Run("a member's front page shows what follows, for no request more", func(t *testing.T) {
		f, meter := s.front(ben, "", limit)
		require.Equal(t, int64(1), meter.Requests())
		require.Equal(t, all[25:25+limit], idsOf(f.Items()))
	})
	t.Run("lists what is hidden, the last first, and keeps it on its own page and on profiles", func(t *testing.T) {
		r := s.db.Read()
		l := s.listings.FindHidden(r, ben.UserID, data.Cursor{}, limit)
		require.NoError(t, r.Run(ctx))
		require.Equal(t, all[24], l.Items()[0].ID)
		require.Len(t, l.Items(), limit)
		r = s.db.Read()
		next := s.listings.FindHidden(r, ben.UserID, l.Next(), 50)
		require.NoError(t, r.Run(ctx))
		require.Len(t, next.Items(), 25-limit)
		require.True(t, next.Next().IsZero())
		require.True(t, s.find(all[24], ben.UserID).Hidden)
		require.Len(t, s.listing(data.ListingQuery{Author: "ann", Order: data.OrderNew, Limit: 50, Viewer: ben.UserID}).Items(), 40)
	})
	t.Run("rising leaves it out before it takes a page", func(t *testing.T) {
		items := s.listing(data.ListingQuery{Community: "gophers", Order: data.OrderRising, Limit: 2, Viewer: ben.UserID}).Items()
		require.Len(t, items, 2)
	})
	t.Run("is not for comments", func(t *testing.T) {
		c := s.comment(ann, all[39], 0, "words")
		_, err := s.saves.Hide(ctx, ben, c.ID, true)
		codeOf(t, err, data.Invalid, "Only posts")
	})
}
