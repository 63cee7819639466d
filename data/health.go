package data

import (
	"context"
	"time"
)

const tryToWrite = `INSERT INTO health (id, tried_at) VALUES (1, :at) ON CONFLICT (id) DO UPDATE SET tried_at = excluded.tried_at`

// TryToWrite writes a row of no meaning into every database, to see whether that works: a
// database whose disk is full, or whose writer is stuck, still answers what only reads.
// Unavailable when one of them doesn't write.
func (db *DB) TryToWrite(ctx context.Context, now time.Time) error {
	return db.WriteEach(ctx, db.Databases(), func(w *Write) { w.Do(tryToWrite, Args{"at": now}) })
}
