package votes_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/votes"
	"plaza/data/storetest"
	"plaza/data/wire/hrana"
	"plaza/ranking"
)

// TestBrigadeCost pins what looking for brigades adds to a batch.
func TestBrigadeCost(t *testing.T) {
	s := storetest.Open(t)
	ann := s.Member("ann")
	s.Community(ann, "gophers")
	people := s.Crowd(620, storetest.Old, storetest.Anywhere)
	var targets []data.ID
	for i := range 10 {
		p := s.Post(ann, "gophers", fmt.Sprint("post ", i))
		voteAll(s, people[:5], p.ID, 1)
		targets = append(targets, p.ID)
	}
	s.Fold(targets...)
	hot := s.Post(ann, "gophers", "hot")
	voteAll(s, people[:600], hot.ID, 1)
	s.Fold(hot.ID)
	cost := func(limits ranking.Thresholds, targets ...data.ID) [3]int64 {
		s.Votes.Limits = limits
		c, meter := hrana.WithMeter(storetest.Ctx)
		_, err := s.Votes.Fold(c, votes.Pending{Targets: targets})
		require.NoError(t, err)
		return [3]int64{meter.Requests(), meter.RowsRead(), meter.RowsWritten()}
	}
	less := func(a, b [3]int64) [3]int64 { return [3]int64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
	none, limits := ranking.Thresholds{}, ranking.DefaultThresholds()
	quiet := less(cost(limits, targets...), cost(none, targets...))
	busy := less(cost(limits, hot.ID), cost(none, hot.ID))
	t.Logf("added to a batch of 10 targets with 5 votes each (requests, rows read, rows written): %v; of one with 600: %v", quiet, busy)
	require.Equal(t, int64(0), quiet[0])
	require.LessOrEqual(t, quiet[1], int64(10*(5+5+3)), "the ballots of the last minutes, five a target, and its deltas")
	require.Equal(t, int64(1), busy[0], "an honest crowd: its ballots are read, no baseline")
	require.LessOrEqual(t, busy[1], int64(20+500+10))
	require.Equal(t, int64(0), quiet[2]+busy[2])

	// How old voters are is added up from the votes that a fold has before it anyway.
	// The search has the number of digits of a score, which stays the same here.
	s.Exec("UPDATE posts SET base_ups = 20, ups = ups + 20, score = score + 20 WHERE id = ?1", int64(targets[0]))
	voteAll(s, people[5:15], targets[0], 1)
	with := cost(limits, targets[0])
	voteAll(s, people[15:25], targets[0], 1)
	added := less(with, cost(none, targets[0]))
	t.Logf("added to a fold of 10 votes: %v", added)
	require.Equal(t, int64(0), added[0])
	require.LessOrEqual(t, added[1], int64(10*5+15), "five rows a vote, beside the ballots")
	require.LessOrEqual(t, added[2], int64(1), "a row a community")

	c, meter := hrana.WithMeter(storetest.Ctx)
	_, err := s.Votes.Cast(c, people[610], hot.ID, 1)
	require.NoError(t, err)
	t.Logf("a vote: %d rows read, %d written", meter.RowsRead(), meter.RowsWritten())
}

// TestCaseIsCountedOnce pins what two more votes of a large case read: a row of each vote that it has, once.
func TestCaseIsCountedOnce(t *testing.T) {
	s := storetest.Open(t)
	s.Votes.Limits = ranking.DefaultThresholds()
	ann := s.Member("ann")
	s.Community(ann, "gophers")
	settle(s, ann, "gophers")
	more := func(held int) int64 {
		p := s.Post(ann, "gophers", fmt.Sprint("Brigaded by ", held))
		people := s.Crowd(held+2, time.Hour, storetest.Anywhere)
		voteAll(s, people[:held], p.ID, 1)
		s.Fold(p.ID)
		require.Equal(t, int64(held), s.Quarantined(p.ID))
		voteAll(s, people[held:], p.ID, 1)
		c, meter := hrana.WithMeter(storetest.Ctx)
		_, err := s.Votes.Fold(c, votes.Pending{Targets: []data.ID{p.ID}})
		require.NoError(t, err)
		require.Equal(t, int64(held+2), s.Quarantined(p.ID))
		return meter.RowsRead()
	}
	small, large := more(100), more(400)
	t.Logf("two votes more of a case of 100 and of 400: %d, %d rows read", small, large)
	require.LessOrEqual(t, large-small, int64(10*300), "ten rows a vote that the case has; one of them counts it")
}
