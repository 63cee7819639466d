package deadletters

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/hrana"
)

// DeadLetter is a message that no consumer could handle. One that fails again, or another
// of the same text, is the same letter.
type Letter struct {
	ID         data.ID
	Queue      string // it was sent to first
	Body       string
	MessageID  string    // the platform's, of the last message
	FailedAt   time.Time // the first time
	LastAt     time.Time // the last time
	ReplayedAt time.Time // since then; zero: not yet
}

// DeadLetterStore keeps messages that failed, in the directory, until an administrator
// has looked at them, for letterLife at most.
type Store struct {
	DB     *data.DB
	Source data.Source
}

// Unique by queue and text. A message that is delivered again changes nothing.
const createDeadLetters = `INSERT INTO dead_letters (id, queue, message_id, body, failed_at, last_at)
SELECT j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value ->> 3, ?2, ?2 FROM json_each(?1) j WHERE true
ON CONFLICT (queue, body) DO UPDATE SET message_id = excluded.message_id, last_at = excluded.last_at, replayed_at = NULL
WHERE message_id <> excluded.message_id`

// CreateDeadLetters stores messages of one delivery, each once however often it comes;
// their IDs and times are made here. When it returns nil they are safe.
func (s *Store) Create(ctx context.Context, letters []Letter) error {
	if len(letters) == 0 {
		return nil
	}
	rows := make([][]any, len(letters))
	for i, l := range letters {
		// Text has no NUL and is valid UTF-8; what is not could not be stored and would
		// come for ever.
		body := strings.ReplaceAll(strings.ToValidUTF8(l.Body, "\uFFFD"), "\x00", "\uFFFD")
		rows[i] = []any{int64(s.Source.NewID(0, data.KindOther)), l.Queue, l.MessageID, body}
	}
	list, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	_, err = data.Tx(ctx, s.DB.OldDirectory(), data.OldStmt(createDeadLetters, string(list), s.Source.Now().UnixMilli()))
	return err
}

const (
	deadLetterColumns = `SELECT id, queue, body, message_id, failed_at, last_at, replayed_at FROM dead_letters `
	// Primary key, backwards.
	deadLetters = deadLetterColumns + `WHERE id < ?1 ORDER BY id DESC LIMIT ?2`
)

func scanDeadLetter(r *data.Row) Letter {
	l := Letter{ID: r.ID(), Queue: r.Text(), Body: r.Text(), MessageID: r.Text(), FailedAt: data.Millis(r.Int()), LastAt: data.Millis(r.Int())}
	if ms := r.Int(); ms != 0 {
		l.ReplayedAt = data.Millis(ms)
	}
	return l
}

// FindDeadLetters reads letters along with a page, newest first, older than before
// (0: from the newest).
func (s *Store) Find(r *data.Read, before data.ID, limit int) *[]Letter {
	list := &[]Letter{}
	if before == 0 {
		before = 1<<63 - 1
	}
	r.OldAdd(s.DB.OldDirectory(), data.OldStmt(deadLetters, before, limit), func(res hrana.Result) error {
		return data.Each(res, func(row *data.Row) { *list = append(*list, scanDeadLetter(row)) })
	})
	return list
}

const (
	thisLetter       = ` WHERE id = ?4 AND ` + data.Administrates + ` AND ` + data.OldLiveSession
	deadLetterByID   = deadLetterColumns + thisLetter
	deleteDeadLetter = `DELETE FROM dead_letters` + thisLetter
	markReplayed     = `UPDATE dead_letters SET replayed_at = ?5` + thisLetter
)

// Replay sends a letter to its queue again and notes when. send returns after the
// queue has taken it; should the note fail, the letter can be sent once more, which is
// harmless for any message. Unauthenticated, Forbidden and NotFound.
func (s *Store) Replay(ctx context.Context, a data.Actor, id data.ID, send func(Letter) error) error {
	results, err := data.Tx(ctx, s.DB.OldDirectory(), data.OldStmt(data.MayAdministrate, a.OldArgs()...), data.OldStmt(deadLetterByID, a.OldArgs(id)...))
	if err != nil {
		return err
	}
	if err := data.Admitted(results[0], data.ErrNotAdmin); err != nil {
		return err
	}
	if len(results[1].Rows) == 0 {
		return errNoLetter
	}
	var l Letter
	if err := data.Each(results[1], func(r *data.Row) { l = scanDeadLetter(r) }); err != nil {
		return err
	}
	if err := send(l); err != nil {
		return err
	}
	_, err = data.Tx(ctx, s.DB.OldDirectory(), data.OldStmt(markReplayed, a.OldArgs(id, s.Source.Now().UnixMilli())...))
	return err
}

// Delete forgets a letter; one that is not there is forgotten already. Unauthenticated
// and Forbidden.
func (s *Store) Delete(ctx context.Context, a data.Actor, id data.ID) error {
	results, err := data.Tx(ctx, s.DB.OldDirectory(), data.OldStmt(data.MayAdministrate, a.OldArgs()...), data.OldStmt(deleteDeadLetter, a.OldArgs(id)...))
	if err != nil {
		return err
	}
	return data.Admitted(results[0], data.ErrNotAdmin)
}

var errNoLetter = &data.Error{Code: data.NotFound, Message: "There is no such message. It may have been deleted already."}

const (
	// replayStep is how many letters are replayed at once.
	replayStep = 100
	// purgeLetterSteps bounds the transactions of one purge.
	purgeLetterSteps = 10
	// deleteStep is how many are deleted at once.
	deleteStep = 1000
	// letterLife is how long letters are kept after they have failed last.
	letterLife = 30 * 24 * time.Hour
)

const (
	// Index dead_letters_waiting, in its order.
	waitingLetters = deadLetterColumns + `WHERE replayed_at IS NULL AND id <= ?4 AND ` + data.Administrates + ` AND ` + data.OldLiveSession + ` ORDER BY id LIMIT ?5`
	// Primary keys. ?4 is a JSON array.
	markAllReplayed = `UPDATE dead_letters SET replayed_at = ?5 WHERE id IN (SELECT value FROM json_each(?4)) AND ` + data.Administrates + ` AND ` + data.OldLiveSession
	// Primary key, from its front.
	deleteLetters = `DELETE FROM dead_letters WHERE id IN (SELECT id FROM dead_letters WHERE id <= ?4 ORDER BY id LIMIT ?5) AND ` + data.Administrates + ` AND ` + data.OldLiveSession
	// Index dead_letters_age, from its front.
	purgeLetters = `DELETE FROM dead_letters WHERE id IN (SELECT id FROM dead_letters WHERE last_at < coalesce(?1, ` + data.OldDatabaseNow + `) - ?3 ORDER BY last_at LIMIT ?2)`
)

// ReplayAll sends the oldest letters that wait to their queues again, up to replayStep of
// them and none newer than upTo, and notes when. It returns how many and whether more
// wait. Of what a queue didn't take nothing is noted, as in Replay. Unauthenticated and
// Forbidden.
func (s *Store) ReplayAll(ctx context.Context, a data.Actor, upTo data.ID, send func(queue string, bodies []string) error) (n int, more bool, err error) {
	results, err := data.Tx(ctx, s.DB.OldDirectory(), data.OldStmt(data.MayAdministrate, a.OldArgs()...), data.OldStmt(waitingLetters, a.OldArgs(upTo, replayStep+1)...))
	if err != nil {
		return 0, false, err
	}
	if err := data.Admitted(results[0], data.ErrNotAdmin); err != nil {
		return 0, false, err
	}
	var letters []Letter
	if err := data.Each(results[1], func(r *data.Row) { letters = append(letters, scanDeadLetter(r)) }); err != nil {
		return 0, false, err
	}
	if more = len(letters) > replayStep; more {
		letters = letters[:replayStep]
	}
	bodies, ids := map[string][]string{}, map[string][]data.ID{}
	for _, l := range letters {
		bodies[l.Queue], ids[l.Queue] = append(bodies[l.Queue], l.Body), append(ids[l.Queue], l.ID)
	}
	var sent []data.ID
	for queue, list := range bodies {
		failed := send(queue, list)
		if err = errors.Join(err, failed); failed == nil {
			sent = append(sent, ids[queue]...)
		}
	}
	if len(sent) > 0 {
		_, failed := data.Tx(ctx, s.DB.OldDirectory(), data.OldStmt(markAllReplayed, a.OldArgs(data.JsonIDs(sent), s.Source.Now().UnixMilli())...))
		err = errors.Join(err, failed)
	}
	return len(sent), more, err
}

// DeleteAll forgets the oldest letters, up to deleteStep of them and none newer than upTo.
// It returns how many and whether more may be there. Unauthenticated and Forbidden.
func (s *Store) DeleteAll(ctx context.Context, a data.Actor, upTo data.ID) (n int, more bool, err error) {
	results, err := data.Tx(ctx, s.DB.OldDirectory(), data.OldStmt(data.MayAdministrate, a.OldArgs()...), data.OldStmt(deleteLetters, a.OldArgs(upTo, deleteStep)...))
	if err != nil {
		return 0, false, err
	}
	n = int(results[1].RowsAffected)
	return n, n == deleteStep, data.Admitted(results[0], data.ErrNotAdmin)
}

// Purge forgets letters that last failed longer than letterLife ago, in steps. What a call
// leaves, the next one takes.
func (s *Store) Purge(ctx context.Context) error {
	for range purgeLetterSteps {
		results, err := data.Tx(ctx, s.DB.OldDirectory(), data.OldStmt(purgeLetters, s.Source.OldDatabase(), deleteStep, letterLife.Milliseconds()))
		if err != nil || results[0].RowsAffected < deleteStep {
			return err
		}
	}
	return nil
}
