// Package semaphore limits how many requests of an instance do the same thing at a time. The others wait in the order in which they came,
// each with sleeps of its own request. A semaphore for each database lets an instance run one transaction at a time on it.
package semaphore

import (
	"context"
	"slices"
	"sync"
	"time"

	"plaza/data/pace/deadline"
)

// Semaphore limits how many requests are inside. SQLite has one writer at a time, and sqld stalls when many writers wait. So they wait
// here.
//
// No request wakes another, because a platform that ties I/O to the request that began it does not allow that. A waiting request checks
// again after a short sleep of its own. It enters when there is room for all waiting requests before it, and for itself.
type Semaphore struct {
	Places int
	Sleep  deadline.SleepFunc // within the context's own request; nil: requests don't wait

	mu      sync.Mutex // never held across I/O
	inside  []*visit
	waiting []*visit      // in the order they came
	took    time.Duration // the average time of a visit
}

// visit is one request at the semaphore. Its fields are guarded by the semaphore's lock.
type visit struct {
	seen  time.Time // when it last checked
	began time.Time // of being inside
	until time.Time // by when it will leave
}

const (
	shortest = 2 * time.Millisecond   // between two checks
	longest  = 50 * time.Millisecond  // between two checks
	asleep   = 500 * time.Millisecond // a waiting request that has not checked for this long is skipped
	grace    = time.Second            // how long after its time a visit counts as over
	// A waiting request that has not checked for this long is removed.
	forgotten = deadline.Request
)

// Acquire waits until the caller may enter, and returns the function to leave. The caller stays inside for at most stay. If it can't enter
// within patience, the error is deadline.Late.
func (g *Semaphore) Acquire(ctx context.Context, patience, stay time.Duration) (release func(), err error) {
	entry := &visit{}
	end := time.Now().Add(patience)
	for {
		pause := g.tryEnter(entry, stay)
		if pause == 0 {
			return func() { g.release(entry) }, nil
		}
		remaining := time.Until(end)
		if remaining <= 0 {
			g.release(entry)
			return nil, deadline.Late{}
		}
		if err := g.Sleep(ctx, min(pause, remaining)); err != nil {
			g.release(entry)
			return nil, err
		}
	}
}

// tryEnter lets entry enter if it is its turn: then it returns 0. Otherwise it returns how long to wait before the next check.
func (g *Semaphore) tryEnter(entry *visit, stay time.Duration) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now()
	g.inside = slices.DeleteFunc(g.inside, func(v *visit) bool { return now.After(v.until) })
	if g.Sleep == nil || len(g.waiting) == 0 && len(g.inside) < g.Places {
		g.admit(entry, now, stay)
		return 0
	}
	entry.seen = now
	g.waiting = slices.DeleteFunc(g.waiting, func(v *visit) bool { return now.Sub(v.seen) > forgotten })
	if !slices.Contains(g.waiting, entry) {
		g.waiting = append(g.waiting, entry)
	}
	before := 0
	for _, v := range g.waiting {
		if v == entry {
			break
		}
		if now.Sub(v.seen) < asleep {
			before++
		}
	}
	if before+len(g.inside) < g.Places {
		g.waiting = slices.DeleteFunc(g.waiting, func(v *visit) bool { return v == entry })
		g.admit(entry, now, stay)
		return 0
	}
	return min(max(g.took*time.Duration(before+1)/time.Duration(g.Places), shortest), longest)
}

func (g *Semaphore) admit(entry *visit, now time.Time, stay time.Duration) {
	entry.began, entry.until = now, now.Add(stay+grace)
	g.inside = append(g.inside, entry)
}

// release removes entry, whether it waits or is inside.
func (g *Semaphore) release(entry *visit) {
	g.mu.Lock()
	defer g.mu.Unlock()
	isEntry := func(v *visit) bool { return v == entry }
	g.waiting = slices.DeleteFunc(g.waiting, isEntry)
	if slices.ContainsFunc(g.inside, isEntry) {
		g.inside = slices.DeleteFunc(g.inside, isEntry)
		g.took = (3*g.took + time.Since(entry.began)) / 4
	}
}
