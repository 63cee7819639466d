// Package group lets requests that want the same kind of thing at the same moment have
// it done once for all of them.
package group

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"plaza/data/wait"
)

// Group runs what several requests want at the same moment as one: what arrives while
// a run is under way waits for the next (group commit). SQLite has one writer at a
// time anyway; so each transaction takes as many along as it can, instead of all of
// them crowding for the lock.
//
// No request is woken by another: a platform that ties I/O to the request that began it
// does not allow it. Whoever waits looks again after its own short sleep, and whoever
// finds nobody at work runs the next batch within its own request.
type Group[T any] struct {
	Most  int // items of a run; 0 is 100
	Now   func() time.Time
	Sleep wait.Func                         // within the context's own request; nil in Wasm: nothing is run together
	Run   func(context.Context, []*T) error // fills in what it finds out about each
	Clash func(a, b *T) bool                // two that can't be in one run; nil: none

	mu      sync.Mutex // never held across I/O
	waiting []*waiter[T]
	current *run // nil: nobody is at work
	took    time.Duration
}

type waiter[T any] struct {
	asked T    // as it was given
	item  *T   // what a run fills in
	run   *run // nil while it waits
}

// run is one run. Its fields are guarded by the group's lock.
type run struct {
	began time.Time
	over  bool
	err   error
}

const (
	most     = 100                   // items of a run, unless most says otherwise
	shortest = 2 * time.Millisecond  // the shortest time between two looks
	longest  = 50 * time.Millisecond // the longest
	enough   = time.Second           // for a run
	// lost is how long a run may take before it is taken for one whose request the platform
	// has ended. It is longer than any request may work.
	lost = wait.Request + 2*time.Second
)

// Do has item run, alone or with others, and returns what became of it. An error is that
// of the whole run, or wait.Late when the request has no more time.
func (g *Group[T]) Do(ctx context.Context, item T) (T, error) {
	sleep := g.Sleep
	if sleep == nil {
		sleep = wait.Default
	}
	own := &waiter[T]{asked: item, item: &item}
	if sleep == nil || g.Most == 1 { // nobody can wait, or nobody shall
		err := g.Run(ctx, []*T{own.item})
		return *own.item, err
	}
	g.mu.Lock()
	g.waiting = append(g.waiting, own)
	batch, run := g.lead(ctx, own)
	pause := g.patience()
	g.mu.Unlock()
	for {
		if batch != nil {
			g.work(ctx, batch, run)
		} else if wait.LeftToWrite(ctx, pause) <= 0 {
			g.leave(own)
			return item, wait.Late{}
		} else if err := sleep(ctx, pause); err != nil {
			g.leave(own)
			return item, err
		}
		g.mu.Lock()
		if own.run != nil && own.run.over {
			g.mu.Unlock()
			return *own.item, own.run.err
		}
		batch, run = g.lead(ctx, own)
		pause = g.patience()
		g.mu.Unlock()
	}
}

// lead makes own's request the one that works, when nobody does: for those who have
// waited longest, so that two that can't be in one run go in the order they came in.
// Usually own is among them; else its turn is next. A run that never came to its end is
// forgotten, and what it had taken along is asked for again, before others, by those who
// wait for it: what runs in groups may run twice.
// Who has hardly any time left leaves it to them: a run has the time of whoever leads it.
func (g *Group[T]) lead(ctx context.Context, own *waiter[T]) ([]*T, *run) {
	now := g.Now()
	if g.current != nil && now.Sub(g.current.began) > lost {
		g.current = nil
	}
	if own.run != nil && own.run != g.current && !own.run.over {
		again := own.asked // the lost run may still write into the other
		own.item, own.run = &again, nil
		g.waiting = slices.Insert(g.waiting, 0, own)
	}
	if g.current != nil || own.run != nil || len(g.waiting) > 1 && wait.LeftToWrite(ctx, enough) < enough {
		return nil, nil
	}
	run := &run{began: now}
	var batch []*T
	left := g.waiting[:0]
	for _, w := range g.waiting {
		if len(batch) < cmp.Or(g.Most, most) && g.fits(batch, w.item) {
			w.run = run
			batch = append(batch, w.item)
		} else {
			left = append(left, w)
		}
	}
	clear(g.waiting[len(left):])
	g.waiting, g.current = left, run
	return batch, run
}

func (g *Group[T]) fits(batch []*T, item *T) bool {
	if g.Clash == nil {
		return true
	}
	for _, b := range batch {
		if g.Clash(b, item) {
			return false
		}
	}
	return true
}

// patience is how long the current run will probably still take.
func (g *Group[T]) patience() time.Duration {
	if g.current == nil {
		return shortest
	}
	return min(max(g.took-g.Now().Sub(g.current.began), shortest), longest)
}

// work runs a batch. Those who wait for it don't depend on whether the request that
// runs it is still listened to.
func (g *Group[T]) work(ctx context.Context, batch []*T, run *run) {
	err := errors.New("what ran for several requests at once broke off")
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

// leave takes out what nobody waits for any more. What runs already, runs.
func (g *Group[T]) leave(own *waiter[T]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting = slices.DeleteFunc(g.waiting, func(w *waiter[T]) bool { return w == own })
}
