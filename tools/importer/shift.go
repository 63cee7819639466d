package importer

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"time"
)

// The shift compresses years into weeks, so that every window and the hot order have posts, and keeps the order of the posts. A post that
// is `age` older than the newest of the import moves to
//
//	anchor - 60 days * (age / 7 years)^1.25
//
// where anchor, a few minutes before the first import, is the new time of the newest post. The exponent concentrates posts in the
// present: of the 19,000 posts of reddit-2013, some 200 are in the last hour, 2,800 in the last day, 11,400 in the last week. newest and
// anchor determine the map; the anchor of an earlier, perhaps interrupted, import is computed from any of its posts, so that a later run
// uses the same map. (Another set of files with another newest post has its own map.)
const (
	shiftSpan     = 60 * 24 * time.Hour
	shiftYears    = 7 * 365 * 24 * time.Hour
	shiftExponent = 1.25
	shiftFresh    = 3 * time.Minute // age of the newest post when the import begins
)

type shift struct {
	newest time.Time // of the dump
	anchor time.Time // its new time
}

// at maps a time of the dump; times after the newest become the anchor.
func (s shift) at(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return s.anchor.Add(-squeeze(s.newest.Sub(t)))
}

// squeeze returns the age after the shift, in whole milliseconds.
func squeeze(age time.Duration) time.Duration {
	if age <= 0 {
		return 0
	}
	d := float64(shiftSpan) * math.Pow(float64(age)/float64(shiftYears), shiftExponent)
	return time.Duration(d).Round(time.Millisecond)
}

// matchedItems is how many of a source's first items are looked up to detect an earlier import.
const matchedItems = 64

// planShift reads the times of all sources and looks for an earlier import of them.
func planShift(ctx context.Context, shards []*sql.DB, o Options) (shift, error) {
	var s shift
	times := map[string]time.Time{}
	for _, src := range o.Sources {
		n := 0
		if err := eachTime(ctx, src, o, func(source string, t time.Time) {
			if t.After(s.newest) {
				s.newest = t
			}
			if n++; n <= min(matchedItems, o.Batch) {
				times[source] = t
			}
		}); err != nil {
			return s, err
		}
	}
	s.anchor = o.Now.Add(-shiftFresh).Truncate(time.Millisecond)
	keys := slices.Collect(maps.Keys(times))
	var latest time.Time
	for _, db := range shards {
		for some := range slices.Chunk(keys, keysTogether) {
			list, err := json.Marshal(some)
			if err != nil {
				return s, err
			}
			var key string
			var created int64
			err = db.QueryRowContext(ctx, oneImported, string(list)).Scan(&key, &created)
			if errors.Is(err, sql.ErrNoRows) {
				continue
			}
			if err != nil {
				return s, err
			}
			if at := time.UnixMilli(created).UTC(); at.After(latest) {
				latest = at
				s.anchor = at.Add(squeeze(s.newest.Sub(times[key])))
			}
		}
	}
	return s, nil
}

// keysTogether is how many sources one statement gets: a value has 10 MB at most.
const keysTogether = 20_000

// The latest of the imported items: the map is steepest in the past, so the latest gives the most exact anchor. Unique index on source,
// primary keys.
const oneImported = `SELECT source, created_at FROM (
  SELECT p.source, p.created_at FROM json_each(?1) j JOIN posts p ON p.source = j.value
  UNION ALL SELECT s.source, c.created_at FROM json_each(?1) j JOIN comment_sources s ON s.source = j.value
  JOIN comments c ON c.id = s.comment_id) ORDER BY created_at DESC, source DESC LIMIT 1`

// eachTime calls f with the source and time of every post and comment that has them.
func eachTime(ctx context.Context, s Source, o Options, f func(source string, t time.Time)) error {
	items, err := openItems(ctx, s, o, func(t time.Time) time.Time { return t })
	if err != nil {
		return err
	}
	defer items.close()
	for {
		source, t, err := items.time()
		var bad *badRow
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &bad):
		case err != nil:
			return fmt.Errorf("%s: %w", s.Name, err)
		case !t.IsZero():
			f(source, t)
		}
	}
}
