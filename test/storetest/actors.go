package storetest

import (
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/votes"
)

// actorSequence keeps the ids of a test's members apart.
var actorSequence uint32

// Actors are members without rows, with accounts of an age.
func (s *Stores) Actors(n int, age time.Duration, origin func(i int) data.Origin) (people []data.Actor) {
	for i := range n {
		a := data.Actor{UserID: data.NewID(s.Clock.Add(-age), 0, data.KindOther, actorSequence), Name: "someone", IssuedAt: *s.Clock}
		a.SessionID, a.Origin = a.UserID+1<<12, origin(i)
		actorSequence++
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

func (s *Stores) ApplyDeltas(targets ...data.ID) {
	s.Helper()
	s.ApplyOnly(votes.Pending{Targets: targets})
}

// Cases are the cases of a community, newest first.
func (s *Stores) Cases(community string, open bool) []votes.Case {
	s.Helper()
	r := s.DB.Read()
	list := s.Votes.FindCases(r, community, open, 0, 100)
	require.NoError(s, r.Run(Ctx))
	return list.Items()
}

// Quarantined is how many votes on a target wait for a decision.
func (s *Stores) Quarantined(target data.ID) any {
	s.Helper()
	return s.One("SELECT count(*) FROM votes WHERE target_id = ?1 AND status = 1", int64(target))
}
