package batch_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/pace/batch"
	"plaza/data/pace/deadline"
)

type item struct{ asked, got int }

// TestTogether makes many concurrent calls: each gets its own result, one run at a time is active, and there are far fewer runs than
// items.
func TestTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running, runs, items, largest atomic.Int64
		g := &batch.Batcher[item]{Now: time.Now, Run: func(_ context.Context, batch []*item) error {
			if running.Add(1) > 1 {
				t.Error("two runs at once")
			}
			defer running.Add(-1)
			time.Sleep(3 * time.Millisecond)
			runs.Add(1)
			items.Add(int64(len(batch)))
			largest.Store(max(largest.Load(), int64(len(batch))))
			for _, i := range batch {
				i.got = i.asked * 2
			}
			return nil
		}}
		var all sync.WaitGroup
		for n := range 32 {
			all.Go(func() {
				for i := range 20 {
					asked := n*100 + i
					got, err := g.Do(t.Context(), item{asked: asked})
					if err != nil || got.got != 2*asked {
						t.Errorf("asked %d, got %+v, %v", asked, got, err)
					}
				}
			})
		}
		all.Wait()
		require.EqualValues(t, 640, items.Load(), "nothing runs twice")
		require.Less(t, runs.Load(), int64(640/4))
		require.LessOrEqual(t, largest.Load(), int64(100))
	})
}

func TestAloneAtOnce(t *testing.T) {
	slept := 0
	g := &batch.Batcher[item]{Now: time.Now, Sleep: func(context.Context, time.Duration) error { slept++; return nil },
		Run: func(_ context.Context, batch []*item) error { batch[0].got = 1; return nil }}
	got, err := g.Do(t.Context(), item{})
	require.NoError(t, err)
	require.Equal(t, 1, got.got)
	require.Zero(t, slept, "whoever finds nobody at work waits for nobody")
}

// blocked is a group whose first run waits for a signal. It is used within synctest, where a pause lasts until all the others wait.
func blocked(t *testing.T, clash func(a, b *item) bool) (g *batch.Batcher[item], now *atomic.Int64, batches *[][]int, release func(error),
	first chan error) {
	t.Helper()
	now = &atomic.Int64{}
	gate := make(chan error)
	began := make(chan bool, 1)
	var mu sync.Mutex
	batches = &[][]int{}
	g = &batch.Batcher[item]{
		Now: func() time.Time { return time.UnixMilli(now.Load()) },
		Sleep: func(ctx context.Context, _ time.Duration) error {
			time.Sleep(time.Millisecond)
			return ctx.Err()
		},
		Run: func(_ context.Context, batch []*item) error {
			mu.Lock()
			var asked []int
			for _, i := range batch {
				asked = append(asked, i.asked)
			}
			*batches = append(*batches, asked)
			blocked := len(*batches) == 1
			mu.Unlock()
			if !blocked {
				return nil
			}
			began <- true
			return <-gate
		},
		Clash: clash,
	}
	first = make(chan error, 1)
	go func() {
		_, err := g.Do(context.Background(), item{asked: 0})
		first <- err
	}()
	<-began
	return g, now, batches, func(err error) { gate <- err }, first
}

func TestWhoWaitsGoesTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clash := func(a, b *item) bool { return a.asked%10 == b.asked%10 }
		g, _, batches, release, first := blocked(t, clash)
		var others sync.WaitGroup
		for _, asked := range []int{1, 2, 3, 11} {
			others.Go(func() {
				if _, err := g.Do(t.Context(), item{asked: asked}); err != nil {
					t.Error(err)
				}
			})
		}
		time.Sleep(20 * time.Millisecond)
		release(nil)
		require.NoError(t, <-first)
		others.Wait()
		require.Len(t, *batches, 3)
		require.Len(t, (*batches)[1], 3, "one and eleven can't go together")
		require.Len(t, (*batches)[2], 1)
	})
}

// TestInTheirOrder: of two items that can't be in one run, the first goes first, whichever request checks first. Of a member's two votes
// on one target, the later stays.
func TestInTheirOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, _, batches, release, first := blocked(t, func(a, b *item) bool { return a.asked%10 == b.asked%10 })
		patient := make(chan bool)
		sleep := g.Sleep
		g.Sleep = func(ctx context.Context, d time.Duration) error {
			if ctx.Value(item{}) != nil {
				<-patient
			}
			return sleep(ctx, d)
		}
		var both sync.WaitGroup
		for _, ctx := range []context.Context{context.WithValue(t.Context(), item{}, true), t.Context()} {
			asked := 1
			if ctx == t.Context() {
				asked = 11
			}
			both.Go(func() {
				if got, err := g.Do(ctx, item{asked: asked}); err != nil || got.asked != asked {
					t.Error(got, err)
				}
			})
			time.Sleep(10 * time.Millisecond)
		}
		release(nil)
		require.NoError(t, <-first)
		time.Sleep(20 * time.Millisecond)
		close(patient)
		both.Wait()
		require.Equal(t, [][]int{{0}, {1}, {11}}, *batches)
	})
}

func TestErrorIsEverybodys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := errors.New("broken")
		g := &batch.Batcher[item]{Now: time.Now}
		var others sync.WaitGroup
		g.Run = func(_ context.Context, batch []*item) error {
			time.Sleep(2 * time.Millisecond)
			return broken
		}
		for range 8 {
			others.Go(func() {
				if _, err := g.Do(t.Context(), item{}); !errors.Is(err, broken) {
					t.Errorf("got %v", err)
				}
			})
		}
		others.Wait()
		g.Run = func(context.Context, []*item) error { return nil }
		_, err := g.Do(t.Context(), item{})
		require.NoError(t, err, "the next run is another")
	})
}

func TestPanicIsTheRunnersAlone(t *testing.T) {
	g := &batch.Batcher[item]{Now: time.Now, Run: func(context.Context, []*item) error { panic("boom") }}
	require.Panics(t, func() { _, _ = g.Do(t.Context(), item{}) })
	g.Run = func(context.Context, []*item) error { return nil }
	_, err := g.Do(t.Context(), item{})
	require.NoError(t, err, "nobody waits for ever")
}

func TestLostRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, now, batches, release, first := blocked(t, nil)
		done := make(chan error, 1)
		go func() {
			_, err := g.Do(t.Context(), item{asked: 1})
			done <- err
		}()
		time.Sleep(10 * time.Millisecond)
		require.Empty(t, done, "a run under way is waited for")
		now.Add(deadline.Request.Milliseconds() + 1000)
		time.Sleep(10 * time.Millisecond)
		require.Empty(t, done, "for as long as its request may work")
		now.Add(1001)
		require.NoError(t, <-done, "one whose request was ended is not")
		release(errors.New("late"))
		require.EqualError(t, <-first, "late")
		_, err := g.Do(t.Context(), item{asked: 2})
		require.NoError(t, err)
		require.Equal(t, [][]int{{0}, {1}, {2}}, *batches)
	})
}

func TestWhoGivesUpIsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, _, batches, release, first := blocked(t, nil)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			_, err := g.Do(ctx, item{asked: 1})
			done <- err
		}()
		time.Sleep(5 * time.Millisecond)
		cancel()
		require.ErrorIs(t, <-done, context.Canceled)
		release(nil)
		require.NoError(t, <-first)
		_, err := g.Do(t.Context(), item{asked: 2})
		require.NoError(t, err)
		require.Equal(t, [][]int{{0}, {2}}, *batches)
	})
}

// TestRunOutlivesItsRequest: a run continues for the others when its own request ends.
func TestRunOutlivesItsRequest(t *testing.T) {
	g := &batch.Batcher[item]{Now: time.Now, Run: func(ctx context.Context, _ []*item) error { return ctx.Err() }}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := g.Do(ctx, item{})
	require.NoError(t, err)
}
