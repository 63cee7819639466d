package accounts

import (
	"context"
	"time"

	"plaza/data"
	"plaza/data/events/modlog"
)

// Waiting is a newcomer who waits for approval by an administrator. Until then the account can log in and read, but not write
// (data.Actor.Unapproved).
type Waiting struct {
	ID        data.ID
	Name      string
	Answer    string
	CreatedAt time.Time
}

// ApproveMax is how many newcomers one call of Approve decides about at most.
const ApproveMax = 50

const (
	// Index users_waiting, in its order.
	waiting = `SELECT u.id, u.username, u.waiting, u.created_at FROM users u WHERE u.waiting IS NOT NULL AND u.status = 'active'
  AND u.id > :after ORDER BY u.id LIMIT :limit`
	// stillWaiting is the condition of the log's entry, which approve and refuse then require. A refused newcomer keeps users.waiting, so
	// that a restore makes them wait again.
	stillWaiting = data.ByAdmin + ` AND EXISTS (SELECT 1 FROM users o WHERE o.id = :user AND o.waiting IS NOT NULL AND o.status = 'active')`
	approve      = `UPDATE users SET waiting = NULL WHERE id = :user AND waiting IS NOT NULL AND status = 'active' AND EXISTS (SELECT 1
  FROM moderation_log l WHERE l.id = :entry)`
	refuse = `UPDATE users SET status = 'banned', suspended_until = NULL, suspension = :entry WHERE id = :user AND waiting IS NOT NULL
  AND status = 'active' AND EXISTS (SELECT 1 FROM moderation_log l WHERE l.id = :entry)`
)

// FindWaiting reads, along with a page, up to limit waiting newcomers after the given one, the oldest first.
func (s *Store) FindWaiting(r *data.Read, after data.ID, limit int) *[]Waiting {
	list := &[]Waiting{}
	r.Find(waiting, data.Args{"after": after, "limit": limit}, func(row *data.Row) {
		*list = append(*list, Waiting{row.ID(), row.Text(), row.Text(), row.Time()})
	})
	return list
}

// Approve lets newcomers write, or refuses them. Refused newcomers can't log in any more. It skips members who don't wait any more, and
// returns how many it has decided about. Each decision gets an entry in the log. Forbidden (not an administrator), Unauthenticated.
func (s *Store) Approve(ctx context.Context, a data.Actor, newcomers []data.ID, approved bool) (decided int, err error) {
	action, sql := modlog.Refuse, refuse
	if approved {
		action, sql = modlog.Admit, approve
	}
	w := s.DB.Write()
	var done []*data.Change
	for _, id := range newcomers[:min(len(newcomers), ApproveMax)] {
		entry := modlog.NewEntry{ID: s.Source.NewID(0, data.KindOther), Action: action, Target: id, Author: id}
		modlog.Add(w, a, entry, stillWaiting, data.Args{"user": id})
		done = append(done, w.Do(sql, data.Args{"user": id, "entry": entry.ID}))
	}
	may := data.CheckAdmin(w, a)
	if err := w.Run(ctx); err != nil {
		return 0, err
	}
	for _, d := range done {
		decided += int(d.Rows)
	}
	return decided, may.Err()
}
