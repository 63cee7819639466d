package deadletters

import (
	"context"
	"errors"

	"plaza/data"
)

// byAdmin is the condition of all statements here that the actor is an administrator and the session is live.
const byAdmin = data.ByAdmin + ` AND ` + data.LiveSession

const (
	messageByID  = `SELECT ` + columns + ` FROM dead_letters WHERE id = :id AND ` + byAdmin
	markReplayed = `UPDATE dead_letters SET replayed_at = :at WHERE id = :id AND ` + byAdmin
	deleteByID   = `DELETE FROM dead_letters WHERE id = :id AND ` + byAdmin
)

var errNotThere = &data.Error{Code: data.NotFound, Message: "There is no such message. It may have been deleted already."}

// Replay sends a dead letter to its queue again and records when. send returns after the queue has accepted it. If the record fails, the
// dead letter may be sent once more, which is harmless for any message. Unauthenticated, Forbidden and NotFound.
func (s *Store) Replay(ctx context.Context, a data.Actor, id data.ID, send func(Message) error) error {
	w := s.DB.Write()
	admin := data.CheckAdmin(w, a)
	var m Message
	w.Find(messageByID, a.Args(data.Args{"id": id}), m.scan)
	if err := w.Run(ctx); err != nil {
		return err
	}
	if err := admin.Err(); err != nil {
		return err
	}
	if m.ID == 0 {
		return errNotThere
	}
	if err := send(m); err != nil {
		return err
	}
	w = s.DB.Write()
	w.Do(markReplayed, a.Args(data.Args{"id": id, "at": s.Source.Now()}))
	return w.Run(ctx)
}

// Delete deletes a dead letter if it exists. Unauthenticated and Forbidden.
func (s *Store) Delete(ctx context.Context, a data.Actor, id data.ID) error {
	w := s.DB.Write()
	admin := data.CheckAdmin(w, a)
	w.Do(deleteByID, a.Args(data.Args{"id": id}))
	if err := w.Run(ctx); err != nil {
		return err
	}
	return admin.Err()
}

// replayStep is how many dead letters are replayed at once.
const replayStep = 100

const (
	// Index dead_letters_waiting, in its order.
	waiting = `SELECT ` + columns + ` FROM dead_letters WHERE replayed_at IS NULL AND id <= :up_to AND ` + byAdmin +
		` ORDER BY id LIMIT :limit`
	markAllReplayed = `UPDATE dead_letters SET replayed_at = :at WHERE id IN (SELECT value FROM json_each(:ids)) AND ` + byAdmin
)

// ReplayAll sends the oldest waiting dead letters to their queues again, up to replayStep of them and none newer than upTo, and records
// when. It returns how many it has sent, and whether more wait. Dead letters that a queue refused still wait. Unauthenticated and
// Forbidden.
func (s *Store) ReplayAll(ctx context.Context, a data.Actor, upTo data.ID, send func(queue string, bodies []string) error) (n int,
	more bool, err error) {
	bodies, ids := map[string][]string{}, map[string][]data.ID{} // by queue
	w := s.DB.Write()
	admin := data.CheckAdmin(w, a)
	found := 0
	w.Find(waiting, a.Args(data.Args{"up_to": upTo, "limit": replayStep + 1}), func(r *data.Row) {
		if found++; found > replayStep {
			more = true
			return
		}
		var m Message
		m.scan(r)
		bodies[m.Queue], ids[m.Queue] = append(bodies[m.Queue], m.Body), append(ids[m.Queue], m.ID)
	})
	if err := w.Run(ctx); err != nil {
		return 0, false, err
	}
	if err := admin.Err(); err != nil {
		return 0, false, err
	}
	var sent []data.ID
	for queue, list := range bodies {
		failed := send(queue, list)
		if err = errors.Join(err, failed); failed == nil {
			sent = append(sent, ids[queue]...)
		}
	}
	if len(sent) > 0 {
		w := s.DB.Write()
		w.Do(markAllReplayed, a.Args(data.Args{"ids": sent, "at": s.Source.Now()}))
		err = errors.Join(err, w.Run(ctx))
	}
	return len(sent), more, err
}

// deleteStep is how many dead letters are deleted at once.
const deleteStep = 1000

// Primary key, from its start.
const deleteOldest = `DELETE FROM dead_letters WHERE id IN (SELECT id FROM dead_letters WHERE id <= :up_to ORDER BY id LIMIT :step) AND ` +
	byAdmin

// DeleteAll deletes the oldest dead letters, up to deleteStep of them and none newer than upTo. It returns how many,
// and whether there may be more. Unauthenticated and Forbidden.
func (s *Store) DeleteAll(ctx context.Context, a data.Actor, upTo data.ID) (n int, more bool, err error) {
	w := s.DB.Write()
	admin := data.CheckAdmin(w, a)
	deleted := w.Do(deleteOldest, a.Args(data.Args{"up_to": upTo, "step": deleteStep}))
	if err := w.Run(ctx); err != nil {
		return 0, false, err
	}
	return int(deleted.Rows), deleted.Rows == deleteStep, admin.Err()
}
