// Package breaker is a circuit breaker: it keeps requests from waiting for a server that doesn't respond.
//
// A breaker in each client of a server fails calls at once after a few in a row have timed out, and lets one call through every two
// seconds. Timeouts of writes alone don't stop reads.
package breaker

import (
	"cmp"
	"sync"
	"time"
)

// Breaker refuses calls to a server after several calls in a row have timed out. After a pause it lets one call through, and so on until
// one gets a response. It sets no timer and wakes no request. The zero Breaker allows three timeouts.
//
// Only timeouts count. A call that fails at once keeps no request waiting.
type Breaker struct {
	MaxTimeouts int // timeouts in a row before it refuses; 0 is 3

	mu    sync.Mutex
	late  int       // timeouts in a row
	until time.Time // when the next call may try
}

// Pause is how long a breaker refuses calls before it lets the next one through.
const Pause = 2 * time.Second

// Allow reports whether a call may be made. After an allowed call, the caller reports the result with Responded or TimedOut. A call that
// is let through after a pause and never reported counts as failed.
func (b *Breaker) Allow() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.late < b.limit() {
		return true
	}
	now := time.Now()
	if now.Before(b.until) {
		return false
	}
	b.until = now.Add(Pause)
	return true
}

// Refuses reports whether Allow would refuse a call now. Unlike Allow it lets no call through.
func (b *Breaker) Refuses() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.late >= b.limit() && time.Now().Before(b.until)
}

// Responded reports that the server responded, with any result.
func (b *Breaker) Responded() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.late = 0
}

// TimedOut reports that a call has timed out.
func (b *Breaker) TimedOut() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.late++; b.late == b.limit() {
		b.until = time.Now().Add(Pause)
	}
}

func (b *Breaker) limit() int { return cmp.Or(b.MaxTimeouts, 3) }
