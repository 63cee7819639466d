package data

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"plaza/data/hrana"
)

// DeadLetter is a message that no consumer could handle.
type DeadLetter struct {
	ID         ID
	Queue      string // it was sent to first
	MessageID  string // the platform's
	Body       string
	Attempts   int // deliveries before it was given up
	FailedAt   time.Time
	ReplayedAt time.Time // zero: not yet
}

// DeadLetterStore keeps messages that failed, in the directory, until an administrator
// has looked at them.
type DeadLetterStore struct {
	DB     *DB
	Source Source
}

// Unique by queue and message: what is delivered again is there already.
const createDeadLetters = `INSERT INTO dead_letters (id, queue, message_id, body, attempts, failed_at)
SELECT j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value ->> 3, j.value ->> 4, j.value ->> 5 FROM json_each(?1) j WHERE true ON CONFLICT DO NOTHING`

// CreateDeadLetters stores messages of one delivery, each once however often it comes;
// their IDs and times are made here. When it returns nil they are safe.
func (s *DeadLetterStore) CreateDeadLetters(ctx context.Context, letters []DeadLetter) error {
	if len(letters) == 0 {
		return nil
	}
	now := s.Source.Now().UnixMilli()
	rows := make([][]any, len(letters))
	for i, l := range letters {
		// Text has no NUL and is valid UTF-8; what is not could not be stored and would
		// come for ever.
		body := strings.ReplaceAll(strings.ToValidUTF8(l.Body, "\uFFFD"), "\x00", "\uFFFD")
		rows[i] = []any{int64(s.Source.newID(0, KindOther)), l.Queue, l.MessageID, body, l.Attempts, now}
	}
	list, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	_, err = tx(ctx, s.DB.directory, stmt(createDeadLetters, string(list)))
	return err
}

const (
	deadLetterColumns = `SELECT id, queue, message_id, body, attempts, failed_at, replayed_at FROM dead_letters `
	// Primary key, backwards.
	deadLetters = deadLetterColumns + `WHERE id < ?1 ORDER BY id DESC LIMIT ?2`
)

func scanDeadLetter(r *row) DeadLetter {
	l := DeadLetter{ID: r.id(), Queue: r.text(), MessageID: r.text(), Body: r.text(), Attempts: int(r.int()), FailedAt: millis(r.int())}
	if ms := r.int(); ms != 0 {
		l.ReplayedAt = millis(ms)
	}
	return l
}

// FindDeadLetters reads letters along with a page, newest first, older than before
// (0: from the newest).
func (s *DeadLetterStore) FindDeadLetters(r *Read, before ID, limit int) *[]DeadLetter {
	list := &[]DeadLetter{}
	if before == 0 {
		before = 1<<63 - 1
	}
	r.add(s.DB.directory, stmt(deadLetters, before, limit), func(res hrana.Result) error {
		return each(res, func(row *row) { *list = append(*list, scanDeadLetter(row)) })
	})
	return list
}

const (
	administrates    = `EXISTS (SELECT 1 FROM users u WHERE u.id = ?1 AND u.admin = 1 AND u.status = 'active')`
	mayAdministrate  = `SELECT ` + administrates + `, ` + liveSession
	thisLetter       = ` WHERE id = ?4 AND ` + administrates + ` AND ` + liveSession
	deadLetterByID   = deadLetterColumns + thisLetter
	deleteDeadLetter = `DELETE FROM dead_letters` + thisLetter
	markReplayed     = `UPDATE dead_letters SET replayed_at = ?5` + thisLetter
)

// Replay sends a letter to its queue again and notes when. send returns after the
// queue has taken it; should the note fail, the letter can be sent once more, which is
// harmless for any message. Unauthenticated, Forbidden and NotFound.
func (s *DeadLetterStore) Replay(ctx context.Context, a Actor, id ID, send func(DeadLetter) error) error {
	results, err := tx(ctx, s.DB.directory, stmt(mayAdministrate, a.args()...), stmt(deadLetterByID, a.args(id)...))
	if err != nil {
		return err
	}
	if err := admitted(results[0], errNotAdmin); err != nil {
		return err
	}
	if len(results[1].Rows) == 0 {
		return errNoLetter
	}
	var l DeadLetter
	if err := each(results[1], func(r *row) { l = scanDeadLetter(r) }); err != nil {
		return err
	}
	if err := send(l); err != nil {
		return err
	}
	_, err = tx(ctx, s.DB.directory, stmt(markReplayed, a.args(id, s.Source.Now().UnixMilli())...))
	return err
}

// Delete forgets a letter; one that is not there is forgotten already. Unauthenticated
// and Forbidden.
func (s *DeadLetterStore) Delete(ctx context.Context, a Actor, id ID) error {
	results, err := tx(ctx, s.DB.directory, stmt(mayAdministrate, a.args()...), stmt(deleteDeadLetter, a.args(id)...))
	if err != nil {
		return err
	}
	return admitted(results[0], errNotAdmin)
}

var errNoLetter = &Error{Code: NotFound, Message: "There is no such message. It may have been deleted already."}
