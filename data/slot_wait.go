package data

import (
	"context"
	"time"

	"plaza/data/pace/deadline"
	"plaza/data/random"
)

// moveWait waits until a write can be tried again that was refused because its slot moves to another shard. The old shard goes on refusing
// it, so only the directory is asked meanwhile, and the write is sent again when a slot has moved.
//
// All writes of an instance that wait share what one of them has asked: they look at what the instance knows. None of them waits for the
// request of another.
type moveWait struct {
	db    *DB
	epoch int64 // up to which changes of slots were known before the last try
	began time.Time
	pause time.Duration // before the next look
}

const (
	movingPause     = 300 * time.Millisecond
	movingPauseMost = 1200 * time.Millisecond
	movingWait      = 10 * time.Second // more than a request has
)

// waitForMove is called before the first try.
func (db *DB) waitForMove() *moveWait {
	return &moveWait{db: db, epoch: db.knownEpoch(), pause: movingPause}
}

// next waits until a slot has moved since the last try. It returns an error when no time is left for another try, or if the directory does
// not answer.
func (m *moveWait) next(ctx context.Context) error {
	sleep := m.db.Sleep()
	if m.began.IsZero() {
		m.began = time.Now()
	}
	for sleep != nil {
		left := min(movingWait-time.Since(m.began), deadline.LeftToWrite(ctx, movingWait)) - movingPause
		if left < movingPause {
			break
		}
		// Up to a quarter longer, so that instances don't ask all at once.
		pause := m.pause + time.Duration(random.Float64()*float64(m.pause)/4)
		if err := sleep(ctx, min(pause, left)); err != nil {
			return err
		}
		m.pause = min(2*m.pause, movingPauseMost)
		if m.db.knownEpoch() == m.epoch && m.db.asksForMove() {
			if err := m.db.ReadSlots(ctx); err != nil {
				return err
			}
		}
		if now := m.db.knownEpoch(); now != m.epoch {
			m.epoch = now
			return nil
		}
	}
	return errMoving
}

// asksForMove tells whether a write that waits has to ask where slots are: no other one of this instance has done so within movingPause.
func (db *DB) asksForMove() bool {
	now := time.Now()
	db.mu.Lock()
	defer db.mu.Unlock()
	if ago := now.Sub(db.movingAsked); ago >= 0 && ago < movingPause {
		return false
	}
	db.movingAsked = now
	return true
}

func (db *DB) knownEpoch() int64 {
	db.mu.Lock()
	defer db.mu.Unlock()
	return db.epoch
}

// WhileMoving calls f again as long as it fails because a slot is moving to another shard, and time is left. It is for writes whose places
// were found before: f has to find them each time.
func (db *DB) WhileMoving(ctx context.Context, f func() error) error {
	wait := db.waitForMove()
	err := f()
	for IsMoving(err) && wait.next(ctx) == nil {
		err = f()
	}
	return err
}
