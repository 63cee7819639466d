package health

import "plaza/data"

// waitingMax is how many rows of each table a Backlog counts at most.
const waitingMax = 1000

// From the start of three tables, up to :most rows each.
const countWaiting = `SELECT (SELECT count(*) FROM (SELECT 1 FROM vote_deltas
  WHERE (target_id >> 12) & 1023` + data.NotFrozen + ` LIMIT :most))
  + (SELECT count(*) FROM (SELECT 1 FROM count_deltas WHERE (post_id >> 12) & 1023` + data.NotFrozen + ` LIMIT :most)),
  (SELECT count(*) FROM (SELECT 1 FROM outbox WHERE (subject_id >> 12) & 1023` + data.NotFrozen + ` LIMIT :most))`

// Backlog is what waits in a database.
type Backlog struct {
	Deltas int // changes of votes and comments that wait for a delta run
	Outbox int // jobs in the outbox, including those that are not due yet
}

// FindBacklog reads the backlog of each database, in the order of db.Databases, along with a page. The backlog of a database
// that is unavailable is 0.
func FindBacklog(r *data.Read, db *data.DB) []Backlog {
	list := make([]Backlog, len(db.Databases()))
	for i, where := range db.Databases() {
		r.FindAt(where, countWaiting, data.Args{"most": waitingMax}, func(row *data.Row) {
			list[i] = Backlog{Deltas: int(row.Int()), Outbox: int(row.Int())}
		})
	}
	return list
}
