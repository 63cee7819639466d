package data

import (
	"sync"
	"sync/atomic"
	"time"

	"plaza/data/random"
)

// Source is where a store takes time and randomness from.
type Source struct {
	Now  func() time.Time
	Rand func() uint32
	// Database stands in for the time that databases have, in tests; nil leaves them theirs.
	Database func() time.Time

	// sequence counts ids; nil has Rand choose them. In a Worker the clock stands still
	// while a crowd of requests is worked on: by chance, some of their ids would be alike.
	sequence *sequence
}

// sequence counts from a random number, which it draws when the first is asked for.
type sequence struct {
	begin sync.Once
	last  atomic.Uint32
}

// next steps by two, because the lowest bit of an id is its kind's.
func (s *sequence) next() uint32 {
	s.begin.Do(func() { s.last.Store(random.Uint32()) })
	return s.last.Add(2)
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

// SystemSource is the real clock and random numbers. It draws none before it is first used:
// a Worker makes it before the first request, when there are none (data/random).
func SystemSource() Source {
	return Source{Now: time.Now, Rand: random.Uint32, sequence: &sequence{}}
}

// NewID makes an id for a thing on a shard.
func (s Source) NewID(shard int, kind Kind) ID {
	if s.sequence == nil {
		return NewID(s.Now(), shard, kind, s.Rand())
	}
	return NewID(s.Now(), shard, kind, s.sequence.next())
}
