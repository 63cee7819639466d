package health

import "plaza/data"

// waitingMost limits the counts of Waiting in a database.
const waitingMost = 1000

// From the start of three tables, up to :most rows each.
const countWaiting = `SELECT (SELECT count(*) FROM (SELECT 1 FROM vote_deltas
  WHERE (target_id >> 12) & 1023` + data.NotFrozen + ` LIMIT :most))
  + (SELECT count(*) FROM (SELECT 1 FROM count_deltas WHERE (post_id >> 12) & 1023` + data.NotFrozen + ` LIMIT :most)),
  (SELECT count(*) FROM (SELECT 1 FROM outbox WHERE (subject_id >> 12) & 1023` + data.NotFrozen + ` LIMIT :most))`

// Backlog is the waiting work of a database.
type Backlog struct {
	Deltas int // changes of votes and comments that wait for a delta run
	Outbox int // work in the outbox, including work that is not due yet
}

// FindBacklog counts waiting work in each database, in the order of db.Databases, along with a page. A database that is missing from the
// page counts 0.
func FindBacklog(r *data.Read, db *data.DB) []Backlog {
	list := make([]Backlog, len(db.Databases()))
	for i, where := range db.Databases() {
		r.FindAt(where, countWaiting, data.Args{"most": waitingMost}, func(row *data.Row) {
			list[i] = Backlog{Deltas: int(row.Int()), Outbox: int(row.Int())}
		})
	}
	return list
}
