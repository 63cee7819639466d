package data

import (
	"sync"
	"sync/atomic"
	"time"

	"plaza/data/random"
)

// Source is the clock and the random numbers of a store.
type Source struct {
	Now  func() time.Time
	Rand func() uint32
	// Database is the value of DatabaseNow in tests. With nil, it is the time of the database.
	Database func() time.Time

	// sequence counts ids. With nil, each id has a random sequence. In a Worker the clock stands still while many requests are processed,
	// and some random sequences of the same millisecond would be equal.
	sequence *sequence
}

// Base has the dependencies of almost every store.
type Base struct {
	DB     *DB
	Source Source
}

// sequence is a counter that starts at a random number, which is drawn for the first id.
type sequence struct {
	begin sync.Once
	last  atomic.Uint32
}

// next counts by two, because the lowest bit of an id encodes its kind.
func (s *sequence) next() uint32 {
	s.begin.Do(func() { s.last.Store(random.Uint32()) })
	return s.last.Add(2)
}

// DatabaseNow is, in a statement, the time of the database in milliseconds. The clock of an instance may be wrong. So permanent decisions
// use the database's clock: which posts are of the past hour, what is due, what is purged. Source.DatabaseNow fills its parameter :now.
// Times from the clock of an instance have parameters of other names.
const DatabaseNow = `coalesce(:now, CAST(unixepoch('now', 'subsec') * 1000 AS INTEGER))`

// DatabaseNow returns the argument :now for a statement with DatabaseNow. It is nil, which is NULL, except in tests.
func (s Source) DatabaseNow() any {
	if s.Database == nil {
		return nil
	}
	return s.Database().UnixMilli()
}

// SystemSource returns the real clock and real random numbers. It draws none at first: a Worker calls it before its first request, when
// the platform has no random numbers yet (data/random).
func SystemSource() Source {
	return Source{Now: time.Now, Rand: random.Uint32, sequence: &sequence{}}
}

// NewIDAfter is NewID for an id that is higher than another in the same slot, even if this instance's clock is behind.
func (s Source) NewIDAfter(id ID, kind Kind) ID {
	next := s
	next.Now = func() time.Time {
		if now := s.Now(); now.UnixMilli() > id.Time().UnixMilli() {
			return now
		}
		return id.Time().Add(time.Millisecond)
	}
	return next.NewID(id.Slot(), kind)
}

// NewID makes an id in a slot, for the current time.
func (s Source) NewID(slot int, kind Kind) ID {
	if s.sequence == nil {
		return NewID(s.Now(), slot, kind, s.Rand())
	}
	return NewID(s.Now(), slot, kind, s.sequence.next())
}
