package saves_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/lists/listings"
	"plaza/test/storetest"
)

func TestSave(t *testing.T) {
	s := storetest.Open(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "gophers")
	var posts, comments []data.ID
	for i := range 7 {
		p := s.Post(ann, "gophers", fmt.Sprintf("post %d", i))
		posts = append([]data.ID{p.ID}, posts...)
		comments = append([]data.ID{s.Comment(ann, p.ID, 0, "words").ID}, comments...)
	}
	for i := range posts { // not in the order of their ids
		at := (i*3 + 1) % len(posts)
		k, err := s.Saves.Save(storetest.Ctx, ben, posts[at], true)
		require.NoError(t, err)
		require.True(t, k.Saved)
		k, err = s.Saves.Save(storetest.Ctx, ben, comments[at], true)
		require.NoError(t, err)
		require.Equal(t, s.Find(posts[at], 0).URL()+"/"+comments[at].Text(), k.URL)
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
				metered, meter := s.Metered()
				r := s.DB.Read()
				l := s.Listings.FindSaved(r, saver.UserID, after, 3)
				m := s.Saves.FindComments(r, saver.UserID, afterComment, 3)
				require.NoError(t, r.Run(metered))
				require.Equal(t, int64(len(s.Shards)), meter.Requests())
				require.LessOrEqual(t, meter.RowsRead(), int64(40), "four saved posts and comments with their rows, never all")
				gotPosts = append(gotPosts, storetest.IdsOf(l.Items())...)
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
	t.Run("shows on pages and in listings to who saved it, cached or not", func(t *testing.T) {
		require.True(t, s.Find(posts[0], ben.UserID).Saved)
		require.False(t, s.Find(posts[0], ann.UserID).Saved)
		for range 2 {
			for _, who := range []data.Actor{ben, ann} {
				for _, p := range s.Listing(listings.Query{Community: "gophers", Order: data.OrderNew, Limit: 25, Viewer: who.UserID}).Items() {
					require.Equal(t, who == ben, p.Saved)
				}
			}
		}
	})
	t.Run("twice is once, and no longer is gone", func(t *testing.T) {
		for _, on := range []bool{true, true, false, false} {
			k, err := s.Saves.Save(storetest.Ctx, ben, posts[0], on)
			require.NoError(t, err)
			require.Equal(t, on, k.Saved)
		}
		require.Equal(t, int64(13), s.One("SELECT count(*) FROM saves"))
	})
	t.Run("is refused where there is nothing, to ended sessions, and for what is deleted", func(t *testing.T) {
		_, err := s.Saves.Save(storetest.Ctx, ben, posts[0]+2, true)
		storetest.CodeOf(t, err, data.NotFound, "nothing with that id")
		_, err = s.Posts.Delete(storetest.Ctx, ann, posts[0])
		require.NoError(t, err)
		_, err = s.Saves.Save(storetest.Ctx, ben, posts[0], true)
		storetest.CodeOf(t, err, data.Forbidden, "deleted")
		out := s.Member("out")
		require.NoError(t, s.Sessions.End(storetest.Ctx, out))
		_, err = s.Saves.Save(storetest.Ctx, out, posts[1], true)
		storetest.CodeOf(t, err, data.Unauthenticated, "logged out")
		_, err = s.Saves.Hide(storetest.Ctx, out, posts[1], true)
		storetest.CodeOf(t, err, data.Unauthenticated, "logged out")
		require.Equal(t, int64(13), s.One("SELECT count(*) FROM saves"))
	})
	t.Run("keeps the place of what is deleted later, without its words", func(t *testing.T) {
		_, err := s.Posts.Delete(storetest.Ctx, ann, posts[1])
		require.NoError(t, err)
		r := s.DB.Read()
		l := s.Listings.FindSaved(r, ben.UserID, data.Cursor{}, 25)
		require.NoError(t, r.Run(storetest.Ctx))
		require.Len(t, l.Items(), 6)
		k, err := s.Saves.Save(storetest.Ctx, ben, posts[1], false)
		require.NoError(t, err)
		require.False(t, k.Saved)
	})
}

func TestHide(t *testing.T) {
	s := storetest.Open(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "gophers")
	require.NoError(t, s.Communities.Subscribe(storetest.Ctx, ben, "gophers", true))
	var all []data.ID // new first
	for i := range 40 {
		all = append([]data.ID{s.Post(ann, "gophers", fmt.Sprintf("post %02d", i)).ID}, all...)
	}
	s.ApplyAll()
	hide := func(id data.ID, on bool) {
		t.Helper()
		k, err := s.Saves.Hide(storetest.Ctx, ben, id, on)
		require.NoError(t, err)
		require.Equal(t, on, k.Hidden)
	}
	const limit = 10
	// walk follows a listing to its end like a page.
	walk := func(viewer data.Actor, q listings.Query) (seen []data.ID, requests int64) {
		t.Helper()
		q.Limit, q.Viewer = limit, viewer.UserID
		for range 20 {
			metered, meter := s.Metered()
			r := s.DB.Read()
			l := s.Listings.Find(r, q)
			require.NoError(t, r.Run(metered))
			s.Confirm(l)
			if rest, more := l.Rest(); more {
				r := s.DB.Read()
				l = s.Listings.Find(r, rest)
				require.NoError(t, r.Run(metered))
			}
			requests = max(requests, meter.Requests())
			if !l.Next().IsZero() {
				require.NotEmpty(t, l.Items(), "no page is empty when there is more")
			}
			seen = append(seen, storetest.IdsOf(l.Items())...)
			if q.After = l.Next(); q.After.IsZero() {
				return seen, requests
			}
		}
		t.Fatal("the pages don't end")
		return nil, 0
	}
	queries := map[string]listings.Query{
		"new": {Community: "gophers", Order: data.OrderNew}, "hot": {Community: "gophers", Order: data.OrderHot},
		"top of the site": {Order: data.OrderTop}, "hot of the site": {Order: data.OrderHot},
	}
	databases := func(q listings.Query) int64 { // the number of databases that a page reads
		if q.Community == "" {
			return int64(len(s.Shards))
		}
		return 1
	}
	for _, whole := range []bool{false, true} {
		if whole {
			require.NoError(t, s.Hot.Rebuild(storetest.Ctx, "gophers"))
		}
		for name, q := range queries {
			t.Run(fmt.Sprintf("leaves a post out of %s for who hid it alone, set whole: %v", name, whole), func(t *testing.T) {
				*s.Clock = s.Clock.Add(time.Second * 3)
				hide(all[1], true)
				for range 2 { // cached the second time
					seen, requests := walk(ben, q)
					require.Equal(t, append([]data.ID{all[0]}, all[2:]...), seen)
					require.LessOrEqual(t, requests, databases(q))
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
			require.LessOrEqual(t, requests, 2*databases(q), name)
			require.Greater(t, requests, int64(1), name)
		}
	})
	t.Run("a member's front page shows what follows, for no request more", func(t *testing.T) {
		f, meter := s.Front(ben, "", limit)
		require.Equal(t, int64(min(2, len(s.All()))), meter.Requests(), "the directory and the community's shard")
		require.Equal(t, all[25:25+limit], storetest.IdsOf(f.Items()))
	})
	t.Run("lists what is hidden, the last first, and keeps it on its own page and on profiles", func(t *testing.T) {
		r := s.DB.Read()
		l := s.Listings.FindHidden(r, ben.UserID, data.Cursor{}, limit)
		require.NoError(t, r.Run(storetest.Ctx))
		require.Equal(t, all[24], l.Items()[0].ID)
		require.Len(t, l.Items(), limit)
		r = s.DB.Read()
		next := s.Listings.FindHidden(r, ben.UserID, l.Next(), 50)
		require.NoError(t, r.Run(storetest.Ctx))
		require.Len(t, next.Items(), 25-limit)
		require.True(t, next.Next().IsZero())
		require.True(t, s.Find(all[24], ben.UserID).Hidden)
		require.Len(t, s.Listing(listings.Query{Author: "ann", Order: data.OrderNew, Limit: 50, Viewer: ben.UserID}).Items(), 40)
	})
	t.Run("rising leaves it out before it takes a page", func(t *testing.T) {
		items := s.Listing(listings.Query{Community: "gophers", Order: data.OrderRising, Limit: 2, Viewer: ben.UserID}).Items()
		require.Len(t, items, 2)
	})
	t.Run("is not for comments", func(t *testing.T) {
		c := s.Comment(ann, all[39], 0, "words")
		_, err := s.Saves.Hide(storetest.Ctx, ben, c.ID, true)
		storetest.CodeOf(t, err, data.Invalid, "Only posts")
	})
}
