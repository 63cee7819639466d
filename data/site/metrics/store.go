package metrics

import (
	"context"
	"encoding/json"
	"time"

	"plaza/data"
)

// Store stores the counts of instances, in the directory.
type Store struct {
	data.Base
	Recorder  *Recorder
	Analytics Analytics // nil if no Analytics Engine is bound
}

// Count calls f with the open batch.
func (s *Store) Count(f func(*Batch)) { s.Recorder.Add(s.Source.Now(), f) }

// span is the length of a row's period.
type span string

const (
	ofInstance span = "instance" // five minutes of one instance
	ofMinutes  span = "minutes"  // five minutes of the site
	ofHour     span = "hour"
	ofDay      span = "day"
)

const (
	// saveBatch inserts nothing if a write whose response was lost has inserted the batch.
	saveBatch = `INSERT INTO metrics (span, at, instance, body) VALUES ('instance', :at, :instance, :body) ON CONFLICT DO NOTHING`
	// saveAgain is for a batch that an earlier write may have inserted. That row may have been merged and deleted since, so the batch is
	// dropped if its period is merged: it may be part of the sum. Primary key.
	saveAgain = `INSERT INTO metrics (span, at, instance, body) SELECT 'instance', :at, :instance, :body
WHERE NOT EXISTS (SELECT 1 FROM metrics m
  WHERE (m.span, m.at, m.instance) IN (VALUES ('minutes', :at, 0), ('hour', :hour, 0), ('day', :day, 0)))
ON CONFLICT DO NOTHING`
)

// Save writes the batches whose period is over. If that fails, the batches stay for the next call. It also deletes rows of instances that
// are too old, which a site without the merging job would keep forever.
func (s *Store) Save(ctx context.Context) error {
	batches := s.Recorder.take(s.Source.Now())
	if len(batches) == 0 {
		return nil
	}
	s.report(ctx, batches)
	w := s.DB.Write()
	for _, b := range batches {
		body, err := json.Marshal(b)
		if err != nil {
			return err
		}
		args := data.Args{"at": b.At, "instance": s.Recorder.instanceID(s.Source), "body": string(body)}
		if !b.tried {
			w.Do(saveBatch, args)
			continue
		}
		args["hour"], args["day"] = b.At.Truncate(time.Hour), b.At.Truncate(24*time.Hour)
		w.Do(saveAgain, args)
	}
	w.Do(deleteOldInstances, data.Args{"before": s.Source.Now().Add(-daysKept), "most": stepRows})
	err := w.Run(ctx)
	if err != nil {
		s.Recorder.giveBack(s.Source.Now(), batches)
	}
	return err
}

// batchOf parses the batch of a row. It is empty if the body is not valid.
func batchOf(at time.Time, body string) *Batch {
	b := &Batch{}
	if err := json.Unmarshal([]byte(body), b); err != nil {
		b = &Batch{}
	}
	b.At = at
	return b
}

const (
	// instancesRead limits the rows of instances that a page reads. They are the rows of the last ten minutes, of some hundred instances.
	instancesRead = 1000

	// By the primary key. The newest rows of instances come first, in case there are too many.
	newestOfInstances = `SELECT at, body FROM metrics WHERE span = 'instance' AND at >= :since
  ORDER BY span DESC, at DESC, instance DESC LIMIT :most`
	// By the primary key: at most 24 rows of minutes, 48 of hours and 33 of days.
	sinceOfSpan = `SELECT at, body FROM metrics WHERE span = :span AND at >= :since ORDER BY span, at`
)

// firstOfSpan is one row, by the primary key.
const firstOfSpan = `SELECT at FROM metrics WHERE span = :span ORDER BY span, at LIMIT 1`

// First reads along with a page the time of the first counts. It is zero if there are none.
func (s *Store) First(r *data.Read) *time.Time {
	first := &time.Time{}
	for _, length := range []span{ofInstance, ofMinutes, ofHour, ofDay} {
		r.Find(firstOfSpan, data.Args{"span": string(length)}, func(row *data.Row) {
			if at := row.Time(); first.IsZero() || at.Before(*first) {
				*first = at
			}
		})
	}
	return first
}

// Find reads the counts since a time along with a page. The batches are in no order. After Run, the last ones are those that this
// instance has not written yet.
func (s *Store) Find(r *data.Read, since time.Time) *[]*Batch {
	list := &[]*Batch{}
	scan := func(row *data.Row) {
		at := row.Time()
		*list = append(*list, batchOf(at, row.Text()))
	}
	r.Find(newestOfInstances, data.Args{"since": since, "most": instancesRead}, scan)
	for _, length := range []span{ofMinutes, ofHour, ofDay} {
		r.Find(sinceOfSpan, data.Args{"span": string(length), "since": since}, scan)
	}
	r.After(func() {
		for _, b := range s.Recorder.Unsaved() {
			if !b.At.Before(since) {
				*list = append(*list, b)
			}
		}
	})
	return list
}
