package sessions

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"plaza/data"
	"plaza/data/events/outbox"
	"plaza/data/pace/deadline"
)

// CopyTime is how long a request waits for the other databases. The retry job writes what they missed.
const CopyTime = 2 * time.Second

// ErrLater is returned with Unavailable when a decision is stored in the directory, but some databases could not be reached. The retry job
// writes it there.
var ErrLater = errors.New("a database does not respond")

const (
	revokedHere = `SELECT r.subject, r.before, r.expires_at FROM json_each(:subjects) j CROSS JOIN revocations r ON r.subject = j.value`
	// RevokeElsewhere writes rows of the directory's revocations, :list, into another database. A time in the future belongs to a
	// suspension or an ended session: the directory's value replaces it. A time in the past ends older sessions, and only grows.
	RevokeElsewhere = `INSERT INTO revocations (subject, before, expires_at) SELECT j.value ->> 0, j.value ->> 1, j.value ->> 2
  FROM json_each(:list) j WHERE true
ON CONFLICT (subject) DO UPDATE SET before = iif(before > ` + data.DatabaseNow +
		`, excluded.before, max(before, excluded.before)), expires_at = max(expires_at, excluded.expires_at)`
)

// RevocationCopies are rows of the directory's revocations, of members, sessions and tokens, to be copied to the other databases.
type RevocationCopies struct {
	db     *data.DB
	source data.Source
	copies *outbox.Copies // nil with one database
	rows   [][3]int64
}

// EnqueueRevocations enqueues outbox.JobRevokeSessions for what a transaction has revoked or restored.
func EnqueueRevocations(w *data.Write, db *data.DB, source data.Source, subjects ...data.ID) *RevocationCopies {
	v := &RevocationCopies{db: db, source: source}
	if db.HasShards() {
		v.copies = outbox.EnqueueRevokeSessions(w, source, subjects...)
		v.find(w, subjects)
	}
	return v
}

func (v *RevocationCopies) find(w *data.Write, subjects []data.ID) {
	w.Find(revokedHere, data.Args{"subjects": subjects}, func(row *data.Row) {
		v.rows = append(v.rows, [3]int64{int64(row.ID()), row.Int(), row.Int()})
	})
}

// Copy copies revocations to the other databases. ErrLater and Unavailable name the databases that could not be reached.
func (v *RevocationCopies) Copy(ctx context.Context) error {
	if v.copies == nil || v.copies.None() {
		return nil
	}
	var rows [][3]int64
	for _, row := range v.rows {
		if v.copies.Has(data.ID(row[0])) {
			rows = append(rows, row)
		}
	}
	text, _ := json.Marshal(rows) // encoding numbers can't fail
	args := data.Args{"list": string(text), "now": v.source.DatabaseNow()}
	if err := v.db.WriteElsewhere(ctx, func(w *data.Write) { w.Do(RevokeElsewhere, args) }); err != nil {
		return errors.Join(ErrLater, err)
	}
	w := v.db.Write()
	v.copies.Done(w, v.copies.Subjects()...)
	if err := w.Run(ctx); err != nil {
		return errors.Join(ErrLater, err)
	}
	return nil
}

// CopyNow is Copy for a request, which waits CopyTime at most. The job is enqueued in the directory, so errors are ignored.
func (v *RevocationCopies) CopyNow(ctx context.Context) { _ = v.Copy(deadline.ForPart(ctx, CopyTime)) }

// CopyRevocations does the job outbox.JobRevokeSessions: the other databases refuse the sessions and tokens that the directory refuses,
// and no others. It may be stopped at any point and repeated. Unavailable, with the databases that could not be reached: the retry job
// updates them later.
func (s *Store) CopyRevocations(ctx context.Context, subjects []data.ID) error {
	v := &RevocationCopies{db: s.DB, source: s.Source}
	w := s.DB.Write()
	v.copies = outbox.ClaimCopies(w, s.Source, outbox.JobRevokeSessions, subjects)
	v.find(w, subjects)
	if err := w.Run(ctx); err != nil {
		return err
	}
	return v.Copy(ctx)
}
