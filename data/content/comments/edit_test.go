package comments_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/test/storetest"
)

func TestEditAndDeleteComment(t *testing.T) {
	s := storetest.Open(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "gophers")
	p := s.Post(ann, "gophers", "Hello")
	c := s.Comment(ben, p.ID, 0, "first")
	reply := s.Comment(ann, p.ID, c.ID, "reply")
	edit := func(a data.Actor, revision int64, body string) (*comments.Source, error) {
		return s.Comments.Edit(storetest.Ctx, a, comments.Edit{ID: c.ID, Body: body, BodyHTML: "<p>" + body + "</p>", Revision: revision})
	}
	body := func() any { return s.One("SELECT body || body_html FROM comments WHERE id = ?1", int64(c.ID)) }

	created, err := edit(ben, 0, "second")
	require.NoError(t, err)
	require.Equal(t, p.URL()+"/"+c.ID.Text(), created.URL())
	require.Equal(t, "second<p>second</p>", body())

	t.Run("an edit meanwhile is not lost", func(t *testing.T) {
		newer, err := edit(ben, 0, "from an old form")
		storetest.CodeOf(t, err, data.Conflict, "elsewhere")
		require.Equal(t, "second", newer.Body)
		require.Equal(t, "second<p>second</p>", body())
	})
	t.Run("others are refused", func(t *testing.T) {
		_, err := edit(ann, created.Revision, "ann's")
		storetest.CodeOf(t, err, data.Forbidden, "Only its author")
		_, err = s.Comments.Delete(storetest.Ctx, ann, c.ID)
		storetest.CodeOf(t, err, data.Forbidden, "Only its author")
		_, err = s.Comments.Delete(storetest.Ctx, ann, c.ID+2)
		storetest.CodeOf(t, err, data.NotFound, "no such comment")
		_, err = edit(ben, created.Revision, " ")
		storetest.CodeOf(t, err, data.Invalid, "write something")
	})
	for set, says := range map[string]string{"locked = 1": "locked", "status = 'archived'": "archived", "status = 'removed'": "moderator"} {
		t.Run("an edit is refused when the post is "+set, func(t *testing.T) {
			s.Exec("UPDATE posts SET "+set+" WHERE id = ?1", int64(p.ID))
			_, err := edit(ben, created.Revision, "too late")
			storetest.CodeOf(t, err, data.Forbidden, says)
			s.Exec("UPDATE posts SET status = 'published', locked = 0 WHERE id = ?1", int64(p.ID))
		})
	}
	require.Equal(t, "second<p>second</p>", body(), "no refusal has changed anything")

	t.Run("a deleted one says nothing, and its replies stay", func(t *testing.T) {
		s.Exec("UPDATE posts SET locked = 1 WHERE id = ?1", int64(p.ID))
		for range 2 {
			_, err := s.Comments.Delete(storetest.Ctx, ben, c.ID)
			require.NoError(t, err, "a lock keeps nobody from taking back what they said")
		}
		require.Equal(t, "", body())
		s.Exec("UPDATE posts SET locked = 0 WHERE id = ?1", int64(p.ID))
		r := s.DB.Read()
		got, below := s.Comments.FindByID(r, c.ID, ann.UserID), s.Comments.FindByID(r, reply.ID, ann.UserID)
		said := s.Comments.FindByAuthor(r, "ben", "", data.OrderNew, data.Cursor{}, 10, 0)
		require.NoError(t, r.Run(storetest.Ctx))
		require.Equal(t, []any{"deleted", "", data.ID(0), ""}, []any{got.Status, got.Author, got.AuthorID, got.BodyHTML})
		require.Equal(t, []any{"published", "ann"}, []any{below.Status, below.Author})
		require.Empty(t, said.Items(), "it left the profile")
		_, err := s.Votes.Cast(storetest.Ctx, ann, c.ID, 1)
		storetest.CodeOf(t, err, data.Forbidden, "closed")
		_, _, err = s.Comments.Create(storetest.Ctx, ann, comments.Create{Parent: c.ID, Body: "x", BodyHTML: "x"})
		storetest.CodeOf(t, err, data.Forbidden, "removed")
		_, err = edit(ben, created.Revision, "again")
		storetest.CodeOf(t, err, data.Forbidden, "deleted")
		s.ApplyAll()
		require.Equal(t, int64(2), s.One("SELECT comments FROM posts WHERE id = ?1", int64(p.ID)), "its place stays")
	})
}
