package storetest

import (
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/votes"
)

// crowded keeps the ids of a test's people apart.
var crowded uint32

// Crowd is a number of people with accounts of an age.
func (s *Stores) Crowd(n int, age time.Duration, origin func(i int) data.Origin) (people []data.Actor) {
	for i := range n {
		a := data.Actor{UserID: data.NewID(s.Clock.Add(-age), 0, data.KindOther, crowded), Name: "someone", IssuedAt: *s.Clock}
		a.SessionID, a.Origin = a.UserID+1<<12, origin(i)
		crowded++
		people = append(people, a)
	}
	return people
}

const Old = 100 * 24 * time.Hour

func Anywhere(i int) data.Origin {
	return data.Origin{Network: fmt.Sprintf("198.51.%d.0/24", i), Referrer: []string{"", "", "news.example", "search.example"}[i%4]}
}

func OneNetwork(int) data.Origin { return data.Origin{Network: "203.0.113.0/24"} }

func OneReferrer(i int) data.Origin {
	return data.Origin{Network: fmt.Sprintf("198.51.%d.0/24", i), Referrer: "brigade.example"}
}

func (s *Stores) VoteAll(people []data.Actor, target data.ID, value int) {
	s.Helper()
	for _, a := range people {
		s.Vote(a, target, value)
	}
}

func (s *Stores) Fold(targets ...data.ID) {
	s.Helper()
	s.FoldOnly(votes.Pending{Targets: targets})
}

// Cases are the cases of a community, newest first.
func (s *Stores) Cases(community string, open bool) []votes.Case {
	s.Helper()
	r := s.DB.Read()
	list := s.Votes.FindCases(r, community, open, 0, 100)
	require.NoError(s, r.Run(Ctx))
	return *list
}

// Settle gives a community the history that tells who usually votes there: 120 votes of old accounts, a week ago.
func (s *Stores) Settle(author data.Actor, community string) {
	s.Helper()
	p := s.Post(author, community, "long ago")
	s.VoteAll(s.Crowd(120, Old, Anywhere), p.ID, 1)
	s.Fold(p.ID)
	*s.Clock = s.Clock.Add(8 * 24 * time.Hour)
}

// Quarantined is how many votes on a target wait for a decision.
func (s *Stores) Quarantined(target data.ID) any {
	s.Helper()
	return s.One("SELECT count(*) FROM votes WHERE target_id = ?1 AND status = 1", int64(target))
}

// Counted asserts that counters are the sums of the votes of status 0, and that the voters of whom the age is known are those
// of these votes, without authors who voted on what they wrote.
func (s *Stores) Counted() {
	s.Helper()
	require.Equal(s, s.One(`SELECT count(*) FROM votes v LEFT JOIN comments c ON c.id = v.target_id JOIN posts p ON p.id = coalesce(c.post_id, v.target_id)
WHERE v.status = 0 AND v.value <> 0 AND v.user_id <> iif(c.id IS NULL, p.author_id, c.author_id)`), s.One(`SELECT sum(votes + votes_before) FROM voter_ages`))
	require.Equal(s, int64(0), s.One(`SELECT count(*) FROM (SELECT id, ups, downs, score FROM posts UNION ALL SELECT id, ups, downs, score FROM comments) t
WHERE t.score <> t.ups - t.downs OR t.ups <> (SELECT count(*) FROM votes v WHERE v.target_id = t.id AND v.status = 0 AND v.value = 1)
  OR t.downs <> (SELECT count(*) FROM votes v WHERE v.target_id = t.id AND v.status = 0 AND v.value = -1)`))
}
