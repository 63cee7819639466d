package votes_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/votes"
	"plaza/test/storetest"
)

// TestOneMessage casts votes on one target at about the same time.
func TestOneMessage(t *testing.T) {
	s := storetest.Open(t)
	ann := s.Member("ann")
	s.Community(ann, "gophers")
	p, other := s.Post(ann, "gophers", "liked"), s.Post(ann, "gophers", "another")
	c := s.Comment(ann, p.ID, 0, "liked as well")
	s.FoldAll()
	s.Asked(data.WordVote)
	s.DB.FoldEvery = time.Minute // longer than the test takes
	voteAll(s, s.Crowd(100, storetest.Old, storetest.Anywhere), p.ID, 1)
	require.Equal(t, []data.ID{p.ID}, s.Asked(data.WordVote))
	s.FoldOnly(votes.Pending{Targets: []data.ID{p.ID}})
	require.Equal(t, int64(101), s.Find(p.ID, 0).Ups)

	ben := s.Member("ben")
	s.Vote(ben, other.ID, 1)
	s.Vote(ben, c.ID, 1)
	require.Equal(t, []data.ID{other.ID, c.ID}, s.Asked(data.WordVote), "other targets have messages of their own")
	s.DB.FoldEvery = 0
	s.Vote(s.Member("cleo"), p.ID, 1)
	s.Vote(s.Member("dora"), p.ID, 1)
	require.Equal(t, []data.ID{p.ID, p.ID}, s.Asked(data.WordVote))
}

// TestMessagesComeLater has a queue that keeps messages for twice as long as one does for the votes on its target. All votes are counted
// without the sweep.
func TestMessagesComeLater(t *testing.T) {
	s := storetest.Open(t)
	ann := s.Member("ann")
	s.Community(ann, "gophers")
	var targets []data.ID
	for i := range 3 {
		targets = append(targets, s.Post(ann, "gophers", fmt.Sprint("post ", i)).ID)
	}
	s.FoldAll()
	s.Asked(data.WordVote)
	const every = 50 * time.Millisecond
	s.DB.FoldEvery = every
	var deliveries sync.WaitGroup
	var mu sync.Mutex
	messages := 0
	s.DB.Send = func(_ context.Context, _ string, bodies ...string) {
		mu.Lock()
		messages += len(bodies)
		mu.Unlock()
		for _, body := range bodies {
			id, err := data.ParseID(body[len(data.WordVote)+1:])
			require.NoError(t, err)
			deliveries.Go(func() {
				time.Sleep(2 * every)
				left, err := s.Votes.Fold(context.Background(), votes.Pending{Targets: []data.ID{id}})
				require.NoError(t, err)
				require.Empty(t, left)
			})
		}
	}
	const rounds = 40
	voters := s.Crowd(6, storetest.Old, storetest.Anywhere)
	began := time.Now()
	var casting sync.WaitGroup
	for i, voter := range voters {
		casting.Go(func() {
			for round := range rounds {
				value := (round+i)%3 - 1
				if round == rounds-1 {
					value = 1
				}
				for _, target := range targets {
					_, err := s.Votes.Cast(context.Background(), voter, target, value)
					require.NoError(t, err)
				}
			}
		})
	}
	casting.Wait()
	took := time.Since(began)
	deliveries.Wait()
	require.Equal(t, int64(0), s.One("SELECT count(*) FROM vote_deltas"))
	require.Equal(t, int64(len(targets)), s.One("SELECT count(*) FROM posts WHERE ups = 7 AND downs = 0"))
	t.Logf("%d votes, %d messages in %v", len(voters)*rounds*len(targets), messages, took)
	require.LessOrEqual(t, messages, len(targets)*(int(took/every)+2))
}
