package data_test

import (
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
)

// crowded keeps the ids of a test's people apart.
var crowded uint32

// crowd is a number of people with accounts of an age.
func (s *stores) crowd(n int, age time.Duration, origin func(i int) data.Origin) (people []data.Actor) {
	for i := range n {
		a := data.Actor{UserID: data.NewID(s.clock.Add(-age), 0, data.KindOther, crowded), Name: "someone", IssuedAt: *s.clock}
		a.SessionID, a.Origin = a.UserID+1<<12, origin(i)
		crowded++
		people = append(people, a)
	}
	return people
}

const old = 100 * 24 * time.Hour

func anywhere(i int) data.Origin {
	return data.Origin{Network: fmt.Sprintf("198.51.%d.0/24", i), Referrer: []string{"", "", "news.example", "search.example"}[i%4]}
}

func oneNetwork(int) data.Origin { return data.Origin{Network: "203.0.113.0/24"} }

func oneReferrer(i int) data.Origin {
	return data.Origin{Network: fmt.Sprintf("198.51.%d.0/24", i), Referrer: "brigade.example"}
}

func (s *stores) voteAll(people []data.Actor, target data.ID, value int) {
	s.Helper()
	for _, a := range people {
		s.vote(a, target, value)
	}
}

func (s *stores) fold(targets ...data.ID) {
	s.Helper()
	s.foldOnly(data.Pending{Targets: targets})
}

func (s *stores) cases(community string, open bool) []data.Quarantine {
	s.Helper()
	shard, err := s.db.ShardOf(ctx, community)
	require.NoError(s, err)
	r := s.db.Read()
	list := s.votes.FindQuarantines(r, shard, community, open, 0, 100)
	require.NoError(s, r.Run(ctx))
	return *list
}

// settle gives a community the history that tells who usually votes there: 120 votes of
// old accounts, a week ago.
func (s *stores) settle(author data.Actor, community string) {
	s.Helper()
	p := s.post(author, community, "long ago")
	s.voteAll(s.crowd(120, old, anywhere), p.ID, 1)
	s.fold(p.ID)
	*s.clock = s.clock.Add(8 * 24 * time.Hour)
}

// held is how many votes on a target wait.
func (s *stores) held(target data.ID) any {
	s.Helper()
	return s.one("SELECT count(*) FROM votes WHERE target_id = ?1 AND status = 1", int64(target))
}

// counted asserts the law of counters: they are the sums of the votes of status 0. Those of
// others than the authors are what is known of a community's voters.
func (s *stores) counted() {
	s.Helper()
	require.Equal(s, s.one(`SELECT count(*) FROM votes v LEFT JOIN comments c ON c.id = v.target_id JOIN posts p ON p.id = coalesce(c.post_id, v.target_id)
WHERE v.status = 0 AND v.value <> 0 AND v.user_id <> iif(c.id IS NULL, p.author_id, c.author_id)`), s.one(`SELECT sum(votes + votes_before) FROM voter_ages`))
	require.Equal(s, int64(0), s.one(`SELECT count(*) FROM (SELECT id, ups, downs, score FROM posts UNION ALL SELECT id, ups, downs, score FROM comments) t
WHERE t.score <> t.ups - t.downs OR t.ups <> (SELECT count(*) FROM votes v WHERE v.target_id = t.id AND v.status = 0 AND v.value = 1)
  OR t.downs <> (SELECT count(*) FROM votes v WHERE v.target_id = t.id AND v.status = 0 AND v.value = -1)`))
}
