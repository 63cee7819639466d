// Package deadletters keeps messages that no consumer of a queue could handle, for administrators to replay or delete.
package deadletters

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"plaza/data"
)

// Message is a dead letter: a message that no consumer could handle. One that fails again, or another of the same text, is
// the same dead letter.
type Message struct {
	ID         data.ID
	Queue      string // it was sent to first
	Body       string
	MessageID  string    // the platform's, of the last delivery
	FailedAt   time.Time // the first time
	LastAt     time.Time // the last time
	ReplayedAt time.Time // since then; zero: not yet
}

// Store keeps dead letters, in the directory, until an administrator has looked at them, for keptFor at most.
type Store struct {
	DB     *data.DB
	Source data.Source
}

// Unique by queue and text. A message that is delivered again changes nothing. :list is a JSON array of arrays: id, queue,
// id of the message, text.
const createAll = `INSERT INTO dead_letters (id, queue, message_id, body, failed_at, last_at)
SELECT j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value ->> 3, :at, :at FROM json_each(:list) j WHERE true
ON CONFLICT (queue, body) DO UPDATE SET message_id = excluded.message_id, last_at = excluded.last_at, replayed_at = NULL
WHERE message_id <> excluded.message_id`

// Create stores messages of one delivery, each once however often it comes; their IDs and times are made here. When it
// returns nil they are safe. Unavailable.
func (s *Store) Create(ctx context.Context, messages []Message) error {
	if len(messages) == 0 {
		return nil
	}
	rows := make([][]any, len(messages))
	for i, m := range messages {
		// Text has no NUL and is valid UTF-8; what is not could not be stored and would come for ever.
		body := strings.ReplaceAll(strings.ToValidUTF8(m.Body, "\uFFFD"), "\x00", "\uFFFD")
		rows[i] = []any{int64(s.Source.NewID(0, data.KindOther)), m.Queue, m.MessageID, body}
	}
	list, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	w := s.DB.Write(data.Directory)
	w.Do(createAll, data.Args{"list": string(list), "at": s.Source.Now()})
	return w.Run(ctx)
}

const (
	columns = `id, queue, body, message_id, failed_at, last_at, replayed_at`
	// Primary key, backwards.
	newest = `SELECT ` + columns + ` FROM dead_letters WHERE id < :before ORDER BY id DESC LIMIT :limit`
)

// scan reads the columns of columns.
func (m *Message) scan(r *data.Row) {
	*m = Message{ID: r.ID(), Queue: r.Text(), Body: r.Text(), MessageID: r.Text(), FailedAt: r.Time(), LastAt: r.Time(), ReplayedAt: r.Time()}
}

// Find reads dead letters along with a page, newest first, older than before (0: from the newest).
func (s *Store) Find(r *data.Read, before data.ID, limit int) *[]Message {
	list := &[]Message{}
	if before == 0 {
		before = 1<<63 - 1
	}
	r.Find(data.Directory, newest, data.Args{"before": before, "limit": limit}, func(row *data.Row) {
		var m Message
		m.scan(row)
		*list = append(*list, m)
	})
	return list
}

const (
	// keptFor is how long dead letters are kept after they have failed last.
	keptFor = 30 * 24 * time.Hour
	// A purge goes in steps of deleteStep, at most purgeSteps a call.
	purgeSteps = 10
)

// Index dead_letters_age, from its front.
const purge = `DELETE FROM dead_letters WHERE id IN (SELECT id FROM dead_letters WHERE last_at < ` + data.DatabaseNow + ` - :life ORDER BY last_at LIMIT :step)`

// Purge forgets dead letters that last failed longer than keptFor ago. What a call leaves, the next one takes. Unavailable.
func (s *Store) Purge(ctx context.Context) error {
	for range purgeSteps {
		w := s.DB.Write(data.Directory)
		purged := w.Do(purge, data.Args{"now": s.Source.DatabaseNow(), "life": keptFor, "step": deleteStep})
		if err := w.Run(ctx); err != nil || purged.Rows < deleteStep {
			return err
		}
	}
	return nil
}
