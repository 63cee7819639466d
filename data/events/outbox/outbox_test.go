package outbox_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/links"
	"plaza/data/content/posts"
	"plaza/data/events/outbox"
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// open has the outbox and a consumer of its jobs.
func open(s *storetest.Stores) (*outbox.Store, *links.Store) {
	return &outbox.Store{Base: s.Posts.Base}, &links.Store{Base: s.Posts.Base}
}

// linkBy posts a link to a new community of the first shard.
func linkBy(s *storetest.Stores, a data.Actor, title, link string) *posts.Post {
	s.Helper()
	name := fmt.Sprint("links", s.One("SELECT count(*) FROM communities"))
	s.CommunityOn(0, a, name)
	p, err := s.Posts.Create(storetest.Ctx, a, posts.Create{Community: name, Title: title, Link: link})
	require.NoError(s, err)
	return p
}

func TestOutbox(t *testing.T) {
	s := storetest.Open(t)
	ann := s.Member("ann")
	s.CommunityOn(0, ann, "gophers")
	store, previews := open(s)
	due := func() []outbox.Due {
		t.Helper()
		all, _, err := store.FindDue(storetest.Ctx, 0)
		require.NoError(t, err)
		return slices.DeleteFunc(all, func(d outbox.Due) bool { return d.Job != outbox.JobLink })
	}
	claim := func(ids ...data.ID) []links.Job {
		t.Helper()
		claimed, missed, err := previews.Claim(storetest.Ctx, ids)
		require.NoError(t, err)
		require.Empty(t, missed)
		return claimed
	}

	p := linkBy(s, ann, "A link", "https://go.dev/")
	t.Run("a link is left in the transaction that writes the post", func(t *testing.T) {
		require.Equal(t, int64(1), s.One("SELECT count(*) FROM outbox WHERE subject_id = ?1 AND job = 'link'", int64(p.ID)))
		s.Post(ann, "gophers", "A text")
		_, err := s.Posts.Create(storetest.Ctx, ann, posts.Create{Community: "nowhere", Title: "x", Link: "https://go.dev/"})
		require.Equal(t, data.NotFound, data.ErrorCode(err))
		require.Equal(t, int64(1), s.One("SELECT count(*) FROM outbox WHERE job = 'link'"))
	})
	t.Run("it is due when its message should have come", func(t *testing.T) {
		require.Empty(t, due())
		*s.Clock = s.Clock.Add(time.Minute)
		require.Equal(t, []outbox.Due{{Job: outbox.JobLink, Subject: p.ID}}, due())
	})
	t.Run("who claims it has it to himself until it is due again", func(t *testing.T) {
		first := claim(p.ID)
		require.Len(t, first, 1)
		require.Equal(t, "https://go.dev/", first[0].URL)
		require.Empty(t, claim(p.ID))
		require.Empty(t, due())
	})
	t.Run("each wait is longer, and the fourth try is the last", func(t *testing.T) {
		for i, wait := range []time.Duration{20 * time.Second, 4 * time.Minute, 16 * time.Minute} {
			*s.Clock = s.Clock.Add(wait - time.Second)
			require.Empty(t, claim(p.ID), wait)
			*s.Clock = s.Clock.Add(2 * time.Second)
			w := claim(p.ID)
			require.Len(t, w, 1)
			require.Equal(t, i == 2, w[0].LastTry)
			require.False(t, w[0].Exhausted)
		}
		*s.Clock = s.Clock.Add(2 * time.Hour)
		require.True(t, claim(p.ID)[0].Exhausted)
	})
	t.Run("a failure is kept, without what a text can't hold, and ends it", func(t *testing.T) {
		*s.Clock = s.Clock.Add(24 * 365 * time.Hour)
		w := claim(p.ID)[0]
		require.NoError(t, previews.Fail(storetest.Ctx, w, "a\x00b\xff"+strings.Repeat("x", 1000)))
		require.Equal(t, "a\uFFFDb\uFFFD"+strings.Repeat("x", 196), s.One("SELECT reason FROM link_previews"))
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM outbox WHERE job = 'link'"))
		require.NoError(t, previews.Fail(storetest.Ctx, w, "again"), "ending twice is harmless")
	})
	t.Run("another post of the link need not ask within a day", func(t *testing.T) {
		second := linkBy(s, ann, "Again", "https://go.dev/")
		w := claim(second.ID)
		require.True(t, w[0].Fresh)
		require.NoError(t, previews.Done(storetest.Ctx, w[0]))
		*s.Clock = s.Clock.Add(25 * time.Hour)
		third := linkBy(s, ann, "And again", "https://go.dev/")
		require.False(t, claim(third.ID)[0].Fresh)
	})
	t.Run("posts that are there no more, and ids of nothing, have no job", func(t *testing.T) {
		gone := linkBy(s, ann, "Gone", "https://go.dev/gone")
		s.Exec("UPDATE posts SET status = 'removed' WHERE id = ?1", int64(gone.ID))
		w := claim(gone.ID, gone.ID+2)
		require.Len(t, w, 1)
		require.Empty(t, w[0].URL)
	})
}

func TestOutboxOfShards(t *testing.T) {
	directory, other := stacktest.OpenSchema(t), stacktest.OpenSchema(t)
	s := storetest.New(t, data.NewDB(directory, directory, other), directory, stacktest.OpenRedis(t))
	store, previews := open(s)
	var ids []data.ID
	for shard, c := range []*hrana.Client{directory, other} {
		id := data.NewID(*s.Clock, shard, data.KindPost, uint32(shard*2))
		ids = append(ids, id)
		_, err := c.Tx(storetest.Ctx,
			storetest.StmtOf("INSERT INTO posts (id, community_id, community_name, author_name, slug, kind, title, link, hot, created_at) "+
				"VALUES (?1, 1, 'x', 'x', 'x', 'link', 'x', 'https://go.dev/', 0, 0)", int64(id)),
			storetest.StmtOf("INSERT INTO outbox (subject_id, job, queued_at, due_at) VALUES (?1, 'link', 1, 1)", int64(id)))
		require.NoError(t, err)
	}
	due, _, err := store.FindDue(storetest.Ctx, 0)
	require.NoError(t, err)
	require.Len(t, due, 2)
	claimed, missed, err := previews.Claim(storetest.Ctx, ids)
	require.NoError(t, err)
	require.Empty(t, missed)
	require.Len(t, claimed, 2)
	for _, w := range claimed {
		require.NoError(t, previews.Save(storetest.Ctx, w, links.Preview{Title: w.Post.Text()}))
	}
	for i, c := range []*hrana.Client{directory, other} {
		results, err := c.Query(storetest.Ctx, storetest.StmtOf("SELECT title, (SELECT count(*) FROM outbox) FROM link_previews"))
		require.NoError(t, err)
		require.Equal(t, []any{ids[i].Text(), int64(0)}, results[0].Rows()[0])
	}
}

// TestOutboxRowsRead limits the rows that the retry job reads to its results, whatever waits.
func TestOutboxRowsRead(t *testing.T) {
	s := storetest.Open(t)
	store, previews := open(s)
	for of, kind := range []outbox.Job{outbox.JobLink, outbox.JobNotify, outbox.JobTimeline} {
		s.ExecAt(0, `INSERT INTO outbox (subject_id, job, queued_at, due_at)
WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 2 FROM n WHERE i < 20000) SELECT i, ?1, i, iif(i % 4 = 0, 3 * i + ?2, ?3) FROM n`,
			string(kind), of, s.Clock.Add(time.Hour).UnixMilli())
	}
	metered, meter := s.Metered()
	due, _, err := store.FindDue(metered, 0)
	require.NoError(t, err)
	require.Len(t, due, 100)
	require.Equal(t, []outbox.Due{{Job: outbox.JobLink, Subject: 4}, {Job: outbox.JobNotify, Subject: 4},
		{Job: outbox.JobTimeline, Subject: 4}, {Job: outbox.JobLink, Subject: 8}}, due[:4], "the longest waiting first")
	require.LessOrEqual(t, meter.RowsRead(), int64(100+2*200+300+7*len(s.Shards)), "half of what waits of two kinds is due")
	t.Logf("%d rows for %d of 15,000 that are due", meter.RowsRead(), len(due))

	metered, meter = s.Metered()
	claimed, missed, err := previews.Claim(metered, []data.ID{4, 8, 12, 16, 20})
	require.NoError(t, err)
	require.Empty(t, missed)
	require.Len(t, claimed, 5)
	require.LessOrEqual(t, meter.RowsRead(), int64(67))
	t.Logf("%d rows read and %d written to claim 5", meter.RowsRead(), meter.RowsWritten())
}

// TestOnlyJobsOfDeletedPostsAreDropped: a consumer that did not find a post on another shard deletes no job of it here.
func TestOnlyJobsOfDeletedPostsAreDropped(t *testing.T) {
	s := storetest.Open(t)
	ann := s.Member("ann")
	s.CommunityOn(0, ann, "gophers")
	there, gone := s.Post(ann, "gophers", "It is there").ID, s.Post(ann, "gophers", "It is gone").ID
	s.Exec("INSERT INTO outbox (subject_id, job, due_at, queued_at) VALUES (?1, 'timeline', 1, 1), (?2, 'timeline', 1, 1) ON CONFLICT DO NOTHING",
		int64(there), int64(gone))
	s.Exec("UPDATE posts SET status = 'removed' WHERE id = ?1", int64(gone))
	w := s.DB.WriteAt(there)
	outbox.DropTimelines(w, []data.ID{there, gone})
	require.NoError(t, w.Run(storetest.Ctx))
	require.Equal(t, int64(there), s.One("SELECT subject_id FROM outbox WHERE job = 'timeline'"))
}
