// Package random makes random numbers that need not be secret: the sequence in an id, the jitter of a wait, an order.
//
// Use it in place of the top-level functions of math/rand/v2. In a Worker the program starts before the first request, where the platform
// gives no random bytes. Go's runtime is then seeded with bytes that all isolates of a build share, so the top-level functions would
// return the same numbers in each of them. This package seeds itself from crypto/rand at the first number, which is within a request.
//
// Secrets come from crypto/rand alone.
package random

import (
	cryptorand "crypto/rand"
	"math/rand/v2"
	"sync"
)

// numbers is safe for concurrent use.
var numbers = rand.New(&source{})

// source is a ChaCha8 that is seeded at the first number.
type source struct {
	mu     sync.Mutex
	chacha *rand.ChaCha8
}

// Uint64 returns a number below 2^64.
func (s *source) Uint64() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.chacha == nil {
		var seed [32]byte
		_, _ = cryptorand.Read(seed[:]) // never fails
		s.chacha = rand.NewChaCha8(seed)
	}
	return s.chacha.Uint64()
}

// Uint32 returns a number below 2^32.
func Uint32() uint32 { return numbers.Uint32() }

// Float64 returns a number in [0, 1).
func Float64() float64 { return numbers.Float64() }

// Shuffle puts n elements in a random order; swap exchanges two of them.
func Shuffle(n int, swap func(i, j int)) { numbers.Shuffle(n, swap) }
