package data

import "time"

// AgeSlots pretends that slots were read earlier.
func (db *DB) AgeSlots(by time.Duration) {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.slotsAt = db.slotsAt.Add(-by)
}
