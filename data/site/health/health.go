// Package health reads the state of the databases: whether they respond and can be written, which steps of the schema they have taken, and
// how long deltas, jobs and mails wait in them. It returns its findings and never an error: a database that is down is a finding.
package health

import (
	"context"
	"errors"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/events/outbox"
	"plaza/data/schema"
	"plaza/data/wire/hrana"
)

// Database is the state of one database.
type Database struct {
	Where data.Where
	Err   error // why it can't be read, or why it can't be written if that was tried; nil if it can
	Step  int   // the last step of the schema that it has taken; 0 if it has no record of steps

	// Votes and Comments are the age of the oldest vote and comment that wait for a delta run. Jobs and Mails are how overdue the oldest job
	// in the outbox and the oldest mail are. All are 0 if nothing waits.
	Votes, Comments, Jobs, Mails time.Duration
	// DeadLetters is how many dead letters were not replayed, counted up to deadMax.
	DeadLetters int
	// Move is only of the directory, which has the moves; nil if there is none.
	Move *Move
}

// Behind reports whether the database lacks steps of the schema that this build needs. A database with later steps is fine, because a
// step only adds (docs/operations/schema-steps.md).
func (h Database) Behind() bool { return h.Err == nil && h.Step < schema.Version }

// deadMax limits the count of dead letters.
const deadMax = 100

const (
	// tryToWrite writes a row that no statement reads.
	tryToWrite = `INSERT INTO health (id, tried_at) VALUES (1, :at) ON CONFLICT (id) DO UPDATE SET tried_at = excluded.tried_at`
	// Among the first 1,000 rows, by the primary keys.
	oldestVote = `SELECT ` + data.DatabaseNow + ` - created_at FROM (SELECT created_at FROM vote_deltas
  WHERE (target_id >> 12) & 1023` + data.NotFrozen + ` LIMIT 1000)` + oldest
	oldestComment = `SELECT ` + data.DatabaseNow + ` - created_at FROM (SELECT created_at FROM count_deltas
  WHERE (post_id >> 12) & 1023` + data.NotFrozen + ` LIMIT 1000)` + oldest
	oldest = ` ORDER BY created_at LIMIT 1`
	// One row of the index outbox_due, and the first 1,000 rows, by the primary key, of each kind of job that is not in it.
	mostOverdue = `SELECT ` + data.DatabaseNow + ` - due_at FROM (
  SELECT * FROM (SELECT due_at FROM outbox WHERE job NOT IN ('notify', 'timeline') AND ` + outbox.MayBegin + ` ORDER BY due_at LIMIT 1)
  UNION ALL SELECT * FROM (SELECT due_at FROM outbox WHERE job = 'notify' AND ` + outbox.MayBegin + ` LIMIT 1000)
  UNION ALL SELECT * FROM (SELECT due_at FROM outbox WHERE job = 'timeline' AND ` + outbox.MayBegin + ` LIMIT 1000))
  ORDER BY due_at LIMIT 1`
	// One row of the index mails_due.
	mailOverdue = `SELECT ` + data.DatabaseNow + ` - due_at FROM mails WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1`
	// Index dead_letters_waiting.
	waitingDead = `SELECT count(*) FROM (SELECT 1 FROM dead_letters WHERE replayed_at IS NULL LIMIT :most)`
)

// Check reads the state of databases concurrently, with one request each. With write it also writes into them, because a database with a
// full disk or a stuck writer still responds to reads.
func Check(ctx context.Context, db *data.DB, source data.Source, places []data.Where, write bool) []Database {
	list := make([]Database, len(places))
	done := make(chan struct{}, len(places))
	for i, where := range places {
		go func() {
			list[i] = check(ctx, db, source, where, write)
			done <- struct{}{}
		}()
	}
	for range places {
		<-done
	}
	return list
}

func check(ctx context.Context, db *data.DB, source data.Source, where data.Where, write bool) Database {
	h := Database{Where: where}
	if write {
		w := db.WriteAt(where)
		w.Do(tryToWrite, data.Args{"at": source.Now()})
		h.findState(source, w.Find)
		h.Err = w.Run(ctx)
	} else {
		r := db.Read()
		h.find(r, source)
		h.Err = r.Run(ctx)
	}
	// A database that has taken no step has no such table. It responds, and Step stays 0.
	if e := (*hrana.Error)(nil); errors.As(h.Err, &e) && strings.Contains(e.Message, "no such table: schema_steps") {
		h.Err = nil
	}
	return h
}

var errSilent = errors.New("it does not answer")

// Find reads the state of all databases along with a page. Any shards may be missing from the page (data.Read.AllowFailing). The list is
// complete after Run.
func Find(r *data.Read, db *data.DB, source data.Source) []*Database {
	var list []*Database
	for _, where := range db.Databases() {
		h := &Database{Where: where}
		h.find(r, source)
		list = append(list, h)
	}
	r.AllowFailing(func(shard data.Where, err error) {
		if data.ErrorCode(err) == data.Unavailable {
			err = errSilent
		}
		for _, h := range list {
			if db.Same(shard, h.Where) {
				h.Err = err
			}
		}
	})
	return list
}

func (h *Database) find(r *data.Read, source data.Source) {
	h.findState(source, func(sql string, args data.Args, scan func(*data.Row)) { r.FindAt(h.Where, sql, args, scan) })
}

// findState adds the statements that read the state.
func (h *Database) findState(source data.Source, find func(sql string, args data.Args, scan func(*data.Row))) {
	waits := func(age *time.Duration) func(*data.Row) {
		return func(row *data.Row) { *age = max(time.Duration(row.Int())*time.Millisecond, 0) }
	}
	find(oldestVote, data.Args{"now": source.DatabaseNow()}, waits(&h.Votes))
	find(oldestComment, data.Args{"now": source.DatabaseNow()}, waits(&h.Comments))
	find(mostOverdue, data.Args{"now": source.DatabaseNow()}, waits(&h.Jobs))
	find(mailOverdue, data.Args{"now": source.DatabaseNow()}, waits(&h.Mails))
	find(waitingDead, data.Args{"most": deadMax}, func(row *data.Row) { h.DeadLetters = int(row.Int()) })
	if h.Where == data.In("") {
		h.findMove(find)
	}
	find(schema.Taken, nil, func(row *data.Row) { h.Step = int(row.Int()) })
}
