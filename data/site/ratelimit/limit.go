// Package ratelimit counts calls for rate limits in the directory, while Redis is down. Only the limits of logging in and signing up are
// counted here; other limits are not counted while Redis is down.
//
// The number of rows has a maximum, so an attacker who invents names and networks can't fill the table.
package ratelimit

import (
	"context"
	"time"

	"plaza/data"
)

// Store counts calls in the directory.
type Store struct{ data.Base }

// A row whose last call was before the previous window starts again.
const countCall = `INSERT INTO limits (name, bucket, window, count, before, expires_at) VALUES (:name, :bucket, :window, 1, 0, :expires)
ON CONFLICT (name, bucket) DO UPDATE SET
  before = CASE WHEN window = excluded.window THEN before WHEN window = excluded.window - 1 THEN count ELSE 0 END,
  count = iif(window = excluded.window, count + 1, 1), window = excluded.window, expires_at = excluded.expires_at
RETURNING count, before`

// Count counts a call of a limit in one of its buckets. The caller chooses the bucket by a hash of the name or network, so a limit has at
// most 65,536 rows, and some names share one. Count returns the number of calls in this window, with this one, and in the previous
// window. life is how long the counts are stored.
func (s *Store) Count(ctx context.Context, limit string, bucket uint16, window int64, life time.Duration) (count, before int64, err error) {
	w := s.DB.Write()
	w.Find(countCall, data.Args{"name": limit, "bucket": int64(bucket), "window": window, "expires": s.Source.Now().Add(life)},
		func(r *data.Row) { count, before = r.Int(), r.Int() })
	err = w.Run(ctx)
	return count, before, err
}

// Index limits_expiry.
const purgeLimits = `DELETE FROM limits WHERE expires_at < :at`

// Purge deletes counts that no limit needs any more.
func (s *Store) Purge(ctx context.Context) error {
	w := s.DB.Write()
	w.Do(purgeLimits, data.Args{"at": s.Source.Now()})
	return w.Run(ctx)
}
