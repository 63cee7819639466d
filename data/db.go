package data

import (
	"errors"
	"sync"
	"time"

	"plaza/data/hrana"
	"plaza/data/wait"
)

// DB is the directory and the thread shards. With one database, both are the same client and a page that needs both is
// still one request.
type DB struct {
	directory *hrana.Client
	shards    []*hrana.Client
	homes     []Where // of shards

	mu          sync.Mutex // never held across I/O
	communities map[string]ID

	own own
}

// NewDB makes a DB. Without shards, the directory is the only one.
func NewDB(directory *hrana.Client, shards ...*hrana.Client) *DB {
	if len(shards) == 0 {
		shards = []*hrana.Client{directory}
	}
	homes := make([]Where, len(shards))
	for i := range homes {
		homes[i] = Where{kind: onShard, shard: i}
	}
	return &DB{directory: directory, shards: shards, homes: homes, communities: map[string]ID{}}
}

// Sleep is how to wait within the request of a context; nil where that can't be done.
func (db *DB) Sleep() wait.Func { return db.directory.Sleep() }

func Millis(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// UnavailableBecause is the error of a database that did not answer, or that could not do what it was asked.
func UnavailableBecause(err error) error {
	return &Error{Code: Unavailable, Message: "The database can't be reached right now. Please try again in a moment.", Err: err}
}

var (
	// ErrNoCommunity is for a community that is not there.
	ErrNoCommunity error = &Error{Code: NotFound, Field: "community", Message: "There is no community of that name."}

	errNothingThere = &Error{Code: NotFound, Message: "There is nothing here by that id."}
	errNowhere      = errors.New("a statement for no database: its Where is zero")
)
