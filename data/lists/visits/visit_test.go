package visits_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/lists/visits"
	"plaza/test/storetest"
)

func TestVisits(t *testing.T) {
	s := storetest.Open(t)
	store := &visits.Store{Base: s.Posts.Base}
	ann := s.Member("ann")
	s.Community(ann, "Gophers")
	post := s.Post(ann, "gophers", "A post")
	find := func() *visits.Visit {
		r := s.DB.Read()
		v := store.Find(r, ann.UserID, "gophers", post.Slug)
		require.NoError(t, r.Run(storetest.Ctx))
		return v
	}
	note := func() { require.NoError(t, store.Note(storetest.Ctx, ann, post.ID, *s.Clock)) }
	first := *s.Clock
	require.True(t, find().Since(first).IsZero(), "the first visit marks nothing")
	note()
	require.True(t, find().Since(first.Add(time.Minute)).IsZero(), "nor do its later pages")
	require.False(t, find().Stale(first.Add(30*time.Second)))
	require.True(t, find().Stale(first.Add(2*time.Minute)))
	*s.Clock = first.Add(time.Hour)
	require.WithinDuration(t, first.Add(-5*time.Second), find().Since(*s.Clock), time.Second, "what came since the last visit")
	note()
	*s.Clock = s.Clock.Add(5 * time.Minute)
	note()
	require.WithinDuration(t, first.Add(-5*time.Second), find().Since(*s.Clock), time.Second, "and the same on the later pages of this one")
	*s.Clock = s.Clock.Add(time.Hour)
	require.WithinDuration(t, first.Add(65*time.Minute), find().Since(*s.Clock), 10*time.Second)
	require.NoError(t, store.Purge(storetest.Ctx))
	require.False(t, find().Since(*s.Clock).IsZero())
	*s.Clock = s.Clock.Add(91 * 24 * time.Hour)
	require.NoError(t, store.Purge(storetest.Ctx))
	require.True(t, find().Since(*s.Clock).IsZero())
	require.NoError(t, s.Sessions.End(storetest.Ctx, ann))
	note()
	require.Equal(t, int64(0), s.One("SELECT count(*) FROM visits"), "an ended session notes nothing")
}
