package listings_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/data/lists/listings"
	"plaza/data/wire/hrana"
	"plaza/protocol/weburl"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func TestSameLink(t *testing.T) {
	s := storetest.Open(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	s.CommunityOn(0, ann, "one")
	s.CommunityOn(0, ann, "two")
	submit := func(a data.Actor, community, link string, anyway bool) (*posts.Post, error) {
		return s.Posts.Create(storetest.Ctx, a, posts.Create{Community: community, Title: "About " + community, Link: link, AllowRepost: anyway})
	}
	first, err := submit(ann, "one", "https://example.org/a?utm_source=x", false)
	require.NoError(t, err)

	t.Run("is asked about in the same community, with the post that is there", func(t *testing.T) {
		before := s.Rows("SELECT (SELECT count(*) FROM posts), (SELECT count(*) FROM votes)")
		_, err := submit(ben, "ONE", "http://www.example.org/a/#x", false)
		storetest.CodeOf(t, err, data.Conflict, "posted here")
		var same *posts.PostedBefore
		require.True(t, errors.As(err, &same))
		require.Len(t, same.Posts, 1)
		require.Equal(t, []any{first.ID, "/c/one/p/" + first.Slug, "ann"}, []any{same.Posts[0].ID, same.Posts[0].URL(), same.Posts[0].Author})
		require.Equal(t, before, s.Rows("SELECT (SELECT count(*) FROM posts), (SELECT count(*) FROM votes)"))
	})
	t.Run("is posted anyway, elsewhere, and after a month", func(t *testing.T) {
		_, err := submit(ben, "one", "http://www.example.org/a/#x", true)
		require.NoError(t, err)
		_, err = submit(ben, "two", "https://example.org/a", false)
		require.NoError(t, err)
		_, err = submit(ben, "one", "https://example.org/b", false)
		require.NoError(t, err)
		*s.Clock = s.Clock.Add(31 * 24 * time.Hour)
		_, err = submit(ben, "one", "https://example.org/a", false)
		require.NoError(t, err)
	})
	t.Run("is listed new first and counted on its posts, on the rows it shows", func(t *testing.T) {
		q := listings.Query{About: weburl.Key("https://example.org/a"), Order: data.OrderNew, Limit: 25, Viewer: ben.UserID}
		list := s.Listing(q).Items()
		require.Len(t, list, 4)
		require.Equal(t, first.ID, list[3].ID)
		require.Equal(t, int64(3), s.Find(first.ID, 0).Others)
		_, err := s.Posts.Delete(storetest.Ctx, ann, first.ID)
		require.NoError(t, err)
		require.Len(t, s.Listing(q).Items(), 3)
		require.Equal(t, int64(2), s.Find(list[0].ID, 0).Others)
		require.Equal(t, int64(0), s.Find(s.Post(ann, "one", "A text").ID, 0).Others)
	})
	t.Run("counts no further than it shows", func(t *testing.T) {
		var p *posts.Post
		for range 40 {
			p, err = submit(ann, "two", "https://example.org/often", true)
			require.NoError(t, err)
		}
		metered, meter := s.Metered()
		r := s.DB.Read()
		got := s.Posts.FindByID(r, p.ID, 0)
		require.NoError(t, r.Run(metered))
		require.Equal(t, int64(11), got.Others)
		require.LessOrEqual(t, meter.RowsRead(), int64(40))
	})
}

func TestCrosspost(t *testing.T) {
	s := storetest.Open(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	for _, name := range []string{"one", "two", "three"} {
		s.CommunityOn(0, ann, name)
	}
	again := func(a data.Actor, community string, of data.ID) *posts.Post {
		t.Helper()
		p, err := s.Posts.Create(storetest.Ctx, a, posts.Create{Community: community, Title: "See this", CrosspostOf: of})
		require.NoError(t, err)
		return s.Find(p.ID, 0)
	}
	text := s.Post(ann, "one", "A question")
	link, err := s.Posts.Create(storetest.Ctx, ann, posts.Create{Community: "one", Title: "A link", Link: "https://example.org/a"})
	require.NoError(t, err)

	first := again(ben, "two", text.ID)
	t.Run("shows where it is from", func(t *testing.T) {
		require.Equal(t, &posts.Original{ID: text.ID, Community: "one", Slug: "a-question", Title: "A question", Author: "ann"}, first.Original)
		require.Equal(t, []any{"text", "", "ben", "two"}, []any{first.Kind, first.Link, first.Author, first.Community})
		require.Equal(t, "/c/one/p/a-question", first.Original.URL())
		require.Nil(t, s.Find(text.ID, 0).Original)
	})
	t.Run("of a crosspost is of the first", func(t *testing.T) {
		require.Equal(t, first.Original, again(ann, "three", first.ID).Original)
		require.Equal(t, text.ID, s.Find(first.ID, 0).Original.ID)
	})
	t.Run("of a link belongs to what is said about the link", func(t *testing.T) {
		p := again(ben, "two", link.ID)
		require.Equal(t, "https://example.org/a", p.Original.Link)
		require.Equal(t, int64(1), s.Find(link.ID, 0).Others)
		require.Equal(t, int64(1), p.Others)
	})
	t.Run("is counted and listed with the original", func(t *testing.T) {
		require.Equal(t, int64(2), s.Find(text.ID, 0).Others)
		require.Len(t, s.Listing(listings.Query{About: posts.KeyOf(text.ID), Order: data.OrderNew, Limit: 25}).Items(), 2)
	})
	t.Run("may say something of its own, and may stop", func(t *testing.T) {
		p, err := s.Posts.Edit(storetest.Ctx, ben, posts.Edit{ID: first.ID, Text: "why", TextHTML: "<p>why</p>"})
		require.NoError(t, err)
		_, err = s.Posts.Edit(storetest.Ctx, ben, posts.Edit{ID: first.ID, Revision: p.Revision})
		require.NoError(t, err)
	})
	t.Run("is refused of what is not there", func(t *testing.T) {
		for _, set := range []string{"status = 'removed'", "status = 'draft'", "status = 'deleted'"} {
			gone := s.Post(ann, "one", "Gone")
			s.Exec("UPDATE posts SET "+set+" WHERE id = ?1", int64(gone.ID))
			_, err := s.Posts.Create(storetest.Ctx, ben, posts.Create{Community: "two", Title: "See this", CrosspostOf: gone.ID})
			storetest.CodeOf(t, err, data.NotFound, "is gone")
		}
		_, err := s.Posts.Create(storetest.Ctx, ben, posts.Create{Community: "two", Title: "See this", CrosspostOf: 42 << 22})
		storetest.CodeOf(t, err, data.NotFound, "is gone")
	})
	t.Run("is refused of what is deleted at that moment", func(t *testing.T) {
		gone := s.Post(ann, "one", "Going")
		late := &posts.Store{Base: data.Base{DB: s.Posts.DB, Source: s.Posts.Source}}
		late.Source.Rand = func() uint32 { // between the check and the insert
			_, err := s.Posts.Delete(storetest.Ctx, ann, gone.ID)
			require.NoError(t, err)
			return 1
		}
		_, err := late.Create(storetest.Ctx, ben, posts.Create{Community: "two", Title: "See this", CrosspostOf: gone.ID})
		storetest.CodeOf(t, err, data.NotFound, "is gone")
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM posts WHERE crosspost LIKE '%Going%'"))
	})
	t.Run("forgets what was deleted", func(t *testing.T) {
		_, err := s.Posts.Delete(storetest.Ctx, ben, text.ID)
		storetest.CodeOf(t, err, data.Forbidden, "author")
		require.Equal(t, "A question", s.Find(first.ID, 0).Original.Title, "only the author's deletion counts")
		_, err = s.Posts.Delete(storetest.Ctx, ann, text.ID)
		require.NoError(t, err)
		require.Equal(t, &posts.Original{ID: text.ID, Community: "one", Title: "[deleted]"}, s.Find(first.ID, 0).Original,
			"its slug would say the title")
	})
}

func TestCrosspostAcrossShards(t *testing.T) {
	var shards []*hrana.Client
	for range 2 {
		c := stacktest.OpenSchema(t)
		shards = append(shards, c)
	}
	s := storetest.New(t, data.NewDB(shards[0], shards...), shards[0], stacktest.OpenRedis(t))
	ann := s.Member("ann")
	of := map[int]string{} // a community of each shard
	for i := 0; len(of) < 2; i++ {
		require.Less(t, i, 50)
		name := fmt.Sprintf("community%d", i)
		s.Community(ann, name)
		of[s.DB.ShardOf(s.Post(ann, name, "A question").ID).Shard()] = name
	}
	original := s.Post(ann, of[0], "Across")
	copied, err := s.Posts.Create(storetest.Ctx, ann, posts.Create{Community: of[1], Title: "Here, too", CrosspostOf: original.ID})
	require.NoError(t, err)
	require.Equal(t, 1, s.DB.ShardOf(copied.ID).Shard())
	require.Equal(t, "Across", s.Find(copied.ID, 0).Original.Title)
	require.Len(t, s.Listing(listings.Query{About: posts.KeyOf(original.ID), Order: data.OrderNew, Limit: 25}).Items(), 1)
	_, err = s.Posts.Delete(storetest.Ctx, ann, original.ID)
	require.NoError(t, err)
	require.Equal(t, "[deleted]", s.Find(copied.ID, 0).Original.Title)
}
