// Package breaker is a circuit breaker: it keeps requests from waiting for a server that doesn't respond.
//
// A breaker in each client of a server fails calls at once after a few in a row have timed out, and lets one call through every two
// seconds. Timeouts of writes alone don't stop reads.
package breaker

import (
	"sync"
	"time"
)

// Breaker refuses calls to a server that has let several in a row wait until their time ran out. After a pause it
// lets one through to try, and so on until one is answered. It sets no timer and wakes nobody. The zero Breaker lets
// three calls wait.
//
// Only calls whose time ran out count. A failure that comes at once keeps nobody waiting.
type Breaker struct {
	Most int // calls in a row that may wait in vain; 0 is 3

	mu    sync.Mutex
	late  int       // calls in a row whose time ran out
	until time.Time // when the next call may try
}

// Pause is how long a breaker refuses calls before it lets the next one try.
const Pause = 2 * time.Second

// Allow tells whether a call may be made. After an allowed call, the caller reports how it ended with Answered or
// TimedOut. A single call that is let through after a pause and never reported counts as failed.
func (b *Breaker) Allow() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.late < b.most() {
		return true
	}
	now := time.Now()
	if now.Before(b.until) {
		return false
	}
	b.until = now.Add(Pause)
	return true
}

// Refuses tells whether Allow would refuse a call now. Unlike Allow it lets no call through.
func (b *Breaker) Refuses() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.late >= b.most() && time.Now().Before(b.until)
}

// Answered says that the server answered, whatever it said.
func (b *Breaker) Answered() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.late = 0
}

// TimedOut says that a call's time ran out.
func (b *Breaker) TimedOut() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.late++; b.late == b.most() {
		b.until = time.Now().Add(Pause)
	}
}

func (b *Breaker) most() int {
	if b.Most > 0 {
		return b.Most
	}
	return 3
}
