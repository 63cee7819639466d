package semaphore_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data/pace/deadline"
	"plaza/data/pace/semaphore"
)

const stay = 6 * time.Second

// bubble runs a test on a semaphore with two places.
func bubble(t *testing.T, name string, test func(*testing.T, *semaphore.Semaphore)) {
	t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { test(t, &semaphore.Semaphore{Places: 2, Sleep: deadline.DefaultSleep}) })
	})
}

func mustEnter(t *testing.T, g *semaphore.Semaphore) func() {
	release, err := g.Acquire(t.Context(), time.Minute, stay)
	require.NoError(t, err)
	return release
}

func TestGate(t *testing.T) {
	bubble(t, "no more are inside than there are places, in the order they came", func(t *testing.T, g *semaphore.Semaphore) {
		var mu sync.Mutex
		var order []int
		inside, most := 0, 0
		var all sync.WaitGroup
		for i := range 100 {
			all.Go(func() {
				release := mustEnter(t, g)
				mu.Lock()
				inside++
				most = max(most, inside)
				order = append(order, i)
				mu.Unlock()
				time.Sleep(10 * time.Millisecond)
				mu.Lock()
				inside--
				mu.Unlock()
				release()
			})
			time.Sleep(time.Microsecond)
		}
		began := time.Now()
		all.Wait()
		assert.Equal(t, 2, most)
		for place, i := range order { // with room for both, either may be first
			assert.InDelta(t, place, i, 1, "%v", order)
		}
		assert.Less(t, time.Since(began), 50*15*time.Millisecond, "places are not left empty for long")
	})
	bubble(t, "a waiting request checks a few times, however many wait before it", func(t *testing.T, g *semaphore.Semaphore) {
		const requests, visit = 200, 5 * time.Millisecond
		var checks atomic.Int64
		g.Sleep = func(ctx context.Context, d time.Duration) error {
			checks.Add(1)
			return deadline.DefaultSleep(ctx, d)
		}
		for range 20 { // so that the time of a visit is known
			release := mustEnter(t, g)
			time.Sleep(visit)
			release()
		}
		began := time.Now()
		var all sync.WaitGroup
		for range requests {
			all.Go(func() {
				release := mustEnter(t, g)
				time.Sleep(visit)
				release()
			})
		}
		all.Wait()
		assert.Less(t, time.Since(began), requests/2*visit*5/4, "places are not left empty for long")
		assert.LessOrEqual(t, checks.Load(), int64(requests*4))
	})
	t.Run("a visit that takes long is not asked about all the time", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var checks atomic.Int64
			g := &semaphore.Semaphore{Places: 1, Sleep: func(ctx context.Context, d time.Duration) error {
				checks.Add(1)
				return deadline.DefaultSleep(ctx, d)
			}}
			for range 20 {
				release := mustEnter(t, g)
				time.Sleep(10 * time.Millisecond)
				release()
			}
			release := mustEnter(t, g)
			var all sync.WaitGroup
			for range 30 {
				all.Go(func() { mustEnter(t, g)() })
			}
			time.Sleep(time.Second)
			assert.LessOrEqual(t, checks.Load(), int64(400))
			began := time.Now()
			release()
			all.Wait()
			assert.Less(t, time.Since(began), 2*time.Second, "and all get in after it")
		})
	})
	bubble(t, "whoever comes to an empty gate goes in at once", func(t *testing.T, g *semaphore.Semaphore) {
		began := time.Now()
		for range 10 {
			mustEnter(t, g)()
		}
		assert.Zero(t, time.Since(began))
	})
	bubble(t, "nobody waits for longer than their patience", func(t *testing.T, g *semaphore.Semaphore) {
		mustEnter(t, g)
		mustEnter(t, g)
		began := time.Now()
		_, err := g.Acquire(t.Context(), time.Second, stay)
		require.ErrorIs(t, err, deadline.Late{})
		assert.Equal(t, time.Second, time.Since(began))
	})
	bubble(t, "somebody inside who died is given up after the longest stay", func(t *testing.T, g *semaphore.Semaphore) {
		mustEnter(t, g)
		mustEnter(t, g)
		began := time.Now()
		mustEnter(t, g)
		assert.InDelta(t, stay, time.Since(began), float64(2*time.Second))
	})
	bubble(t, "who died waiting holds nobody up for long", func(t *testing.T, g *semaphore.Semaphore) {
		release := mustEnter(t, g)
		mustEnter(t, g)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		sleep := g.Sleep
		g.Sleep = func(context.Context, time.Duration) error { <-ctx.Done(); return ctx.Err() }
		var all sync.WaitGroup
		all.Go(func() { _, _ = g.Acquire(t.Context(), time.Minute, stay) })
		synctest.Wait()
		g.Sleep = sleep
		release()
		began := time.Now()
		mustEnter(t, g)
		assert.Less(t, time.Since(began), time.Second)
		cancel()
		all.Wait()
	})
	bubble(t, "who can't wait any more leaves", func(t *testing.T, g *semaphore.Semaphore) {
		release := mustEnter(t, g)
		mustEnter(t, g)
		gone := errors.New("gone")
		sleep := g.Sleep
		g.Sleep = func(context.Context, time.Duration) error { return gone }
		_, err := g.Acquire(t.Context(), time.Minute, stay)
		require.ErrorIs(t, err, gone)
		g.Sleep = sleep
		release()
		began := time.Now()
		mustEnter(t, g)
		assert.Zero(t, time.Since(began))
	})
	t.Run("where nobody can wait everybody goes in", func(t *testing.T) {
		g := &semaphore.Semaphore{Places: 1}
		for range 10 {
			mustEnter(t, g)
		}
	})
}
