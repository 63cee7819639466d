// Package semaphore limits how many requests of an instance do the same thing at a time. The others wait in the order in which they came,
// each with sleeps of its own request. A semaphore for each database lets an instance run one transaction at a time on it.
package semaphore

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"plaza/data/pace/deadline"
)

// Semaphore limits how many requests are inside. SQLite has one writer at a time, and sqld stalls when many writers wait. So they wait
// here.
//
// No request wakes another, because a platform that ties I/O to the request that began it does not allow that. A waiting request sleeps
// until about its turn, and then checks whether it may enter. A check costs a timer of the platform, so there are to be few.
type Semaphore struct {
	Places int
	Sleep  deadline.SleepFunc // within the context's own request; nil: requests don't wait

	mu      sync.Mutex // never held across I/O
	inside  []*visit
	waiting []*visit      // by ticket
	tickets int64         // the last ticket that was given
	took    time.Duration // the average time of a visit
}

// visit is one request at the semaphore. Its fields are guarded by the semaphore's lock.
type visit struct {
	ticket int64     // its place in the order in which requests came; 0 before it waits
	due    time.Time // of its next check
	began  time.Time // of being inside
	until  time.Time // by when it will leave
}

const (
	shortest = 2 * time.Millisecond   // between two checks
	longest  = 200 * time.Millisecond // between two checks
	// The first in line waits at most this long between two checks, the second twice as long, and so on. So those who are next notice soon
	// that visits have become shorter.
	firstChecks = 25 * time.Millisecond
	overdue     = 500 * time.Millisecond // a waiting request whose check is late by this much is skipped
	grace       = time.Second            // how long after its time a visit counts as over
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
	for len(g.waiting) > 0 && g.waiting[0] != entry && now.Sub(g.waiting[0].due) > overdue {
		g.waiting = g.waiting[1:] // if it is only late, it takes its place again
	}
	if entry.ticket == 0 {
		g.tickets++
		entry.ticket = g.tickets
	}
	place, waits := g.find(entry)
	if place+len(g.inside) < g.Places {
		if waits {
			g.waiting = slices.Delete(g.waiting, place, place+1)
		}
		g.admit(entry, now, stay)
		return 0
	}
	if !waits {
		g.waiting = slices.Insert(g.waiting, place, entry)
	}
	pause := min(max(g.turn(place, now).Sub(now), shortest), firstChecks*time.Duration(place+1), longest)
	entry.due = now.Add(pause)
	return pause
}

// find returns the place of entry among those who wait, and whether it is there.
func (g *Semaphore) find(entry *visit) (place int, waits bool) {
	return slices.BinarySearchFunc(g.waiting, entry, func(a, b *visit) int { return cmp.Compare(a.ticket, b.ticket) })
}

// turn estimates when it is the turn of a place.
func (g *Semaphore) turn(place int, now time.Time) time.Time {
	took := max(g.took, shortest)
	leaves, rounds := now, place/g.Places
	if n := len(g.inside); n > 0 {
		before := place - (g.Places - n)                              // how many leave before the one whose place it is
		leaves, rounds = g.inside[before%n].began.Add(took), before/n // inside is in the order in which they entered
	}
	if late := now.Sub(leaves); late > 0 { // a visit that takes longer than others may take much longer
		leaves = now.Add(max(took/2, late/4))
	}
	turn := leaves.Add(took/8 + took*time.Duration(rounds)) // a little late: who checks just before the place is free checks again
	if g.Places > 1 {
		// Of several inside, the last to enter may be the first to leave.
		if even := now.Add(took * time.Duration(place+1) / time.Duration(g.Places)); even.Before(turn) {
			return even
		}
	}
	return turn
}

func (g *Semaphore) admit(entry *visit, now time.Time, stay time.Duration) {
	entry.began, entry.until = now, now.Add(stay+grace)
	g.inside = append(g.inside, entry)
}

// release removes entry, whether it waits or is inside.
func (g *Semaphore) release(entry *visit) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if place, waits := g.find(entry); waits {
		g.waiting = slices.Delete(g.waiting, place, place+1)
	}
	if i := slices.Index(g.inside, entry); i >= 0 {
		g.inside = slices.Delete(g.inside, i, i+1)
		g.took = (3*g.took + time.Since(entry.began)) / 4
	}
}
