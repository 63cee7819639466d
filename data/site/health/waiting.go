package health

import "plaza/data"

// waitingMost bounds what Waiting counts in a database, of each kind.
const waitingMost = 1000

// From the front of three tables, up to :most rows each.
const countWaiting = `SELECT (SELECT count(*) FROM (SELECT 1 FROM vote_deltas
  WHERE (target_id >> 12) & 1023` + data.NotClosed + ` LIMIT :most))
  + (SELECT count(*) FROM (SELECT 1 FROM count_deltas WHERE (post_id >> 12) & 1023` + data.NotClosed + ` LIMIT :most)),
  (SELECT count(*) FROM (SELECT 1 FROM outbox WHERE (subject_id >> 12) & 1023` + data.NotClosed + ` LIMIT :most))`

// Work is what waits in a database.
type Work struct {
	Deltas int // differences of votes and comments that no fold has added up
	Outbox int // work in the outbox, also such that is not due yet
}

// FindWork counts what waits in each database, in the order of db.Databases, along with a page. What is missing from the page counts
// nothing.
func FindWork(r *data.Read, db *data.DB) []Work {
	list := make([]Work, len(db.Databases()))
	for i, where := range db.Databases() {
		r.FindAt(where, countWaiting, data.Args{"most": waitingMost}, func(row *data.Row) {
			list[i] = Work{Deltas: int(row.Int()), Outbox: int(row.Int())}
		})
	}
	return list
}
