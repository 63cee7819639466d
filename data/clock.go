package data

import (
	"math/rand/v2"
	"time"
)

// Source is where a store takes time and randomness from.
type Source struct {
	Now  func() time.Time
	Rand func() uint32
}

// SystemSource is the real clock and a seeded generator.
func SystemSource() Source { return Source{Now: time.Now, Rand: rand.Uint32} }

func (s Source) newID(shard int, kind Kind) ID { return NewID(s.Now(), shard, kind, s.Rand()) }
