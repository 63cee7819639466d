package posts_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/posts"
	"plaza/data/content/votes"
	"plaza/data/lists/listings"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// sourceOf reads a post's source.
func sourceOf(s *storetest.Stores, id data.ID) *posts.Source {
	s.Helper()
	r := s.DB.Read()
	p := s.Posts.FindSource(r, id)
	require.NoError(s, r.Run(storetest.Ctx))
	return p
}

func TestEditPost(t *testing.T) {
	s := storetest.Open(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "gophers")
	created := s.Post(ann, "gophers", "Hello")
	edit := func(a data.Actor, revision int64, text string) (*posts.Source, error) {
		return s.Posts.Edit(storetest.Ctx, a, posts.Edit{ID: created.ID, Text: text, TextHTML: "<p>" + text + "</p>", Excerpt: text, NSFW: true,
			Revision: revision})
	}

	var first int64
	t.Run("changes text, excerpt and marks, and says when", func(t *testing.T) {
		p, err := edit(ann, 0, "new")
		require.NoError(t, err)
		require.Equal(t, "/c/gophers/p/hello", p.URL())
		first = p.Revision
		got := s.Find(created.ID, ann.UserID)
		require.Equal(t, []any{"<p>new</p>", "new", true, false, "Hello"}, []any{got.TextHTML, got.Excerpt, got.NSFW, got.Spoiler, got.Title})
		require.Equal(t, first, got.EditedAt.UnixMilli())
		require.Equal(t, "new", sourceOf(s, created.ID).Text)
	})
	t.Run("doesn't lose an edit made meanwhile", func(t *testing.T) {
		p, err := edit(ann, 0, "from an old form")
		storetest.CodeOf(t, err, data.Conflict, "elsewhere")
		require.Equal(t, "new", p.Text, "the newer text comes with the refusal")
		require.Equal(t, "new", sourceOf(s, created.ID).Text)
		p, err = edit(ann, p.Revision, "once more")
		require.NoError(t, err)
		require.Greater(t, p.Revision, first)
	})
	t.Run("is later than what it replaces when clocks disagree", func(t *testing.T) {
		ahead := s.Clock.UnixMilli() + 3600_000
		s.Exec("UPDATE posts SET edited_at = ?2 WHERE id = ?1", int64(created.ID), ahead)
		p, err := edit(ann, ahead, "by a slow clock")
		require.NoError(t, err)
		require.Equal(t, ahead+1, p.Revision)
	})
	t.Run("adds a text to a link", func(t *testing.T) {
		link, err := s.Posts.Create(storetest.Ctx, ann, posts.Create{Community: "gophers", Title: "A link", Link: "https://go.dev"})
		require.NoError(t, err)
		_, err = s.Posts.Edit(storetest.Ctx, ann, posts.Edit{ID: link.ID, Text: "why", TextHTML: "<p>why</p>"})
		require.NoError(t, err)
		p := sourceOf(s, link.ID)
		require.Equal(t, "why", p.Text)
		_, err = s.Posts.Edit(storetest.Ctx, ann, posts.Edit{ID: link.ID, Revision: p.Revision})
		require.NoError(t, err, "a link needs no text")
	})

	revision := sourceOf(s, created.ID).Revision
	before := s.One("SELECT text FROM post_texts WHERE post_id = ?1", int64(created.ID))
	t.Run("is refused to others, without the text, and to nobody's session", func(t *testing.T) {
		p, err := edit(ben, revision, "ben's")
		storetest.CodeOf(t, err, data.Forbidden, "Only its author")
		require.Nil(t, p)
		_, err = s.Posts.Edit(storetest.Ctx, ann, posts.Edit{ID: created.ID + 2, Text: "x"})
		storetest.CodeOf(t, err, data.NotFound, "no such post")
		_, err = edit(ann, revision, " ")
		storetest.CodeOf(t, err, data.Invalid, "needs a text")
		out := s.Member("out")
		s.Exec("UPDATE posts SET author_id = ?2 WHERE id = ?1", int64(created.ID), int64(out.UserID))
		require.NoError(t, s.Sessions.End(storetest.Ctx, out))
		_, err = edit(out, revision, "logged out")
		storetest.CodeOf(t, err, data.Unauthenticated, "logged out")
		s.Exec("UPDATE posts SET author_id = ?2 WHERE id = ?1", int64(created.ID), int64(ann.UserID))
	})
	for set, says := range map[string]string{
		"locked = 1": "locked", "status = 'archived'": "archived", "status = 'removed'": "moderator", "status = 'deleted'": "deleted",
	} {
		t.Run("is refused when "+set, func(t *testing.T) {
			s.Exec("UPDATE posts SET "+set+" WHERE id = ?1", int64(created.ID))
			_, err := edit(ann, revision, "too late")
			storetest.CodeOf(t, err, data.Forbidden, says)
			s.Exec("UPDATE posts SET status = 'published', locked = 0 WHERE id = ?1", int64(created.ID))
		})
	}
	require.Equal(t, before, s.One("SELECT text FROM post_texts WHERE post_id = ?1", int64(created.ID)), "no refusal has changed anything")
}

func TestDeletePost(t *testing.T) {
	s := storetest.Open(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "gophers")
	p, err := s.Posts.Create(storetest.Ctx, ann, posts.Create{Community: "gophers", Title: "Regretted", Link: "https://go.dev/secret",
		Text: "secret", TextHTML: "<p>secret</p>", Excerpt: "secret"})
	require.NoError(t, err)
	kept := s.Post(ann, "gophers", "Kept")
	said := s.Comment(ben, p.ID, 0, "a reply")
	s.ApplyAll()
	for _, scope := range []string{"", "gophers"} {
		require.NoError(t, s.Hot.Rebuild(storetest.Ctx, scope))
	}
	listed := func(order data.Order) (ids []data.ID) {
		t.Helper()
		r := s.DB.Read()
		l := s.Listings.Find(r, listings.Query{Community: "gophers", Order: order, Limit: 25, Viewer: ann.UserID})
		require.NoError(t, r.Run(storetest.Ctx))
		for _, p := range l.Items() {
			ids = append(ids, p.ID)
		}
		return ids
	}
	require.Contains(t, listed(data.OrderNew), p.ID) // and is cached now

	t.Run("is refused to others", func(t *testing.T) {
		_, err := s.Posts.Delete(storetest.Ctx, ben, p.ID)
		storetest.CodeOf(t, err, data.Forbidden, "Only its author")
		_, err = s.Posts.Delete(storetest.Ctx, ann, p.ID+2)
		storetest.CodeOf(t, err, data.NotFound, "no such post")
		require.Equal(t, "secret", sourceOf(s, p.ID).Text)
	})
	s.Vote(ben, p.ID, 1) // not applied yet
	gone, err := s.Posts.Delete(storetest.Ctx, ann, p.ID)
	require.NoError(t, err)
	require.Equal(t, "/c/gophers/p/regretted", gone.URL())

	t.Run("takes the text out of the database", func(t *testing.T) {
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM post_texts WHERE post_id = ?1", int64(p.ID)))
		require.Equal(t, "[deleted]|||", s.One("SELECT title || '|' || link || '|' || domain || '|' || excerpt FROM posts WHERE id = ?1",
			int64(p.ID)))
	})
	t.Run("leaves the address and the thread, without the author", func(t *testing.T) {
		got := s.Find(p.ID, ben.UserID)
		require.Equal(t, []any{"deleted", "", data.ID(0), ""}, []any{got.Status, got.Author, got.AuthorID, got.TextHTML})
		require.Equal(t, int64(1), got.Comments)
	})
	t.Run("leaves every listing at once", func(t *testing.T) {
		for _, order := range []data.Order{data.OrderNew, data.OrderHot, data.OrderTop, data.OrderRising, data.OrderComments} {
			require.NotContains(t, listed(order), p.ID, "%c", order)
		}
		require.Contains(t, listed(data.OrderHot), kept.ID)
		require.Equal(t, int64(1), s.One("SELECT posts FROM community_stats"))
	})
	t.Run("closes votes and answers", func(t *testing.T) {
		_, err := s.Votes.Cast(storetest.Ctx, ben, p.ID, -1)
		storetest.CodeOf(t, err, data.Forbidden, "closed")
		_, _, err = s.Comments.Create(storetest.Ctx, ben, comments.Create{Post: p.ID, Body: "x", BodyHTML: "x"})
		storetest.CodeOf(t, err, data.Forbidden, "removed")
		_, _, err = s.Comments.Create(storetest.Ctx, ben, comments.Create{Parent: said.ID, Body: "x", BodyHTML: "x"})
		storetest.CodeOf(t, err, data.Forbidden, "removed")
		_, err = s.Comments.Edit(storetest.Ctx, ben, comments.Edit{ID: said.ID, Body: "x", BodyHTML: "x"})
		storetest.CodeOf(t, err, data.Forbidden, "post of this thread is deleted")
	})
	t.Run("counts the votes it had, and leaves the hot sets by the delta run", func(t *testing.T) {
		s.ApplyOnly(votes.Pending{Targets: []data.ID{p.ID}})
		require.Equal(t, int64(1), s.One("SELECT posts FROM author_karma WHERE author_id = ?1", int64(ann.UserID)))
		stacktest.NeedRedis(t)
		for _, key := range []string{"hot:site", "hot:c:gophers"} {
			score, err := s.Redis.Do(storetest.Ctx, storetest.Cmd("ZSCORE", key, p.ID.Text()))
			require.NoError(t, err)
			require.True(t, score.Nil())
		}
	})
	t.Run("is harmless the second time", func(t *testing.T) {
		_, err := s.Posts.Delete(storetest.Ctx, ann, p.ID)
		require.NoError(t, err)
		require.Equal(t, int64(1), s.One("SELECT posts FROM community_stats"))
	})
}
