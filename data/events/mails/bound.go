package mails

import (
	"context"
	"time"

	"plaza/data"
)

// BoundPer is the period of a Bound.
const BoundPer = 24 * time.Hour

// Bound limits how many mails of some kind one mailbox gets in BoundPer.
type Bound struct {
	For string // the kind of limit and the mailbox; never empty, and no address in plain text
	Max int
	// By is a key of the network or account that requests the mail; "" if that makes no difference. Each By gets at most MaxPerRequester
	// mails, and the second half of Most is for each By that got none yet. So a few requesters can't use up the mails of others.
	By              string
	MaxPerRequester int
}

const (
	// A retried mail is not counted again. Primary key; index mails_counted, the rows of the mailbox within keyLife.
	countMail = `UPDATE mails SET counted_for = :for || ' ' || :by WHERE id = :id AND (counted_for = :for || ' ' || :by
  OR (SELECT count(*) FROM (SELECT 1 FROM mails m WHERE m.counted_for > :for AND m.counted_for < :for || '!' AND m.counted_for <> ''
  AND m.id > :since LIMIT :most)) < iif(:by <> '' AND ` + countedBy + ` > 0, :most / 2, :most)
  AND (:by = '' OR ` + countedBy + ` < :of_one))`
	countedBy = `(SELECT count(*) FROM (SELECT 1 FROM mails m WHERE m.counted_for = :for || ' ' || :by AND m.counted_for <> ''
  AND m.id > :since LIMIT :of_one))`

	// Unique index on key.
	uncount = `UPDATE mails SET counted_for = '' WHERE key = :key AND counted_for <> ''`
)

// Count counts a mail for a bound before it is sent. ok is false if it exceeds the bound. Unavailable.
func (s *Store) Count(ctx context.Context, m *Waiting, b Bound) (ok bool, err error) {
	w := s.DB.Write()
	counted := w.Do(countMail, data.Args{"id": m.ID, "for": b.For, "most": b.Max, "by": b.By, "of_one": b.MaxPerRequester,
		"since": data.NewID(s.Source.Now().Add(-BoundPer), 0, data.KindOther, 0)})
	err = w.Run(ctx)
	return err == nil && counted.Rows > 0, err
}

// Uncount adds the statement that stops counting a mail, because its recipient has confirmed that they wanted it.
func Uncount(w *data.Write, key string) { w.Do(uncount, data.Args{"key": key}) }
