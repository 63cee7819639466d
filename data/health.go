package data

import (
	"context"
	"errors"
	"time"
)

const tryToWrite = `INSERT INTO health (id, tried_at) VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET tried_at = excluded.tried_at`

// TryToWrite writes a row of no meaning into every database, to see whether that works: a
// database whose disk is full, or whose writer is stuck, still answers what only reads.
// Unavailable when one of them doesn't write.
func (db *DB) TryToWrite(ctx context.Context, now time.Time) error {
	all := db.databases()
	failed := make(chan error, len(all))
	for _, c := range all {
		go func() {
			_, err := tx(ctx, c, stmt(tryToWrite, now.UnixMilli()))
			failed <- err
		}()
	}
	var err error
	for range all {
		err = errors.Join(err, <-failed)
	}
	return err
}
