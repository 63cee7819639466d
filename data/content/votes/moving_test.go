package votes_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/votes"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// openMoving is a site with a post in a slot that moves, and one in another slot.
func openMoving(t *testing.T) (s *storetest.Stores, moves, stays data.ID) {
	if stacktest.Shards(t) > 1 {
		t.Skip("both slots are in one database")
	}
	s = storetest.Open(t)
	ann := s.Member("ann")
	s.Community(ann, "gophers")
	s.Community(ann, "birds")
	moves, stays = s.Post(ann, "gophers", "It moves").ID, s.Post(ann, "birds", "It stays").ID
	require.NotEqual(t, moves.Slot(), stays.Slot())
	s.ApplyAll()
	return s, moves, stays
}

// TestOneSlotMoves: a batch with something in a frozen slot does everything else. The part in the frozen slot waits, and is not refused.
func TestOneSlotMoves(t *testing.T) {
	s, moves, stays := openMoving(t)
	ben, judy := s.Member("ben"), s.Member("judy")
	s.Vote(ben, moves, 1)
	s.Vote(ben, stays, 1)
	for _, table := range []string{"votes", "posts"} {
		event, row := "INSERT", "new.target_id"
		if table == "posts" {
			event, row = "UPDATE", "new.id"
		}
		s.Exec(fmt.Sprintf("CREATE TRIGGER frozen_%s BEFORE %s ON %s WHEN (%s >> 12) & 1023 = %d BEGIN SELECT raise(ABORT, '%s'); END", table, event, table,
			row, moves.Slot(), data.SlotFrozen))
	}
	errs := s.Votes.CastTogether(storetest.Ctx, s.DB.Shards()[0], judy, []data.ID{moves, stays})
	require.True(t, data.IsMoving(errs[0]), errs[0])
	require.NoError(t, errs[1], "its slot is open")
	errs = s.Votes.CastTogether(storetest.Ctx, s.DB.Shards()[0], judy, []data.ID{moves})
	require.True(t, data.IsMoving(errs[0]), errs[0])

	unapplied, err := s.Votes.ApplyDeltas(storetest.Ctx, votes.Pending{Targets: []data.ID{moves, stays}})
	require.True(t, data.IsMoving(err), err)
	require.Empty(t, unapplied.Refused.Targets, "it would be a dead letter")
	require.Equal(t, []data.ID{moves}, unapplied.Rest.Targets)
	require.Equal(t, int64(3), s.Find(stays, 0).Ups, "the other one is counted")
	s.Exec("DROP TRIGGER frozen_posts")
	unapplied, err = s.Votes.ApplyDeltas(storetest.Ctx, unapplied.Rest)
	require.NoError(t, err)
	require.Empty(t, unapplied.Rest.Targets)
	require.Equal(t, int64(2), s.Find(moves, 0).Ups)
}

// TestVotesWaitBehindNoFrozenSlot: a frozen slot with as many targets as one search finds does not hide other targets.
func TestVotesWaitBehindNoFrozenSlot(t *testing.T) {
	s, moves, stays := openMoving(t)
	ben := s.Member("ben")
	s.Vote(ben, stays, 1)
	c := s.Comment(ben, stays, 0, "a comment")
	require.NotZero(t, c.ID)
	s.Exec("INSERT INTO frozen_slots (slot, run) VALUES (?1, 1)", moves.Slot())
	// Later ids of the slot: a millisecond is 1 << 22.
	const later = ` WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n LIMIT 1100) `
	s.Exec(`INSERT INTO vote_deltas (target_id, user_id, ups, downs, created_at)`+later+`SELECT ?1 + (n + 1000000) * 4194304, 1, 1, 0, 1 FROM n`, int64(moves))
	s.Exec(`INSERT INTO count_deltas (post_id, parent_id, path, created_at)`+later+`SELECT ?1 + (n + 1000000) * 4194304, 0, 'x', 1 FROM n`, int64(moves))
	p, err := s.Votes.FindPending(storetest.Ctx, 0)
	require.NoError(t, err)
	require.Equal(t, []data.ID{stays}, p.Targets)
	require.Equal(t, []data.ID{stays}, p.Posts)
}
