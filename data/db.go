package data

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"plaza/data/pace/deadline"
	"plaza/data/wire/hrana"
)

// DB is the directory and the thread shards. With one database, both are the same client and a page that needs both is
// still one request.
type DB struct {
	// Send sends messages to a queue (Write.SendMessages). It returns when the queue has accepted or refused them. The retry job finds the
	// work of refused messages. nil leaves all work to the retry job.
	Send func(ctx context.Context, queue string, bodies ...string)

	// VotesByMinute makes Write.EnqueueVoteDeltas and Write.EnqueueCountDeltas send no message: the job of each minute finds their work.
	VotesByMinute bool

	// ListingsChanged makes this instance read listings again (Write.ChangeListings). nil where nothing caches any.
	ListingsChanged func()

	// SlotsNow is the clock for the age of the cached slots. nil is the real one; in tests it may stand still.
	SlotsNow func() time.Time

	directory *hrana.Client
	shards    []*hrana.Client
	homes     []Where // of shards

	mu          sync.Mutex // never held across I/O
	communities map[string]ID
	slots       *SlotMap
	epochs      [Slots]int64 // the epoch of each slot's shard
	epoch       int64        // the highest epoch that was read from slots
	slotsAt     time.Time    // when they were read last; zero for never

	memberCache memberCache
}

// NewDB makes a DB. Without shards, the directory is also the only shard.
func NewDB(directory *hrana.Client, shards ...*hrana.Client) *DB {
	if len(shards) == 0 {
		shards = []*hrana.Client{directory}
	}
	homes := make([]Where, len(shards))
	for i := range homes {
		homes[i] = Where{kind: onShard, number: i}
	}
	return &DB{directory: directory, shards: shards, homes: homes, communities: map[string]ID{},
		slots: NewSlotMap(len(shards))}
}

// Sleep returns the function that waits within the request of a context. It is nil where a request can't wait.
func (db *DB) Sleep() deadline.SleepFunc { return db.directory.Sleep() }

// Millis converts milliseconds since 1970 to a time in UTC.
func Millis(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// failed returns the error of a call to a database. It is Internal if the database has refused a statement: it works, and would refuse
// the same again. It is Unavailable if the database did not respond, or could not run any statement.
func failed(err error) error {
	if err != nil && strings.Contains(err.Error(), SlotFrozen) {
		return &Error{Code: Unavailable, Message: "The community is moving to another database, and nobody can write in it meanwhile. " +
			"That usually takes some minutes. Please try again then.", Err: errors.Join(errMoving, err)}
	}
	if hrana.IsRefused(err) || hrana.IsFaulty(err) {
		return &Error{Code: Internal, Message: "The database refused a statement.", Err: err}
	}
	return UnavailableBecause(err)
}

// UnavailableBecause returns the error for a database that did not respond, or had no time. A retry may help.
func UnavailableBecause(err error) error {
	return &Error{Code: Unavailable, Message: "The database can't be reached right now. Please try again in a moment.", Err: err}
}

var (
	// ErrNoCommunity is returned for a community that does not exist.
	ErrNoCommunity error = &Error{Code: NotFound, Field: "community", Message: "There is no community of that name."}

	errNothingThere = &Error{Code: NotFound, Message: "There is nothing with that id."}
	errNowhere      = errors.New("a statement for no database: its Where is zero")
)
