package storetest_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"plaza/data"
	"plaza/data/content/hot"
	"plaza/test/storetest"
)

// TestModelRace has members vote at once while the one consumer applies deltas, the retry job
// finds what is pending, Redis forgets and sets are made anew, each with trouble of its
// own. It is worth most under the race detector. The same oracle judges.
func TestModelRace(t *testing.T) {
	seed := uint64(time.Now().UnixNano() % 1e9)
	m := newModel(t, seed)
	m.doing = "racing"
	// Many goroutines make moments and ids at once.
	var millis atomic.Int64
	millis.Store(m.Clock.UnixMilli())
	source := data.Source{Now: func() time.Time { return time.UnixMilli(millis.Add(1)) }, Rand: rand.Uint32}
	source.Database = source.Now
	m.Stores.Posts.Source, m.Stores.Comments.Source, m.Stores.Votes.Source = source, source, source
	for i := range 8 {
		m.Stores.Post(m.users[i], modelCommunities[i%3], fmt.Sprint("post ", i))
		id := m.adoptPost(fmt.Sprint("post ", i))
		m.Stores.Comment(m.users[i], id, 0, fmt.Sprint("comment ", i))
		m.adoptComment(fmt.Sprint("comment ", i))
	}
	all := append(append([]data.ID{}, m.modelOracle.posts...), m.modelOracle.comments...)

	// Four write at once: sqld 0.24 stalls for seconds with a dozen.
	c, cancel := context.WithTimeout(storetest.Ctx, 2*time.Minute)
	defer cancel()
	end := make(chan struct{})
	nudges := make(chan message, 1000)
	toApply, toRebuild := make(chan struct{}, 1), make(chan struct{}, 1)
	var voters, others sync.WaitGroup
	accepted := make([]map[data.ID]int, len(m.users)) // by member, for nobody else votes in their name
	for i := range accepted {
		accepted[i] = map[data.ID]int{}
	}
	for worker := range 4 {
		voters.Go(func() {
			rng := rand.New(rand.NewPCG(seed, uint64(worker)))
			for n := range 180 {
				i := worker*3 + n%3
				a := m.users[i]
				target, value := pick(rng, all), rng.IntN(3)-1
				if rng.IntN(2) == 0 {
					target = all[0] // everybody at the same post
				}
				t := storetest.RandomTrouble(rng, 0.1)
				state, err := m.Stores.Votes.Cast(storetest.With(c, storetest.ToSQL, t), a, target, value)
				if err == nil && state.Mine != value {
					m.Errorf("a vote of %d was answered with %d", value, state.Mine)
				}
				if err != nil { // its answer got lost, perhaps that of those it went with: the vote's row tells
					value = m.stored(target, a.UserID)
				}
				if value != 0 || accepted[i][target] != 0 || m.targets[target].author == a.UserID {
					accepted[i][target] = value
				}
				if rng.IntN(4) > 0 {
					nudges <- message{id: target}
				}
				for _, voted := range []chan struct{}{toApply, toRebuild} {
					select {
					case voted <- struct{}{}:
					default: // it is still at work
					}
				}
			}
		})
	}
	// until runs something after each vote, or after several, until the voting is over.
	until := func(stream uint64, voted chan struct{}, do func(*rand.Rand)) {
		others.Go(func() {
			rng := rand.New(rand.NewPCG(seed, stream))
			for {
				select {
				case <-end:
					return
				case <-voted:
					do(rng)
				}
			}
		})
	}
	var late []message // the consumer's own: what it failed at, and what comes twice
	until(100, toApply, func(rng *rand.Rand) {
		batch := late
		for len(batch) < 20 && len(nudges) > 0 {
			batch = append(batch, <-nudges)
		}
		if rng.IntN(10) == 0 {
			if p, err := m.Stores.Votes.FindPending(c, 0); err == nil {
				for _, id := range p.Targets {
					batch = append(batch, message{id: id})
				}
			}
		}
		late = nil
		troubled := storetest.With(storetest.With(c, storetest.ToSQL, storetest.RandomTrouble(rng, 0.1)), storetest.ToRedis,
			storetest.RandomTrouble(rng, 0.1))
		if unapplied, _ := m.Stores.Votes.ApplyDeltas(troubled, pendingOf(batch)); len(unapplied.Rest.Targets) > 0 || rng.IntN(10) == 0 {
			late = batch
		}
	})
	until(101, toRebuild, func(rng *rand.Rand) {
		_ = m.Hot.Rebuild(storetest.With(c, storetest.ToRedis, storetest.RandomTrouble(rng, 0.1)),
			pick(rng, append([]string{hot.SiteScope}, modelCommunities...)))
	})
	voters.Wait()
	close(end)
	others.Wait()

	for i, votes := range accepted {
		for target, value := range votes {
			m.targets[target].votes[m.users[i].UserID] = value
		}
	}
	m.queue = late
	for i := range m.queue {
		m.queue[i].redeliver = true
	}
	m.drain()
}

// stored is the vote that the database holds; 0 is also one that was never cast.
func (m *model) stored(target, user data.ID) int {
	results, err := m.clean[m.DB.ShardOf(target).Shard()].Query(storetest.Ctx, storetest.StmtOf("SELECT coalesce(sum(value), 0) FROM votes "+
		"WHERE target_id = ?1 AND user_id = ?2", int64(target), int64(user)))
	if err != nil {
		m.Error(err)
		return 0
	}
	return int(results[0].Rows()[0][0].(int64))
}
