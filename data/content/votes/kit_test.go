package votes_test

import (
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/storetest"
)

// voteAll makes each of the people vote.
func voteAll(s *storetest.Stores, people []data.Actor, target data.ID, value int) {
	s.Helper()
	for _, a := range people {
		s.Vote(a, target, value)
	}
}

// giveHistory gives a community a history of usual voters: 120 votes of old accounts, a week ago.
func giveHistory(s *storetest.Stores, author data.Actor, community string) {
	s.Helper()
	p := s.Post(author, community, "long ago")
	voteAll(s, s.Actors(120, storetest.Old, storetest.Anywhere), p.ID, 1)
	s.ApplyDeltas(p.ID)
	*s.Clock = s.Clock.Add(8 * 24 * time.Hour)
}

// look reads a target as a viewer sees it: ups, downs and their vote.
func look(s *storetest.Stores, r *data.Read, id, viewer data.ID) func() [3]int64 {
	s.Helper()
	if id.IsComment() {
		c := s.Comments.FindByID(r, id, viewer)
		return func() [3]int64 { return [3]int64{c.Ups, c.Downs, int64(c.MyVote)} }
	}
	p := s.Posts.FindByID(r, id, viewer)
	return func() [3]int64 { return [3]int64{p.Ups, p.Downs, int64(p.MyVote)} }
}

// counted asserts that counters are the sums of the votes of status 0, and scores to within a 32nd (post_counters in triggers.sql).
func counted(s *storetest.Stores) {
	s.Helper()
	require.Equal(s, int64(0), s.One(`SELECT count(*) FROM (SELECT id, ups, downs, abs(ups - downs - score) * 32 > abs(score) AS off FROM posts
  UNION ALL SELECT id, ups, downs, abs(ups - downs - score) * 32 > abs(score) FROM comments) t
WHERE t.off OR t.ups <> (SELECT count(*) FROM votes v WHERE v.target_id = t.id AND v.status = 0 AND v.value = 1)
  OR t.downs <> (SELECT count(*) FROM votes v WHERE v.target_id = t.id AND v.status = 0 AND v.value = -1)`))
}
