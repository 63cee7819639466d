package metrics

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"plaza/data"
)

// merging is a step from short spans to a longer one.
type merging struct {
	from, to span
	length   time.Duration // of the longer span
	kept     time.Duration // how long the short spans are stored after the end of the longer one
}

// An hour is merged when all of it is more than an hour ago, so the page has every five minutes of the last hour.
var mergings = []merging{
	{ofInstance, ofMinutes, Span, Span},
	{ofMinutes, ofHour, time.Hour, time.Hour},
	{ofHour, ofDay, 24 * time.Hour, 24 * time.Hour},
}

const (
	stepRows = 200 // rows that a transaction merges at most
	stepsMax = 20  // transactions of one call, for each kind of merging

	// All by the primary key.
	oldestOfSpan = `SELECT at, instance, body FROM metrics WHERE span = :span AND at < :before ORDER BY span, at, instance LIMIT :most`
	bodyOfSpan   = `SELECT body FROM metrics WHERE span = :span AND at = :at AND instance = 0`
	// Nothing is written if another call has changed the longer span or merged some of the rows meanwhile.
	putMerged = `INSERT INTO metrics (span, at, instance, body) SELECT :to, :at, 0, :body
  WHERE coalesce((SELECT x.body FROM metrics x WHERE x.span = :to AND x.at = :at AND x.instance = 0), '') = :was
    AND (SELECT count(*) FROM metrics y WHERE y.span = :from
      AND (y.at, y.instance) IN (SELECT value ->> 0, value ->> 1 FROM json_each(:merged))) = :rows
ON CONFLICT (span, at, instance) DO UPDATE SET body = excluded.body`
	// Only merged rows are deleted, because an instance may have written another row meanwhile.
	deleteMerged = `DELETE FROM metrics WHERE span = :from
  AND (at, instance) IN (SELECT value ->> 0, value ->> 1 FROM json_each(:merged))
  AND (SELECT x.body FROM metrics x WHERE x.span = :to AND x.at = :at AND x.instance = 0) = :body`
	deleteOldDays = `DELETE FROM metrics WHERE span = 'day' AND at < :before`
	// By the primary key, too.
	deleteOldInstances = `DELETE FROM metrics WHERE span = 'instance' AND (at, instance) IN
  (SELECT x.at, x.instance FROM metrics x WHERE x.span = 'instance' AND x.at < :before ORDER BY x.span, x.at, x.instance LIMIT :most)`
)

// daysKept is how long rows of days are stored, and rows of instances that no job has merged.
const daysKept = 31 * 24 * time.Hour

// Compact merges rows of short spans that no page shows any more into longer ones. It makes a limited number of steps; the next call
// continues. A row that can't be parsed counts as empty, and is deleted.
func (s *Store) Compact(ctx context.Context) (err error) {
	for _, m := range mergings {
		for range stepsMax {
			more, failed := s.mergeStep(ctx, m)
			if failed != nil || !more {
				err = errors.Join(err, failed)
				break
			}
		}
	}
	return err
}

// mergeStep merges the oldest rows that belong to the same longer span.
func (s *Store) mergeStep(ctx context.Context, m merging) (more bool, err error) {
	var rows []*Batch
	var keys [][2]int64
	var at time.Time
	var found int
	r := s.DB.Read()
	before := s.Source.Now().UTC().Add(-m.kept).Truncate(m.length)
	r.Find(oldestOfSpan, data.Args{"span": string(m.from), "before": before, "most": stepRows}, func(row *data.Row) {
		begun, instance := row.Time(), row.Int()
		b := batchOf(begun, row.Text())
		if found++; found == 1 {
			at = b.At.Truncate(m.length)
		}
		if b.At.Truncate(m.length).Equal(at) {
			rows, keys = append(rows, b), append(keys, [2]int64{b.At.UnixMilli(), instance})
		}
	})
	if err := r.Run(ctx); err != nil || len(rows) == 0 {
		return false, err
	}
	sum, stored := &Batch{}, ""
	r = s.DB.Read()
	r.Find(bodyOfSpan, data.Args{"span": string(m.to), "at": at}, func(row *data.Row) {
		stored = row.Text()
		sum = batchOf(at, stored)
	})
	if err := r.Run(ctx); err != nil {
		return false, err
	}
	for _, b := range rows {
		sum.Merge(b)
	}
	body, err := json.Marshal(sum)
	if err != nil {
		return false, err
	}
	merged, err := json.Marshal(keys)
	if err != nil {
		return false, err
	}
	w := s.DB.Write()
	w.Do(putMerged, data.Args{"from": string(m.from), "to": string(m.to), "at": at, "body": string(body), "was": stored,
		"merged": string(merged), "rows": len(keys)})
	w.Do(deleteMerged, data.Args{"from": string(m.from), "to": string(m.to), "at": at, "merged": string(merged), "body": string(body)})
	return found == stepRows || found > len(rows), w.Run(ctx)
}

// Purge deletes days that are too old.
func (s *Store) Purge(ctx context.Context) error {
	w := s.DB.Write()
	w.Do(deleteOldDays, data.Args{"before": s.Source.Now().Add(-daysKept)})
	return w.Run(ctx)
}
