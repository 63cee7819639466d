package inbox

import (
	"context"

	"plaza/data"
)

// Selection selects rows of an inbox: one row (Item), the row about one post or comment (Subject), the rows of one thread (Thread), or all.
// For a thread and for all, it selects only rows up to Newest, because the member has not seen rows that came after the page was made.
type Selection struct {
	Item, Subject, Thread data.ID
	Newest                data.ID
}

const (
	// Primary key, or index inbox_unread. A thread's rows are found among all unread rows, at most 1,000. The triggers inbox_came,
	// inbox_read and inbox_gone update users.unread.
	readItem    = `UPDATE inbox SET unread = 0 WHERE id = :item AND user_id = :actor AND unread = 1 AND ` + data.LiveSession
	readSubject = `UPDATE inbox SET unread = 0 WHERE user_id = :actor AND subject_id = :subject AND unread = 1 AND ` + data.LiveSession
	readThread  = `UPDATE inbox SET unread = 0 WHERE user_id = :actor AND unread = 1 AND +post_id = :thread AND +id <= :newest AND ` +
		data.LiveSession
	readAll = `UPDATE inbox SET unread = 0, read_to = :newest WHERE user_id = :actor AND unread = 1 AND +id <= :newest AND ` +
		data.LiveSession
	// Index inbox_listed, all rows of the member, at most 1,000.
	unreadAll = `UPDATE inbox SET unread = 1, read_to = 0 WHERE user_id = :actor AND read_to = :newest AND unread = 0 AND ` +
		data.LiveSession
	unreadRemaining = `SELECT u.unread, ` + data.LiveSession + ` FROM users u WHERE u.id = :actor`
)

// MarkRead marks notifications as read, and returns how many are unread then. A repetition changes nothing. Unauthenticated.
func (s *Store) MarkRead(ctx context.Context, a data.Actor, which Selection) (remaining int, err error) {
	w := s.DB.Write()
	switch {
	case which.Item != 0:
		w.Do(readItem, a.Args(data.Args{"item": which.Item}))
	case which.Subject != 0:
		w.Do(readSubject, a.Args(data.Args{"subject": which.Subject}))
	case which.Thread != 0:
		w.Do(readThread, a.Args(data.Args{"thread": which.Thread, "newest": which.Newest}))
	default:
		w.Do(readAll, a.Args(data.Args{"newest": which.Newest}))
	}
	return s.remaining(ctx, a, w)
}

// UndoReadAll marks as unread again the rows that MarkRead has marked for all up to newest, and returns how many are unread then. Rows that
// were read before, alone or with their thread, stay read. A repetition changes nothing. Unauthenticated.
func (s *Store) UndoReadAll(ctx context.Context, a data.Actor, newest data.ID) (remaining int, err error) {
	w := s.DB.Write()
	w.Do(unreadAll, a.Args(data.Args{"newest": newest}))
	return s.remaining(ctx, a, w)
}

// remaining runs the write, and returns how many rows are unread then.
func (s *Store) remaining(ctx context.Context, a data.Actor, w *data.Write) (remaining int, err error) {
	live := false
	w.Find(unreadRemaining, a.Args(nil), func(r *data.Row) { remaining, live = int(r.Int()), r.Bool() })
	if err = w.Run(ctx); err == nil && !live {
		err = data.ErrSessionEnded
	}
	return remaining, err
}
