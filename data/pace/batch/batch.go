// Package batch combines concurrent calls of several requests into one. Votes use it. No request wakes another, because each may only
// continue in its own event: a waiting request checks again after a sleep of its own.
package batch

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"plaza/data/pace/deadline"
)

// Batcher runs concurrent items of several requests as one batch. Items that arrive during a run wait for the next run (group commit).
// SQLite has one writer at a time, so a transaction for many items is faster than many transactions that compete for the lock.
//
// No request wakes another, because a platform that ties I/O to the request that began it does not allow that. A waiting request checks
// again after a short sleep of its own. If it finds no run under way, it runs the next batch itself, in the order in which items came.
type Batcher[T any] struct {
	Now func() time.Time
	// Sleep waits within the context's own request. Without it, as in Wasm by default, nothing is batched.
	Sleep deadline.SleepFunc
	Run   func(context.Context, []*T) error // sets the results of each item
	Clash func(a, b *T) bool                // reports whether two can't be in one run; nil if any two can

	mu      sync.Mutex // never held across I/O
	waiting []*waiter[T]
	current *run          // nil while no run is under way
	took    time.Duration // the average time of a run
}

type waiter[T any] struct {
	original T    // as given to Do
	item     *T   // the copy for a run
	run      *run // nil while it waits
}

// run is one run. The Batcher's lock guards its fields.
type run struct {
	began time.Time
	over  bool
	err   error
}

const (
	maxItems = 100                   // items of a run
	shortest = 2 * time.Millisecond  // the shortest time between two checks
	longest  = 50 * time.Millisecond // the longest
	enough   = time.Second           // the time left that a run needs
	// lost is how long a run may take before it counts as lost, because the platform ended its request. No request
	// may work that long.
	lost = deadline.Request + 2*time.Second
)

// Do runs item, alone or with others, and returns it with its results. The error is that of the whole run, or deadline.Late if the
// request has no time left.
func (g *Batcher[T]) Do(ctx context.Context, item T) (T, error) {
	sleep := g.Sleep
	if sleep == nil {
		sleep = deadline.DefaultSleep
	}
	entry := &waiter[T]{original: item, item: &item}
	if sleep == nil { // waiting is impossible
		err := g.Run(ctx, []*T{entry.item})
		return *entry.item, err
	}
	g.mu.Lock()
	g.waiting = append(g.waiting, entry)
	batch, run := g.takeBatch(ctx, entry)
	pause := g.nextPause()
	g.mu.Unlock()
	for {
		if batch != nil {
			g.runBatch(ctx, batch, run)
		} else if deadline.RemainingToWrite(ctx, pause) <= 0 {
			g.remove(entry)
			return item, deadline.Late{}
		} else if err := sleep(ctx, pause); err != nil {
			g.remove(entry)
			return item, err
		}
		g.mu.Lock()
		if entry.run != nil && entry.run.over {
			g.mu.Unlock()
			return *entry.item, entry.run.err
		}
		batch, run = g.takeBatch(ctx, entry)
		pause = g.nextPause()
		g.mu.Unlock()
	}
}

// takeBatch returns the next batch and its run if no run is under way: then the request of entry runs it. The batch has the items that
// have waited longest, so that two items that can't be in one run keep their order. Usually entry is among them; otherwise it is in the
// next batch.
//
// A lost run is dropped. Each request that waits for it adds its item again, before others. So an item may run twice.
//
// A request with hardly any time left does not run a batch, because a run has only the time of its request.
func (g *Batcher[T]) takeBatch(ctx context.Context, entry *waiter[T]) ([]*T, *run) {
	now := g.Now()
	if g.current != nil && now.Sub(g.current.began) > lost {
		g.current = nil
	}
	if entry.run != nil && entry.run != g.current && !entry.run.over {
		again := entry.original // the lost run may still write into the old item
		entry.item, entry.run = &again, nil
		g.waiting = slices.Insert(g.waiting, 0, entry)
	}
	if g.current != nil || entry.run != nil || len(g.waiting) > 1 && deadline.RemainingToWrite(ctx, enough) < enough {
		return nil, nil
	}
	run := &run{began: now}
	var batch []*T
	remaining := g.waiting[:0]
	for _, w := range g.waiting {
		if len(batch) < maxItems && g.fits(batch, w.item) {
			w.run = run
			batch = append(batch, w.item)
		} else {
			remaining = append(remaining, w)
		}
	}
	clear(g.waiting[len(remaining):])
	g.waiting, g.current = remaining, run
	return batch, run
}

func (g *Batcher[T]) fits(batch []*T, item *T) bool {
	return g.Clash == nil || !slices.ContainsFunc(batch, func(b *T) bool { return g.Clash(b, item) })
}

// nextPause returns how long the current run will probably still take, within limits.
func (g *Batcher[T]) nextPause() time.Duration {
	if g.current == nil {
		return shortest
	}
	return min(max(g.took-g.Now().Sub(g.current.began), shortest), longest)
}

// runBatch runs a batch. It continues when its request is cancelled, because others wait for it.
func (g *Batcher[T]) runBatch(ctx context.Context, batch []*T, run *run) {
	err := errors.New("the run of a batch ended without a result")
	defer func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		run.over, run.err = true, err
		if g.current == run {
			g.current = nil
			g.took = (3*g.took + g.Now().Sub(run.began)) / 4
		}
	}()
	free := context.WithoutCancel(ctx)
	if deadline, ok := ctx.Deadline(); ok { // natively; on the edge the transport has limits
		var cancel context.CancelFunc
		free, cancel = context.WithDeadline(free, deadline)
		defer cancel()
	}
	err = g.Run(free, batch)
}

// remove removes a request that no longer waits. An item that is in a run stays in it.
func (g *Batcher[T]) remove(entry *waiter[T]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting = slices.DeleteFunc(g.waiting, func(w *waiter[T]) bool { return w == entry })
}
