package mails

import (
	"context"
	"time"

	"plaza/data"
)

// BoundPer is the time in which a Bound counts mails.
const BoundPer = 24 * time.Hour

// Bound is how many mails of some kind one mailbox gets in BoundPer.
type Bound struct {
	For  string // what is counted, and for which mailbox; never empty, and no address in clear
	Most int
}

// Index mails_counted, at most :most rows of it, and primary key. A mail that is tried again is not counted again.
const countMail = `UPDATE mails SET counted_for = :for WHERE id = :id AND (counted_for = :for
  OR (SELECT count(*) FROM (SELECT 1 FROM mails m WHERE m.counted_for = :for AND m.counted_for <> '' AND m.id > :since
  LIMIT :most)) < :most)`

// Count counts a mail that is about to be sent for a bound. ok is false when it is one too many. Unavailable.
func (s *Store) Count(ctx context.Context, m *Waiting, b Bound) (ok bool, err error) {
	w := s.DB.Write(data.Directory)
	counted := w.Do(countMail, data.Args{"id": m.ID, "for": b.For, "most": b.Most, "since": data.NewID(s.Source.Now().Add(-BoundPer), 0,
		data.KindOther, 0)})
	err = w.Run(ctx)
	return err == nil && counted.Rows > 0, err
}
