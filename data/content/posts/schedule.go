package posts

import "plaza/data"

// Posts are scheduled for a year ahead at most. The database's clock decides, because it also decides when they are published: an
// instance whose clock is fast would refuse future times. :publish_at is NULL for a post that is not scheduled.
const (
	scheduleMax = `31536000000` // milliseconds
	inTime      = `coalesce(:publish_at BETWEEN ` + data.DatabaseNow + ` AND ` + data.DatabaseNow + ` + ` + scheduleMax + `, 1)`
	// Reads no table.
	outOfTime = `SELECT coalesce(:publish_at < ` + data.DatabaseNow + `, 0), coalesce(:publish_at > ` + data.DatabaseNow + ` + ` +
		scheduleMax + `, 0)`
)

// scheduleCheck says what is wrong with the time of a scheduled post, by the database's clock.
type scheduleCheck struct{ passed, ahead bool }

// find reads it along with a transaction.
func (t *scheduleCheck) find(w *data.Write, s data.Source, c *Create) {
	if c.Status != Scheduled {
		return
	}
	w.Find(outOfTime, data.Args{"publish_at": c.publishAt(), "now": s.DatabaseNow()}, func(row *data.Row) {
		t.passed, t.ahead = row.Bool(), row.Bool()
	})
}

// Err returns the mistake; nil for none.
func (t scheduleCheck) Err() error {
	return data.AllMistakes(
		data.MistakeIf(t.passed, "publish_at", "That time has passed. Please choose a later one."),
		data.MistakeIf(t.ahead, "publish_at", "A post can be scheduled for a year ahead at most."))
}
