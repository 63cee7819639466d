package votes_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/votes"
	"plaza/ranking"
	"plaza/test/storetest"
)

// TestBrigadeCost pins the cost of the detection of brigades for a batch.
func TestBrigadeCost(t *testing.T) {
	s := storetest.Open(t)
	ann := s.Member("ann")
	s.Community(ann, "gophers")
	people := s.Actors(620, storetest.Old, storetest.Anywhere)
	var targets []data.ID
	for i := range 10 {
		p := s.Post(ann, "gophers", fmt.Sprint("post ", i))
		voteAll(s, people[:5], p.ID, 1)
		targets = append(targets, p.ID)
	}
	s.ApplyDeltas(targets...)
	hot := s.Post(ann, "gophers", "hot")
	voteAll(s, people[:600], hot.ID, 1)
	s.ApplyDeltas(hot.ID)
	cost := func(limits ranking.Thresholds, targets ...data.ID) [3]int64 {
		s.Votes.Limits = limits
		c, meter := s.Metered()
		_, err := s.Votes.ApplyDeltas(c, votes.Pending{Targets: targets})
		require.NoError(t, err)
		return [3]int64{meter.Requests(), meter.RowsRead(), meter.RowsWritten()}
	}
	less := func(a, b [3]int64) [3]int64 { return [3]int64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
	none, limits := ranking.Thresholds{}, ranking.DefaultThresholds()
	quiet := less(cost(limits, targets...), cost(none, targets...))
	busy := less(cost(limits, hot.ID), cost(none, hot.ID))
	t.Logf("added to a batch of 10 targets with 5 votes each (requests, rows read, rows written): %v; of one with 600: %v", quiet, busy)
	require.Equal(t, int64(0), quiet[0])
	require.LessOrEqual(t, quiet[1], int64(10*(5+5+3)), "the origins of the last minutes, five a target, and its deltas")
	require.Equal(t, int64(1), busy[0], "an honest burst: its origins are read, no baseline")
	require.LessOrEqual(t, busy[1], int64(20+500+10))
	require.Equal(t, int64(0), quiet[2]+busy[2])

	// Many votes of young accounts are compared with the voters of a limited number of posts.
	s.Exec(`INSERT INTO posts (id, community_id, community_name, author_id, author_name, slug, kind, title, ups, hot, created_at)
  SELECT p.id - (j.value << 22), p.community_id, p.community_name, p.author_id, p.author_name, p.slug || j.value, p.kind, p.title, 21, 0,
    p.created_at - 864000000 - j.value
  FROM posts p CROSS JOIN (WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n LIMIT 700) SELECT value FROM n) j
  WHERE p.id = ?1`, int64(targets[0]))
	s.Exec(`INSERT INTO votes (target_id, user_id, value, updated_at, automatic) SELECT p.id, u.value, 1, p.created_at, 1
  FROM posts p CROSS JOIN (WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n LIMIT 20) SELECT value FROM n) u
  WHERE p.ups = 21 AND p.hot = 0`)
	fresh := s.Post(ann, "gophers", "fresh")
	voteAll(s, s.Actors(40, time.Hour, storetest.Anywhere), fresh.ID, 1)
	brigade := cost(limits, fresh.ID)
	t.Logf("a delta run that finds a brigade of 40 (requests, rows read, rows written): %v", brigade)
	require.Equal(t, int64(40), s.Quarantined(fresh.ID))
	require.LessOrEqual(t, brigade[1], int64(2*500+3*1000), "the newest of the posts, and of their votes")

	c, meter := s.Metered()
	_, err := s.Votes.Cast(c, people[610], hot.ID, 1)
	require.NoError(t, err)
	t.Logf("a vote: %d rows read, %d written", meter.RowsRead(), meter.RowsWritten())
}

// TestCaseIsCountedOnce pins the rows that two more votes of a large case read: each vote of the case, once.
func TestCaseIsCountedOnce(t *testing.T) {
	s := storetest.Open(t)
	s.Votes.Limits = ranking.DefaultThresholds()
	ann := s.Member("ann")
	s.Community(ann, "gophers")
	giveHistory(s, ann, "gophers")
	more := func(quarantined int) int64 {
		p := s.Post(ann, "gophers", fmt.Sprint("Brigaded by ", quarantined))
		people := s.Actors(quarantined+2, time.Hour, storetest.Anywhere)
		voteAll(s, people[:quarantined], p.ID, 1)
		s.ApplyDeltas(p.ID)
		require.Equal(t, int64(quarantined), s.Quarantined(p.ID))
		voteAll(s, people[quarantined:], p.ID, 1)
		c, meter := s.Metered()
		_, err := s.Votes.ApplyDeltas(c, votes.Pending{Targets: []data.ID{p.ID}})
		require.NoError(t, err)
		require.Equal(t, int64(quarantined+2), s.Quarantined(p.ID))
		return meter.RowsRead()
	}
	small, large := more(100), more(400)
	t.Logf("two votes more of a case of 100 and of 400: %d, %d rows read", small, large)
	require.LessOrEqual(t, large-small, int64(10*300), "ten rows a vote that the case has; one of them counts it")
}
