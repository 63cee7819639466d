package data_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/ranking"
)

// TestHonestVotesCount has people vote while a brigade does.
func TestHonestVotesCount(t *testing.T) {
	s := mustOpen(t)
	s.votes.Limits = ranking.DefaultThresholds()
	ann := s.member("ann")
	ups := func(p *data.Post) int64 { return s.find(p.ID, 0).Ups }
	// Each case has a community of its own, which its name tells.
	n := 0
	fresh := func(settled bool) *data.Post {
		n++
		name := string(rune('a'+n)) + "club"
		s.community(ann, name)
		if settled {
			s.settle(ann, name)
		}
		return s.post(ann, name, "fresh")
	}

	t.Run("three old accounts vote, 24 new ones follow: only these wait", func(t *testing.T) {
		p := fresh(true)
		s.voteAll(s.crowd(3, old, anywhere), p.ID, 1)
		s.fold(p.ID)
		require.Equal(t, int64(4), ups(p))
		s.voteAll(s.crowd(24, time.Hour, anywhere), p.ID, 1)
		s.fold(p.ID)
		require.Equal(t, int64(4), ups(p))
		require.Equal(t, int64(24), s.held(p.ID))

		s.voteAll(s.crowd(4, old, anywhere), p.ID, 1)
		s.voteAll(s.crowd(2, time.Hour, anywhere), p.ID, 1)
		s.fold(p.ID)
		require.Equal(t, int64(8), ups(p), "later old ones count, too")
		require.Equal(t, int64(26), s.held(p.ID), "later young ones don't")
		open := s.cases(p.Community, true)
		require.Len(t, open, 1)
		require.Equal(t, int64(26), open[0].Votes)
		require.Equal(t, 33, open[0].Evidence.Votes)
		s.counted()
	})

	t.Run("a community without history holds nothing on age alone", func(t *testing.T) {
		p := fresh(false)
		s.voteAll(s.crowd(3, old, anywhere), p.ID, 1)
		s.voteAll(s.crowd(60, time.Hour, anywhere), p.ID, 1)
		s.fold(p.ID)
		require.Equal(t, int64(64), ups(p))
		s.voteAll(s.crowd(60, time.Hour, anywhere), p.ID, 1)
		s.fold(p.ID)
		require.Equal(t, int64(124), ups(p), "nor does what it has just seen become a history")
		require.Empty(t, s.cases(p.Community, true))
		s.counted()
	})

	t.Run("nor does one whose voters are young", func(t *testing.T) {
		p := fresh(false)
		for range 3 {
			s.voteAll(s.crowd(60, time.Hour, anywhere), p.ID, 1)
			s.fold(p.ID)
			*s.clock = s.clock.Add(8 * 24 * time.Hour)
			p = s.post(ann, p.Community, "another")
		}
		s.voteAll(s.crowd(60, time.Hour, anywhere), p.ID, 1)
		s.fold(p.ID)
		require.Equal(t, int64(61), ups(p))
		require.Empty(t, s.cases(p.Community, true))
	})

	t.Run("where there are few votes a week, weeks are put together", func(t *testing.T) {
		p := fresh(false)
		for range 5 {
			s.voteAll(s.crowd(30, old, anywhere), p.ID, 1)
			s.fold(p.ID)
			*s.clock = s.clock.Add(8 * 24 * time.Hour)
		}
		p = s.post(ann, p.Community, "fresh")
		s.voteAll(s.crowd(24, time.Hour, anywhere), p.ID, 1)
		s.fold(p.ID)
		require.Equal(t, int64(1), ups(p))
		require.Equal(t, int64(24), s.held(p.ID))
	})

	for name, test := range map[string]struct{ same func(int) data.Origin }{"network": {oneNetwork}, "site": {oneReferrer}} {
		t.Run("those who come from elsewhere than the brigade's one "+name+" count", func(t *testing.T) {
			p := fresh(false)
			s.voteAll(s.crowd(4, old, anywhere), p.ID, -1)
			s.voteAll(s.crowd(3, time.Hour, anywhere), p.ID, -1)
			s.voteAll(s.crowd(40, old, test.same), p.ID, -1)
			s.fold(p.ID)
			require.Equal(t, int64(7), s.find(p.ID, 0).Downs)
			require.Equal(t, int64(40), s.held(p.ID))
			s.voteAll(s.crowd(1, old, test.same), p.ID, -1)
			s.voteAll(s.crowd(1, time.Hour, anywhere), p.ID, -1)
			s.fold(p.ID)
			require.Equal(t, int64(8), s.find(p.ID, 0).Downs)
			require.Equal(t, int64(41), s.held(p.ID))
			s.counted()
		})
	}

	t.Run("votes in the other direction count", func(t *testing.T) {
		p := fresh(true)
		s.voteAll(s.crowd(30, time.Hour, oneNetwork), p.ID, -1)
		s.voteAll(s.crowd(5, time.Hour, oneNetwork), p.ID, 1)
		s.fold(p.ID)
		got := s.find(p.ID, 0)
		require.Equal(t, [2]int64{6, 0}, [2]int64{got.Ups, got.Downs})
	})

	t.Run("what is held is not what is usual next week, what is released is", func(t *testing.T) {
		p := fresh(true)
		s.voteAll(s.crowd(30, time.Hour, anywhere), p.ID, 1)
		s.fold(p.ID)
		of := func(column string) any {
			return s.one("SELECT "+column+" FROM voter_ages v JOIN communities k ON k.id = v.community_id WHERE k.name = ?1", p.Community)
		}
		require.Equal(t, [3]any{int64(0), int64(0), int64(120)}, [3]any{of("votes"), of("young"), of("votes_before")})
		_, err := s.votes.DecideQuarantine(ctx, ann, p.Community, s.cases(p.Community, true)[0].ID, data.Release)
		require.NoError(t, err)
		s.fold(p.ID)
		require.Equal(t, [2]any{int64(30), int64(30)}, [2]any{of("votes"), of("young")})
		s.counted()
	})
}
