package posts_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/data/lists/listings"
	"plaza/data/wire/hrana"
	"plaza/ranking"
	"plaza/test/storetest"
)

// TestActivity follows the order "active" while comments are added and removed. The values of the triggers are the results of
// ranking.Active, and of Activity.
func TestActivity(t *testing.T) {
	s := storetest.Open(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "gophers")
	created := map[data.ID]time.Time{}
	post := func(title string) data.ID {
		id := s.Post(ann, "gophers", title).ID
		created[id] = time.UnixMilli(s.One("SELECT created_at FROM posts WHERE id = ?1", int64(id)).(int64))
		return id
	}
	pass := func(d time.Duration) { *s.Clock = s.Clock.Add(d) }
	list := func() []data.ID {
		_, ids := s.List(listings.Query{Community: "gophers", Order: data.OrderActive, Limit: 25})
		_, ofSite := s.List(listings.Query{Order: data.OrderActive, Limit: 25})
		require.Equal(t, ids, ofSite)
		return ids
	}
	columns := func(id data.ID) (commented any, active int64) {
		row := s.Rows("SELECT commented_at, active FROM posts WHERE id = ?1", int64(id))[0]
		return row[0], row[1].(int64)
	}
	expect := func(id data.ID, last, ofOthers time.Time) {
		t.Helper()
		for _, anew := range []bool{false, true} {
			if anew {
				s.ExecAt(id, "UPDATE posts SET commented_at = 5, active = 5 WHERE id = ?1", int64(id))
				_, err := s.Home("gophers").Tx(storetest.Ctx, hrana.Stmt{SQL: posts.Activity,
					Named: []hrana.Named{{Name: "posts", Value: data.JSONIDs([]data.ID{id})}}})
				require.NoError(t, err)
			}
			commented, active := columns(id)
			if last.IsZero() {
				require.Nil(t, commented)
			} else {
				require.Equal(t, last.Truncate(time.Minute).UnixMilli(), commented)
			}
			if ofOthers.IsZero() {
				require.Equal(t, created[id].UnixMilli(), active)
			} else {
				require.Equal(t, ranking.Active(created[id], ofOthers), active)
			}
		}
	}

	old := post("of three months ago")
	pass(90 * 24 * time.Hour)
	week := post("of last week")
	pass(6 * 24 * time.Hour)
	first, second := post("first"), post("second")
	require.Equal(t, []data.ID{second, first, week, old}, list())
	expect(first, time.Time{}, time.Time{})

	pass(time.Hour)
	one := s.Comment(ben, first, 0, "interesting")
	s.ApplyAll()
	at := *s.Clock
	require.Equal(t, []data.ID{first, second, week, old}, list(), "a comment lifts its post")
	expect(first, at, at)

	pass(time.Hour)
	s.Comment(ben, old, 0, "me, too")
	s.ApplyAll()
	require.Equal(t, []data.ID{first, second, week, old}, list(), "one comment does not put an old thread above those of today")
	expect(old, *s.Clock, *s.Clock)
	s.Comment(ben, week, 0, "still true")
	s.ApplyAll()
	require.Equal(t, []data.ID{first, second, week, old}, list())

	pass(time.Hour)
	own := s.Comment(ann, second, 0, "up!")
	s.ApplyAll()
	require.Equal(t, []data.ID{first, second, week, old}, list(), "nor do authors lift their own posts")
	expect(second, *s.Clock, time.Time{})

	pass(time.Hour)
	reply := s.Comment(ben, second, own.ID, "yes?")
	s.ApplyAll()
	require.Equal(t, []data.ID{second, first, week, old}, list())
	expect(second, *s.Clock, *s.Clock)
	for _, way := range []string{"UPDATE comments SET status = 'removed' WHERE id = ?1", "UPDATE comments SET status = 'published' WHERE id = ?1",
		"UPDATE comments SET status = 'removed', held = 1 WHERE id = ?1"} {
		s.ExecAt(reply.ID, way, int64(reply.ID))
		if s.One("SELECT status FROM comments WHERE id = ?1", int64(reply.ID)) == "published" {
			expect(second, *s.Clock, *s.Clock)
			require.Equal(t, second, list()[0])
		} else {
			expect(second, own.CreatedAt, time.Time{})
			require.Equal(t, []data.ID{first, second, week, old}, list(), "what is removed has lifted nothing")
		}
	}
	_, err := s.Comments.Delete(storetest.Ctx, ben, one.ID)
	require.NoError(t, err)
	expect(first, time.Time{}, time.Time{})
	require.Equal(t, []data.ID{second, first, week, old}, list())

	pass(time.Hour)
	*s.Clock = s.Clock.Truncate(time.Minute)
	s.Comment(ben, first, 0, "one")
	s.ApplyAll()
	before := s.One("SELECT active FROM posts WHERE id = ?1", int64(first))
	pass(time.Duration(59_000-s.Clock.UnixMilli()%60_000) * time.Millisecond)
	s.Comment(ben, first, 0, "another of the same minute")
	s.ApplyAll()
	require.Equal(t, before, s.One("SELECT active FROM posts WHERE id = ?1", int64(first)))
}
