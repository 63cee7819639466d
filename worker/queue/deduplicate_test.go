package queue_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/votes"
	"plaza/test/storetest"
	"plaza/worker/queue"
)

// sending is a queue that is a function.
type sending func(bodies []string)

func (s sending) Send(_ context.Context, _ string, bodies ...string) error {
	s(bodies)
	return nil
}

// TestDeduplicatedVotes has a queue that delivers a message when the next one of its target comes, so later than it does for votes, and the
// last ones at the end. All votes are counted without the retry job.
func TestDeduplicatedVotes(t *testing.T) {
	s := storetest.Open(t)
	ann := s.Member("ann")
	s.Community(ann, "gophers")
	var targets []data.ID
	for i := range 3 {
		targets = append(targets, s.Post(ann, "gophers", fmt.Sprint("post ", i)).ID)
	}
	s.ApplyAll()
	s.Asked(data.WordVote)
	const every = 50 * time.Millisecond
	var deliveries sync.WaitGroup
	deliver := func(body string) {
		id, err := data.ParseID(body[len(data.WordVote)+1:])
		assert.NoError(t, err)
		remaining, err := s.Votes.ApplyDeltas(context.Background(), votes.Pending{Targets: []data.ID{id}})
		assert.NoError(t, err)
		assert.Empty(t, remaining)
	}
	var mu sync.Mutex
	messages, waiting := 0, map[string]bool{}
	queue := queue.Deduplicate(sending(func(bodies []string) {
		mu.Lock()
		defer mu.Unlock()
		messages += len(bodies)
		for _, body := range bodies {
			if waiting[body] {
				deliveries.Go(func() { deliver(body) })
			}
			waiting[body] = true
		}
	}), 2*every)
	s.DB.Send = func(ctx context.Context, name string, bodies ...string) {
		assert.NoError(t, queue.Send(ctx, name, bodies...))
	}
	const rounds = 40
	voters := s.Actors(6, storetest.Old, storetest.Anywhere)
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
					assert.NoError(t, err)
				}
			}
		})
	}
	casting.Wait()
	took := time.Since(began)
	deliveries.Wait()
	require.Len(t, waiting, len(targets))
	for body := range waiting {
		deliver(body)
	}
	require.Equal(t, int64(0), s.One("SELECT count(*) FROM vote_deltas"))
	require.Equal(t, int64(len(targets)), s.One("SELECT count(*) FROM posts WHERE ups = 7 AND downs = 0"))
	t.Logf("%d votes, %d messages in %v", len(voters)*rounds*len(targets), messages, took)
	require.LessOrEqual(t, messages, 2*len(targets)*(int(took/every)+2), "two of one moment may both be sent")
}
