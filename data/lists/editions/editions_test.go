package editions_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/data/lists/editions"
	"plaza/test/storetest"
)

var twice = editions.Schedule{Hours: []int{6, 16}}

func TestEditions(t *testing.T) {
	s := storetest.Open(t)
	store := &editions.Store{Base: s.Posts.Base}
	*s.Clock = time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)
	ann, ben := s.Member("ann"), s.Member("ben")
	s.CommunityOn(0, ann, "gophers")
	s.CommunityOn(len(s.Shards)-1, ann, "birds")
	var all []*posts.Post
	for i := range 12 {
		all = append(all, s.Post(ann, []string{"gophers", "birds"}[i%2], fmt.Sprintf("Post %d", i)))
	}
	comment := s.Comment(ben, all[9].ID, 0, strings.Repeat("Worth quoting. ", 5))
	s.Vote(ann, comment.ID, 1)
	s.ApplyAll()

	find := func(number editions.Number, viewer data.ID) *editions.Edition {
		r := s.DB.Read()
		e, err := store.Find(storetest.Ctx, r, number, viewer, false)
		require.NoError(t, err)
		require.NoError(t, r.Run(storetest.Ctx))
		return e
	}
	require.Zero(t, find(0, 0).Number, "none was made")
	require.NoError(t, store.Make(storetest.Ctx, editions.Schedule{}))
	require.Zero(t, find(0, 0).Number, "a site without editions")

	require.NoError(t, store.Make(storetest.Ctx, twice))
	first := find(0, ben.UserID)
	require.Equal(t, "/edition/2026-11-21/morning", first.Number.URL())
	require.Len(t, first.Posts(), 12)
	require.Equal(t, all[9].ID, first.Lead().ID, "the one that can be quoted")
	require.Equal(t, comment.ID, first.Quote.ID)
	require.Zero(t, first.Earlier)

	s.Exec("UPDATE comments SET status = 'removed' WHERE id = ?1", int64(comment.ID))
	require.Nil(t, find(0, 0).Quote, "gone with the comment")
	s.ExecAt(all[9].ID, "UPDATE posts SET status = 'deleted' WHERE id = ?1", int64(all[9].ID))
	require.Nil(t, find(0, 0).Lead())
	again := &editions.Store{Base: store.Base} // another instance
	require.NoError(t, again.Make(storetest.Ctx, twice))
	require.Equal(t, first.Number, find(0, 0).Number, "an edition is made once")
	require.Len(t, find(0, 0).Posts(), 11)

	*s.Clock = time.Date(2026, 11, 21, 17, 0, 0, 0, time.UTC)
	require.NoError(t, again.Make(storetest.Ctx, twice))
	require.Equal(t, first.Number, find(0, 0).Number, "too little to show, so no edition")
	var news []data.ID
	for i := range 5 {
		news = append(news, s.Post(ann, "birds", fmt.Sprintf("News %d", i)).ID)
	}
	require.NoError(t, store.Make(storetest.Ctx, twice))
	second := find(0, 0)
	require.Equal(t, "/edition/2026-11-21/evening", second.Number.URL())
	require.ElementsMatch(t, news, storetest.IdsOf(second.Posts()), "posts of the edition before are not shown again")
	require.Equal(t, first.Number, second.Earlier)
	require.Equal(t, second.Number, find(first.Number, 0).Later)
	require.Zero(t, find(first.Number+9, 0).Number)
	s.ExecAt(news[0], "UPDATE posts SET nsfw = 1 WHERE id = ?1", int64(news[0]))
	require.Len(t, find(0, 0).Posts(), 4, "what was marked since is left out")

	*s.Clock = time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	for i := range 5 {
		s.Post(ann, "birds", fmt.Sprintf("Late %d", i))
	}
	require.NoError(t, store.Make(storetest.Ctx, twice))
	require.Equal(t, second.Number, find(0, 0).Number, "four hours later is too late")
}

// An edition costs the rows of its posts, however many posts, members and editions there are.
func TestRows(t *testing.T) {
	s := storetest.Open(t)
	store := &editions.Store{Base: s.Posts.Base}
	ann := s.Member("ann")
	s.CommunityOn(0, ann, "gophers")
	*s.Clock = time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)
	var post *posts.Post
	for i := range 5 {
		post = s.Post(ann, "gophers", fmt.Sprintf("Post %d", i))
	}
	rows := func(own bool) int64 {
		metered, meter := s.Metered()
		r := s.DB.Read()
		e, err := store.Find(metered, r, 0, ann.UserID, own)
		require.NoError(t, err)
		require.NoError(t, r.Run(metered))
		require.NotEmpty(t, e.Posts())
		require.Equal(t, own, e.Own)
		return meter.RowsRead()
	}
	s.Exec("UPDATE users SET seen_at = ?1", s.Clock.UnixMilli())
	require.NoError(t, store.Make(storetest.Ctx, twice))
	require.NoError(t, store.MakeForMembers(storetest.Ctx, twice))
	few, fewOwn := rows(false), rows(true)
	s.Exec(`INSERT INTO editions (number, published_at, posts) SELECT value, 1, '[' || ?1 || ']' FROM generate_series(1000, 20000)`, int64(post.ID))
	s.Exec(`INSERT INTO member_editions (user_id, number, posts) SELECT ?1 + value % 2, value, '[]' FROM generate_series(1000, 20000)`,
		int64(ann.UserID))
	s.ExecAt(post.ID, `INSERT INTO posts (id, community_id, community_name, author_name, slug, kind, title, hot, created_at)
SELECT value << 22, p.community_id, 'gophers', '', 's' || value, 'text', 't', 0, 1 FROM generate_series(1, 3000), posts p WHERE p.id = ?1`, int64(post.ID))
	require.LessOrEqual(t, rows(false), few+2)
	require.LessOrEqual(t, rows(true), fewOwn+2)
}
