package importer

import (
	"context"
	"maps"
	"math"
	"slices"
	"time"

	"plaza/data"
	"plaza/ops/exchange"
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
func planShift(ctx context.Context, db *data.DB, o Options) (shift, error) {
	var s shift
	times := map[string]time.Time{}
	for _, src := range o.Sources {
		n := 0
		if err := eachItem(ctx, src, o, func(Bad) {}, func(i *items, item any, _ bool) error {
			var id string
			var t time.Time
			switch v := item.(type) {
			case exchange.Post:
				id, t = v.ID, v.CreatedAt
			case exchange.Comment:
				id, t = v.ID, v.CreatedAt
			}
			if t.IsZero() {
				return nil
			}
			if t.After(s.newest) {
				s.newest = t
			}
			if n++; n <= min(matchedItems, o.Batch) {
				times[sourceOf(i.site, id)] = t
			}
			return nil
		}); err != nil {
			return s, err
		}
	}
	s.anchor = o.Now.Add(-shiftFresh).Truncate(time.Millisecond)
	var latest time.Time
	for some := range slices.Chunk(slices.Collect(maps.Keys(times)), maxKeys) {
		if err := retry(ctx, db, func() error {
			r := db.Read()
			r.FindAll(oneImported, data.Args{"list": some}, func(row *data.Row) {
				if source, at := row.Text(), row.Time(); at.After(latest) {
					latest = at
					s.anchor = at.Add(squeeze(s.newest.Sub(times[source])))
				}
			})
			return r.Run(ctx)
		}); err != nil {
			return s, err
		}
	}
	return s, nil
}

// maxKeys is how many sources one statement has: a value has 10 MB at most.
const maxKeys = 20_000

// The latest of the imported items: the map is steepest in the past, so the latest gives the most exact anchor. Unique index on source,
// primary keys.
const oneImported = `SELECT source, created_at FROM (
  SELECT p.source, p.created_at FROM json_each(:list) j JOIN posts p ON p.source = j.value
  UNION ALL SELECT s.source, c.created_at FROM json_each(:list) j JOIN comment_sources s ON s.source = j.value
  JOIN comments c ON c.id = s.comment_id) ORDER BY created_at DESC, source DESC LIMIT 1`
