package batch_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"plaza/data/pace/batch"
	"plaza/data/pace/deadline"
)

func TestDeadlines(t *testing.T) {
	t.Run("who waits for a run that hangs has time left to answer", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			g := &batch.Batcher[item]{Now: time.Now, Run: func(context.Context, []*item) error {
				time.Sleep(time.Minute)
				return nil
			}}
			var all sync.WaitGroup
			all.Go(func() { _, _ = g.Do(deadline.ForRequest(t.Context()), item{}) })
			synctest.Wait()
			ctx := deadline.ForRequest(t.Context())
			_, err := g.Do(ctx, item{})
			assert.ErrorIs(t, err, deadline.Late{})
			assert.Greater(t, deadline.Remaining(ctx, time.Hour), time.Second)
			all.Wait()
		})
	})
	t.Run("a run has the time of somebody who has enough", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var times []time.Duration
			g := &batch.Batcher[item]{Now: time.Now, Run: func(ctx context.Context, _ []*item) error {
				times = append(times, deadline.RemainingToWrite(ctx, time.Hour))
				time.Sleep(200 * time.Millisecond)
				return nil
			}}
			old := deadline.ForRequest(t.Context())
			time.Sleep(deadline.RemainingToWrite(old, time.Hour) - 700*time.Millisecond)
			var all sync.WaitGroup
			do := func(ctx context.Context) {
				all.Go(func() {
					_, err := g.Do(ctx, item{})
					assert.NoError(t, err)
				})
				synctest.Wait()
			}
			do(deadline.ForRequest(t.Context()))
			do(old) // both wait for the next run, this one first
			do(deadline.ForRequest(t.Context()))
			all.Wait()
			assert.Len(t, times, 2)
			assert.Greater(t, times[1], time.Second)
		})
	})
}
