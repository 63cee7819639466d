// Package deadletters keeps messages that no consumer of a queue could handle, for administrators to replay or delete. All of it is in the
// directory.
//
// A message comes here after its last delivery. Replaying sends it to its queue again; that is safe, because every message may come twice.
package deadletters

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"plaza/data"
)

// Message is a dead letter: a message that no consumer could handle. Further failures of the same text stay one dead letter.
type Message struct {
	ID         data.ID
	Queue      string // its first queue
	Body       string
	MessageID  string    // the platform's id of the last delivery
	FailedAt   time.Time // the first time
	LastAt     time.Time // the last time
	ReplayedAt time.Time // zero if it was not replayed since its last failure
}

// Store keeps dead letters in the directory until an administrator deletes them, or until keptFor after their last failure.
type Store struct{ data.Base }

// A queue and a text have one row. A message that is delivered again changes nothing. :list is a JSON array of
// arrays: id, queue, id of the message, text.
const createAll = `INSERT INTO dead_letters (id, queue, message_id, body, failed_at, last_at)
SELECT j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value ->> 3, :at, :at FROM json_each(:list) j WHERE true
ON CONFLICT (queue, body) DO UPDATE SET message_id = excluded.message_id, last_at = excluded.last_at, replayed_at = NULL
WHERE message_id <> excluded.message_id`

// Create stores the messages of one delivery, each once, however often it is delivered. It sets their ids and times. Unavailable.
func (s *Store) Create(ctx context.Context, messages []Message) error {
	if len(messages) == 0 {
		return nil
	}
	rows := make([][]any, len(messages))
	for i, m := range messages {
		// The database only stores valid UTF-8 without NUL. Any other text would be delivered forever.
		body := strings.ReplaceAll(strings.ToValidUTF8(m.Body, "\uFFFD"), "\x00", "\uFFFD")
		rows[i] = []any{int64(s.Source.NewID(0, data.KindOther)), m.Queue, m.MessageID, body}
	}
	list, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	w := s.DB.Write()
	w.Do(createAll, data.Args{"list": string(list), "at": s.Source.Now()})
	return w.Run(ctx)
}

const (
	columns = `id, queue, body, message_id, failed_at, last_at, replayed_at`
	// Primary key, from its end.
	newest = `SELECT ` + columns + ` FROM dead_letters WHERE id < :before ORDER BY id DESC LIMIT :limit`
)

// scan reads the columns of columns.
func (m *Message) scan(r *data.Row) {
	*m = Message{ID: r.ID(), Queue: r.Text(), Body: r.Text(), MessageID: r.Text(), FailedAt: r.Time(), LastAt: r.Time(), ReplayedAt: r.Time()}
}

// Find reads a page of dead letters along with a page, newest first, older than before (0: from the newest).
func (s *Store) Find(r *data.Read, before data.ID, limit int) *data.Page[Message] {
	return data.NewPage[Message](0, limit).Find(r, newest, data.Args{"before": data.Below(before)},
		func(row *data.Row) (m Message, value float64, id data.ID) {
			m.scan(row)
			return m, 0, m.ID
		})
}

const (
	// keptFor is how long a dead letter is stored after its last failure.
	keptFor = 30 * 24 * time.Hour
	// A purge runs in steps of deleteStep, at most purgeSteps in a call.
	purgeSteps = 10
)

// Index dead_letters_age, from its front.
const purge = `DELETE FROM dead_letters WHERE id IN (SELECT id FROM dead_letters WHERE last_at < ` + data.DatabaseNow +
	` - :life ORDER BY last_at LIMIT :step)`

// Purge deletes dead letters whose last failure is longer than keptFor ago. The next call deletes the rest. Unavailable.
func (s *Store) Purge(ctx context.Context) error {
	return s.DB.Steps(ctx, purgeSteps, func(w *data.Write) func() bool {
		purged := w.Do(purge, data.Args{"now": s.Source.DatabaseNow(), "life": keptFor, "step": deleteStep})
		return func() bool { return purged.Rows == deleteStep }
	})
}
