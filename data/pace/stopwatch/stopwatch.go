// Package stopwatch measures waiting time. Concurrent waits count once: a page that reads three databases at the same time waits for the
// slowest of them.
package stopwatch

import (
	"sync"
	"time"
)

// Stopwatch adds up waits. The zero Stopwatch has measured nothing. It is safe for concurrent use, and a nil Stopwatch measures nothing.
type Stopwatch struct {
	mu    sync.Mutex // never held across I/O
	waits int        // under way
	began time.Time  // of the first of them
	ended time.Time  // of the last one that is over
	total time.Duration
}

// Begin begins a wait. The caller calls the returned function when the wait is over.
func (s *Stopwatch) Begin() (end func()) {
	if s == nil {
		return func() {}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waits == 0 {
		s.began = time.Now()
	}
	s.waits++
	return s.end
}

func (s *Stopwatch) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = time.Now()
	if s.waits--; s.waits == 0 {
		s.total += s.ended.Sub(s.began)
	}
}

// Total returns the sum of the waits that are over.
func (s *Stopwatch) Total() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.total
}

// Ended returns when the last wait ended; the zero time if there was none.
func (s *Stopwatch) Ended() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}
