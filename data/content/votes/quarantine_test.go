package votes_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/data/content/votes"
	"plaza/ranking"
	"plaza/test/storetest"
)

// TestHonestVotesCount has other members vote while a brigade does.
func TestHonestVotesCount(t *testing.T) {
	s := storetest.Open(t)
	s.Votes.Limits = ranking.DefaultThresholds()
	ann := s.Member("ann")
	ups := func(p *posts.Post) int64 { return s.Find(p.ID, 0).Ups }
	// Each case has a community of its own, named after it.
	n := 0
	fresh := func(withHistory bool) *posts.Post {
		n++
		name := string(rune('a'+n)) + "club"
		s.Community(ann, name)
		if withHistory {
			giveHistory(s, ann, name)
		}
		return s.Post(ann, name, "fresh")
	}

	t.Run("three old accounts vote, 24 new ones follow: only these wait", func(t *testing.T) {
		p := fresh(true)
		voteAll(s, s.Actors(3, storetest.Old, storetest.Anywhere), p.ID, 1)
		s.ApplyDeltas(p.ID)
		require.Equal(t, int64(4), ups(p))
		voteAll(s, s.Actors(24, time.Hour, storetest.Anywhere), p.ID, 1)
		s.ApplyDeltas(p.ID)
		require.Equal(t, int64(4), ups(p))
		require.Equal(t, int64(24), s.Quarantined(p.ID))

		voteAll(s, s.Actors(4, storetest.Old, storetest.Anywhere), p.ID, 1)
		voteAll(s, s.Actors(2, time.Hour, storetest.Anywhere), p.ID, 1)
		s.ApplyDeltas(p.ID)
		require.Equal(t, int64(8), ups(p), "later old ones count, too")
		require.Equal(t, int64(26), s.Quarantined(p.ID), "later young ones don't")
		open := s.Cases(p.Community, true)
		require.Len(t, open, 1)
		require.Equal(t, int64(26), open[0].Votes)
		require.Equal(t, 33, open[0].Evidence.Votes)
		counted(s)
	})

	t.Run("in a community without history nothing is quarantined for age alone", func(t *testing.T) {
		p := fresh(false)
		voteAll(s, s.Actors(3, storetest.Old, storetest.Anywhere), p.ID, 1)
		voteAll(s, s.Actors(60, time.Hour, storetest.Anywhere), p.ID, 1)
		s.ApplyDeltas(p.ID)
		require.Equal(t, int64(64), ups(p))
		voteAll(s, s.Actors(60, time.Hour, storetest.Anywhere), p.ID, 1)
		s.ApplyDeltas(p.ID)
		require.Equal(t, int64(124), ups(p), "nor does what it has just seen become a history")
		require.Empty(t, s.Cases(p.Community, true))
		counted(s)
	})

	t.Run("nor does one whose voters are young", func(t *testing.T) {
		p := fresh(false)
		for range 3 {
			voteAll(s, s.Actors(60, time.Hour, storetest.Anywhere), p.ID, 1)
			s.ApplyDeltas(p.ID)
			*s.Clock = s.Clock.Add(8 * 24 * time.Hour)
			p = s.Post(ann, p.Community, "another")
		}
		voteAll(s, s.Actors(60, time.Hour, storetest.Anywhere), p.ID, 1)
		s.ApplyDeltas(p.ID)
		require.Equal(t, int64(61), ups(p))
		require.Empty(t, s.Cases(p.Community, true))
	})

	t.Run("where there are few votes a week, weeks are put together", func(t *testing.T) {
		p := fresh(false)
		for range 5 {
			voteAll(s, s.Actors(30, storetest.Old, storetest.Anywhere), p.ID, 1)
			s.ApplyDeltas(p.ID)
			*s.Clock = s.Clock.Add(8 * 24 * time.Hour)
		}
		p = s.Post(ann, p.Community, "fresh")
		voteAll(s, s.Actors(24, time.Hour, storetest.Anywhere), p.ID, 1)
		s.ApplyDeltas(p.ID)
		require.Equal(t, int64(1), ups(p))
		require.Equal(t, int64(24), s.Quarantined(p.ID))
	})

	for name, test := range map[string]struct{ same func(int) data.Origin }{"network": {storetest.OneNetwork},
		"site": {storetest.OneReferrer}} {
		t.Run("those who come from elsewhere than the brigade's one "+name+" count", func(t *testing.T) {
			p := fresh(false)
			voteAll(s, s.Actors(4, storetest.Old, storetest.Anywhere), p.ID, -1)
			voteAll(s, s.Actors(3, time.Hour, storetest.Anywhere), p.ID, -1)
			voteAll(s, s.Actors(40, storetest.Old, test.same), p.ID, -1)
			s.ApplyDeltas(p.ID)
			require.Equal(t, int64(7), s.Find(p.ID, 0).Downs)
			require.Equal(t, int64(40), s.Quarantined(p.ID))
			voteAll(s, s.Actors(1, storetest.Old, test.same), p.ID, -1)
			voteAll(s, s.Actors(1, time.Hour, storetest.Anywhere), p.ID, -1)
			s.ApplyDeltas(p.ID)
			require.Equal(t, int64(8), s.Find(p.ID, 0).Downs)
			require.Equal(t, int64(41), s.Quarantined(p.ID))
			counted(s)
		})
	}

	t.Run("votes in the other direction count", func(t *testing.T) {
		p := fresh(true)
		voteAll(s, s.Actors(30, time.Hour, storetest.OneNetwork), p.ID, -1)
		voteAll(s, s.Actors(5, time.Hour, storetest.OneNetwork), p.ID, 1)
		s.ApplyDeltas(p.ID)
		got := s.Find(p.ID, 0)
		require.Equal(t, [2]int64{6, 0}, [2]int64{got.Ups, got.Downs})
	})

	t.Run("quarantined votes are not what is usual next week, released ones are", func(t *testing.T) {
		p := fresh(true)
		voteAll(s, s.Actors(30, time.Hour, storetest.Anywhere), p.ID, 1)
		s.ApplyDeltas(p.ID)
		usual := func() float64 { // as for a burst next week
			*s.Clock = s.Clock.Add(8 * 24 * time.Hour)
			again := s.Post(ann, p.Community, "again")
			voteAll(s, s.Actors(40, time.Hour, storetest.Anywhere), again.ID, 1)
			s.ApplyDeltas(again.ID)
			return s.Cases(p.Community, true)[0].Evidence.Signals[0].Baseline
		}
		require.Zero(t, usual())
		cases := s.Cases(p.Community, true)
		_, err := s.Votes.Decide(storetest.Ctx, ann, p.Community, cases[len(cases)-1].ID, votes.Release)
		require.NoError(t, err)
		s.ApplyDeltas(p.ID)
		require.InDelta(t, 30/(120.+30), usual(), 1e-9)
		counted(s)
	})
}
