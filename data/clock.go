package data

import (
	"math/rand/v2"
	"sync/atomic"
	"time"
)

// Source is where a store takes time and randomness from.
type Source struct {
	Now  func() time.Time
	Rand func() uint32
	// Database stands in for the time that databases have, in tests; nil leaves them theirs.
	Database func() time.Time

	// sequence counts ids; nil has Rand choose them. In a Worker the clock stands still
	// while a crowd of requests is worked on: by chance, some of their ids would be alike.
	sequence *atomic.Uint32
}

// DatabaseNow is, in a statement, the time that a database has, in milliseconds. The clock of an instance may be wrong,
// and those of two may differ. So what is decided for good (which posts are of the past hour, what is due, what is
// purged) is decided by the database's, which is one. Its parameter :now is filled by Source.DatabaseNow. What an
// instance says the time is has another name.
const DatabaseNow = `coalesce(:now, CAST(unixepoch('now', 'subsec') * 1000 AS INTEGER))`

// DatabaseNow is the argument :now of a statement with DatabaseNow: NULL but in tests.
func (s Source) DatabaseNow() any {
	if s.Database == nil {
		return nil
	}
	return s.Database().UnixMilli()
}

// SystemSource is the real clock and a seeded generator.
func SystemSource() Source {
	s := Source{Now: time.Now, Rand: rand.Uint32, sequence: &atomic.Uint32{}}
	s.sequence.Store(rand.Uint32())
	return s
}

// NewID makes an id for a thing on a shard.
func (s Source) NewID(shard int, kind Kind) ID {
	if s.sequence == nil {
		return NewID(s.Now(), shard, kind, s.Rand())
	}
	return NewID(s.Now(), shard, kind, s.sequence.Add(2)) // the lowest bit is the kind's
}
