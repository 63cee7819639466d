package limits

import (
	"context"
	"plaza/data"
	"time"
)

// LimitBuckets is how many counters a limit has here. A hash of the name or network
// chooses the counter, so some share one, and a limit never has more rows than this.
const Buckets = 1 << 16

// LimitStore counts calls in the directory while Redis can't be asked.
type Store struct {
	DB     *data.DB
	Source data.Source
}

// Primary key. A row that is older than the window before begins anew.
const countCall = `INSERT INTO limits (name, bucket, window, count, before, expires_at) VALUES (:name, :bucket, :window, 1, 0, :expires)
ON CONFLICT (name, bucket) DO UPDATE SET
  before = CASE WHEN window = excluded.window THEN before WHEN window = excluded.window - 1 THEN count ELSE 0 END,
  count = iif(window = excluded.window, count + 1, 1), window = excluded.window, expires_at = excluded.expires_at
RETURNING count, before`

// Count adds a call to a limit's bucket. It gives the calls of this window, with this
// one, and of the window before. life is how long they are needed.
func (s *Store) Count(ctx context.Context, limit string, bucket uint16, window int64, life time.Duration) (count, before int64, err error) {
	w := s.DB.Write(data.Directory)
	w.Find(countCall, data.Args{"name": limit, "bucket": int64(bucket), "window": window, "expires": s.Source.Now().Add(life)},
		func(r *data.Row) { count, before = r.Int(), r.Int() })
	err = w.Run(ctx)
	return count, before, err
}

// Index limits_expiry.
const purgeLimits = `DELETE FROM limits WHERE expires_at < :at`

// Purge forgets what no limit needs any more.
func (s *Store) Purge(ctx context.Context) error {
	w := s.DB.Write(data.Directory)
	w.Do(purgeLimits, data.Args{"at": s.Source.Now()})
	return w.Run(ctx)
}
