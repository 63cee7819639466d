package people

import (
	"context"

	"plaza/data"
	"plaza/data/outbox"
)

const (
	// Primary key.
	voidedHere = `SELECT r.subject, r.before, r.expires_at FROM json_each(:members) j CROSS JOIN revocations r ON r.subject = j.value`
	// A time to come is that of a suspension, and the directory's holds. Any other ends sessions of the past, and stays. Primary key.
	voidElsewhere = `INSERT INTO revocations (subject, before, expires_at) SELECT j.value ->> 0, j.value ->> 1, j.value ->> 2 FROM json_each(:list) j WHERE true
ON CONFLICT (subject) DO UPDATE SET before = iif(before > ` + data.DatabaseNow + `, excluded.before, max(before, excluded.before)), expires_at = max(expires_at, excluded.expires_at)`
)

// TellVoid does the work outbox.WorkVoid: it ends the sessions of suspended members in the other databases as the directory has ended them. It
// may be ended at any point and repeated. rest are members about whom the directory says something else by now, and whose messages are to
// be sent again. Unavailable, with the databases that could not be reached: the sweep has them told later.
func (s *Store) TellVoid(ctx context.Context, members []data.ID) (rest []data.ID, err error) {
	left, known := map[data.ID]int64{}, map[data.ID]bool{}
	var told, done [][3]int64
	w := s.DB.Write(data.Directory)
	outbox.Claim(w, s.Source, outbox.WorkVoid, members, func(c outbox.Claimed) { left[c.Subject] = c.QueuedAt })
	w.Find(voidedHere, data.Args{"members": members}, func(row *data.Row) {
		if member, before := row.ID(), row.Int(); left[member] != 0 {
			known[member] = true
			told = append(told, [3]int64{int64(member), before, row.Int()})
			done = append(done, [3]int64{int64(member), left[member], before})
		}
	})
	if err := w.Run(ctx); err != nil || len(left) == 0 {
		return nil, err
	}
	args := data.Args{"list": listOf(told), "now": s.Source.DatabaseNow()}
	if err := s.DB.WriteEach(ctx, s.DB.Databases()[1:], func(w *data.Write) { w.Do(voidElsewhere, args) }); err != nil {
		return nil, err
	}
	w = s.DB.Write(data.Directory)
	outbox.Voided(w, listOf(done))
	var claimed []data.ID
	for member, queued := range left {
		claimed = append(claimed, member)
		if !known[member] { // all their sessions have run out
			outbox.Done(w, member, outbox.WorkVoid, queued)
		}
		outbox.Again(w, s.Source, member, outbox.WorkVoid)
	}
	w.Find(voidLeft, data.Args{"members": claimed}, func(row *data.Row) { rest = append(rest, row.ID()) })
	return rest, w.Run(ctx)
}

// leaveVoid has other databases, if there are any, end the sessions of members who are suspended by the same transaction.
func (s *Store) leaveVoid(w *data.Write, members ...data.ID) {
	if len(s.DB.Databases()) > 1 {
		outbox.LeaveVoid(w, s.Source, members...)
	}
}

// tellOthers does at once what leaveVoid has left.
func (s *Store) tellOthers(ctx context.Context, members ...data.ID) error {
	if len(s.DB.Databases()) == 1 {
		return nil
	}
	_, err := s.TellVoid(ctx, members)
	return err
}

// Primary key.
const voidLeft = `SELECT o.subject_id FROM json_each(:members) j CROSS JOIN outbox o ON o.subject_id = j.value AND o.work = 'void'`
